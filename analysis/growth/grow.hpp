// Growing a tree by a rule: a walk from the root, and what people deepen.
#pragma once

#include "analysis/growth.hpp"
#include "chess/types.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

namespace adjourn::analysis {

// A position on a line, as far as rules look at it.
struct Place {
    int ply = 0;
    chess::Color mover = chess::Color::white;
    std::array<double, 2> spent{}; // by White and Black, where moves cost something
};

// What belongs to a level; the walk is the same for all rules. `gap` is how far a move is behind
// the best one, cp, ≥ 0.
class Rule {
public:
    virtual ~Rule() = default;
    // The same for a tree of so many plies, as of what people deepen.
    virtual std::unique_ptr<Rule> of_plies(int plies) const = 0;

    virtual int horizon() const = 0; // plies that a line may have
    // Whether a move belongs to the level, be it known or not.
    virtual bool scores(const Place& place, int gap) const = 0;
    // Whether the position that it leads to belongs to the level, too. The move may count for more
    // than one ply.
    virtual bool follows(const Place& place, int gap, int plies) const = 0;
    // Moves that are compared by searches of like size, cp behind the best one.
    virtual int window(const Place& place) const = 0;
    // One good enough reply ends the work at a position from ply 2 on.
    virtual bool cuts() const { return false; }

    // After a move.
    virtual Place after(const Place& place, int /*gap*/, int /*plies*/) const {
        return {place.ply + 1, !place.mover, place.spent};
    }
    // Where people asked for so many plies more.
    virtual Place deepened(const Place& place, int /*plies*/) const { return place; }
    // Whether nothing is left out at `a` that belongs to the level at `b`, the same position.
    virtual bool no_narrower(const Place& a, const Place& b) const = 0;
    // Questions of lines that need less come first; ≥ 0.
    virtual double need(const Place& /*place*/) const { return 0; }
};

Plan grown_by(const Rule& rule, const PlanRequest& request);

// By windows of which each is `narrowing` of the one before it, from ply 2 on.
Plan grown_by_windows(double narrowing, const PlanRequest& request);
inline constexpr double half = 0.5;

// With no window narrower than the noise that the facts show, if that is wanted.
PlanRequest with_floor(const PlanRequest& request);

// Candidates: the scored moves of a position as a walk sees them.

struct Candidate {
    GraphMove move;
    chess::Score score; // game value
    int value;          // its rank; 0 for a move into the own line
    bool repeats;
    bool included;
    bool fresh; // scored with the request's limit or a larger one
};

// Best first; equal values by engine score, then by the move's encoding. Without excluded moves.
// `on_line`: the line's positions, the node itself among them or not. `directives` may be null.
std::vector<Candidate> candidates_of(const PlanRequest& request, NodeId node,
                                     const NodeDirectives* directives,
                                     std::span<const NodeId> on_line);

bool has_fresh(std::span<const Candidate> candidates);

// Windows: the rule of what follows every move near the best one, by the ply.

class Windows : public Rule {
public:
    // From ply 2 on each window is `narrowing` of the one before it. 1: none is narrower, and
    // nothing is cut. The parameters must outlive it.
    Windows(const StrategyParameters& parameters, double narrowing, int plies);

    // By the plan if there is one, else W(0) = W(1) = D, then narrower, never below the floor (nor
    // above D). In cp, rounded down.
    int window(const Place& place) const override;

    std::unique_ptr<Rule> of_plies(int plies) const override;
    int horizon() const override { return plies_; }
    bool scores(const Place& place, int gap) const override { return gap <= window(place); }
    bool follows(const Place& place, int gap, int /*plies*/) const override {
        return scores(place, gap);
    }
    bool cuts() const override { return narrowing_ < 1; }
    bool no_narrower(const Place& a, const Place& b) const override {
        return a.ply == b.ply || (a.ply < b.ply && narrows_);
    }

private:
    const StrategyParameters& parameters_;
    double narrowing_;
    int plies_;
    std::vector<int> widths_; // by ply; at all deeper ones as at the last
    bool narrows_;            // none is wider than that of the ply before
};

// Questions: what a walk asks for. Keeps the questions in order of need, each once, at most as many
// as were wanted.
class Questions {
public:
    // `plan` gets the number of pending questions; its questions when finish() is called.
    Questions(const PlanRequest& request, Plan& plan) : request_{request}, plan_{plan} {}

    // The position that a question is about.
    struct Subject {
        NodeId node{};
        const NodeDirectives* directives = nullptr; // may be null
        std::span<const chess::Move> line;          // from the root
        double need = 0;                            // smaller ones first, equal ones as they come
        bool urgent = false;                        // before all that are not
    };

    // first() and alternative() return whether an answer is still to come.
    bool first(const Subject& subject);
    // The best move outside the fresh candidates.
    bool alternative(const Subject& subject, std::span<const Candidate> candidates, double need);
    // One move, or some together, all others excluded.
    void alone(QuestionKind kind, const Subject& subject, chess::Move move, const Limit& limit) {
        among(kind, subject, {&move, 1}, limit);
    }
    void among(QuestionKind kind, const Subject& subject, std::span<const chess::Move> moves,
               const Limit& limit);
    // Moves that people named and no search of the limit has judged.
    void included(const Subject& subject, std::span<const Candidate> candidates);
    // Of an established position. A seed that has a score, from whatever limit, is a move like any
    // other.
    void seeds(const Subject& subject, std::span<const Candidate> candidates);

    void finish();
    std::size_t open() const { return ranked_.size(); } // that are kept so far

private:
    struct Asked {
        Limit limit;
        std::vector<chess::Move> excluded;
        double need;
    };
    struct Ranked {
        double need;
        PlannedQuestion question;
    };

    QuestionState ask(QuestionKind kind, const Subject& subject, const Limit& limit,
                      std::vector<chess::Move> excluded, double need);
    bool remember(NodeId node, const Limit& limit, const std::vector<chess::Move>& excluded,
                  QuestionState state, double need);
    void keep_most_needed();

    const PlanRequest& request_;
    Plan& plan_;
    std::vector<Ranked> ranked_;
    std::unordered_map<NodeId, std::vector<Asked>> asked_;
};

// Puts a question into a plan by its state. False: it is there already.
bool put(const PlanRequest& request, PlannedQuestion question, Plan& plan);

// Sorts, and takes doubles out.
template <class Value>
void make_set(std::vector<Value>& values) {
    std::ranges::sort(values);
    values.erase(std::unique(values.begin(), values.end()), values.end());
}

// Sorted, without doubles; empty if there are none.
std::vector<chess::Move> excluded_by(const NodeDirectives* directives);
// What a search for an alternative leaves out: these, and the fresh candidates. Sorted, without
// doubles.
std::vector<chess::Move> known_moves(const NodeDirectives* directives,
                                     std::span<const Candidate> candidates);

} // namespace adjourn::analysis
