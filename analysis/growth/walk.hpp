// Walk: the one traversal of all rules, over the stored facts. It follows lines from the root as
// far as the rule does, best move first and each line to its end, and asks for what is missing on
// the way.
//
// A position is walked again only on a line that can go on in ways that no earlier one could, so
// transpositions cost no more than the lines that differ in that.
#pragma once

#include "analysis/growth/optimism.hpp"
#include "analysis/growth/questions.hpp"
#include "analysis/growth/rule.hpp"
#include "analysis/proof.hpp"

#include <limits>
#include <unordered_map>
#include <vector>

namespace adjourn::analysis {

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
        std::vector<int> ranks;  // of the candidates, in their order
        std::vector<bool> known; // the candidates themselves
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
                     std::span<const Candidate> candidates, const Belonging& belonging);
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
    std::unordered_map<NodeId, std::vector<Arrival>> visits_;
};

} // namespace adjourn::analysis
