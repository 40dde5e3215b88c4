// Planner: what an analysis needs next, when a level of it is settled, and whether its budget
// allows a question. One analysis at a time; it gives no work to anybody. Lives on the core's
// thread and keeps no state: all of it is in the AnalysisRun.
#pragma once

#include "analysis/growth.hpp"
#include "core/engines/engines.hpp"
#include "core/graphs/graphs.hpp"
#include "core/graphs/queue.hpp"
#include "core/records/analysis_spec.hpp"

#include <cstdint>
#include <expected>
#include <optional>
#include <string>

namespace adjourn::server {

// Levels are counted up to this one where an analysis names no last one.
inline constexpr int deepest_refine = 200;
// Why an analysis has ended that AnalysisSpec::stop ended for its lead.
inline constexpr const char* clear_lead = "the best move is clear of the others";

class Planner {
public:
    // All of them must outlive it. What has settled is recorded in `queue`.
    Planner(Queue& queue, const Graphs& graphs, const Engines& engines, Queue::Clock clock)
        : queue_{queue}, graphs_{graphs}, engines_{engines}, clock_{std::move(clock)} {}

    // ---- an analysis that has its graph ----
    // Makes a new plan; settles the levels that need nothing more. Returns whether there is a
    // question.
    bool replan(AnalysisRun& run);
    // A question of the analysis's limit may be the one that uses up the budget. Larger ones must
    // fit into what is left, of time as their likely cost, and so must all that a GUI has asked
    // for.
    bool affords(const AnalysisRun& run, const analysis::Limit& limit) const {
        return pays(run, limit) && in_time(run, limit);
    }
    bool exhausted(const AnalysisRun& run) const {
        return run.out.spent || used_up(run) || time_is_up(run);
    }
    // The parts of the two that look at no clock, and those that do.
    bool pays(const AnalysisRun& run, const analysis::Limit& limit) const;
    bool in_time(const AnalysisRun& run, const analysis::Limit& limit) const;
    bool used_up(const AnalysisRun& run) const;
    bool time_is_up(const AnalysisRun& run) const;
    // Whether the present hours are most likely long enough for it; they come back.
    bool fits_in_hours(const AnalysisRun& run, const analysis::Limit& limit) const;
    // When they end; nullopt: the analysis works at any time.
    std::optional<analysis::UnixMs> hours_end(const AnalysisRun& run) const;

    // ---- any analysis ----
    // Expanded positions at and below the root, as far as they are counted yet: large trees that
    // are new to the analysis take a while. 0 without a graph.
    static std::size_t expanded_positions(const AnalysisRun& run);
    // Seconds until its last level is settled, if each further level costs as much more than the
    // one before as the cheapest, and the dearest, of the latest ones did, and as much else is at
    // work as now. Nothing before three levels are settled, and without a last one.
    struct Remaining {
        double least = 0;
        double most = 0;
    };
    std::optional<Remaining> remaining(const AnalysisRun& run) const;
    // What is to change so that it works that much more; or why it would not. Of one that has
    // ended, what has ended it ends it no more. Any other limit stays.
    std::expected<AnalysisPatch, WorkError> extended(const AnalysisRun& run,
                                                     const Extension& more) const;
    // Whether the hours are those in which it may work.
    bool in_window(const AnalysisRun& run) const;

private:
    analysis::Plan plan_at(const AnalysisRun& run, int refine) const;
    static void make_ready(AnalysisRun& run, analysis::Plan& plan);
    bool nothing_left(const AnalysisRun& run, const LevelInputs& inputs, int last) const;
    std::string failure_text(const AnalysisRun& run,
                             const analysis::PlannedQuestion& question) const;
    NotedSnapshot settle(AnalysisRun& run, const analysis::Plan& plan, const LevelInputs& inputs);
    NotedSnapshot snapshot_of(const AnalysisRun& run);
    std::optional<std::uint64_t> nodes_left(const AnalysisRun& run) const;
    std::size_t processes_of(const AnalysisRun& run) const;
    double left_until(const AnalysisRun& run, analysis::UnixMs end) const;
    std::optional<double> budget_left(const AnalysisRun& run) const;
    std::optional<double> hours_left(const AnalysisRun& run) const;
    // As nodes_left(), by what ends at a time: for each process, as fast as it was so far.
    std::optional<std::uint64_t> nodes_in_time(const AnalysisRun& run) const;
    // Whether a larger search than the analysis's will most likely end within that time.
    bool fits(const AnalysisRun& run, const analysis::Limit& limit,
              std::optional<double> left) const;
    double share(const AnalysisRun& run) const;

    Queue& queue_;
    const Graphs& graphs_;
    const Engines& engines_;
    Queue::Clock clock_;
};

} // namespace adjourn::server
