// Opening: who owns a directory, and what is said when it cannot be opened.
#include "place.hpp"
#include "raw.hpp"
#include "samples.hpp"

#include <sys/stat.h>

using namespace adjourn::storage;
using namespace adjourn::storage::test;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

EngineId fill(const fs::path& directory, std::uint64_t count) {
    const auto store = open_owner(directory);
    const EngineId engine = store->engine(sample_engine());
    for (std::uint64_t n = 0; n < count; ++n) {
        store->append(sample_fact(engine, n), {});
    }
    store->flush();
    return engine;
}

// What who has it already has announced.
std::string holder_of(const fs::path& place) {
    try {
        open_owner(place);
        return "nobody";
    } catch (const StoreInUse& in_use) {
        return in_use.holder();
    }
}

// Readable by everybody, writable by nobody, until the end of the scope.
class ReadOnly {
public:
    explicit ReadOnly(fs::path directory) : directory_{std::move(directory)} {
        for (const auto& entry : fs::directory_iterator{directory_}) {
            ::chmod(entry.path().c_str(), 0444);
        }
        ::chmod(directory_.c_str(), 0555);
    }
    ReadOnly(const ReadOnly&) = delete;
    ReadOnly& operator=(const ReadOnly&) = delete;
    ~ReadOnly() { ::chmod(directory_.c_str(), 0755); }

private:
    fs::path directory_;
};

} // namespace

TEST_CASE("a store of a kind that there is not is refused by its name", "[storage]") {
    CHECK_THROWS_WITH(
        open_store("mysql://host/games", OpenMode::owner),
        "there is no kind of store 'mysql': a store is a directory or postgresql://…");
    CHECK_FALSE(fs::exists("mysql:"));
    CHECK_THROWS_AS(open_store("postgresql:///games?host=/nowhere", OpenMode::owner), StoreError);
    CHECK_FALSE(fs::exists("postgresql:"));
}

