// GroupTarget: what the writer's thread does with a group of writes, in one transaction.
#pragma once

#include "storage/rows/writes.hpp"

#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace adjourn::storage {

struct Probe {}; // a write that changes nothing
// What the owner tells others of itself, name by name.
using Announcement = std::map<std::string, std::string>;
using Work = std::variant<Change, Probe, Announcement>;

// On the writer's thread, but for what says otherwise.
class GroupTarget {
    using Clock = std::chrono::steady_clock;

public:
    GroupTarget() = default;
    GroupTarget(const GroupTarget&) = delete;
    GroupTarget& operator=(const GroupTarget&) = delete;
    virtual ~GroupTarget() = default;

    // Runs them in order, in one transaction; an outcome each. Throws where the environment is
    // broken: nothing of the group may be told as stored then.
    std::vector<Outcome> commit(std::span<const Work* const> group);
    // Whether no later try goes better.
    virtual bool for_good(const std::exception& error) const = 0;
    // When all are told, so that nobody waits for it. Throws where the environment is broken.
    virtual void afterwards() {}

    // ---- what others may know of it; any thread ----
    Clock::duration silent() const {
        const Clock::rep since = since_;
        return since == 0 ? Clock::duration{}
                          : Clock::now().time_since_epoch() - Clock::duration{since};
    }
    std::uint64_t evaluations() const { return evaluations_; }

    // The environment has just answered, and is waited for again.
    void alive() { since_ = Clock::now().time_since_epoch().count(); }
    // The same, if it is waited for: it answers also when a store is opened.
    void answered() {
        if (since_ != 0) {
            alive();
        }
    }
    void rests() { since_ = 0; }

protected:
    virtual Writes& writes() = 0;
    // Before anything is written. Throws where nothing is to be.
    virtual void look() {}
    // Before a transaction.
    virtual void prepare() {}
    // Commits what `work` does, or rolls it back where that throws.
    virtual void transact(const std::function<void()>& work) = 0;
    // A statement without parameters.
    virtual void execute(const char* sql) = 0;
    // Whether only what a statement said is to blame: the next one may well succeed.
    virtual bool refused(const StoreError& error) const = 0;
    // A group failed, and the environment is to blame.
    virtual void broke() {}
    virtual Outcome announce(const Announcement& announcement) = 0;

    void count(); // evaluations

private:
    // Careful: each work in a savepoint of its own, so that one that is refused fails alone.
    enum class Mode : std::uint8_t { fast, careful };
    // nullopt, in fast mode only: something is refused, and nothing is written.
    std::optional<std::vector<Outcome>> attempt(std::span<const Work* const> group, Mode mode);
    Outcome run(const Work& work);
    void take_facts(std::span<const Answered* const> facts, Mode mode,
                    std::vector<Outcome>& outcomes);
    Outcome run_alone(const std::function<Outcome()>& work);

    std::atomic<Clock::rep> since_ = 0; // 0: it is not waited for
    std::atomic<std::uint64_t> evaluations_ = 0;
};

} // namespace adjourn::storage
