#include "model.hpp"

#include "chess/score.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>

namespace model {

using adjourn::chess::Color;
using adjourn::chess::Move;
using adjourn::chess::Wdl;

namespace {

bool better(Score a, Score b) {
    return a.rank() != b.rank() ? a.rank() > b.rank() : a.encode() > b.encode();
}

} // namespace

std::size_t below(Random& random, std::size_t bound) {
    return random() % bound;
}

Score random_score(Random& random) {
    const int small = static_cast<int>(below(random, 5));
    switch (below(random, 12)) {
    case 0: return Score::mate_in(small + 1);
    case 1: return Score::mated_in(small);
    case 2: return Score::tablebase(Wdl::win, small);
    case 3: return Score::tablebase(Wdl::loss, small);
    case 4: return Score::tablebase(Wdl::cursed_win, small);
    case 5: return Score::tablebase(Wdl::blessed_loss, small);
    case 6: return Score::tablebase(Wdl::draw, 0);
    case 7: return Score::cp(0);
    case 8: return Score::mate_in(static_cast<int>(Score::max_plies - below(random, 3)));
    default: return Score::cp(10 * (small - 2));
    }
}

double random_effort(Random& random, std::size_t efforts) {
    return 10 + 0.7 * static_cast<double>(below(random, efforts));
}

std::vector<std::size_t> Model::edges_of(std::size_t node) const {
    std::vector<std::size_t> result;
    for (std::size_t i = 0; i < edges.size(); ++i) {
        if (edges[i].source == node) {
            result.push_back(i);
        }
    }
    return result;
}

bool Model::active(std::size_t node) const {
    return !nodes[node].exact && std::any_of(edges.begin(), edges.end(),
                                             [&](const Edge& edge) { return edge.source == node; });
}

namespace {

// By the definition: work at all positions that the edge leads to without its source.
bool trusted(const Model& model, const Edge& edge) {
    const auto nodes_of = [](double effort) { return std::llround(std::exp2(effort)); };
    const std::vector<Edge>& edges = model.edges;
    std::vector<bool> below(model.nodes.size());
    below[edge.target] = true;
    for (bool again = true; again;) {
        again = false;
        for (const Edge& other : edges) {
            if (other.source != edge.source && below[other.source] && !below[other.target]) {
                below[other.target] = true;
                again = true;
            }
        }
    }
    long long work = 0;
    bool expanded = false;
    for (const Edge& other : edges) {
        expanded = expanded || other.source == edge.target;
        work += other.source != edge.source && below[other.source] ? nodes_of(other.effort) : 0;
    }
    return expanded && 2 * work < nodes_of(edge.effort);
}

} // namespace

void Model::judge_scores() {
    for (Edge& edge : edges) {
        edge.trusted = trusted(*this, edge);
    }
}

std::string Model::text() const {
    std::ostringstream out;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        out << i << (nodes[i].turn == Color::white ? " white" : " black") << " phi "
            << nodes[i].phi;
        if (nodes[i].exact) {
            out << " exact " << nodes[i].exact->rank();
        }
        out << '\n';
    }
    for (const Edge& edge : edges) {
        out << edge.source << " -> " << edge.target << "  " << edge.score.rank() << " effort "
            << edge.effort << (edge.trusted ? " trusted\n" : "\n");
    }
    out << "roots";
    for (const std::size_t root : roots) {
        out << ' ' << root;
    }
    return out.str();
}

