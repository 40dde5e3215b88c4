// Walk: the one traversal of all strategies, over the stored facts. It follows lines from the root
// as far as the rule affords them, and asks for what is missing on the way.
//
// Order and memory are the rule's: depth first, or cheapest line first. A position is walked again
// only on a line that can go on in ways that no earlier one could, so transpositions cost no more
// than the lines that differ in that.
#pragma once

#include "optimism.hpp"
#include "questions.hpp"
#include "rule.hpp"

#include "analysis/proof.hpp"

#include <limits>
#include <optional>
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
    // `approach`: of a walk that begins elsewhere than at the analysis's root.
    explicit Walk(const PlanRequest& request, Approach approach = {});
    Plan run();

private:
    static constexpr int infinite = std::numeric_limits<int>::max();
    static constexpr std::size_t most_visits = 8; // of one position, cheapest line first

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
        LineCost cost{};
        int free = 0;     // plies of best moves that cost nothing, as people deepened
        bool base = true; // inside the move distance all the way
        Place place;
    };

    // A line from the root, known by its last position.
    struct Line {
        Arrival at;
        int spent = 0; // plies; shuffles count for more
        int horizon = 0;
        chess::Move move = chess::Move::from_raw(0); // that led here
        int parent = -1;                             // in lines_; -1 for the root
        int open = 0;                                // lines begun here and not yet done
        bool depends = false; // met a position of its own: says nothing for other lines
        double need = 0;
        std::size_t order = 0; // of arrival in the frontier
    };
    static bool later(const Line& a, const Line& b) {
        return a.need != b.need ? a.need > b.need : a.order > b.order;
    }

    void establish_what_people_wait_for();
    void walk(Line line);
    bool proven(NodeId node);
    bool covered(const Line& line) const;
    void retrace(const Line& line);
    void grow(Line& line, const NodeDirectives* directives);
    void follow_included_only(Line& line, const NodeDirectives& directives);
    bool establish(const Line& line, const Questions::Subject& subject,
                   std::span<const Candidate> candidates, const Prices& prices, int rest_gap);
    void judge_alike(const Line& line, const Questions::Subject& subject,
                     std::span<const Candidate> candidates, const Prices& prices);
    void support(const Line& line, std::span<const Candidate> candidates, const Prices& prices);
    bool would_matter(const Line& line, std::span<const Candidate> candidates, std::size_t i,
                      int hoped) const;
    // Whether the best move costs this line nothing.
    static bool for_free(const Line& line, const Candidate& best);
    Prices prices_at(const Line& line, std::span<const Candidate> candidates, int rest_gap) const;
    bool affordable(const Line& line, double price) const;
    bool wanted(const Line& line, int gap, double price) const;
    bool followed(const Line& line, int gap, double price) const;
    Line child(const Line& line, const Candidate& candidate, double price, int plies) const;
    int extra_plies(NodeId node, const Candidate& candidate, bool drawn_seen) const;
    int rest_gap(NodeId node, std::span<const Candidate> candidates,
                 const NodeDirectives* directives) const;
    void done(int index);

    void push(Line line);
    std::optional<Line> pop();

    const PlanRequest& request_;
    const Graph& graph_;
    const Approach approach_;
    double effort_;
    Rule rule_;
    chess::Color root_mover_;
    Plan plan_;
    Questions questions_;
    Optimism optimism_;
    Proof proof_;
    std::vector<Line> frontier_; // a stack, or a heap
    std::vector<Line> lines_;    // walked; depth first: the present line only
    std::vector<Line> children_; // of the line being walked
    std::size_t pushed_ = 0;
    std::vector<chess::Move> path_; // of the line being walked
    std::vector<NodeId> on_line_;   // its positions
    std::unordered_map<NodeId, std::vector<Arrival>> visits_;
};

} // namespace adjourn::analysis
