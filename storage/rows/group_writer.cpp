#include "storage/rows/group_writer.hpp"

#include <algorithm>
#include <cassert>
#include <future>
#include <iterator>
#include <utility>

namespace adjourn::storage {

std::vector<Outcome> GroupTarget::commit(std::span<const Work* const> group) {
    look();
    if (group.empty()) {
        return {};
    }
    prepare();
    try {
        auto outcomes = attempt(group, Mode::fast);
        return outcomes ? std::move(*outcomes) : attempt(group, Mode::careful).value();
    } catch (...) {
        broke();
        throw;
    }
}

std::optional<std::vector<Outcome>> GroupTarget::attempt(std::span<const Work* const> group,
                                                         Mode mode) {
    std::vector<Outcome> outcomes;
    outcomes.reserve(group.size());
    std::vector<const Answered*> facts; // that stand beside each other
    const auto take = [&] {
        take_facts(facts, mode, outcomes);
        facts.clear();
    };
    try {
        transact([&] {
            for (const Work* work : group) {
                const auto* const change = std::get_if<Change>(work);
                if (const auto* fact = change ? std::get_if<Answered>(change) : nullptr) {
                    facts.push_back(fact);
                    continue;
                }
                take();
                alive();
                outcomes.push_back(mode == Mode::careful ? run_alone([&] { return run(*work); })
                                                         : run(*work));
            }
            take();
            writes().settle();
            alive();
        });
        count();
        return outcomes;
    } catch (const StoreError& error) {
        if (mode == Mode::fast && refused(error)) {
            writes().forget();
            return std::nullopt;
        }
        throw;
    }
}

Outcome GroupTarget::run(const Work& work) {
    if (const auto* change = std::get_if<Change>(&work)) {
        return writes().write(*change);
    }
    const auto* const announcement = std::get_if<Announcement>(&work);
    return announcement != nullptr ? announce(*announcement) : writes().probe();
}

// Facts that the database refuses are found by taking each for itself.
void GroupTarget::take_facts(std::span<const Answered* const> facts, Mode mode,
                             std::vector<Outcome>& outcomes) {
    if (facts.empty()) {
        return;
    }
    alive();
    std::vector<Outcome> done;
    const auto all = [&]() -> Outcome {
        done = writes().append(facts);
        return Written{};
    };
    const Outcome outcome = mode == Mode::careful ? run_alone(all) : all();
    if (outcome) {
        std::ranges::move(done, std::back_inserter(outcomes));
    } else if (facts.size() == 1) {
        outcomes.push_back(outcome);
    } else {
        for (std::size_t i = 0; i < facts.size(); ++i) {
            take_facts(facts.subspan(i, 1), mode, outcomes);
        }
    }
}

Outcome GroupTarget::run_alone(const std::function<Outcome()>& work) {
    execute("SAVEPOINT work");
    try {
        Outcome outcome = work();
        writes().settle();
        execute("RELEASE SAVEPOINT work");
        return outcome;
    } catch (const StoreError& error) {
        if (!refused(error)) {
            throw;
        }
        execute("ROLLBACK TO SAVEPOINT work");
        execute("RELEASE SAVEPOINT work");
        writes().forget();
        return std::unexpected(std::string{"refused: "} + error.what());
    }
}

void GroupTarget::count() {
    try {
        evaluations_ = writes().evaluations();
    } catch (const StoreError&) {
        // The last number stays. What was committed is; the next write finds what is wrong.
    }
}

namespace {

// Bounds the transaction and the wait of the first job in a long queue.
constexpr std::size_t largest_group = 65'536;

} // namespace

GroupWriter::GroupWriter(GroupTarget& target, Executor executor)
    : target_{&target}, executor_{std::move(executor)} {
    if (!executor_) {
        thread_ = std::thread{[this] { loop(); }};
    }
}

GroupWriter::GroupWriter(std::string broken)
    : broken_{std::move(broken)}, for_good_{true}, thread_{[this] { loop(); }} {}

GroupWriter::~GroupWriter() {
    {
        const std::lock_guard lock{mutex_};
        closing_ = true;
    }
    arrived_.notify_one();
    if (thread_.joinable()) {
        thread_.join();
    }
    while (write_queued()) {
    }
}

void GroupWriter::recover() {
    wait_for({target_ != nullptr ? std::optional{Work{Probe{}}} : std::nullopt, {}, true});
}

CommitTimes GroupWriter::commit_times() const {
    const std::lock_guard lock{mutex_};
    return commit_times_;
}

Writing GroupWriter::writing() const {
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

void GroupWriter::queue(Job job) {
    bool call = false;
    {
        const std::lock_guard lock{mutex_};
        queue_.push_back(std::move(job));
        call = executor_ && !std::exchange(called_, true);
    }
    if (call) {
        executor_([this] { write_queued(); });
    }
    arrived_.notify_one();
}

void GroupWriter::wait_for(Job job) {
    assert(std::this_thread::get_id() != thread_.get_id() && "the writer cannot wait for itself");
    std::promise<Outcome> promise;
    job.done = [&promise](const Outcome& outcome) { promise.set_value(outcome); };
    queue(std::move(job));
    while (executor_ && write_queued()) {
    }
    Outcome outcome = promise.get_future().get();
    if (!outcome) {
        throw StoreError{outcome.error().why};
    }
}

void GroupWriter::loop() {
    do {
        std::unique_lock lock{mutex_};
        arrived_.wait(lock, [this] { return closing_ || !queue_.empty(); });
    } while (write_queued()); // else it is closing, and everything is done
}

bool GroupWriter::write_queued() {
    std::vector<Job> taken;
    {
        const std::lock_guard lock{mutex_};
        called_ = false;
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
    return !taken.empty();
}

void GroupWriter::process(std::span<const Job> group) {
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
        outcomes.emplace(group.size(), std::unexpected(NotWritten{broken_, true}));
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

std::vector<Outcome> GroupWriter::run(std::span<const Job> group) {
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

void GroupWriter::deliver(std::span<const Job> group, const std::vector<Outcome>& outcomes) {
    for (std::size_t i = 0; i < group.size(); ++i) {
        const Job& job = group[i];
        if (!job.work && outcomes[i] && !broken_.empty()) { // by somebody told just now
            tell(job, std::unexpected(NotWritten{broken_, true}));
        } else if (!job.work && outcomes[i] && !silent_refusal_.empty()) {
            tell(job, std::unexpected(std::exchange(silent_refusal_, {})));
        } else if (job.done) {
            tell(job, outcomes[i]);
        } else if (!outcomes[i] && silent_refusal_.empty()) {
            silent_refusal_ = outcomes[i].error().why;
        }
    }
}

void GroupWriter::tell(const Job& job, const Outcome& outcome) {
    try {
        job.done(outcome);
    } catch (const std::exception& error) {
        broken_ =
            std::string{"not stored: what was stored before could not be told: "} + error.what();
        for_good_ = true;
    } catch (...) {
        broken_ = "not stored: what was stored before could not be told";
        for_good_ = true;
    }
}

void GroupWriter::publish() {
    const std::lock_guard lock{mutex_};
    told_broken_ = broken_;
}

void GroupWriter::break_down(const std::exception& error) {
    broken_ = std::string{"not stored: "} + error.what();
    for_good_ = target_->for_good(error);
}

} // namespace adjourn::storage
