#include "writer.hpp"

#include <algorithm>
#include <cassert>
#include <future>
#include <utility>

namespace adjourn::storage {

namespace {

// Bounds the log and the wait of the first job in a long queue.
constexpr std::size_t largest_group = 65'536;

} // namespace

Writer::Writer(Database& database, int checkpoint_pages, std::function<std::string()> trouble)
    : database_{&database}, checkpoint_pages_{checkpoint_pages},
      tables_{std::make_unique<Tables>(database)}, trouble_{std::move(trouble)}, thread_{[this] {
          loop();
      }} {}

Writer::Writer(std::string broken)
    : broken_{std::move(broken)}, for_good_{true}, thread_{[this] { loop(); }} {}

Writer::~Writer() {
    {
        const std::lock_guard lock{mutex_};
        closing_ = true;
    }
    arrived_.notify_one();
    thread_.join();
}

void Writer::submit(Work work, Done done) {
    {
        const std::lock_guard lock{mutex_};
        queue_.push_back({std::move(work), std::move(done), false});
    }
    arrived_.notify_one();
}

void Writer::recover() {
    std::promise<Outcome> promise;
    {
        const std::lock_guard lock{mutex_};
        queue_.push_back({[](Tables& tables) { return tables.probe(); },
                          [&promise](const Outcome& outcome) { promise.set_value(outcome); },
                          true});
    }
    arrived_.notify_one();
    if (const Outcome outcome = promise.get_future().get(); !outcome) {
        throw StoreError{outcome.error()};
    }
}

Written Writer::await(Work work) {
    assert(std::this_thread::get_id() != thread_.get_id() && "the writer cannot wait for itself");
    std::promise<Outcome> promise;
    submit(std::move(work), [&promise](const Outcome& outcome) { promise.set_value(outcome); });
    Outcome outcome = promise.get_future().get();
    if (!outcome) {
        throw StoreError{outcome.error()};
    }
    return *outcome;
}

void Writer::flush() {
    await({});
}

void Writer::loop() {
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
            const auto group = rest.first(std::min(
                largest_group, 1 + static_cast<std::size_t>(next_try - rest.subspan(1).begin())));
            process(group);
            rest = rest.subspan(group.size());
        }
        taken.clear();
    }
}

void Writer::process(std::span<const Job> group) {
    std::optional<std::vector<Outcome>> outcomes;
    const std::string before = broken_;
    if (group.front().tries && !for_good_) {
        broken_.clear();
    }
    if (broken_.empty()) {
        try {
            look_around();
            outcomes = attempt(group, Mode::fast);
            if (!outcomes) {
                outcomes = attempt(group, Mode::careful);
            }
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
    deliver(group, *outcomes);
    checkpoint();
}

std::optional<std::vector<Outcome>> Writer::attempt(std::span<const Job> group, Mode mode) {
    std::vector<Outcome> outcomes;
    outcomes.reserve(group.size());
    try {
        Transaction transaction{*database_, Transaction::Kind::write};
        for (const Job& job : group) {
            outcomes.push_back(!job.work               ? Outcome{}
                               : mode == Mode::careful ? run_alone(job)
                                                       : job.work(*tables_));
        }
        tables_->settle();
        transaction.commit();
        return outcomes;
    } catch (const SqliteError& error) {
        tables_->after_rollback();
        if (mode == Mode::fast && error.data_fault()) {
            return std::nullopt;
        }
        throw;
    }
}

Outcome Writer::run_alone(const Job& job) {
    database_->execute("SAVEPOINT job");
    try {
        Outcome outcome = job.work(*tables_);
        tables_->settle();
        database_->execute("RELEASE job");
        return outcome;
    } catch (const SqliteError& error) {
        if (!error.data_fault()) {
            throw;
        }
        database_->execute("ROLLBACK TO job");
        database_->execute("RELEASE job");
        tables_->after_rollback();
        return std::unexpected(std::string{"refused: "} + error.what());
    }
}

void Writer::deliver(std::span<const Job> group, const std::vector<Outcome>& outcomes) {
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

void Writer::look_around() {
    if (const std::string trouble = trouble_ ? trouble_() : ""; !trouble.empty()) {
        throw StoreError{trouble};
    }
}

void Writer::break_down(const std::exception& error) {
    broken_ = std::string{"not stored: "} + error.what();
    const auto* of_sqlite = dynamic_cast<const SqliteError*>(&error);
    for_good_ = of_sqlite != nullptr && of_sqlite->damaged_file();
}

// Somebody who was not told does not know what is stored: from then on nothing is.
void Writer::tell(const Job& job, const Outcome& outcome) {
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

// After the answers are acknowledged, so that nobody waits for it.
void Writer::checkpoint() {
    if (!broken_.empty() || database_->wal_pages() < checkpoint_pages_) {
        return;
    }
    try {
        database_->checkpoint();
    } catch (const std::exception& error) {
        // What was acknowledged is in the log and safe; but this disk takes no more.
        break_down(error);
    }
}

} // namespace adjourn::storage
