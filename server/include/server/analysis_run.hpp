// AnalysisRun: one analysis as the core works on it. A record of state, changed by the core only.
#pragma once

#include "analysis/growth.hpp"
#include "server/analysis_spec.hpp"
#include "server/graph_slot.hpp"
#include "storage/store.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace adjourn::server {

// How a question ended, from the moment that it is durable.
struct Dropped {};  // cancelled or not answerable now: it may be asked again
struct Unanswered { // tried several times
    std::string reason;
    int attempts = 0;
    analysis::UnixMs at = 0;
};
using Outcome = std::variant<analysis::Evaluation, Unanswered, Dropped>;

// What a settled level rests on: two with the same are the same.
struct Footing {
    std::size_t positions = 0;
    std::uint64_t digest = 0; // of these positions
    std::size_t evaluations = 0;
    std::vector<chess::Move> followed;

    friend bool operator==(const Footing&, const Footing&) = default;
};

struct AnalysisRun {
    AnalysisRun(storage::AnalysisRecord r, AnalysisSpec s, chess::Position from, chess::Position to)
        : record{std::move(r)}, spec{std::move(s)}, start{from}, root{to} {}

    storage::AnalysisRecord record;
    AnalysisSpec spec;
    chess::Position start; // where root_moves begin
    chess::Position root;
    bool transient = false; // nothing of it goes to the store; id < 0

    std::vector<storage::DirectiveRecord> directives;
    std::vector<storage::SnapshotRecord> snapshots;
    storage::UsageRecord usage;

    // ---- under the present engine fingerprint ----
    GraphSlot* slot = nullptr; // none until the engine told who it is
    bool unreadable = false;   // there is none because the facts cannot be read
    analysis::NodeId root_node{};
    analysis::Steering steering;
    analysis::Seeds seeds; // what people and games brought in, by position

    // ---- progress ----
    int refine = 1;                   // the depth being worked on
    int settled = 0;                  // the last settled one
    bool finished = false;            // nothing more to ask: refine reached, or the tree has an end
    std::size_t evaluations_used = 0; // scores that the present tree stands on
    // Of the last settled level: root moves that it followed (sorted), and how clear the answer is.
    std::vector<chess::Move> verified;
    analysis::Lead lead;
    std::string stopped;            // why it ended before its last level; "" if it did not
    std::string failure;            // which answer a level lacks, and why; "" if none
    std::optional<Footing> footing; // of the last settled level

    // ---- the plan ----
    std::deque<analysis::Task> ready;
    bool planned = false; // since the root, the rules or the engine changed
    bool stale = true;    // facts changed since the plan was made
    bool now_due = false; // what a person waits for may need a question that no plan has yet
    std::size_t answers_since_plan = 0;
    std::size_t plan_size = 0; // positions the last walk visited

    // ---- what is out ----
    std::size_t in_flight = 0;
    std::uint64_t served = 0; // jobs given, for fairness
    std::vector<analysis::NodeId>
        unproven;                    // positions we asked about that no settled walk has needed yet
    std::uint64_t next_sequence = 0; // of the next job
    std::uint64_t next_outcome = 0;  // to be applied next (reproducible mode)
    std::map<std::uint64_t, std::pair<Asked, Outcome>> waiting;

    // ---- for observers ----
    bool changed = true; // an event is due
};

// Whether a person has said "now" about any position, answered or not.
bool waits_for_now(const AnalysisRun& run);

} // namespace adjourn::server
