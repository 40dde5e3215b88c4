// PostgresTarget: what PostgreSQL does with a group of writes (storage_rows/group_writer.hpp). A
// connection that was lost is made anew with the next group that is tried.
#pragma once

#include "storage_rows/group_target.hpp"
#include "writes.hpp"

#include <atomic>
#include <functional>
#include <memory>
#include <string>

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

} // namespace adjourn::storage::postgresql
