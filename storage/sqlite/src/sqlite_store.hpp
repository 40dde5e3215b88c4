// SqliteStore: the Store of one machine. Puts lock, writer and readers together.
#pragma once

#include "directory_lock.hpp"
#include "file_watch.hpp"
#include "high_water.hpp"
#include "reader_pool.hpp"
#include "storage/open.hpp"
#include "storage_rows/group_writer.hpp"
#include "target.hpp"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace adjourn::storage {

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
