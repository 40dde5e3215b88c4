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

#include "storage/commit_times.hpp"
#include "storage/rows/group_target.hpp"

#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

namespace adjourn::storage {

class GroupWriter {
public:
    // The target must outlive it.
    explicit GroupWriter(GroupTarget& target);
    // One that fails everything with this text.
    explicit GroupWriter(std::string broken);
    GroupWriter(const GroupWriter&) = delete;
    GroupWriter& operator=(const GroupWriter&) = delete;
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
    CommitTimes commit_times_;
    std::string told_broken_; // broken_, for others

    std::thread thread_; // last: starts when the rest stands
};

} // namespace adjourn::storage
