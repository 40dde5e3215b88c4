// What it costs to lift a value, against all sets of leaves of small graphs with cycles, shared
// leaves, exact values and trusted scores.
#include "analysis/answer/flip.hpp"
#include "model.hpp"
#include "test.hpp"

using analysis::FlipCosts;
using analysis::FlipMove;
using chess::Color;
using chess::Score;
using model::Model;

namespace {

constexpr double sigma = 15;

// A model with a line that was played; the nodes of the line are the first ones.
class ModelGame final : public analysis::FlipGame {
public:
    ModelGame(const Model& model, const model::Ideas& ideas, std::size_t start)
        : model_{model}, ideas_{ideas}, start_{start} {}

    Color turn(std::uint32_t node) const override { return model_.nodes[node].turn; }
    void moves(std::uint32_t node, std::vector<FlipMove>& out) const override {
        for (const std::size_t i : model_.edges_of(node)) {
            out.push_back(of(i));
        }
    }
    FlipMove of(std::size_t i) const {
        const model::Edge& edge = model_.edges[i];
        const model::Node& target = model_.nodes[edge.target];
        if (edge.target != start_ && target.exact) {
            return {i, 0, true, target.exact->backed_up().rank(), 0};
        }
        if (edge.target != start_ && (edge.trusted || !model_.active(edge.target))) {
            return {i, 0, true, edge.score.rank(), sigma};
        }
        return {i, static_cast<std::uint32_t>(edge.target), false, 0, 0};
    }
    int value(std::uint32_t node) const override {
        std::vector<std::size_t> line{node};
        return model::walk(model_, line, 0).rank();
    }
    bool on_line(std::uint32_t node) const override { return node == start_; }
    bool may_return(std::uint32_t node) const override {
        return node != start_ && ideas_.reaches(node, start_);
    }

private:
    const Model& model_;
    const model::Ideas& ideas_;
    const std::size_t start_;
};

// Of a move of the start, for the side that plays it.
int worth(const Model& model, std::size_t start, std::size_t edge) {
    std::vector<std::size_t> line{start};
    return model::walk_move(model, line, model.edges[edge], 1).rank();
}

// Leaves that could lift the value for `side`, with their costs.
std::map<std::size_t, double> leaves_for(const Model& model, const ModelGame& game, Color side,
                                         int threshold) {
    std::map<std::size_t, double> leaves;
    for (std::size_t i = 0; i < model.edges.size(); ++i) {
        const FlipMove move = game.of(i);
        const Color mover = model.nodes[model.edges[i].source].turn;
        const int rank = mover == side ? move.rank : -move.rank;
        const double cost = analysis::leaf_cost(rank, move.sigma, threshold);
        if (move.leaf && cost > 0 && cost < analysis::impossible) {
            leaves.emplace(i, cost);
        }
    }
    return leaves;
}

Model with(const Model& model, const std::vector<std::size_t>& changed, Color side, int threshold) {
    Model other = model;
    for (const std::size_t i : changed) {
        const bool own = model.nodes[model.edges[i].source].turn == side;
        other.edges[i].score = Score::cp(own ? threshold : -threshold);
    }
    return other;
}

} // namespace

TEST_CASE("flip: a leaf costs what its chance says, and nothing where it is enough") {
    CHECK(analysis::leaf_cost(10, 15, 10) == 0);
    CHECK(analysis::leaf_cost(10, 15, 25) == Approx(-std::log(0.158655)).epsilon(1e-4));
    CHECK(analysis::leaf_cost(10, 15, 11) == Approx(-std::log(0.473422)).epsilon(1e-4));
    CHECK(analysis::leaf_cost(10, 0, 11) == analysis::impossible);
    CHECK(analysis::leaf_cost(Score::mated_in(4).rank(), 15, 11) == analysis::impossible);
    CHECK(analysis::leaf_cost(Score::mate_in(4).rank(), 15, 11) == 0);
}

