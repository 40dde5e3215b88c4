// Laws of the searches on real positions: they are minimax, and nothing that is pruned changes
// that.
#include "search/search.hpp"

#include "support.hpp"

#include "search/tree.hpp"
#include "test.hpp"

#include <thread>

using namespace adjourn::search;
using namespace adjourn::search::testing;

namespace {

Options small(Quiescence quiescence, TableUse table) {
    Options options;
    options.quiescence = quiescence;
    options.table = table;
    options.table_bytes = std::size_t{1} << 20;
    options.consistency.most_plies = 2; // no bound that depends on what was seen before
    options.consistency.most_nodes = 1'000'000'000;
    return options;
}

// Every line to the end; leaves with an open window.
Value minimax(FullWidth& game, int rest, int ply) {
    if (const auto known = game.known(ply)) {
        return *known;
    }
    if (game.spent(rest, ply)) {
        return game.leaf(-infinite, infinite, ply);
    }
    Value best = -infinite;
    auto moves = game.moves(rest, -infinite, ply);
    while (const auto step = moves.next()) {
        game.play(step->move, ply);
        best = std::max(best, -minimax(game, step->rest, ply + 1));
    }
    return best == -infinite ? game.no_move(ply) : best;
}

Value minimax_value(const Options& options, const chess::Position& root, int depth) {
    const Query query{root, {}, {}, 1, {}};
    const Hooks hooks;
    Table table{options.table_bytes};
    MoveMemory memory;
    FullWidth game{options, query, hooks, table, memory};
    return minimax(game, depth, 0);
}

Result searched(const Options& options, const chess::Position& root, int depth, int lines = 1) {
    Search search{options};
    Query query{root, {}, {}, lines, {}};
    query.limits.depth = depth;
    return search.run(query);
}

// `plies`: of trees that end in each kind of leaf.
void require_minimax(const std::function<int(Quiescence)>& plies) {
    for (const Quiescence quiescence :
         {Quiescence::none, Quiescence::captures, Quiescence::consistency}) {
        const int depth = plies(quiescence);
        for (const std::string& fen : fens()) {
            const chess::Position root = position(fen);
            const Value truth = minimax_value(small(quiescence, TableUse::none), root, depth);
            CAPTURE(fen, static_cast<int>(quiescence));
            CHECK(searched(small(quiescence, TableUse::none), root, depth).lines[0].value == truth);
            CHECK(searched(small(quiescence, TableUse::same), root, depth).lines[0].value == truth);
        }
    }
}

} // namespace

TEST_CASE("search: full width is minimax, whatever is pruned", "[search]") {
    require_minimax([](Quiescence leaf) { return leaf == Quiescence::consistency ? 1 : 2; });
}

TEST_CASE("search: full width is minimax, a ply deeper", "[search][.][exhaustive]") {
    require_minimax([](Quiescence leaf) { return leaf == Quiescence::none ? 4 : 2; });
}

TEST_CASE("search: the value of a position is that of its best move, for each of several lines",
          "[search]") {
    const Options options = small(Quiescence::captures, TableUse::none);
    for (const std::string& fen : {fens()[1], fens()[4]}) {
        const chess::Position root = position(fen);
        std::vector<std::pair<Value, std::uint16_t>> alone;
        for (const chess::Move move : root.legal_moves()) {
            Search search{options};
            Query query{root, {}, {move}, 1, {}};
            query.limits.depth = 2;
            const Result result = search.run(query);
            REQUIRE(result.lines.size() == 1);
            CHECK(result.lines[0].moves.front() == move);
            alone.emplace_back(result.lines[0].value, move.raw());
        }
        const Result all = searched(options, root, 2, static_cast<int>(alone.size()) + 5);
        REQUIRE(all.lines.size() == alone.size());
        for (std::size_t i = 0; i < all.lines.size(); ++i) {
            const Line& line = all.lines[i];
            CHECK(line.bound == chess::Bound::exact);
            CHECK(std::find(alone.begin(), alone.end(),
                            std::pair{line.value, line.moves.front().raw()}) != alone.end());
            CHECK((i == 0 || all.lines[i - 1].value >= line.value));
        }
        CHECK(searched(options, root, 2).lines[0].value == all.lines[0].value);
    }
}

TEST_CASE("evaluation: colours and sides of the board are alike", "[search]") {
    for_random_positions(60, 60, 7, [](const chess::Position& here) {
        CAPTURE(here.fen());
        CHECK(evaluate(here) == evaluate(colour_flipped(here)));
        if (here.castling_rooks() == 0) {
            CHECK(evaluate(here) == evaluate(mirrored(here)));
        }
        CHECK(evaluate(here) == evaluate_anywhere(here)); // whatever this machine counts bits with
    });
}

TEST_CASE("evaluation: what a thread evaluated before changes nothing", "[search]") {
    for_random_positions(4, 100, 11, [](const chess::Position& here) {
        CAPTURE(here.fen());
        Value first = infinite;
        std::jthread{[&] { first = evaluate(here); }}.join();
        CHECK(evaluate(here) == first);
    });
}
