// SqliteTarget: what SQLite does with a group of writes (storage_rows/group_writer.hpp).
#pragma once

#include "high_water.hpp"
#include "storage_rows/group_target.hpp"
#include "writes.hpp"

#include <chrono>
#include <functional>
#include <string>

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

} // namespace adjourn::storage
