// A merge that is stopped on its way.
#include "core_fixture.hpp"

#include "files/import/import.hpp"

#include <stop_token>

namespace fs = std::filesystem;

namespace {

// Takes no more writes once an analysis was inserted: as one whose program is killed there.
class StopsAfterAnalysis final : public storage::Store {
public:
    explicit StopsAfterAnalysis(const fs::path& directory)
        : store_{storage::open_store(directory, storage::OpenMode::owner)} {}

    void write(storage::Change change, storage::Done done) override {
        if (stopped_) {
            if (done) {
                done(std::unexpected("killed"));
            }
            return;
        }
        stopped_ = std::holds_alternative<storage::NewAnalysis>(change);
        store_->write(std::move(change), std::move(done));
    }
    void flush() override { store_->flush(); }
    void announce(const std::string&, const std::string&) override {}
    storage::StoreEnvironment environment() const override { return store_->environment(); }
    storage::Writing writing() const override { return store_->writing(); }
    storage::CommitTimes commit_times() const override { return store_->commit_times(); }
    void recover() override { store_->recover(); }
    void read(const std::function<void(storage::Reads&)>& work) const override {
        store_->read(work);
    }
    std::vector<std::string> check() const override { return store_->check(); }

private:
    std::unique_ptr<storage::Store> store_;
    bool stopped_ = false;
};

} // namespace

TEST_CASE("merge: one that dies once an analysis is there has its whole history") {
    const TemporaryDirectory ours, theirs;
    Bench bench;
    {
        CoreFixture core{theirs.path(), bench, true};
        const auto id = core.create("", 3);
        core.work_until([&] { return core.settled(id); });
        REQUIRE(core.settled(id));
    }
    const analysis::AnalysisId id{1};
    const auto other = storage::open_store(theirs.path(), storage::OpenMode::read);
    REQUIRE_FALSE(other->snapshots(id).empty());
    REQUIRE(other->usage(id).nodes > 0);
    {
        StopsAfterAnalysis store{ours.path()};
        static_cast<void>(import_store(store, *other)); // what it says is of no interest
    }
    const auto store = storage::open_store(ours.path(), storage::OpenMode::owner);
    REQUIRE(store->analyses().size() == 1);
    for (int time = 0; time < 2; ++time) { // also before the next try
        const auto there = store->snapshots(id), wanted = other->snapshots(id);
        REQUIRE(there.size() == wanted.size());
        CHECK(std::ranges::equal(there, wanted, {}, &storage::SnapshotRecord::data,
                                 &storage::SnapshotRecord::data));
        CHECK(store->usage(id) == other->usage(id));
        const auto report = import_store(*store, *other);
        REQUIRE(report);
        CHECK(report->analyses_added == 0);
        CHECK(store->check().empty());
    }
}

TEST_CASE("merge: it ends when that is wanted, and goes on at the next try") {
    const TemporaryDirectory ours, theirs;
    Bench bench;
    {
        CoreFixture core{theirs.path(), bench, true};
        const auto id = core.create("", 2);
        core.work_until([&] { return core.settled(id); });
    }
    const auto store = storage::open_store(ours.path(), storage::OpenMode::owner);
    std::stop_source stop;
    stop.request_stop();
    CHECK_THROWS_AS(storage::open_store(theirs.path(), storage::OpenMode::read, stop.get_token()),
                    storage::StoreError);
    std::stop_source later;
    const auto other =
        storage::open_store(theirs.path(), storage::OpenMode::read, later.get_token());
    later.request_stop();
    CHECK_THROWS_AS(import_store(*store, *other), storage::StoreError);
    CHECK(store->analyses().empty());
    REQUIRE(import_store(*store, *storage::open_store(theirs.path(), storage::OpenMode::read)));
    CHECK(store->analyses().size() == 1);
}

TEST_CASE("merge: what a killed program has staged is removed, and nothing else") {
    const TemporaryDirectory directory;
    const fs::path data = directory.path();
    const auto put = [](const fs::path& file) { std::ofstream{file} << "of somebody"; };
    put(data / "store.db");
    for (const char* left : {"staged-abc123", "staged-mine", "staged-other"}) {
        fs::create_directory(data / left);
    }
    fs::create_symlink(data / "store.db", data / "staged-abc123/adjourn.db");
    fs::create_symlink(data / "store.db", data / "staged-mine/adjourn.db");
    put(data / "staged-mine/notes");
    put(data / "staged-other/adjourn.db");
    put(data / "staged-file");
    fs::create_directory_symlink(data / "staged-mine", data / "staged-link");
    StagedStore::remove_left(data);
    CHECK_FALSE(fs::exists(data / "staged-abc123"));
    for (const char* stays : {"store.db", "staged-mine/adjourn.db", "staged-mine/notes",
                              "staged-other/adjourn.db", "staged-file", "staged-link"}) {
        CHECK(fs::exists(data / stays));
    }
    StagedStore::remove_left(data / "none");
}