TEST_CASE("flip: costs are those of the cheapest set of leaves, or a bound that is told") {
    model::Random random{31};
    std::size_t asked = 0, exact = 0, bounds = 0, dearer = 0;
    double ours = 0, cheapest = 0;
    for (std::size_t n = 0; n < model::tries(20'000); ++n) {
        CAPTURE(n);
        model::Shape shape = model::random_small_shape(random);
        shape.edges = std::min<std::size_t>(shape.edges, 14);
        const Model model = model::random_model(random, shape);
        const model::Ideas ideas{model};
        for (std::size_t i = 0; i < model.edges.size(); ++i) {
            const std::size_t start = model.edges[i].source;
            if (!model.active(start)) {
                continue;
            }
            const ModelGame game{model, ideas, start};
            const FlipMove top = game.of(i);
            const Color mover = model.nodes[start].turn;
            const bool for_mover = model::below(random, 2) == 0;
            const Color side = for_mover ? mover : !mover;
            const int threshold = 10 * static_cast<int>(model::below(random, 7)) - 30;
            FlipCosts costs{game, side, threshold, {sigma}};
            if (!top.leaf) {
                costs.ask(top.target);
            }
            costs.settle();
            const double cost = top.leaf ? costs.of_leaf(top, mover) : costs.of(top.target);
            // Where less is affordable, what is dearer is impossible, and the rest as it was.
            const double most = 0.5 * static_cast<double>(1 + model::below(random, 12));
            FlipCosts cheap{game, side, threshold, {.sigma = sigma, .most = most, .off = most}};
            if (!top.leaf) {
                cheap.ask(top.target);
                cheap.settle();
                CHECK(cheap.of(top.target) == (cost <= most ? cost : analysis::impossible));
            }
            const int now = worth(model, start, i);
            INFO(model.text() << "\nfrom " << start << " edge " << i << " threshold " << threshold
                              << (for_mover ? " for the mover" : " against") << " cost " << cost);
            ++asked;
            const bool enough = (for_mover ? now : -now) >= threshold;
            REQUIRE((cost == 0) == enough);
            if (enough) {
                continue;
            }
            const auto leaves = leaves_for(model, game, side, threshold);
            const auto lifts = [&](const std::vector<std::size_t>& changed) {
                const int then = worth(with(model, changed, side, threshold), start, i);
                return (for_mover ? then : -then) >= threshold;
            };
            // The leaves that are named do it, and cost no more than is said.
            double named = analysis::impossible;
            if (cost < analysis::impossible) {
                std::vector<FlipCosts::Leaf> found;
                if (top.leaf) {
                    found.push_back({{static_cast<std::uint32_t>(start), i}, {}});
                } else {
                    found = costs.leaves(top.target);
                }
                std::vector<std::size_t> changed;
                named = 0;
                for (const FlipCosts::Leaf& leaf : found) {
                    changed.push_back(leaf.at.second);
                    named += leaves.at(leaf.at.second);
                    std::size_t at = top.target; // the way leads there
                    for (const auto& [node, step] : leaf.way) {
                        REQUIRE(node == at);
                        REQUIRE(model.edges[step].source == at);
                        at = model.edges[step].target;
                    }
                    CHECK((top.leaf || at == leaf.at.first));
                }
                CHECK(named <= cost + 1e-9);
                REQUIRE(lifts(changed));
            }
            // No cheaper ones do.
            if (leaves.size() > 8) {
                continue;
            }
            const std::vector<std::pair<std::size_t, double>> list{leaves.begin(), leaves.end()};
            double least = analysis::impossible;
            for (std::size_t set = 1; set < std::size_t{1} << list.size(); ++set) {
                std::vector<std::size_t> changed;
                double sum = 0;
                for (std::size_t k = 0; k < list.size(); ++k) {
                    if ((set >> k & 1) != 0) {
                        changed.push_back(list[k].first);
                        sum += list[k].second;
                    }
                }
                if (sum < least && lifts(changed)) {
                    least = sum;
                }
            }
            CHECK(named >= least - 1e-9);
            if (costs.bound()) {
                ++bounds;
                dearer += named > least + 1e-9 ? 1 : 0;
                if (named < analysis::impossible) {
                    ours += named;
                    cheapest += least;
                }
            } else {
                ++exact;
                if (named < analysis::impossible || least < analysis::impossible) {
                    CHECK(named == Approx(least).epsilon(1e-9));
                }
            }
        }
    }
    std::cout << "flip: " << asked << " questions; " << exact << " exact, " << bounds
              << " bounds, of which " << dearer << " are dearer than the cheapest set; all bounds "
              << ours << " for " << cheapest << '\n';
    CHECK(exact > 10 * bounds / 4);
    CHECK(dearer * 2 < bounds);
}

TEST_CASE("flip: what is dearer than the most, or beyond the positions looked at, is impossible") {
    Model model;
    model.nodes = {{Color::white, 1}, {Color::black, 1}, {Color::white, 1}, {Color::black, 0}};
    model.edges = {{0, 1, Score::cp(0)}, {1, 2, Score::cp(0)}, {2, 3, Score::cp(0)}};
    const model::Ideas ideas{model};
    const ModelGame game{model, ideas, 0};
    const double one = analysis::leaf_cost(0, sigma, 30);
    const auto cost = [&](FlipCosts::Limits limits, bool& bound) {
        FlipCosts costs{game, Color::white, 30, limits};
        costs.ask(1);
        costs.settle();
        bound = costs.bound();
        return costs.of(1);
    };
    bool bound = true;
    CHECK(cost({sigma}, bound) == Approx(one));
    CHECK_FALSE(bound);
    CHECK(cost({.sigma = sigma, .most = one - 0.01}, bound) == analysis::impossible);
    CHECK(cost({.sigma = sigma, .most = one + 0.01}, bound) == Approx(one));
    CHECK(cost({.sigma = sigma, .positions = 1}, bound) == analysis::impossible);
    CHECK(bound);
}
