// Laws of alpha-beta, on trees of numbers.
#include "search/negamax.hpp"
#include "test.hpp"

namespace {

using namespace adjourn::search;

// A uniform tree; leaves are numbered from left to right.
struct NumberTree {
    using Move = int;
    using Rest = int;

    int width;
    int depth;
    std::vector<Value> leaves;
    bool best_first = false;
    std::function<Value(Value)> seen = [](Value value) { return value; };

    std::vector<std::size_t> path{0};
    int visited = 0;
    std::vector<int> root_choice;

    NumberTree(int breadth, int plies, std::mt19937_64& random) : width{breadth}, depth{plies} {
        leaves.resize(static_cast<std::size_t>(std::pow(width, depth) + 0.5));
        for (Value& leaf : leaves) {
            leaf = static_cast<Value>(random() % 201) - 100;
        }
    }

    Value minimax(std::size_t node, int rest) const {
        if (rest == 0) {
            return seen(leaves[node]);
        }
        Value best = -infinite;
        for (int move = 0; move < width; ++move) {
            best = std::max(best, -minimax(child(node, move), rest - 1));
        }
        return best;
    }
    std::size_t child(std::size_t node, int move) const {
        return node * static_cast<std::size_t>(width) + static_cast<std::size_t>(move);
    }

    struct Moves {
        std::vector<int> order;
        int rest;
        std::size_t done = 0;
        std::optional<Step<int, int>> next() {
            if (done == order.size()) {
                return std::nullopt;
            }
            return Step<int, int>{order[done++], rest - 1};
        }
    };

    std::optional<Value> known(int) const { return std::nullopt; }
    bool spent(int rest, int) const { return rest == 0; }
    Value leaf(Value, Value, int) {
        ++visited;
        return seen(leaves[path.back()]);
    }
    std::optional<Value> recall(int, Value, Value, int) const { return std::nullopt; }
    Moves moves(int rest, Value, int) const {
        Moves moves{std::vector<int>(static_cast<std::size_t>(width)), rest};
        std::iota(moves.order.begin(), moves.order.end(), 0);
        if (best_first) {
            std::stable_sort(moves.order.begin(), moves.order.end(), [&](int a, int b) {
                return minimax(child(path.back(), a), rest - 1) <
                       minimax(child(path.back(), b), rest - 1);
            });
        }
        return moves;
    }
    Value no_move(int) const { return 0; }
    void play(int move, int) { path.push_back(child(path.back(), move)); }
    void take_back(int) { path.pop_back(); }
    bool stopped() const { return false; }
    void improved(int ply, int move, Value) {
        if (ply == 0) {
            root_choice.push_back(move);
        }
    }
    void refuted(const Moves&, int, int) {}
    void remember(int, Value, Value, Value, int, int) {}
};

Value solve(NumberTree& tree, Value alpha = -infinite, Value beta = infinite) {
    return negamax(tree, alpha, beta, tree.depth, 0);
}

} // namespace

TEST_CASE("negamax: alpha-beta has the value of minimax", "[search]") {
    std::mt19937_64 random{1};
    for (int round = 0; round < 300; ++round) {
        NumberTree tree{1 + round % 5, round % 6, random};
        CAPTURE(tree.width, tree.depth, round);
        CHECK(solve(tree) == tree.minimax(0, tree.depth));
    }
}

TEST_CASE("negamax: outside its window the value is a bound of the right side", "[search]") {
    std::mt19937_64 random{2};
    for (int round = 0; round < 300; ++round) {
        NumberTree tree{3, 4, random};
        const Value truth = tree.minimax(0, tree.depth);
        const Value alpha = static_cast<Value>(random() % 150) - 100;
        const Value beta = alpha + 1 + static_cast<Value>(random() % 50);
        const Value value = solve(tree, alpha, beta);
        CAPTURE(alpha, beta, truth, value, round);
        if (value <= alpha) {
            CHECK(truth <= value);
        } else if (value >= beta) {
            CHECK(truth >= value);
        } else {
            CHECK(truth == value);
        }
    }
}

