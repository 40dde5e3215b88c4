// Model: an abstract graph of moves as plain data, the ValueGraph built from it, and oracles that
// follow the definitions of docs/internals/scores.md to the letter, however slow that is.
#pragma once

#include "analysis/values/value_graph.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace model {

using adjourn::analysis::GraphMove;
using adjourn::analysis::MoveValue;
using adjourn::analysis::NodeId;
using adjourn::analysis::ValueGraph;
using adjourn::chess::Score;

inline NodeId id(std::size_t node) {
    return NodeId{static_cast<std::uint32_t>(node)};
}

using Random = std::mt19937_64;

// In 0…bound-1. Not std::uniform_int_distribution, whose results are the library's own business.
std::size_t below(Random& random, std::size_t bound);
// Few different ones, so that ties are frequent: cp of both signs, 0, mates, table results.
Score random_score(Random& random);

// One of so many, as log2 of nodes, 0.7 apart.
double random_effort(Random& random, std::size_t efforts);

struct Edge {
    std::size_t source;
    std::size_t target;
    Score score;
    double effort = 10.0; // log2 of nodes, as of limits
    bool trusted = false; // see Model::judge_scores()
};

struct Node {
    adjourn::chess::Color turn;
    int phi;
    std::optional<Score> exact = std::nullopt;
};

struct Model {
    std::vector<Node> nodes;
    std::vector<Edge> edges;
    std::vector<std::size_t> roots;

    std::vector<std::size_t> edges_of(std::size_t node) const;
    bool active(std::size_t node) const;
    // Says of every edge whether its engine score is trusted against what is below.
    void judge_scores();
    std::string text() const; // for failure messages
};

struct Shape {
    std::size_t nodes;
    std::size_t edges; // tried; those that may not be are left out
    int phis;          // φ in 0…phis-1
    double exact;      // share of nodes with an exact value
    bool acyclic = false;
    std::size_t efforts = 1; // different ones: more than two make trusted scores
};
Model random_model(Random& random, const Shape& shape);
Shape random_small_shape(Random& random);

GraphMove to_move(const Edge& edge);
// One change after the other, edges in the order given; node i is NodeId{i}.
ValueGraph build(const Model& model);
ValueGraph build_in_bulk(const Model& model);

// alpha by walking lines: a move to a node of the line is worth 0, else what it leads to is worth
// with the longer line. `line` has the last node at its end, which is active.
// The first `history` nodes of the line were really played: only for those is a move whose score
// is trusted a repetition, else it ends the walk with that score.
Score walk(const Model& model, std::vector<std::size_t>& line, std::size_t history);
// Of one move of the line's last node.
Score walk_move(const Model& model, std::vector<std::size_t>& line, const Edge& edge,
                std::size_t history);

// idea by its definition: reachability by closure, plies breadth first, then recursion.
class Ideas {
public:
    explicit Ideas(const Model& model);
    std::optional<std::uint32_t> ply(std::size_t node) const { return ply_[node]; }
    bool closes_cycle(const Edge& edge) const;
    bool reaches(std::size_t from, std::size_t to) const { return reaches_[from][to]; }
    Score of(const Edge& edge) const;
    std::optional<Score> of(std::size_t node) const;

private:
    const Model& model_;
    std::vector<std::vector<bool>> reaches_; // by one move at least
    std::vector<std::optional<std::uint32_t>> ply_;
    mutable std::vector<std::optional<Score>> known_;
};

// Times that a property is tried: `count`, or a multiple if ADJOURN_SOAK is set in the environment.
std::size_t tries(std::size_t count);

} // namespace model
