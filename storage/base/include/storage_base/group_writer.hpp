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
#include "storage_base/bytes.hpp"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <future>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace adjourn::storage {

// What a kind of store does with a group. On the writer's thread.
template <class Work>
class GroupTarget {
    using Clock = std::chrono::steady_clock;

public:
    GroupTarget() = default;
    GroupTarget(const GroupTarget&) = delete;
    GroupTarget& operator=(const GroupTarget&) = delete;
    virtual ~GroupTarget() = default;

    // Runs them in order, in one transaction; an outcome each. Throws where the environment is
    // broken: nothing of the group may be told as stored then.
    virtual std::vector<Outcome> commit(std::span<const Work* const> group) = 0;
    // A write that changes nothing.
    virtual Work probe() const = 0;
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

    // ---- told by the writer's thread ----
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
    void counted(std::uint64_t evaluations) { evaluations_ = evaluations; }

private:
    std::atomic<Clock::rep> since_ = 0; // 0: it is not waited for
    std::atomic<std::uint64_t> evaluations_ = 0;
};

template <class Work>
class GroupWriter {
public:
    // The target must outlive it.
    explicit GroupWriter(GroupTarget<Work>& target)
        : target_{&target}, thread_{[this] { loop(); }} {}
    // One that fails everything with this text.
    explicit GroupWriter(std::string broken)
        : broken_{std::move(broken)}, for_good_{true}, thread_{[this] { loop(); }} {}
    GroupWriter(const GroupWriter&) = delete;
    GroupWriter& operator=(const GroupWriter&) = delete;
    // Waits until everything queued is done.
    ~GroupWriter() {
        {
            const std::lock_guard lock{mutex_};
            closing_ = true;
        }
        arrived_.notify_one();
        thread_.join();
    }

    // Any thread; does not block for the disk. `done` may be empty.
    void submit(Work work, Done done) { queue({std::move(work), std::move(done)}); }
    // As submit, but waits. Not from the writer's own thread. Throws StoreError if it failed.
    Written await(Work work) { return wait_for({std::move(work), {}}); }
    // Waits until everything queued before is durable. Throws StoreError if the environment is
    // broken, or if since the last flush a work without `done` was refused.
    void flush() { wait_for({std::nullopt, {}}); }
    // Waits. If the environment broke, tries whether it works again: throws StoreError if not.
    void recover() {
        wait_for({target_ != nullptr ? std::optional{target_->probe()} : std::nullopt, {}, true});
    }
    // Of the transactions that went well. Any thread; does not block for the disk.
    CommitTimes commit_times() const {
        const std::lock_guard lock{mutex_};
        return commit_times_;
    }
    // Any thread; does not block for the disk.
    Writing writing() const {
        Writing now;
        if (target_ == nullptr) {
            return now;
        }
        now.silent = target_->silent();
        now.evaluations = target_->evaluations();
        const std::lock_guard lock{mutex_};
        now.broken = told_broken_;
        return now;
    }

private:
    struct Job {
        std::optional<Work> work; // none: a flush
        Done done;
        bool tries = false; // of recover()
    };
    // Bounds the transaction and the wait of the first job in a long queue.
    static constexpr std::size_t largest_group = 65'536;

    void queue(Job job) {
        {
            const std::lock_guard lock{mutex_};
            queue_.push_back(std::move(job));
        }
        arrived_.notify_one();
    }

    Written wait_for(Job job) {
        assert(std::this_thread::get_id() != thread_.get_id() &&
               "the writer cannot wait for itself");
        std::promise<Outcome> promise;
        job.done = [&promise](const Outcome& outcome) { promise.set_value(outcome); };
        queue(std::move(job));
        Outcome outcome = promise.get_future().get();
        if (!outcome) {
            throw StoreError{outcome.error()};
        }
        return *outcome;
    }

    void loop() {
        std::vector<Job> taken;
        while (true) {
            {
                std::unique_lock lock{mutex_};
                arrived_.wait(lock, [this] { return closing_ || !queue_.empty(); });
                if (queue_.empty()) {
                    return; // closing, and everything is done
                }
                taken.swap(queue_);
            }
            std::span<const Job> rest{taken};
            while (!rest.empty()) {
                // What was queued before a try has failed; what comes after it need not.
                const auto next_try = std::ranges::find_if(rest.subspan(1), &Job::tries);
                const auto before = next_try - rest.subspan(1).begin();
                const auto group =
                    rest.first(std::min(largest_group, 1 + static_cast<std::size_t>(before)));
                process(group);
                rest = rest.subspan(group.size());
            }
            taken.clear();
        }
    }

    void process(std::span<const Job> group) {
        std::optional<std::vector<Outcome>> outcomes;
        const std::string before = broken_;
        if (group.front().tries && !for_good_) {
            broken_.clear();
        }
        if (broken_.empty()) {
            try {
                target_->alive();
                outcomes = run(group);
            } catch (const std::exception& error) { // also what no statement throws: no memory …
                break_down(error);
            }
        }
        if (!broken_.empty() && !before.empty()) {
            broken_ = before; // the first reason is the cause
        }
        if (!outcomes) {
            outcomes.emplace(group.size(), std::unexpected(broken_));
        }
        publish(); // first: who is told that a write failed looks whether all do
        deliver(group, *outcomes);
        if (broken_.empty()) {
            try {
                target_->alive();
                target_->afterwards();
            } catch (const std::exception& error) {
                break_down(error);
            }
        }
        publish();
        if (target_ != nullptr) {
            target_->rests();
        }
    }

    std::vector<Outcome> run(std::span<const Job> group) {
        std::vector<const Work*> works;
        works.reserve(group.size());
        for (const Job& job : group) {
            if (job.work) {
                works.push_back(&*job.work);
            }
        }
        const auto begun = std::chrono::steady_clock::now();
        std::vector<Outcome> done = target_->commit(works), all;
        if (!works.empty()) {
            const std::lock_guard lock{mutex_};
            commit_times_.add(std::chrono::steady_clock::now() - begun, works.size());
        }
        all.reserve(group.size());
        auto next = done.begin();
        for (const Job& job : group) {
            all.push_back(job.work ? std::move(*next++) : Outcome{});
        }
        return all;
    }

    void deliver(std::span<const Job> group, const std::vector<Outcome>& outcomes) {
        for (std::size_t i = 0; i < group.size(); ++i) {
            const Job& job = group[i];
            if (!job.work && outcomes[i] && !broken_.empty()) { // by somebody told just now
                tell(job, std::unexpected(broken_));
            } else if (!job.work && outcomes[i] && !silent_refusal_.empty()) {
                tell(job, std::unexpected(std::exchange(silent_refusal_, {})));
            } else if (job.done) {
                tell(job, outcomes[i]);
            } else if (!outcomes[i] && silent_refusal_.empty()) {
                silent_refusal_ = outcomes[i].error();
            }
        }
    }

    // Somebody who was not told does not know what is stored: from then on nothing is.
    void tell(const Job& job, const Outcome& outcome) {
        try {
            job.done(outcome);
        } catch (const std::exception& error) {
            broken_ = std::string{"not stored: what was stored before could not be told: "} +
                      error.what();
            for_good_ = true;
        } catch (...) {
            broken_ = "not stored: what was stored before could not be told";
            for_good_ = true;
        }
    }

    void publish() {
        const std::lock_guard lock{mutex_};
        told_broken_ = broken_;
    }

    void break_down(const std::exception& error) {
        broken_ = std::string{"not stored: "} + error.what();
        for_good_ = target_->for_good(error);
    }

    // ---- the writer thread's own ----
    GroupTarget<Work>* target_ = nullptr;
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
