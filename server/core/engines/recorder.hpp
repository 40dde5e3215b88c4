// Recorder: the one way of an answer from the engines to the core.
//
//   bridge's thread ── result ──▶ store's writer ── ended ──▶ core's thread
//
// The writer also asks the endgame tables about the position that the answer leads to: what has to
// be read from a disk for that is in memory when the core asks.
//
// What a search found becomes an evaluation, and is durable together with its cost before the core
// hears of it. It keeps no list: what it must know travels with the question.
#pragma once

#include "analysis/records.hpp"
#include "analysis/tables.hpp"
#include "base/task_scope.hpp"
#include "core/graphs/analysis_run.hpp"
#include "core/guards/guard.hpp"
#include "engine_bridge/dispatch/dispatcher.hpp"
#include "storage/store.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <variant>

namespace adjourn::server {

// How a question ended, from the moment that it is durable.
struct Dropped {};  // cancelled, or no engine takes it now: it may be asked again
struct Unanswered { // all attempts failed
    std::string reason;
    int attempts = 0;
    analysis::UnixMs at = 0;
};

struct Answered {
    analysis::Evaluation fact; // as it is stored
    // What the answer cost beyond what was paid before it, all threads together, and whether it is
    // this answer that is stored: somebody may have answered the question before.
    std::uint64_t nodes = 0;
    std::uint64_t engine_ms = 0;
    bool fresh = true;
};
using Outcome = std::variant<Answered, Unanswered, Dropped>;

class Bill {
public:
    // What of the cost so far is to be paid now; nothing: the answer has come.
    std::optional<storage::Cost> part(const storage::Cost& so_far);
    // What the answer is to pay, and no part any more.
    storage::Cost rest(const storage::Cost& all);
    // What of the cost so far nobody has paid.
    storage::Cost unpaid(const storage::Cost& so_far) const;
    storage::Cost parts() const; // that were paid, of the present search
    bool settled() const;
    // Another search of the question has begun, since the last one had no answer.
    void begin_again();

private:
    storage::Cost pay(const storage::Cost& so_far);

    mutable std::mutex mutex_;
    storage::Cost paid_;
    storage::Cost parts_;
    bool settled_ = false;
};

class Recorder {
public:
    struct Ending {
        Outcome outcome;
        std::optional<engine_bridge::BestLine> found = {}; // by a search that was cancelled
        std::string engine_problem = {};                   // why the engine cannot be asked
        std::string not_stored = {}; // why the answer was not written; the outcome is Dropped
        bool refused = false;        // for what it says itself: it would be again
        std::shared_ptr<const analysis::UnixMs> moment = {}; // until the answer is in the graphs
    };
    // A question, and what becomes of its answer.
    struct Expected {
        analysis::Question question;
        std::optional<analysis::AnalysisId> asked_by; // whose usage the answer is added to
        int attempts = 0;                             // that were made before, without an answer
        // Both are called on the core's thread, as long as the scope is open: this one once, …
        std::function<void(Ending)> ended;
        // … and this one before, at once, also before the answer is durable. May be empty.
        std::function<void(engine_bridge::BestLine)> reported = {};
        std::uint32_t threads = 1;       // that search it, and are paid for
        std::shared_ptr<Bill> bill = {}; // what is paid before the answer; may be null: nothing
        // What is left of an order when this is answered, stored with the answer. Called once on
        // the bridge's thread. May be empty.
        std::function<storage::DirectiveRecord()> order = {};
    };

    // The store must outlive the last call of what expect() returned.
    // `machine`: the name of this one, which made what no other did; "": that is not noted.
    Recorder(storage::Store& store, std::shared_ptr<Moments> moments, base::TaskScope::Poster core,
             std::string machine, std::shared_ptr<const analysis::Tables> tables = nullptr)
        : store_{&store}, moments_{std::move(moments)}, core_{std::move(core)},
          machine_{std::move(machine)}, tables_{std::move(tables)} {}

    // What the dispatcher is to do with the result: on any thread, once; returns at once.
    engine_bridge::Dispatcher::Done expect(Expected expected) const;

private:
    using Shared = std::shared_ptr<const Expected>;
    void answered(const Shared& expected, engine_bridge::Result result) const;
    void record(const Shared& expected, const engine_bridge::Answer& answer) const;
    void record(const Shared& expected, engine_bridge::Failure failure) const;
    static void tell(const base::TaskScope::Poster& core, const Shared& expected, Ending ending);

    storage::Store* store_;
    std::shared_ptr<Moments> moments_;
    base::TaskScope::Poster core_;
    std::string machine_;
    std::shared_ptr<const analysis::Tables> tables_; // may be null
};

} // namespace adjourn::server