TEST_CASE("an empty file where a store was is no new store") {
    const TemporaryDirectory directory;
    const fs::path file = database_file(directory), log = file.string() + "-wal";
    write_file(file, ""); // of a program that was ended at once: no store was there
    fill(directory, 2);
    fs::resize_file(file, 0);
    const auto refused = [&](const char* why) {
        CHECK_THROWS_WITH(open_store(directory, OpenMode::owner), Contains(why));
        CHECK_THROWS_AS(open_store(directory, OpenMode::read), StoreError);
    };
    const auto empty = [&] {
        CHECK_THROWS_WITH(open_store(directory, OpenMode::read), Contains("(adjourn.db is empty)"));
    };
    refused("adjourn.db is empty: a store was there");
    empty();
    write_file(log, std::string(5'000, 'x')); // which SQLite would remove
    refused("adjourn.db is empty: a store was there");
    fs::remove(file);
    refused("adjourn.db is missing, but not its log: a store was there");
    CHECK(fs::file_size(log) == 5'000);
    CHECK_FALSE(fs::exists(file));
    fs::remove(log);
    CHECK(open_store(directory, OpenMode::owner)->evaluation_count() == 0); // begun anew
}

TEST_CASE("a store is made with all directories above it, and is one file when it is closed") {
    const TemporaryDirectory temp;
    const fs::path directory = temp.path() / "a" / "b#%?c";
    auto store = open_owner(directory);
    CHECK(fs::file_size(database_file(directory)) > 4'096); // not in the log alone
    store.reset();
    fill(directory, 100);
    CHECK_FALSE(fs::exists(database_file(directory).string() + "-wal"));
    CHECK_FALSE(fs::exists(directory / "owner"));
    CHECK(open_store(directory, OpenMode::read)->evaluation_count() == 100);
}

TEST_CASE("a location is shown without its password") {
    CHECK(shown("/data/a:b@c") == "/data/a:b@c");
    CHECK(shown("postgresql://me:se/cret@host/games") == "postgresql://me:se/cret@host/games");
    CHECK(shown("postgresql://me:secret@host:5433/games") == "postgresql://me:…@host:5433/games");
    CHECK(shown("postgresql://host:5433/games") == "postgresql://host:5433/games");
    CHECK(shown("postgresql://me@h/g?password=secret&sslmode=require") ==
          "postgresql://me@h/g?password=…&sslmode=require");
}

TEST_CASE("a store has one owner, whose text others are told") {
    const Place place{GENERATE(kinds())};
    auto owner = open_owner(place);
    CHECK_THAT(trouble_opening(place, OpenMode::owner), Contains("is in use by another Adjourn"));
    owner->announce("http://127.0.0.1:8462", "");
    CHECK(holder_of(place) == "http://127.0.0.1:8462");
    CHECK_THAT(trouble_opening(place, OpenMode::owner),
               Contains(place.location()) && Contains("http://127.0.0.1:8462"));
    owner->announce("elsewhere", "");
    CHECK(holder_of(place) == "elsewhere");
    owner.reset();
    CHECK(trouble_opening(place, OpenMode::owner) == "");
}

TEST_CASE("what a former owner wrote is not taken for the present one's") {
    const TemporaryDirectory directory;
    write_file(directory.path() / "owner", "http://long.gone");
    const auto owner = open_owner(directory);
    CHECK(holder_of(directory) == "");
}

TEST_CASE("reading works beside the owner and sees what it commits") {
    const Place place{GENERATE(kinds())};
    const auto owner = open_owner(place);
    const EngineId engine = owner->engine(sample_engine());
    append_and_wait(*owner, sample_fact(engine, 1));
    const auto reader = open_store(place, OpenMode::read);
    CHECK(reader->evaluation_count() == 1);
    append_and_wait(*owner, sample_fact(engine, 2));
    CHECK(reader->evaluation_count() == 2);
    CHECK(reader->answer(sample_fact(engine, 2).question).has_value());
    CHECK(reader->check().empty());
}

TEST_CASE("a store opened for reading refuses every write") {
    const Place place{GENERATE(kinds())};
    const EngineId engine = fill(place, 1);
    const auto store = open_store(place, OpenMode::read);
    CHECK(store->engine(sample_engine()) == engine);
    CHECK_THROWS_WITH(store->engine(sample_engine(9)), Contains("opened for reading only"));
    CHECK_THROWS_WITH(append_and_wait(*store, sample_fact(engine, 2)),
                      Contains("opened for reading only"));
    CHECK_THROWS_AS(store->flush(), StoreError);
    CHECK(store->evaluation_count() == 1);
    CHECK(store->check().empty());
}

TEST_CASE("reading where there is no store") {
    const TemporaryDirectory directory;
    const fs::path missing = directory.path() / "missing";
    CHECK_THAT(trouble_opening(missing, OpenMode::read),
               Contains("there is no store in " + missing.string()));
    CHECK_THAT(trouble_opening(directory, OpenMode::read), Contains("there is no store in"));
    CHECK_FALSE(fs::exists(missing));
    // A file that was created, but in which nothing was written yet.
    write_file(database_file(directory), "");
    CHECK_THAT(trouble_opening(directory, OpenMode::read), Contains("there is no store in"));
    CHECK(trouble_opening(directory, OpenMode::owner) == "");
}

TEST_CASE("a file where the directory should be") {
    const TemporaryDirectory directory;
    const fs::path file = directory.path() / "file";
    write_file(file, "x");
    for (const fs::path& path : {file, file / "below"}) {
        CHECK_THAT(trouble_opening(path, OpenMode::owner),
                   Contains("cannot create the directory " + path.string()) && Contains("--data"));
        CHECK_THAT(trouble_opening(path, OpenMode::read), Contains("there is no store in"));
    }
}

TEST_CASE("a directory in which we may not write") {
    const TemporaryDirectory directory;
    ::chmod(directory.path().c_str(), 0555);
    const std::string text = as_nobody([&] { return trouble_opening(directory, OpenMode::owner); });
    ::chmod(directory.path().c_str(), 0755);
    CHECK_THAT(text, Contains("cannot write in " + directory.path().string()) &&
                         Contains("Permission denied") && Contains("make it writable"));
    const std::string below =
        as_nobody([&] { return trouble_opening(directory.path() / "new", OpenMode::owner); });
    CHECK_THAT(below, Contains("cannot create the directory") && Contains("Permission denied"));
}

TEST_CASE("a store in a directory that nobody can write can be read") {
    const TemporaryDirectory directory;
    fill(directory, 20);
    const ReadOnly read_only{directory};
    const std::string text = as_nobody([&]() -> std::string {
        try {
            const auto store = open_store(directory, OpenMode::read);
            return std::to_string(store->evaluation_count()) + " facts, " +
                   std::to_string(store->check().size()) + " findings";
        } catch (const StoreError& error) {
            return error.what();
        }
    });
    CHECK(text == "20 facts, 0 findings");
}

TEST_CASE("a file in the directory that we may not write") {
    const TemporaryDirectory directory;
    fill(directory, 1);
    ::chmod(directory.path().c_str(), 0777);
    ::chmod((directory.path() / "lock").c_str(), 0666);
    ::chmod(database_file(directory).c_str(), 0444);
    const std::string text = as_nobody([&] { return trouble_opening(directory, OpenMode::owner); });
    CHECK_THAT(text, Contains(database_file(directory).string()) && Contains("make the file"));
}

TEST_CASE("files that are no store of ours are left as they are") {
    const TemporaryDirectory directory;
    SECTION("not a database") {
        write_file(database_file(directory), std::string(5'000, 'x'));
    }
    SECTION("a database of another program") {
        edit(directory, "CREATE TABLE t (x); PRAGMA user_version = 1");
    }
    SECTION("a database that some other program has just begun") {
        edit(directory, "PRAGMA application_id = 5");
    }
    SECTION("our number in the header, but nothing of ours") {
        edit(directory, "PRAGMA application_id = 1097099886; CREATE TABLE t (x)");
    }
    const std::string before = read_file(database_file(directory));
    for (const OpenMode mode : {OpenMode::owner, OpenMode::read}) {
        CHECK_THAT(trouble_opening(directory, mode),
                   Contains(database_file(directory).string()) &&
                       (Contains("not a database; move the file away") ||
                        Contains("a database of another program")));
    }
    CHECK(read_file(database_file(directory)) == before);
}

TEST_CASE("a newer schema is refused and left as it is") {
    const TemporaryDirectory directory;
    fill(directory, 5);
    edit(directory, "PRAGMA user_version = 4711");
    const std::string before = read_file(database_file(directory));
    for (const OpenMode mode : {OpenMode::owner, OpenMode::read}) {
        CHECK_THAT(trouble_opening(directory, mode),
                   Contains("written by a newer Adjourn (schema 4711, this program knows up to "));
    }
    CHECK(read_file(database_file(directory)) == before);
}
