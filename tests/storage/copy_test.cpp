// A store at another place, of the same or another kind.
#include "contents.hpp"
#include "place.hpp"
#include "raw.hpp"

#include "storage/maintenance.hpp"

using namespace adjourn::storage;
using namespace adjourn::storage::test;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

// Where a new store can be made.
std::string new_place(const Place& place) {
    return place.kind() == Kind::sqlite ? place.location() + "/new" : place.location();
}

struct Interrupted {};

// Copies until so many rows are there.
void copy_some(const fs::path& from, const fs::path& to, std::uint64_t rows) {
    CHECK_THROWS_AS(copy_store(from, to,
                               [rows](std::uint64_t done, std::uint64_t) {
                                   if (done >= rows) {
                                       throw Interrupted{};
                                   }
                               }),
                    Interrupted);
}

const CopyReport::Table& copied(const CopyReport& report, const std::string& name) {
    return *std::ranges::find(report.tables, name, &CopyReport::Table::name);
}

} // namespace

TEST_CASE("copy: everything arrives, with its numbers, from any kind to any other") {
    const Place from{GENERATE(kinds())}, to{GENERATE(kinds())};
    CAPTURE(name_of(from.kind()), name_of(to.kind()));
    fill_all_tables(from);
    {
        const auto store = open_owner(from);
        AnalysisRecord odd = store->analyses().front();
        odd.name = std::string{"zero \0 in it", 12};
        store->update(odd, {});
        // A number that was given once is not given again.
        store->remove(AnalysisId{insert_and_wait(*store, odd).id}, {});
        store->flush();
    }
    const AllRows whole = read_all(*open_store(from, OpenMode::read));
    std::uint64_t last = 0, all = 1;
    const CopyReport report =
        copy_store(from, new_place(to), [&](std::uint64_t done, std::uint64_t of) {
            CHECK(done >= last);
            last = done;
            all = of;
        });
    CHECK(report.findings.empty());
    CHECK(last == all);
    CHECK(copied(report, "evaluations").rows == whole.count);
    CHECK(read_all(*open_store(new_place(to), OpenMode::read)) == whole);
    const auto store = open_owner(new_place(to));
    CHECK(store->check().empty());
    CHECK(insert_and_wait(*store, sample_analysis(EngineId{1}, "next", 1)).id == 4);
    CHECK_FALSE(append_and_wait(*store, sample_fact(EngineId{2}, 5)).inserted);
    CHECK(append_and_wait(*store, sample_fact(EngineId{2}, 500)).inserted);
    CHECK(store->check().empty());
}

TEST_CASE("copy: what was interrupted goes on, and is no store before it is whole") {
    const Place from{GENERATE(kinds())}, to{GENERATE(kinds())};
    CAPTURE(name_of(from.kind()), name_of(to.kind()));
    fill_all_tables(from);
    const auto count = open_store(from, OpenMode::read)->evaluation_count();
    copy_some(from, new_place(to), count); // engines, positions and evaluations, and no more
    for (const OpenMode mode : {OpenMode::read, OpenMode::owner}) {
        if (to.kind() == Kind::postgresql) {
            CHECK_THAT(trouble_opening(new_place(to), mode), Contains("is not finished"));
        }
    }
    if (to.kind() == Kind::sqlite) {
        CHECK_FALSE(fs::exists(database_file(new_place(to))));
    }
    bool changed = false;
    SECTION("as it was") {}
    SECTION("after the store had changed where it was copied") {
        const auto store = open_owner(from);
        Evaluation more = sample_fact(EngineId{1}, 1);
        more.question.limit.amount += 77; // of a position that is there
        append_and_wait(*store, more);
        changed = true;
    }
    const CopyReport report = copy_store(from, new_place(to));
    CHECK(report.findings.empty());
    CHECK(copied(report, "positions").there_before > 0);
    CHECK(copied(report, "evaluations").there_before == (changed ? 0 : count));
    CHECK(read_all(*open_store(new_place(to), OpenMode::read)) ==
          read_all(*open_store(from, OpenMode::read)));
}

TEST_CASE("copy: beside its owner, as it is at this moment; never over a store") {
    const Place from{GENERATE(kinds())}, to{GENERATE(kinds())};
    CAPTURE(name_of(from.kind()), name_of(to.kind()));
    fill_all_tables(from);
    const auto owner = open_owner(from);
    const AllRows before = read_all(*owner);
    bool written = false;
    copy_store(from, new_place(to), [&](std::uint64_t, std::uint64_t) {
        if (!std::exchange(written, true)) {
            append_and_wait(*owner, sample_fact(EngineId{1}, 9'999));
        }
    });
    CHECK(read_all(*open_store(new_place(to), OpenMode::read)) == before);
    CHECK(owner->evaluation_count() == before.count + 1);
    CHECK_THROWS_WITH(copy_store(from, new_place(to)), Contains("already"));
}

TEST_CASE("copy: a damaged row is found, and the copy becomes no store") {
    const Place from{GENERATE(kinds())}, to{GENERATE(kinds())};
    CAPTURE(name_of(from.kind()), name_of(to.kind()));
    fill_all_tables(from);
    damage_rows(from, "UPDATE evaluations SET at = at + 1 WHERE limit_amount > 5000");
    const CopyReport report = copy_store(from, new_place(to));
    REQUIRE_FALSE(report.findings.empty());
    CHECK_THAT(report.findings[0], Contains("checksum"));
    CHECK(trouble_opening(new_place(to), OpenMode::read) != "");
}

TEST_CASE("copy: from where there is no store") {
    const TemporaryDirectory directory;
    CHECK_THROWS_WITH(copy_store(directory.path() / "a", directory.path() / "b"),
                      Contains("there is no store in"));
    CHECK_FALSE(fs::exists(directory.path() / "b"));
}
