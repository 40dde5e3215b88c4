#include "search/interest.hpp"

#include "support.hpp"

#include "chess/notation.hpp"
#include "test.hpp"

using namespace adjourn::search;
using namespace adjourn::search::testing;

namespace {

const std::vector<Options>& kinds() {
    static const std::vector<Options> all = [] {
        std::vector<Options> kinds;
        for (const Selection selection : {Selection::full_width, Selection::interest}) {
            for (const Quiescence quiescence :
                 {Quiescence::none, Quiescence::captures, Quiescence::consistency}) {
                Options options;
                options.selection = selection;
                options.quiescence = quiescence;
                options.table_bytes = std::size_t{1} << 20;
                kinds.push_back(options);
            }
        }
        return kinds;
    }();
    return all;
}

Result run(const Options& options, const std::string& fen, std::uint64_t nodes) {
    Search search{options};
    Query query{position(fen), {}, {}, 1, {}};
    query.limits.nodes = nodes;
    return search.run(query);
}

std::string first(const Result& result, const std::string& fen) {
    return chess::to_uci(position(fen), result.lines.at(0).moves.at(0));
}

} // namespace

TEST_CASE("search: mates and their distances", "[search]") {
    struct Problem {
        const char* fen;
        const char* move;
        int plies;
    };
    for (const Problem& problem :
         {Problem{"6k1/5ppp/8/8/8/8/8/4R2K w - - 0 1", "e1e8", 1},
          Problem{"7k/8/8/8/8/8/1R6/R6K w - - 0 1", "b2b7", 3},
          Problem{"r1b1kb1r/pppp1ppp/5q2/4n3/3KP3/2N3PN/PPP4P/R1BQ1B1R b kq - 0 1", "f8c5", 5}}) {
        for (const Options& options : kinds()) {
            if (problem.plies == 5 && (options.selection != Selection::full_width ||
                                       options.quiescence == Quiescence::consistency)) {
                continue; // not in so few nodes
            }
            const Result result = run(options, problem.fen, problem.plies == 5 ? 300'000 : 20'000);
            CAPTURE(problem.fen, static_cast<int>(options.selection),
                    static_cast<int>(options.quiescence));
            CHECK(result.lines[0].score() == chess::Score::mate_in(problem.plies));
            if (problem.plies != 3) { // both rooks do it
                CHECK(first(result, problem.fen) == problem.move);
            }
        }
    }
    for (const Options& options : kinds()) {
        const Result result = run(options, "7k/1R6/8/8/8/8/8/R6K b - - 0 1", 20'000);
        CHECK(result.lines[0].score() == chess::Score::mated_in(2));
    }
}

TEST_CASE("search: stalemate is a draw, and known", "[search]") {
    for (const Options& options : kinds()) {
        // A rook pawn that is stopped.
        const Result result = run(options, "8/8/8/8/8/p1k5/P7/1K6 b - - 0 1", 50'000);
        CHECK(std::abs(result.lines[0].value) < 300);
        Query query{position("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1"), {}, {}, 1, {}};
        query.moves = {*chess::parse_uci(query.root, "g5g6")}; // stalemates
        query.limits.depth = 3;
        Search search{options};
        CHECK(search.run(query).lines[0].value == 0);
    }
}

TEST_CASE("search: a draw by repetition saves who loses otherwise", "[search]") {
    // Qe8+ and Qh5+ for ever; all else is mate.
    const std::string fen = "6k1/6p1/8/7Q/8/8/qr6/7K w - - 0 1";
    for (const Options& options : kinds()) {
        const Result result = run(options, fen, 30'000);
        CAPTURE(static_cast<int>(options.selection), static_cast<int>(options.quiescence));
        CHECK(result.lines[0].value == 0);
        CHECK(first(result, fen) == "h5e8");
    }
}

TEST_CASE("search: what occurred twice in the game is a draw", "[search]") {
    const chess::Position root = position("6k1/5ppp/8/8/8/8/q7/7K w - - 10 40");
    const chess::Move move = *chess::parse_uci(root, "h1g1");
    const std::uint64_t seen = root.after(move).hash();
    for (const Options& options : kinds()) {
        Query query{root, {}, {move}, 1, {}};
        query.limits.depth = 2;
        Search search{options};
        CHECK(search.run(query).lines[0].value < -500);
        query.history = {seen, 1, 2};
        search.clear();
        CHECK(search.run(query).lines[0].value < -500);
        query.history = {seen, 1, seen};
        search.clear();
        CHECK(search.run(query).lines[0].value == 0);
    }
}

TEST_CASE("search: a hundred plies without a capture or pawn move are a draw, a mate is a mate",
          "[search]") {
    for (const Options& options : kinds()) {
        if (options.quiescence != Quiescence::none) {
            const Result drawn = run(options, "7k/8/8/8/8/8/R7/1K6 w - - 99 90", 20'000);
            CHECK(drawn.lines[0].value == 0);
        }
        const Result mate = run(options, "6k1/5ppp/8/8/8/8/8/4R2K w - - 99 90", 20'000);
        CHECK(mate.lines[0].score() == chess::Score::mate_in(1));
    }
}

TEST_CASE("search: it keeps its limits", "[search]") {
    for (const Options& options : kinds()) {
        for (const std::uint64_t nodes : {1, 10, 3'001}) {
            for (const std::string& fen : {fens()[1], fens()[6]}) {
                const Result result = run(options, fen, nodes);
                CHECK(result.nodes <= nodes);
                REQUIRE(result.lines.size() == 1);
                CHECK(position(fen).is_legal(result.lines[0].moves.at(0)));
            }
        }
        Search search{options};
        Query query{position(fens()[1]), {}, {}, 1, {}};
        query.limits.depth = 2;
        CHECK(search.run(query).iterations == 2);
        // A clock that goes on by a millisecond each time it is asked.
        std::int64_t now = 5;
        query.limits = {};
        query.limits.milliseconds = 20;
        search.clear();
        const Result timed = search.run(query, {[&] { return now++; }, {}, {}});
        CHECK(now >= 25);
        CHECK(timed.nodes <= 1024 * 25);
        query.limits = {};
        int asked = 0;
        search.clear();
        const Result stopped = search.run(query, {{}, [&] { return ++asked == 3; }, {}});
        CHECK(stopped.nodes == 3 * 1024);
    }
}

TEST_CASE("consistency: a quiet position is worth its evaluation, a piece to be taken is taken",
          "[search]") {
    Options options;
    options.quiescence = Quiescence::consistency;
    options.consistency.threshold = 100;
    // Depth 1 after the king's move: Black's leaf, where nothing happens.
    const chess::Position root = position("4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1");
    const chess::Move move = *chess::parse_uci(root, "e1e2");
    Query query{root, {}, {move}, 1, {}};
    query.limits.depth = 1;
    Search search{options};
    CHECK(search.run(query).lines[0].value == -evaluate(root.after(move)));
    // The same with a queen on a square that is attacked: it is lost.
    const chess::Position queen = position("4k3/pppp4/8/8/8/8/PPPP2Q1/4K3 w - - 0 1");
    const chess::Move loses = *chess::parse_uci(queen, "g2c6");
    query = {queen, {}, {loses}, 1, {}};
    query.limits.depth = 1;
    CHECK(search.run(query).lines[0].value < -evaluate(queen.after(loses)) - 500);
}

TEST_CASE("consistency: it is bounded", "[search]") {
    Options options;
    options.quiescence = Quiescence::consistency;
    options.consistency.threshold = 0;
    options.consistency.loosening = 0;
    options.consistency.most_plies = 60;
    options.consistency.most_nodes = 300;
    const chess::Position root = position(fens()[1]);
    const auto moves = root.legal_moves();
    Query query{root, {}, {moves[0]}, 1, {}};
    query.limits.depth = 1;
    const std::uint64_t nodes = Search{options}.run(query).nodes;
    CHECK(nodes > 40);
    // The bound, what the last position looked at has, and on the way back for each ply as much.
    CHECK(nodes < 300 + 61 * 60);
}

TEST_CASE("interest: a dull move must not buy an early end", "[search]") {
    // Ra7 looks best, and allows Rb1 mate; with so little interest each line ends after it.
    Options options;
    options.selection = Selection::interest;
    options.quiescence = Quiescence::none;
    options.evaluate = [](const chess::Position& position) {
        const auto rook = position.piece_at(chess::Square{48});
        return position.turn() == chess::Color::white ? (rook ? 300 : 0) : (rook ? -300 : 0);
    };
    options.interest.set(InterestTerm::dull, 10'000);
    for (const int iterations : {2, 3, 4}) {
        Query query{position("1r4k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"), {}, {}, 1, {}};
        query.limits.depth = iterations;
        const Result result = Search{options}.run(query);
        CHECK(result.lines.at(0).value < 300);
        CHECK(first(result, query.root.fen()) != "a1a7");
    }
}

TEST_CASE("interest: what costs less is searched farther", "[search]") {
    const auto nodes_with = [](InterestTerm term, int points) {
        Options options;
        options.selection = Selection::interest;
        options.quiescence = Quiescence::none;
        options.interest.set(term, points);
        std::uint64_t nodes = 0;
        for (const std::string& fen : fens()) {
            Query query{position(fen), {}, {}, 1, {}};
            query.limits.depth = 4;
            nodes += Search{options}.run(query).nodes;
        }
        return nodes;
    };
    CHECK(nodes_with(InterestTerm::dull, 30) > nodes_with(InterestTerm::dull, 80));
}

namespace {

// The position after a move of another one, as a search comes to it.
struct OnePly {
    OnePly(const std::string& fen, const std::string& uci)
        : query{position(fen), {}, {}, 1, {}}, tree{options, query, hooks, table, memory} {
        tree.play(*chess::parse_uci(query.root, uci), 0);
    }

    Options options;
    Query query;
    Hooks hooks;
    Table table{std::size_t{1} << 20};
    MoveMemory memory;
    InterestTree tree;
};

} // namespace

TEST_CASE("interest: dull moves that cannot make up for what is missing are left out", "[search]") {
    const auto given = [](const std::string& fen, const std::string& uci, Value missing) {
        OnePly at{fen, uci};
        const Value alpha = at.tree.value_of(1) + missing;
        auto moves = at.tree.moves(2 * interest_unit, alpha, 1);
        std::size_t count = 0;
        bool takes = false;
        while (const auto step = moves.next()) {
            if (step->at_most) {
                CHECK(*step->at_most <= alpha);
                continue;
            }
            ++count;
            takes |= at.tree.position(1).is_capture(step->move);
        }
        CHECK((takes || at.tree.position(1).in_check()));
        return std::pair{count, at.tree.position(1).legal_moves().size()};
    };
    const std::string queens = "3qk3/8/8/8/8/8/8/3QK3 b - - 0 1";
    const auto [all, legal] = given(queens, "e8f8", -100);
    CHECK(all == legal);
    CHECK(given(queens, "e8f8", 1'000).first < all / 2);
    // Out of check nobody can say.
    const auto [evasions, of] = given("3qk3/8/8/8/8/8/8/3QK3 b - - 0 1", "d8e7", 1'000);
    CHECK(evasions == of);
}

TEST_CASE("memory of moves: what did not cut sinks, and nothing leaves its bounds", "[search]") {
    const chess::Position here = chess::Position::initial();
    const chess::Move move = here.legal_moves()[0];
    MoveMemory memory;
    for (int i = 0; i < 1'000; ++i) {
        memory.cut(1, here.turn(), move, 400, {});
        CHECK(memory.history(here.turn(), move) <= MoveMemory::most_history);
    }
    CHECK(memory.history(here.turn(), move) > MoveMemory::most_history / 2);
    for (int i = 0; i < 2'000; ++i) {
        memory.did_not_cut(here.turn(), move, 400);
        CHECK(memory.history(here.turn(), move) >= -MoveMemory::most_history);
    }
    CHECK(memory.history(here.turn(), move) < 0);
}
