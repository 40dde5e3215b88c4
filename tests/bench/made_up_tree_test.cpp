#include "bench/strategies/made_up_tree.hpp"

#include "analysis/graph.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

using namespace adjourn;
using namespace adjourn::bench;

namespace {

chess::Position position(const char* fen) {
    return chess::Position::from_fen(fen).value();
}

MadeUpGame game(std::uint64_t seed, int plies) {
    return {position("4k3/2p5/8/8/8/8/2P5/4K3 w - - 0 1"), seed, plies};
}

analysis::Question question(const chess::Position& position, std::uint64_t nodes,
                            std::vector<chess::Move> excluded = {}) {
    return {position.packed(),
            analysis::EngineId{1},
            {analysis::Limit::Kind::nodes, nodes},
            std::move(excluded)};
}

// By walking lines: a repetition on the line is a draw.
chess::Score walked(const MadeUpTree& tree, std::vector<chess::Position>& line) {
    const chess::Position here = line.back();
    if (const auto end = tree.exact(here)) {
        return *end;
    }
    switch (here.terminal()) {
    case chess::Terminal::checkmate: return chess::Score::mated_in(0);
    case chess::Terminal::stalemate:
    case chess::Terminal::dead: return chess::Score::cp(0);
    case chess::Terminal::no: break;
    }
    std::optional<chess::Score> best;
    for (const chess::Move move : here.legal_moves()) {
        const chess::Position next = here.after(move);
        chess::Score value = chess::Score::cp(0);
        if (std::find(line.begin(), line.end(), next) == line.end()) {
            line.push_back(next);
            value = walked(tree, line).backed_up();
            line.pop_back();
        }
        if (!best || value.rank() > best->rank()) {
            best = value;
        }
    }
    return *best;
}

} // namespace

TEST_CASE("made-up tree: the truth is what walking all lines gives") {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
        const MadeUpGame small = game(seed, 3);
        const MadeUpTree tree{small};
        for (const chess::Move move : small.start.legal_moves()) {
            std::vector<chess::Position> line{small.start, small.start.after(move)};
            // From a child on, as the root itself has no line behind it.
            const chess::Score walk = walked(tree, line);
            CHECK(tree.true_values(small.start).at(move) == walk.backed_up().centipawns());
        }
    }
}

TEST_CASE("made-up tree: it has transpositions and cycles, and differs by seed") {
    const MadeUpTree tree{game(1, 5)};
    const MadeUpTree other{game(2, 5)};
    std::size_t moves = 0;
    bool cycle = false;
    std::set<std::string> seen;
    std::vector<chess::Position> border{game(1, 5).start};
    while (!border.empty()) {
        std::vector<chess::Position> next;
        for (const chess::Position& here : border) {
            if (tree.exact(here) || !here.has_legal_move() || !seen.insert(here.fen()).second) {
                continue;
            }
            for (const chess::Move move : here.legal_moves()) {
                ++moves;
                next.push_back(here.after(move));
                cycle |= next.back() == border.front();
            }
        }
        if (seen.size() > 400) {
            break;
        }
        border = std::move(next);
    }
    CHECK(moves > seen.size() * 2);
    // Four king moves lead back to the start.
    chess::Position back = game(1, 5).start;
    for (const char* move : {"e1d1", "e8d8", "d1e1", "d8e8"}) {
        const auto all = back.legal_moves();
        for (const chess::Move candidate : all) {
            const auto from = candidate.from().name();
            const auto to = candidate.to().name();
            if (std::string{from.data(), 2} + std::string{to.data(), 2} == move) {
                back.play(candidate);
                break;
            }
        }
    }
    CHECK(back == game(1, 5).start);
    CHECK(tree.true_values(back) != other.true_values(back));
    CHECK(tree.positions() == other.positions());
}

TEST_CASE("made-up tree: answers are functions of the question and get better with nodes") {
    const MadeUpGame made = game(3, 5);
    MadeUpTree tree{made};
    MadeUpTree again{made};
    double error[3] = {0, 0, 0};
    const std::uint64_t nodes[3] = {10'000, 100'000, 10'000'000};
    int count = 0;
    for (const chess::Move first : made.start.legal_moves()) {
        const chess::Position here = made.start.after(first);
        const MoveValues truth = tree.true_values(here);
        std::vector<chess::Move> excluded;
        for (std::size_t left = here.legal_moves().size(); left > 0; --left) {
            for (int i = 0; i < 3; ++i) {
                const auto fact = tree.ask(question(here, nodes[i], excluded));
                CHECK(fact.score == again.ask(question(here, nodes[i], excluded)).score);
                CHECK(std::find(excluded.begin(), excluded.end(), *fact.move) == excluded.end());
                error[i] += std::abs(fact.score->centipawns() - truth.at(*fact.move));
            }
            ++count;
            excluded.push_back(*tree.ask(question(here, nodes[1], excluded)).move);
            std::sort(excluded.begin(), excluded.end());
        }
    }
    CHECK(error[0] > 2 * error[1]);
    CHECK(error[1] > 5 * error[2]);
    // A ply from the start 4/5 of the noise are left, and the mean of |normal| is 0.8 σ.
    CHECK(error[1] / count == Approx(made.noise * 0.8 * 0.8).epsilon(0.3));
}
