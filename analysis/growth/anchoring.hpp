// Anchoring: what strategy `anchored` asks at the root and right below it, besides the tree that
// `halving` grows there (docs/internals/strategies.md).
#pragma once

#include "analysis/growth/grow.hpp"

#include "analysis/growth.hpp"
#include "analysis/root_answer.hpp"
#include "analysis/strategy.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_set>
#include <vector>

namespace adjourn::analysis {

// Of strategies with an anchor.
inline constexpr std::array<OwnNumber, 1> anchor_numbers{
    {{"court", 0, 0.5, 0.25,
      "Share of the work that goes to the best candidates, searched together; 0 = none"}}};

class Anchoring {
public:
    explicit Anchoring(const PlanRequest& request);

    // The request for the tree below, without the questions that are asked here with other limits.
    // Valid as long as this is.
    PlanRequest request_below() const;
    // The plan of the whole, given that of request_below().
    Plan with(Plan below) const;

private:
    PlanRequest at_level(int level) const;
    Questions::Subject root_subject() const;
    std::vector<Candidate> engine_scores(const PlanRequest& request) const;
    int window() const; // of the root, cp
    bool inside(const std::vector<Candidate>& scored, const Candidate& candidate) const;
    void ask_level(int level);
    bool ask_candidates(const PlanRequest& request, const std::vector<Candidate>& candidates);
    std::vector<Candidate> likely_candidates(int level, const std::vector<Candidate>& known) const;
    void ask_guesses(const PlanRequest& request, std::vector<Candidate> known,
                     const std::vector<Candidate>& guesses);
    void ask_below(const PlanRequest& request, const std::vector<Candidate>& candidates,
                   const std::vector<Candidate>& guesses);
    void ask_after(const Candidate& candidate, const PlanRequest& request, Questions& questions);
    struct Due {
        int next = 0;               // step of the first anchor that is larger than what is known
        int step = 0;               // that the level asks for; less than `next`: none
        std::optional<Limit> limit; // of the one to be asked for; nullopt: none
        bool fits = true;           // into what is left of the budget
    };
    Due anchor_due(std::span<const NodeId> visited) const;
    bool anchor_is_out(const Due& due) const;
    // Whether a search of the root is still to come.
    bool ask_anchor(Plan& plan, const Due& due) const;
    double nodes_elsewhere(std::span<const NodeId> visited) const;
    int step_due(double elsewhere) const;
    std::vector<chess::Move> court_candidates(const Anchor& anchor,
                                              std::span<const chess::Move> followed) const;
    std::optional<Limit> court_due(const Anchor& anchor, int step) const;
    void ask_court(Plan& plan, int step) const;

    const PlanRequest& request_;
    const Graph& graph_;
    const NodeDirectives* root_directives_; // of the root
    const std::vector<chess::Move> excluded_;
    bool known_;         // the root's value is exact: nothing is asked
    const double share_; // of the court; 0: there is none
    // Of the nodes of a budget, kept for the last court; nullopt: there is no such budget.
    const std::optional<std::uint64_t> reserve_;
    const bool last_part_;                // what is left is the last court's
    Plan candidates_;                     // questions at the root, the anchor's apart
    Plan guesses_;                        // questions there that will most likely be asked
    Plan replies_;                        // after its moves
    std::unordered_set<NodeId> searched_; // positions for which these ask
    std::vector<chess::Move> followed_;   // root moves
};

} // namespace adjourn::analysis
