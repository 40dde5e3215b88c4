// Scheduler: whose turn it is. It gives each engine the next question of the analysis that is due,
// takes what came of it, and says in which state each analysis is. It uses queue, planner and
// graphs; none of them knows it. Lives on the core's thread; nothing here blocks.
#pragma once

#include "analysis/records.hpp"
#include "core/engines/recorder.hpp"
#include "core/schedule/planner.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace adjourn::server {

// A search that is out: what it asks, who pays, and what it has come to.
struct RunningSearch {
    analysis::Question question;
    analysis::AnalysisId payer{}; // whose usage the answer is added to
    std::shared_ptr<Bill> bill;   // none: nothing is paid before the answer
    std::uint32_t threads = 1;    // that search it, and are paid for
    bool planned = true;          // it is a question of the plan

    // ---- written by LongSearches ----
    // What searches it, as it was seen last; nullopt: nobody was seen to.
    std::optional<engine_bridge::ProcessStatus> process = {};
    analysis::UnixMs since = 0;           // when that was seen first, by the steady clock
    std::uint64_t nodes = 0;              // at the last checkpoint
    std::optional<chess::Move> move = {}; // of it
    analysis::UnixMs paid_at = 0;         // when the last part was paid, by the steady clock
};

// Who asked for a job that is out, and about which line.
struct JobInfo {
    analysis::AnalysisId analysis{};
    std::vector<chess::Move> line;
    NodeQuestion asked;
    RunningSearch search;
};

class Scheduler {
public:
    struct Options {
        Queue::Clock clock;
        Queue::Clock steady; // CoreOptions::steady
        // Told after every change of an analysis's state (may be empty).
        std::function<void(const AnalysisRun&)> progress;
        // Told when a question has come back (may be empty).
        std::function<void()> came_back = {};
    };

    // All of them must outlive it.
    Scheduler(Queue& queue, Graphs& graphs, Planner& planner, const Engines& engines,
              Health& health, Recorder recorder, base::TaskScope::Poster core, Options options);
    Scheduler(const Scheduler&) = delete;
    Scheduler& operator=(const Scheduler&) = delete;

    // From now on work is given; until stop().
    void begin() { begun_ = true; }
    void stop() { stopping_ = true; }
    // Gives work to all engines that have room, soon and once however often it is called.
    void fill_soon();
    // From now on only this analysis is worked on, and what seats look at.
    void work_only_on(analysis::AnalysisId id) { only_ = id; }
    bool is_restricted() const { return only_.has_value(); }

    // ---- what came back ----
    bool all_back() const { return out_.empty(); }

    // ---- what others changed ----
    // The graph of these analyses has new facts.
    void facts_came(const GraphSlot& slot);
    // The game went on: `before` are the moves that had been played until now. What was asked that
    // does not lie below the root any more is not wanted.
    void root_moved(const AnalysisRun& run, const std::vector<chess::Move>& before);
    // Its questions are not wanted any more.
    void cancel(analysis::AnalysisId id);
    // Core::hurry
    void stop_root_search(AnalysisRun& run);
    // Long searches of its root that are out: one stands beside the tree from now on.
    void call_off_anchor(const AnalysisRun& run);
    // Questions about the position that wait their turn go before the others.
    void hurry(const AnalysisRun& run, const chess::Position& position);
    // Asks it before all others, whatever the plan wants. nullopt: nobody can be asked.
    // `order`: as Recorder::Expected has it.
    // REQUIRES: the graph's state of it is open.
    using Order = std::function<storage::DirectiveRecord()>;
    std::optional<engine_bridge::JobId> ask_now(AnalysisRun& run,
                                                analysis::PlannedQuestion question, Order order);
    // Asks another engine than the analysis's own, at the analysis's expense; not what is out
    // already, nor what the analysis may not ask now.
    void ask_second(EngineSlot& second, AnalysisRun& run, analysis::PlannedQuestion question);
    // Questions whose pause is over are asked again, also by analyses that ended for want of an
    // answer.
    void retry_unanswered();
    void fail(AnalysisRun& run, const std::string& reason);