Model random_model(Random& random, const Shape& shape) {
    Model result;
    for (std::size_t i = 0; i < shape.nodes; ++i) {
        Node node{below(random, 2) == 0 ? Color::white : Color::black,
                  static_cast<int>(below(random, static_cast<std::size_t>(shape.phis)))};
        if (static_cast<double>(below(random, 1'000)) < 1'000 * shape.exact) {
            node.exact = random_score(random);
        }
        result.nodes.push_back(node);
    }
    for (std::size_t i = 0; i < shape.edges; ++i) {
        const std::size_t source = below(random, shape.nodes);
        const std::size_t target = below(random, shape.nodes);
        const Node& from = result.nodes[source];
        const Node& to = result.nodes[target];
        if (from.turn != to.turn && from.phi >= to.phi && (!shape.acyclic || source < target)) {
            result.edges.push_back(
                {source, target, random_score(random), random_effort(random, shape.efforts)});
        }
    }
    for (std::size_t i = below(random, 3); i > 0; --i) {
        result.roots.push_back(below(random, shape.nodes));
    }
    result.judge_scores();
    return result;
}

Shape random_small_shape(Random& random) {
    const std::size_t nodes = 3 + below(random, 6);
    return {nodes,
            nodes + below(random, 4 * nodes),
            below(random, 3) == 0 ? 2 : 1,
            below(random, 3) == 0 ? 0.2 : 0.0,
            false,
            below(random, 2) == 0 ? std::size_t{1} : 12};
}

GraphMove to_move(const Edge& edge) {
    return GraphMove{edge.score,        NodeId{static_cast<std::uint32_t>(edge.target)},
                     edge.effort,       adjourn::analysis::EvaluationId{1},
                     Move::from_raw(0), 0};
}

namespace {

// Leaves stay bare, as most are in use.
void describe(ValueGraph& graph, const Model& model, std::size_t node) {
    graph.describe(NodeId{static_cast<std::uint32_t>(node)}, model.nodes[node].turn,
                   model.nodes[node].phi);
}

void fill(ValueGraph& graph, const Model& model) {
    for (std::size_t i = 0; i < model.nodes.size(); ++i) {
        graph.add_node();
    }
    for (const std::size_t root : model.roots) {
        graph.add_root(NodeId{static_cast<std::uint32_t>(root)});
    }
    for (std::size_t i = 0; i < model.nodes.size(); ++i) {
        if (model.nodes[i].exact) {
            describe(graph, model, i);
            graph.set_exact(NodeId{static_cast<std::uint32_t>(i)}, *model.nodes[i].exact);
        }
    }
    for (const Edge& edge : model.edges) {
        describe(graph, model, edge.source);
        graph.add_move(NodeId{static_cast<std::uint32_t>(edge.source)}, to_move(edge));
    }
}

} // namespace

ValueGraph build(const Model& model) {
    ValueGraph graph;
    fill(graph, model);
    return graph;
}

ValueGraph build_in_bulk(const Model& model) {
    ValueGraph graph;
    graph.begin_bulk();
    fill(graph, model);
    graph.end_bulk();
    return graph;
}

Score walk_move(const Model& model, std::vector<std::size_t>& line, const Edge& edge,
                std::size_t history) {
    const auto known = std::find(line.begin(), line.end(), edge.target);
    const bool played = known - line.begin() < static_cast<std::ptrdiff_t>(history);
    if (known != line.end() && (played || !edge.trusted)) {
        return Score::cp(0);
    }
    if (model.nodes[edge.target].exact) {
        return model.nodes[edge.target].exact->backed_up();
    }
    if (!model.active(edge.target) || edge.trusted) {
        return edge.score;
    }
    line.push_back(edge.target);
    const Score score = walk(model, line, history).backed_up();
    line.pop_back();
    return score;
}

Score walk(const Model& model, std::vector<std::size_t>& line, std::size_t history) {
    std::optional<Score> best;
    for (const Edge& edge : model.edges) {
        if (edge.source == line.back()) {
            const Score score = walk_move(model, line, edge, history);
            if (!best || score > *best) {
                best = score;
            }
        }
    }
    return best.value();
}

Ideas::Ideas(const Model& model)
    : model_{model}, reaches_(model.nodes.size(), std::vector<bool>(model.nodes.size())),
      ply_(model.nodes.size()), known_(model.nodes.size()) {
    const std::size_t n = model.nodes.size();
    for (const Edge& edge : model.edges) {
        if (model.active(edge.source)) {
            reaches_[edge.source][edge.target] = true;
        }
    }
    for (std::size_t k = 0; k < n; ++k) {
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t j = 0; j < n; ++j) {
                reaches_[i][j] = reaches_[i][j] || (reaches_[i][k] && reaches_[k][j]);
            }
        }
    }
    for (const std::size_t root : model.roots) {
        ply_[root] = 0;
    }
    for (bool again = true; again;) {
        again = false;
        for (const Edge& edge : model.edges) {
            if (model.active(edge.source) && ply_[edge.source] &&
                (!ply_[edge.target] || *ply_[edge.target] > *ply_[edge.source] + 1)) {
                ply_[edge.target] = *ply_[edge.source] + 1;
                again = true;
            }
        }
    }
}

bool Ideas::closes_cycle(const Edge& edge) const {
    constexpr std::uint32_t last = 0xffff'ffff;
    return model_.active(edge.source) && model_.active(edge.target) &&
           reaches_[edge.target][edge.source] &&
           ply_[edge.target].value_or(last) <= ply_[edge.source].value_or(last);
}

Score Ideas::of(const Edge& edge) const {
    if (closes_cycle(edge) || (edge.trusted && !model_.nodes[edge.target].exact)) {
        return edge.score;
    }
    const std::optional<Score> target = of(edge.target);
    return target ? target->backed_up() : edge.score;
}

std::optional<Score> Ideas::of(std::size_t node) const {
    if (model_.nodes[node].exact) {
        return model_.nodes[node].exact;
    }
    if (known_[node]) {
        return known_[node];
    }
    for (const Edge& edge : model_.edges) {
        if (edge.source == node) {
            const Score score = of(edge);
            if (!known_[node] || better(score, *known_[node])) {
                known_[node] = score;
            }
        }
    }
    return known_[node];
}

std::size_t tries(std::size_t count) {
    const char* soak = std::getenv("ADJOURN_SOAK");
    return soak == nullptr ? count : count * std::strtoul(soak, nullptr, 10);
}

} // namespace model
