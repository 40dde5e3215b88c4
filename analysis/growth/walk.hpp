// Walk: the one traversal of all rules, over the stored facts. It follows lines from the root as
// far as the rule does, best move first and each line to its end, and asks for what is missing on
// the way.
//
// A position is walked again only on a line that can go on in ways that no earlier one could, so
// transpositions cost no more than the lines that differ in that.
#pragma once

#include "analysis/growth.hpp"
#include "analysis/growth/grow.hpp"
#include "analysis/proof.hpp"
#include "analysis/values/store/containers.hpp"

#include <limits>
#include <optional>
#include <vector>

namespace adjourn::analysis {

// Optimism: what a position could be worth to one side if its moves that were never searched were
// as good as the engine's scores allow. A position is *hollow* for its mover if that bound
// (Graph::rest_bound) is better than all moves known there: a known move has lost value since.
//
// Plain minimax with one addition: a hollow position of the side counts the bound. So a value and
// its optimistic value differ only where an answer could tell. Facts only; what was computed is
// remembered as long as this object lives, each position once for each side, so transpositions
// cost nothing. A move back into the line being looked at counts as its game value does: a way
// round is worth no more than where it begins.
class Optimism {
public:
    // The request must outlive this. A bound that is better by `floor` (on the scale of
    // Score::rank) or less is no reason to ask.
    Optimism(const PlanRequest& request, int floor);

    // Of a move that leads to `target`, for the side that plays it; `plain` is its game value.
    // Never worse than that.
    chess::Score of_move(NodeId target, chess::Score plain);

    // Where an answer is missing, as moves from `target`, with that position; nullopt where
    // of_move() is no better than the game value.
    struct Hollow {
        std::vector<chess::Move> line;
        NodeId node{};
    };
    std::optional<Hollow> source(NodeId target);

private:
    struct Option {
        std::size_t index; // in graph.moves(node)
        chess::Score plain;
    };

    // For the mover if `own`, else for the side that has just moved; mover's view either way.
    chess::Score of(NodeId node, bool own, int depth);
    chess::Score of_option(NodeId node, const Option& option, bool own, int depth);
    std::vector<Option> options(NodeId node) const; // best first, without excluded moves
    std::optional<chess::Score> hope(NodeId node, chess::Score best) const;

    const PlanRequest& request_;
    const Graph& graph_;
    double effort_;
    int floor_;
    FlatMap<std::optional<chess::Score>> known_; // nullopt: being looked at
};

// Scores of the request's limit or larger at these positions.
std::size_t evaluations_at(const PlanRequest& request, std::span<const NodeId> nodes);

// The line from an analysis's root to where a walk begins.
struct Approach {
    std::vector<chess::Move> moves;
    std::vector<NodeId> nodes; // before each of them
};

class Walk {
public:
    // `approach`: of a walk that begins elsewhere than at the analysis's root. Request and rule
    // must outlive it.
    Walk(const PlanRequest& request, const Rule& rule, Approach approach = {});
    Plan run();

private:
    static constexpr int infinite = std::numeric_limits<int>::max();

    // Alpha-beta bounds on the scale of Score::rank(), from the side to move.
    struct Bounds {
        int alpha = -infinite;
        int beta = infinite;

        bool covers(const Bounds& other) const {
            return alpha <= other.alpha && beta >= other.beta;
        }
    };

    // How a line reaches a position, as far as it decides what may be done there.
    struct Arrival {
        Bounds bounds;
        int left = 0; // plies to the horizon
        Place place;
    };

    // A line from the root, known by its last position.
    struct Line {
        NodeId node{};
        Arrival at;
        int spent = 0; // plies; shuffles count for more
        int horizon = 0;
        chess::Move move = chess::Move::from_raw(0); // that led here
        int parent = -1;                             // in lines_; -1 for the root
        int open = 0;                                // lines begun here and not yet done
        bool depends = false; // met a position of its own: says nothing for other lines
    };

    // Which moves at a place belong to the level.
    struct Belonging {
        std::vector<bool> known; // the candidates, in their order
        bool unsearched = false; // a move not known yet, as far as is known
    };

    void establish_what_people_wait_for();
    void walk(Line line);
    bool proven(NodeId node);
    bool covered(const Line& line) const;
    void retrace(const Line& line);
    void grow(Line& line, const NodeDirectives* directives);
    void follow_included_only(Line& line, const NodeDirectives& directives);
    void establish(const Line& line, const Questions::Subject& subject,
                   std::span<const Candidate> candidates, const Belonging& belonging, int rest_gap);
    void judge_alike(const Line& line, const Questions::Subject& subject,
                     std::span<const Candidate> candidates);
    void support(const Line& line, std::span<const Candidate> candidates,
                 const Belonging& belonging);
    bool would_matter(const Line& line, std::span<const Candidate> candidates, std::size_t i,
                      int hoped) const;
    Belonging belonging_at(const Line& line, std::span<const Candidate> candidates,
                           int rest_gap) const;
    Line child(const Line& line, const Candidate& candidate, int gap, int plies) const;
    int extra_plies(NodeId node, const Candidate& candidate, bool drawn_seen) const;
    int rest_gap(NodeId node, std::span<const Candidate> candidates,
                 const NodeDirectives* directives) const;
    void done(int index);

    const PlanRequest& request_;
    const Graph& graph_;
    const Approach approach_;
    double effort_;
    const Rule& rule_;
    Plan plan_;
    Questions questions_;
    Optimism optimism_;
    Proof proof_;
    std::vector<Line> frontier_;    // a stack
    std::vector<Line> lines_;       // the present one
    std::vector<Line> children_;    // of the line being walked
    std::vector<chess::Move> path_; // of the line being walked
    std::vector<NodeId> on_line_;   // its positions
    struct Visit {
        Arrival at;
        std::int32_t before; // of the same node, in visits_; -1: none
    };
    std::vector<Visit> visits_;
    FlatMap<std::int32_t> last_visits_; // by node, in visits_
};

} // namespace adjourn::analysis
