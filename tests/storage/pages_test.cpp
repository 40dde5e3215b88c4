// A page of the file is destroyed: all that does not stand on it is read, what stood on it is told,
// and a repaired store has what the facts still tell.
#include "contents.hpp"
#include "raw.hpp"
#include "samples.hpp"

#include "storage/maintenance.hpp"
#include "test.hpp"

using namespace adjourn::storage;
using namespace adjourn::storage::test;

namespace {

constexpr std::size_t page_size = 4'096;

// The first page of each table and index, by its name.
std::map<std::string, std::size_t> roots(const std::filesystem::path& directory) {
    Database database{database_file(directory), Access::read};
    Statement rows{database, "SELECT name, rootpage FROM sqlite_schema WHERE rootpage > 0"};
    std::map<std::string, std::size_t> roots;
    while (rows.step()) {
        roots[rows.text(0)] = static_cast<std::size_t>(rows.integer(1)) - 1;
    }
    return roots;
}

std::size_t kinds_lost(const AllRows& now, const AllRows& whole) {
    return std::size_t{now.facts.size() < whole.facts.size()} +
           std::size_t{now.machines.size() < whole.machines.size() &&
                       now.facts.size() == whole.facts.size()} +
           std::size_t{now.engines.size() < whole.engines.size()} +
           std::size_t{now.analyses.size() < whole.analyses.size()} +
           std::size_t{now.directives.size() < whole.directives.size()} +
           std::size_t{now.snapshots.size() < whole.snapshots.size()} +
           std::size_t{now.seeds.size() < whole.seeds.size()} +
           std::size_t{now.files.size() < whole.files.size()} +
           std::size_t{now.failures.size() < whole.failures.size()} +
           std::size_t{now.clouds.size() < whole.clouds.size()} +
           std::size_t{now.asked.size() < whole.asked.size()} +
           std::size_t{now.usages != whole.usages};
}

} // namespace

TEST_CASE("pages: each table costs what it holds, an index nothing") {
    const TemporaryDirectory directory;
    fill_all_tables(directory);
    const std::string whole = read_file(database_file(directory));
    const AllRows contents = read_all(*open_store(directory, OpenMode::read));
    REQUIRE(kinds_lost(contents, contents) == 0);
    for (const auto& [name, page] : roots(directory)) {
        CAPTURE(name);
        std::string damaged = whole;
        damaged[page * page_size] = 7; // no page is of that type
        write_file(database_file(directory), damaged);
        std::filesystem::remove(directory.path() / "acknowledged");
        const auto store = open_store(directory, OpenMode::owner);
        std::vector<std::string> told;
        AllRows now;
        try {
            now = read_all(*store, [&](const std::string& row) { told.push_back(row); });
        } catch (const StoreError&) { // engines and the total have no second place
            CHECK((name == "engines" || name == "totals"));
            CHECK_FALSE(store->environment().damage.empty());
            continue;
        }
        CAPTURE(told);
        CHECK(invented(now, contents) == "");
        if (name.find("_by_") != std::string::npos || name.find("autoindex") != std::string::npos) {
            CHECK(now == contents);
            CHECK(told.empty());
        } else if (name == "positions" || name == "sources") {
            CHECK_FALSE(told.empty()); // what refers to them proves itself no more
        } else if (name != "sqlite_sequence") {
            CHECK(kinds_lost(now, contents) == 1);
            CHECK_FALSE(told.empty());
        }
        if (!told.empty() && name != "positions" && name != "sources") {
            CHECK_FALSE(store->environment().damage.empty());
        }
        CHECK_FALSE(store->check().empty());
    }
}

TEST_CASE("pages: rows that have gone without a trace are missed") {
    const TemporaryDirectory directory;
    fill_all_tables(directory);
    const std::string whole = read_file(database_file(directory));
    for (const auto& [name, page] : roots(directory)) {
        if (name == "sqlite_sequence" || name == "asked" || name == "failures" ||
            name == "clouds" || name == "sqlite_autoindex_positions_1") {
            continue; // have sums, mean little, or are counted where they have more pages
        }
        std::string damaged = whole;
        const std::size_t count = page * page_size + 4; // of its cells, the low byte
        REQUIRE(damaged[count] > 0);
        damaged[count] = static_cast<char>(damaged[count] - 1);
        write_file(database_file(directory), damaged);
        const auto store = open_store(directory, OpenMode::read);
        CAPTURE(name);
        CHECK_FALSE(store->check().empty());
    }
    write_file(database_file(directory), whole);
    CHECK(open_store(directory, OpenMode::read)->check().empty());
}

TEST_CASE("pages: whichever is destroyed, a repaired store has the rest, and nothing is made up",
          "[not valgrind]") {
    const TemporaryDirectory source;
    fill_all_tables(source);
    const std::string whole = read_file(database_file(source));
    const AllRows contents = read_all(*open_store(source, OpenMode::read));
    std::map<std::size_t, std::string> names;
    for (const auto& [name, page] : roots(source)) {
        names[page] = name;
    }
    std::size_t repaired = 0, refused = 0, kept = 0;
    for (std::size_t page = 0; page < whole.size() / page_size; ++page) {
        const std::string name = names.contains(page) ? names.at(page) : "";
        CAPTURE(page, name);
        std::string damaged = whole;
        damaged.replace(page * page_size, page_size, std::string(page_size, '\xa5'));
        const TemporaryDirectory place;
        const std::filesystem::path to = place.path() / "new";
        write_file(database_file(place), damaged);
        RepairReport report;
        try {
            report = repair(place, to);
        } catch (const StoreError&) { // of the schema: nothing says what the file is
            CHECK((name.empty() || name.find("engines") != name.npos));
            ++refused;
            continue;
        }
        ++repaired;
        CAPTURE(report.lines);
        REQUIRE(report.findings == std::vector<std::string>{});
        const AllRows now = read_all(*open_store(to, OpenMode::read));
        REQUIRE(invented(now, contents) == "");
        REQUIRE((now == contents || !report.lines.empty()));
        kept += now.facts.size();
        if (name == "" || name == "engines" || name == "sqlite_autoindex_engines_1") {
            continue; // nothing means anything without engines
        }
        CHECK((name == "analyses" || now.analyses.size() == 2));
        if (name != "evaluations" && name != "positions") {
            CHECK(now.facts == contents.facts);
        }
        if (name == "usage" || name == "asked" || name == "snapshots" || name == "analyses") {
            CHECK_FALSE(report.lines.empty());
        }
    }
    CHECK(refused <= 4);
    CHECK(kept > contents.facts.size() * repaired * 3 / 4);
}
