// PostgresStore: the Store in a database of PostgreSQL. Puts writer and readers together.
#pragma once

#include "storage/open.hpp"
#include "storage/postgresql/reads.hpp"
#include "storage/postgresql/writes.hpp"
#include "storage/rows/checksum.hpp"
#include "storage/rows/group_target.hpp"
#include "storage/rows/group_writer.hpp"

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace adjourn::storage::postgresql {

class PostgresTarget final : public GroupTarget {
public:
    // Takes the owner's lock and brings the schema up to date. Throws StoreError, StoreInUse.
    PostgresTarget(std::string url, std::string shown);
    // Gives the lock back before it returns: the database may notice the end of a connection later.
    ~PostgresTarget() override;

    bool for_good(const std::exception& error) const override;
    // Any thread.
    bool taken() const { return taken_; }

private:
    Writes& writes() override { return *writes_; }
    void prepare() override;
    void transact(const std::function<void()>& work) override;
    void execute(const char* sql) override { connection_->execute(sql); }
    bool refused(const StoreError& error) const override;
    void broke() override;
    // Says how others reach the owner, and again whenever the lock was taken anew: somebody else
    // may have had it, and said something.
    Outcome announce(const Announcement& announcement) override;
    void connect();
    void drop();

    const std::string url_, shown_;
    std::unique_ptr<Connection> connection_; // none: lost
    std::unique_ptr<PostgresWrites> writes_;
    Announcement announced_;
    std::atomic<bool> taken_ = false; // somebody else had the lock at the last try
};

class PostgresStore final : public Store {
public:
    PostgresStore(std::string url, std::string shown, OpenMode mode);

    void write(Change change, Done done) override {
        writer_->submit(std::move(change), std::move(done));
    }
    void flush() override { writer_->flush(); }
    void announce(const std::string& url, const std::string& to_workers) override;
    StoreEnvironment environment() const override;
    Writing writing() const override { return writer_->writing(); }
    CommitTimes commit_times() const override { return writer_->commit_times(); }
    bool taken() const override { return target_ && target_->taken(); }
    void recover() override { writer_->recover(); }

    // On a connection that no other read uses now; one that was lost while it was idle is made
    // anew.
    void read(const std::function<void(Reads&)>& work) const override;
    std::vector<std::string> check() const override;

private:
    void read_rows(const std::function<void(PostgresReads&)>& work) const;

    const std::string url_, shown_;
    mutable DamageNote damage_;
    mutable std::mutex mutex_;
    mutable std::vector<std::unique_ptr<PostgresReads>> idle_;
    mutable std::mutex watch_mutex_;               // of what follows
    mutable std::unique_ptr<PostgresReads> watch_; // by which one sees that the server has gone
    std::unique_ptr<PostgresTarget> target_;       // none when reading only
    std::unique_ptr<GroupWriter> writer_;
};

} // namespace adjourn::storage::postgresql
