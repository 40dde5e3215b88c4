// A log that was lost, or an older file in the store's place: SQLite finds nothing wrong, and the
// mark beside the store tells.
#include "raw.hpp"
#include "samples.hpp"

#include "storage/maintenance.hpp"
#include "storage/rows/checksum.hpp"
#include "test.hpp"

using namespace adjourn::storage;
using namespace adjourn::storage::test;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

// What a program leaves that is killed: 20 evaluations in the file, two more and an order in the
// log.
class Killed {
public:
    Killed() {
        const fs::path alive = place.path() / "alive";
        auto store = open_owner(alive);
        const EngineId engine = store->engine(sample_engine());
        AnalysisRecord record = sample_analysis(engine, "kept", 1);
        record.id = AnalysisId{insert_and_wait(*store, record).id};
        for (std::uint64_t n = 0; n < 20; ++n) {
            store->append(sample_fact(engine, n), record.id, {});
        }
        store->flush();
        store.reset();
        fs::copy_file(database_file(alive), older());
        store = open_owner(alive);
        // The mark is written behind a commit: the second one comes after it.
        append_and_wait(*store, sample_fact(engine, 20));
        append_and_wait(*store, sample_fact(engine, 21));
        fs::copy(alive, path(), fs::copy_options::recursive);
    }
    fs::path path() const { return place.path() / "killed"; }
    fs::path older() const { return place.path() / "older.db"; }
    fs::path log() const { return database_file(path()).string() + "-wal"; }
    fs::path mark() const { return path() / "acknowledged"; }

    TemporaryDirectory place;
};

std::string missing_in(const fs::path& directory, OpenMode mode = OpenMode::owner) {
    return open_store(directory, mode)->environment().missing;
}

} // namespace

TEST_CASE("acknowledged: a store that is killed, copied or repaired is no older one") {
    const Killed killed;
    CHECK(missing_in(killed.path(), OpenMode::read) == "");
    CHECK(missing_in(killed.path()) == "");
    const fs::path backup = killed.place.path() / "backup.db";
    const fs::path restored = killed.place.path() / "restored";
    const fs::path copied = killed.place.path() / "copied";
    const fs::path repaired = killed.place.path() / "repaired";
    back_up(killed.path(), backup);
    fs::create_directory(restored);
    fs::copy_file(killed.older(), database_file(restored)); // an old one, in a place of its own
    CHECK(missing_in(restored) == "");
    CHECK(copy_store(killed.path(), copied).findings.empty());
    CHECK(missing_in(copied) == "");
    CHECK(repair(killed.path(), repaired).findings.empty());
    CHECK(missing_in(repaired) == "");
    {
        const auto store = open_owner(killed.path());
        store->remove(store->analyses().front().id, {}); // its evaluations stay
        store->flush();
    }
    CHECK(missing_in(killed.path()) == "");
    CHECK(missing_in(killed.place.path() / "empty") == "");
    CHECK(open_store(killed.path(), OpenMode::read)->check().empty());
}

TEST_CASE("acknowledged: what was acknowledged and is gone is told until somebody knows of it") {
    const Killed killed;
    const char* const told = "older than what was acknowledged at 20";
    std::string what = "missing are 1 evaluation.";
    SECTION("the log is deleted") {
        fs::remove(killed.log());
    }
    SECTION("the log is cut") {
        fs::resize_file(killed.log(), GENERATE(0, 32, 1'000));
    }
    SECTION("an older file is in its place") {
        fs::remove(killed.log());
        fs::copy_file(killed.older(), database_file(killed.path()),
                      fs::copy_options::overwrite_existing);
    }
    SECTION("somebody begins anew, and leaves the mark") {
        fs::remove(killed.log());
        fs::remove(database_file(killed.path()));
        what = "missing are 21 evaluations, 1 analysis.";
    }
    const std::string now = missing_in(killed.path());
    CHECK_THAT(now, Contains(told) && Contains(" UTC: ") && Contains(what));
    {
        const auto store = open_owner(killed.path());
        const EngineId engine = store->engine(sample_engine());
        for (std::uint64_t n = 0; n < 40; ++n) { // more than there ever were
            store->append(sample_fact(engine, n), {});
        }
        store->flush();
    }
    CHECK(missing_in(killed.path(), OpenMode::read) == now);
    CHECK_THAT(open_store(killed.path(), OpenMode::read)->check().back(), Contains(told));
    {
        const auto store = open_owner(killed.path());
        CHECK(store->environment().missing == now);
        store->accept_missing();
        CHECK(store->environment().missing == "");
    }
    CHECK(missing_in(killed.path()) == "");
    CHECK(open_store(killed.path(), OpenMode::read)->check().empty());
}

TEST_CASE("acknowledged: a mark that is not whole is none") {
    const Killed killed;
    fs::remove(killed.log());
    std::string mark = read_file(killed.mark());
    SECTION("cut") {
        mark.resize(mark.find('\n') / 2);
    }
    SECTION("another number") {
        mark[mark.find(" 21 ") + 1] = '3';
    }
    SECTION("something else") {
        mark = "hello\n";
    }
    SECTION("empty") {
        mark.clear();
    }
    write_file(killed.mark(), mark);
    CHECK(missing_in(killed.path()) == "");
    fs::copy_file(killed.older(), database_file(killed.path()),
                  fs::copy_options::overwrite_existing);
    CHECK(missing_in(killed.path()) == ""); // the same
    CHECK(read_file(killed.mark()).starts_with("adjourn-acknowledged-2 "));
}

TEST_CASE("acknowledged: the mark of a program that knew no files counts") {
    const Killed killed;
    std::istringstream words{read_file(killed.mark())};
    std::vector<std::string> all{std::istream_iterator<std::string>{words}, {}};
    REQUIRE(all.size() == 14); // word, moment, five numbers, moment, five numbers, sum
    std::string former = "adjourn-acknowledged-1";
    for (const std::size_t i : {1U, 2U, 3U, 4U, 5U, 7U, 8U, 9U, 10U, 11U}) {
        former += " " + all[i];
    }
    write_file(killed.mark(), former + " " + std::to_string(Checksum{}.add(former).value()) + "\n");
    fs::remove(killed.log());
    CHECK_THAT(missing_in(killed.path()), Contains("missing are 1 evaluation."));
}
