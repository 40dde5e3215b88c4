// Backup and repair: what was written is in what they make, and nothing else.
#include "contents.hpp"
#include "raw.hpp"
#include "samples.hpp"

#include "storage/maintenance.hpp"
#include "test.hpp"

using namespace adjourn::storage;
using namespace adjourn::storage::test;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

// A backup, or any file, as the store of a directory of its own.
void restore(const fs::path& file, const fs::path& directory) {
    fs::create_directories(directory);
    fs::copy_file(file, database_file(directory));
}

} // namespace

TEST_CASE("backup: a copy beside a working owner is whole, sound, and opens as a store") {
    const TemporaryDirectory place;
    const fs::path data = place.path() / "data", file = place.path() / "backup.db";
    fill_all_tables(data);
    const auto owner = open_owner(data);
    const AllRows before = read_all(*owner);
    std::atomic<bool> enough = false;
    std::thread writer{[&] {
        for (std::uint64_t n = 1'000; !enough; ++n) {
            append_and_wait(*owner, sample_fact(EngineId{1}, n));
        }
    }};
    std::uint64_t steps = 0;
    const BackupReport report = back_up(data, file, [&](std::uint64_t done, std::uint64_t of) {
        ++steps;
        CHECK(done <= of);
    });
    enough = true;
    writer.join();
    CHECK(report.findings.empty());
    CHECK(report.bytes == fs::file_size(file));
    CHECK_FALSE(fs::exists(file.string() + ".part"));
    restore(file, place.path() / "restored");
    const auto restored = open_owner(place.path() / "restored");
    CHECK(restored->check() == std::vector<std::string>{});
    CHECK(report.evaluations == restored->evaluation_count());
    CHECK(restored->evaluation_count() >= 60);
    const AllRows after = read_all(*restored);
    CHECK(invented(before, after) == ""); // all that was there
    CHECK(after.directives == before.directives);
    CHECK(after.analyses == before.analyses);
    CHECK(append_and_wait(*restored, sample_fact(EngineId{1}, 999)).inserted);
    CHECK_THROWS_WITH(back_up(data, file), Contains("is there already"));
    CHECK_THROWS_WITH(back_up(place.path() / "none", place.path() / "b"),
                      Contains("there is no store"));
}

TEST_CASE("backup: that of a damaged store is made, and says so") {
    const TemporaryDirectory place;
    const fs::path data = place.path() / "data", file = place.path() / "backup.db";
    fill_all_tables(data);
    damage(data, "UPDATE evaluations SET at = 5 WHERE id = 65536");
    const auto report = back_up(data, file);
    REQUIRE(report.findings.size() == 1);
    CHECK_THAT(report.findings[0], Contains("evaluation 65536"));
    CHECK(fs::exists(file));
}

TEST_CASE("repair: of a sound store all is taken") {
    const TemporaryDirectory place;
    const fs::path data = place.path() / "data", to = place.path() / "new";
    fill_all_tables(data);
    const auto report = repair(data, to);
    CHECK(report.lines == std::vector<std::string>{});
    CHECK(report.findings == std::vector<std::string>{});
    CHECK(read_all(*open_owner(to)) == read_all(*open_store(data, OpenMode::read)));
    CHECK_THROWS_WITH(repair(data, to), Contains("is not empty"));
}

TEST_CASE("repair: an engine that is another one goes with its evaluations") {
    const TemporaryDirectory place;
    const fs::path data = place.path() / "data", to = place.path() / "new";
    fill_all_tables(data);
    const AllRows whole = read_all(*open_store(data, OpenMode::read));
    damage(data, "UPDATE engines SET name = 'Sample 0' WHERE id = 1"); // was 1
    const auto report = repair(data, to);
    CAPTURE(report.lines);
    CHECK_FALSE(report.lines.empty());
    CHECK(report.findings == std::vector<std::string>{});
    const AllRows now = read_all(*open_owner(to));
    CHECK(now.engines.size() + 1 == whole.engines.size());
    CHECK(now.facts.size() < whole.facts.size());
    CHECK(invented(now, whole) == "");
}
