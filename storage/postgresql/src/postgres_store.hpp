// PostgresStore: the Store in a database of PostgreSQL. Puts writer and readers together.
#pragma once

#include "reads.hpp"
#include "storage/open.hpp"
#include "storage_rows/damage_note.hpp"
#include "storage_rows/group_writer.hpp"
#include "target.hpp"

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace adjourn::storage::postgresql {

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