    // What has been searched here for long while others wait that go before it (decision 070), or
    // at all while a seat does: it is to be put back, and is not returned again before it was
    // searched twice as long.
    std::vector<engine_bridge::JobId> in_the_way();
    static constexpr analysis::UnixMs long_in_the_way = 3'000;

    // ---- looking ----
    // Null where it is not out.
    const JobInfo* job(engine_bridge::JobId id) const;
    JobInfo* job(engine_bridge::JobId id);
    // Nobody searches the others (RunningSearch::process).
    void only_searched(const std::set<engine_bridge::JobId>& jobs);
    // Why nothing of the analysis is asked at present, whatever it needs; "" if it may work.
    std::string why_idle(const AnalysisRun& run) const;
    // Whether its budget is.
    bool is_spent(const AnalysisRun& run) const;
    // Why what somebody means to say could have no effect; nothing if it can.
    std::optional<WorkError> futile(AnalysisRun& run, const Directive& said) const;

private:
    struct Out {
        JobInfo info;
        std::shared_ptr<EngineSlot> engine;
        GraphSlot* slot = nullptr; // null: a second engine's
        bool urgent = false;
        int priority = 0;
        bool reserved = false;              // it is for the process of a seat
        analysis::UnixMs stopped = 0;       // when the search that was put back had begun
        analysis::UnixMs stopped_after = 0; // how long it had lasted
    };

    void fill_all();
    void fill(EngineSlot& engine);
    void take_stock();
    bool left_out(const AnalysisRun& run) const {
        return only_ && run.record.id != *only_ && !run.transient;
    }
    bool may_work(const AnalysisRun& run) const;
    bool next_task(EngineSlot& engine, AnalysisRun& run, bool only_urgent = false);
    engine_bridge::JobId submit(EngineSlot& engine, AnalysisRun& run,
                                analysis::PlannedQuestion question, Order order = {});
    void make_urgent(engine_bridge::JobId job, Out& out);
    static std::size_t room(const EngineSlot& engine) {
        return engine.dispatcher->room(engine.index);
    }
    std::size_t urgent_out(const EngineSlot& engine) const;
    static int rank(const Out& out);
    void note_priorities();
    std::size_t lower_out(const EngineSlot& engine, int rank) const;
    void ended(engine_bridge::JobId job, Recorder::Ending ending);
    void take_effect(engine_bridge::JobId job, Recorder::Ending ending);
    // The best line of a search that has just ended, before it is stored.
    void reported(engine_bridge::JobId job, engine_bridge::BestLine line);
    double due(const EngineSlot& engine, const AnalysisRun& run) const;
    void count_places(const EngineSlot& engine);
    void attempt(std::string_view place, AnalysisRun& run, const std::function<void()>& task);
    void tell(const AnalysisRun& run) const;

    static void count(AnalysisRun& payer, const Answered& answered);
    void apply(GraphSlot* slot, const NodeQuestion& asked, const Outcome& outcome);

    void refresh_state(AnalysisRun& run);
    void try_again(AnalysisRun& run); // if it has failed for want of an answer
    storage::AnalysisState state_of(const AnalysisRun& run, std::string& reason) const;
    bool outranked(const AnalysisRun& run) const;
    bool at_work(const AnalysisRun& run) const;

    Queue& queue_;
    Graphs& graphs_;
    Planner& planner_;
    const Engines& engines_;
    Health& health_;
    const Recorder recorder_;
    base::TaskScope::Poster core_;
    Options options_;
    std::unordered_map<engine_bridge::JobId, Out> out_;
    bool fill_scheduled_ = false;
    bool begun_ = false;
    bool stopping_ = false;
    std::optional<analysis::AnalysisId> only_;
};

// Affinity: which questions like the same engine process.

// Lines of one analysis that share their first two moves: the process's hash knows their subtree.
// `line` leads from the root. Never 0; others have, but for one in 2^63, another one.
std::uint64_t affinity_of(analysis::AnalysisId id, std::span<const chess::Move> line);

} // namespace adjourn::server
