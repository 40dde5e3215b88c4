// Writer: what SQLite does with a group of writes (storage_base/group_writer.hpp), and the group
// writer on it.
#pragma once

#include "high_water.hpp"
#include "storage_base/group_writer.hpp"
#include "writes.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace adjourn::storage {

// May run twice (the first time rolled back), so it must not use up what it holds.
using Write = std::function<Outcome(Writes&)>;

class SqliteTarget final : public GroupTarget<Write> {
public:
    // Length of the log from which on it is moved into the file, in pages of 4 KB: enough that a
    // page changed by many commits is moved once.
    static constexpr int default_checkpoint_pages = 4'096;

    // The database must outlive it, and is the writing thread's alone until then. `trouble` is
    // asked before each transaction: where it says something, nothing is written. `noted`, if any,
    // is told how far the store has come, once a second at most, and outlives it.
    explicit SqliteTarget(Database& database, int checkpoint_pages = default_checkpoint_pages,
                          std::function<std::string()> trouble = {}, HighWater* noted = nullptr);

    std::vector<Outcome> commit(std::span<const Write* const> group) override;
    Write probe() const override;
    bool for_good(const std::exception& error) const override;
    void afterwards() override;

private:
    enum class Mode : std::uint8_t {
        fast,    // one refused statement spoils the group
        careful, // every work has its savepoint
    };
    // nullopt: rolled back, to be run again with care. Throws SqliteError: rolled back, broken.
    std::optional<std::vector<Outcome>> attempt(std::span<const Write* const> group, Mode mode);
    Outcome run_alone(const Write& work);
    void count(); // evaluations

    Database& database_;
    const int checkpoint_pages_;
    Writes writes_;
    const std::function<std::string()> trouble_;
    HighWater* const noted_;
    std::chrono::steady_clock::time_point next_note_{};
};

using Writer = GroupWriter<Write>;

} // namespace adjourn::storage
