// GroupWriter: the one thread that writes. Takes everything that is queued, has it run in one
// transaction, then calls every `done`.
//
//   submit ──▶ queue ──▶ [ BEGIN · work · work · work · COMMIT ] ──▶ done · done · done ──▶
//   afterwards
//
// A work whose data the database refuses fails alone; the others of its group are committed. A
// broken environment (disk full, connection lost, a `done` that throws …) fails the group and
// everything after it, until recover() has found that it works again.
#pragma once

#include "storage/rows/writes.hpp"
#include "storage/store.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <variant>
#include <vector>

namespace adjourn::storage {

// GroupTarget: what the writer's thread does with a group of writes, in one transaction.
struct Probe {}; // a write that changes nothing
// What the owner tells others of itself, name by name.
using Announcement = std::map<std::string, std::string>;
using Work = std::variant<Change, Probe, Announcement>;

// On the writer's thread, but for what says otherwise.
class GroupTarget {
    using Clock = std::chrono::steady_clock;

public:
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

class GroupWriter {
public:
    // Runs a task later, one after the other; what it has not run when the writer ends it forgets.
    using Executor = std::function<void(std::function<void()>)>;
    // The target must outlive it. Where `executor` is given it writes there, and has no thread.
    explicit GroupWriter(GroupTarget& target, Executor executor = {});
    // The same that fails everything with this text.
    explicit GroupWriter(std::string broken);
    // Waits until everything queued is done.
    ~GroupWriter();

    // Any thread; does not block for the disk. `done` may be empty.
    void submit(Work work, Done done) { queue({std::move(work), std::move(done)}); }
    // As submit, but waits. Not from the writer's own thread. Throws StoreError if it failed.
    void await(Work work) { wait_for({std::move(work), {}}); }
    // Waits until everything queued before is durable. Throws StoreError if the environment is
    // broken, or if since the last flush a work without `done` was refused.
    void flush() { wait_for({std::nullopt, {}}); }
    // Waits. If the environment broke, tries whether it works again: throws StoreError if not.
    void recover();
    // Of the transactions that went well. Any thread; does not block for the disk.
    CommitTimes commit_times() const;
    // Any thread; does not block for the disk.
    Writing writing() const;

private:
    struct Job {
        std::optional<Work> work; // none: a flush
        Done done;
        bool tries = false; // of recover()
    };

    void queue(Job job);
    void wait_for(Job job);
    void loop();
    bool write_queued(); // false: nothing was queued
    void process(std::span<const Job> group);
    std::vector<Outcome> run(std::span<const Job> group);
    void deliver(std::span<const Job> group, const std::vector<Outcome>& outcomes);
    // Somebody who was not told does not know what is stored: from then on nothing is.
    void tell(const Job& job, const Outcome& outcome);
    void publish();
    void break_down(const std::exception& error);

    // ---- the writer thread's own ----
    GroupTarget* target_ = nullptr;
    std::string broken_;         // "": not
    bool for_good_ = false;      // broken, whatever the environment does
    std::string silent_refusal_; // the first one that nobody was told of

    // ---- shared, under the mutex ----
    mutable std::mutex mutex_;
    std::condition_variable arrived_;
    std::vector<Job> queue_;
    bool closing_ = false;
    bool called_ = false; // executor_ is to come
    CommitTimes commit_times_;
    std::string told_broken_; // broken_, for others

    const Executor executor_;
    std::thread thread_; // last: starts when the rest stands
};

} // namespace adjourn::storage
