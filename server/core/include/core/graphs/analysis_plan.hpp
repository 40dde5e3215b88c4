// AnalysisPlan: how far the tree of an analysis is, and what is still missing. Written by Planner;
// others tell it by its methods what has happened, and take the questions. On the core's thread.
#pragma once

#include "analysis/basis.hpp"
#include "analysis/growth.hpp"
#include "analysis/stop_rules.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace adjourn::server {

// What a settled level rests on. Levels with equal inputs are equal.
struct LevelInputs {
    std::size_t positions = 0;
    std::uint64_t digest = 0; // of these positions
    std::size_t evaluations = 0;
    std::vector<chess::Move> followed;

    friend bool operator==(const LevelInputs&, const LevelInputs&) = default;
};

struct AnalysisPlan {
    // ---- levels ----
    int refine = 1;  // the level that is worked on
    int settled = 0; // the last level that has settled, counted from 1 after each restart()
    // The deepest settled level of each tree that the analysis has had since the program started,
    // by its rules and excluded moves. It stays when levels are counted from 1 again.
    using Tree = std::pair<std::string, std::vector<analysis::ExcludedMove>>;
    std::map<Tree, int> reached;
    Tree tree;             // the present one
    bool finished = false; // nothing more to ask: refine reached, or the tree has an end
    // Of the present tree, as far as the level that is worked on: the evaluations that it rests on,
    // and those of them that this analysis asked for itself.
    std::size_t evaluations_used = 0;
    std::size_t own_used = 0;
    bool recount = true;  // an answer came since they were counted
    bool counted = false; // the two are valid under the present rules
    // Of the last settled level: root moves that it followed (sorted), and how clear the answer is.
    std::vector<chess::Move> verified;
    analysis::Lead lead;
    std::string stopped;                     // why it ended before its last level; "" if it did not
    std::string failure;                     // which answer a level lacks, and why; "" if none
    std::optional<LevelInputs> level_inputs; // of the last settled level

    // ---- questions ----
    std::deque<analysis::PlannedQuestion> ready;
    bool planned = false; // since the root, the rules or the engine changed
    // Another plan may ask for more: facts have changed, or all it asked for is out and processes
    // have nothing to do.
    bool stale = true;
    bool now_due = false; // a person's "now" may need a question that is in no plan yet
    std::size_t answers_since_plan = 0;
    std::size_t size = 0; // positions the last walk visited

    // ---- what others tell ----
    // The graph has new facts: facts shared with others may have moved the end, too.
    void facts_came();
    // An answer is not awaited any more, or a person has said "go on": it may not have ended.
    void try_again();
    // What is missing is found when somebody may ask again.
    void drop_questions() {
        ready.clear();
        stale = true;
    }
    analysis::PlannedQuestion take() {
        analysis::PlannedQuestion first = std::move(ready.front());
        ready.pop_front();
        return first;
    }
    // Enough has changed for another walk.
    bool due() const {
        return now_due || (stale && (ready.empty() || answers_since_plan > size / 100));
    }
    // Levels are counted from 1 again: `now` is the tree, of which `recorded` levels are on record.
    void restart(Tree now, int recorded, bool waits_for_now);
};

} // namespace adjourn::server