TEST_CASE("negamax: with the best move first it sees the fewest leaves", "[search]") {
    std::mt19937_64 random{3};
    for (int width = 2; width <= 6; ++width) {
        for (int depth = 1; depth <= 5; ++depth) {
            NumberTree tree{width, depth, random};
            // No two leaves alike: ties would cut more.
            std::iota(tree.leaves.begin(), tree.leaves.end(), -5000);
            std::shuffle(tree.leaves.begin(), tree.leaves.end(), random);
            tree.best_first = true;
            solve(tree);
            const auto power = [&](int plies) {
                return static_cast<int>(std::pow(width, plies) + 0.5);
            };
            CAPTURE(width, depth);
            CHECK(tree.visited == power((depth + 1) / 2) + power(depth / 2) - 1);
        }
    }
}

TEST_CASE("negamax: a monotone change of all values changes no decision", "[search]") {
    std::mt19937_64 random{4};
    for (int round = 0; round < 100; ++round) {
        NumberTree tree{4, 4, random};
        NumberTree changed = tree;
        changed.seen = [](Value value) { return 2 * value + value * value * value / 100; };
        const Value value = solve(tree);
        CHECK(solve(changed) == changed.seen(value));
        CHECK(changed.root_choice == tree.root_choice);
        CHECK(changed.visited == tree.visited);
    }
}

namespace {

// One position with two moves: the second looks good and is not.
struct Doubtful {
    using Move = int;
    using Rest = int; // 0: at first sight, 1: looked at, 2: the root
    int played = 0;
    int at = 0;
    std::vector<int> looks;
    std::vector<bool> narrow;
    int next_move = 0;
    bool confirming = true;

    std::optional<Value> known(int) const { return std::nullopt; }
    bool spent(int rest, int) {
        at = rest;
        return rest < 2;
    }
    Value leaf(Value alpha, Value beta, int) {
        looks.push_back(at);
        narrow.push_back(beta - alpha == 1);
        return played == 0 ? -10 : at == 0 ? -50 : 30;
    }
    std::optional<Value> recall(int, Value, Value, int) const { return std::nullopt; }
    Doubtful& moves(int, Value, int) { return *this; }
    std::optional<Step<int, int>> next() {
        if (next_move == 2) {
            return std::nullopt;
        }
        const int move = next_move++;
        return Step<int, int>{move, 0, confirming ? std::optional{1} : std::nullopt};
    }
    Value no_move(int) const { return 0; }
    void play(int move, int) { played = move; }
    void take_back(int) {}
    bool stopped() const { return false; }
    void improved(int, int, Value) {}
    void refuted(const Doubtful&, int, int) {}
    void remember(int, Value, Value, Value, int, int) {}
};

} // namespace

TEST_CASE("negamax: what is to be confirmed counts as far as it is", "[search]") {
    // The first look says 50, the second −30: the other move, worth 10, is the better one.
    Doubtful game;
    CHECK(negamax(game, -infinite, infinite, 2, 0) == 10);
    CHECK(game.looks == std::vector{0, 1, 0, 1});
    CHECK(game.narrow == std::vector{true, false, true, false});
    Doubtful bare;
    bare.confirming = false;
    CHECK(negamax(bare, -infinite, infinite, 2, 0) == 50);
    Doubtful low; // no gain at first sight: nobody looks again
    CHECK(negamax(low, 60, infinite, 2, 0) == 50);
    CHECK(low.looks == std::vector{0, 0});
}

namespace {

// A move that loses all, and one that is not looked at.
struct LeftOut : Doubtful {
    LeftOut& moves(int, Value, int) { return *this; }
    std::optional<Step<int, int>> next() {
        const int move = next_move++;
        return move == 0   ? std::optional{Step<int, int>{move, 0}}
               : move == 1 ? std::optional{Step<int, int>{move, 0, {}, 40}}
                           : std::nullopt;
    }
    void refuted(const LeftOut&, int, int) {}
};

} // namespace

TEST_CASE("negamax: what is not looked at is worth no more than is said, nor less", "[search]") {
    LeftOut game; // the first is worth 10
    CHECK(negamax(game, 50, 51, 2, 0) == 40);
    CHECK(game.looks == std::vector{0});
}
