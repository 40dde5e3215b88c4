// SqliteStore: the Store of one machine. Puts lock, writer and readers together.
#pragma once

#include "storage/open.hpp"
#include "storage/rows/group_target.hpp"
#include "storage/rows/group_writer.hpp"
#include "storage/sqlite/directory_lock.hpp"
#include "storage/sqlite/high_water.hpp"
#include "storage/sqlite/reads.hpp"
#include "storage/sqlite/writes.hpp"

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace adjourn::storage {

class SqliteTarget final : public GroupTarget {
public:
    // Length of the log from which on it is moved into the file, in pages of 4 KB: enough that a
    // page changed by many commits is moved once.
    static constexpr int default_checkpoint_pages = 4'096;

    // The database must outlive it, and is the writing thread's alone until then. `trouble` is
    // asked before each transaction: where it says something, nothing is written. `noted`, if any,
    // is told how far the store has come, once a second at most, and outlives it.
    explicit SqliteTarget(Database& database, int checkpoint_pages = default_checkpoint_pages,
                          std::function<std::string()> trouble = {}, HighWater* noted = nullptr);

    bool for_good(const std::exception& error) const override;
    void afterwards() override;

private:
    Writes& writes() override { return writes_; }
    void look() override;
    void transact(const std::function<void()>& work) override;
    void execute(const char* sql) override { database_.execute(sql); }
    bool refused(const StoreError& error) const override;
    void broke() override { writes_.forget(); }
    Outcome announce(const Announcement&) override { return Written{}; } // by a file

    Database& database_;
    const int checkpoint_pages_;
    SqliteWrites writes_;
    const std::function<std::string()> trouble_;
    HighWater* const noted_;
    std::chrono::steady_clock::time_point next_note_{};
};

class SqliteStore final : public Store {
public:
    SqliteStore(std::filesystem::path directory, OpenMode mode,
                int checkpoint_pages = SqliteTarget::default_checkpoint_pages,
                const std::stop_token& stop = {});
    ~SqliteStore() override;

    void write(Change change, Done done) override {
        writer_->submit(std::move(change), std::move(done));
    }
    void flush() override { writer_->flush(); }
    void announce(const std::string& url, const std::string& to_workers) override;
    StoreEnvironment environment() const override;
    Writing writing() const override { return writer_->writing(); }
    CommitTimes commit_times() const override { return writer_->commit_times(); }
    void recover() override { writer_->recover(); }
    void accept_missing() override { high_water_->accept(); }

    void read(const std::function<void(Reads&)>& work) const override;
    std::vector<std::string> check() const override;

private:
    void open_owner(int checkpoint_pages);
    void open_read(const std::stop_token& stop);
    // What is wrong with the files that are open; "" if nothing is. Of the writing thread.
    std::string trouble() const;
    std::filesystem::path file() const { return directory_ / "adjourn.db"; }

    // Destroyed from the end: the writer finishes while readers still work, and the writing
    // connection closes last, which empties the log.
    const std::filesystem::path directory_;
    DirectoryLock lock_;
    mutable DamageNote damage_;
    std::optional<HighWater> high_water_;
    std::unique_ptr<Database> database_; // the writer's; none when reading only
    std::unique_ptr<ReaderPool> readers_;
    std::optional<FileWatch> watch_; // what the owner has open
    std::unique_ptr<SqliteTarget> target_;
    std::unique_ptr<GroupWriter> writer_;
};

} // namespace adjourn::storage
