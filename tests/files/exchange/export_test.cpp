// Exports: the same bounded tree in every format.
#include "api_fixture.hpp"
#include "chess/epd.hpp"
#include "chess/notation.hpp"
#include "chess/polyglot.hpp"
#include "chess/position_text.hpp"
#include "exported.hpp"
#include "polyglot_reader.hpp"

namespace {

struct Grown : ApiFixture {
    const AnalysisRun& grow(const std::string& moves, int refine = 2) {
        const auto id = core.create(moves, refine, 40);
        core.work_until([&] { return core.settled(id); });
        REQUIRE(core.settled(id));
        return core.run(id);
    }
};

constexpr ExportLimits wide{60, 30, 100'000};

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in{text};
    for (std::string line; std::getline(in, line);) {
        lines.push_back(line);
    }
    return lines;
}

// Every position of the JSON tree that has moves, with them.
void for_each_position(const json& moves, const chess::Position& position,
                       const std::function<void(const chess::Position&, const json&)>& visit) {
    if (moves.empty()) {
        return;
    }
    visit(position, moves);
    for (const json& move : moves) {
        for_each_position(
            move["moves"],
            position.after(*chess::parse_uci(position, move["uci"].get<std::string>())), visit);
    }
}

} // namespace

TEST_CASE("export: EPD, Polyglot and JSON hold the same positions and moves") {
    Grown grown;
    const AnalysisRun& run = grown.grow("1. e4 e5");
    const json tree = json::parse(exported("json", *grown.core.core, run, {}, wide));
    CHECK(tree["format"] == "adjourn-tree");
    CHECK(tree["analysis"]["engine_name"] == "Simulated 1.0");
    CHECK(tree["fen"] == run.root.fen());
    CHECK(tree["truncated"] == false);

    const std::vector<std::string> epd = lines_of(exported("epd", *grown.core.core, run, {}, wide));
    const auto book = chess::read_book(exported("polyglot", *grown.core.core, run, {}, wide));
    REQUIRE(book);
    std::map<std::uint64_t, std::map<std::uint16_t, int>> weights;
    for (const chess::BookEntry& entry : *book) {
        weights[entry.key][entry.move] = entry.weight;
    }

    std::size_t positions = 0;
    std::size_t count = 0;
    for_each_position(tree["moves"], run.root, [&](const chess::Position& at, const json& moves) {
        count += moves.size();
        INFO(at.fen());
        // EPD: in the same order.
        REQUIRE(positions < epd.size());
        const auto record = chess::parse_epd(epd[positions++]);
        REQUIRE(record);
        CHECK(record->position == at);
        const auto verdict = chess::verdict_of(*record);
        REQUIRE(verdict);
        const auto best = *chess::parse_uci(at, moves[0]["uci"].get<std::string>());
        CHECK(verdict->best == std::vector{best});
        REQUIRE_FALSE(verdict->pv.empty());
        CHECK(verdict->pv.front() == best);
        CHECK(verdict->depth == 8);
        if (moves[0]["alpha"].contains("cp")) {
            const int white = moves[0]["alpha"]["cp"];
            CHECK(verdict->score ==
                  chess::Score::cp(at.turn() == chess::Color::white ? white : -white));
        }
        // Polyglot: the best move weighs most, others as far as they are behind.
        const auto& here = weights.at(chess::polyglot_key(at));
        CHECK(here.size() == moves.size());
        CHECK(here.at(chess::book_move(best)) == 10'000);
        for (const json& move : moves) {
            const auto played = *chess::parse_uci(at, move["uci"].get<std::string>());
            CHECK(here.contains(chess::book_move(played)));
        }
    });
    CHECK(positions == epd.size());
    CHECK(positions > 5);
    CHECK(count == tree["count"]);
    CHECK(count == book->size());
}

TEST_CASE("export: bounded by plies, margin and moves") {
    Grown grown;
    const AnalysisRun& run = grown.grow("1. d4");
    const auto count = [&](ExportLimits limits) {
        const json tree = json::parse(exported("json", *grown.core.core, run, {}, limits));
        return std::pair{tree["count"].get<std::size_t>(), tree["truncated"].get<bool>()};
    };
    const auto [all, cut] = count(wide);
    CHECK_FALSE(cut);
    REQUIRE(all > 10);
    CHECK(count({60, 30, 10}) == std::pair{std::size_t{10}, true});
    CHECK(count({60, 30, all}) == std::pair{all, false});
    CHECK(count({60, 1, 100'000}).first < all);
    CHECK(count({0, 30, 100'000}).first < all);
    CHECK(chess::read_book(exported("polyglot", *grown.core.core, run, {}, {60, 30, 10}))->size() ==
          10);
}

TEST_CASE("export: a PGN file that begins with the game merges with others") {
    Grown grown;
    const AnalysisRun& run = grown.grow("1. e4 e5");
    REQUIRE(grown.core.core->direct(run.record.id, {}, "note", "the root").wait());
    ExportLimits limits = wide;
    const std::string as_before = exported("pgn", *grown.core.core, run, {}, limits);
    CHECK(as_before.find("[FEN ") != std::string::npos);
    CHECK(as_before.find("[Moves ") != std::string::npos);
    limits.pgn.from_game = true;
    const std::string pgn = exported("pgn", *grown.core.core, run, {}, limits);
    CHECK(pgn.find("[FEN ") == std::string::npos);
    CHECK(pgn.find("[Moves ") == std::string::npos);
    CHECK(pgn.find("[ECO \"C20\"]") != std::string::npos);
    CHECK(pgn.find("1. e4 e5 {the root} 2.") != std::string::npos);
    // The same moves and words, only further down.
    const auto words = [](const std::string& text, const std::string& from) {
        std::istringstream in{text.substr(text.find(from))};
        std::vector<std::string> all;
        for (std::string word; in >> word;) {
            all.push_back(word);
        }
        return all;
    };
    CHECK(words(pgn, "{the root}") == words(as_before, "{the root}"));
    const auto game = chess::parse_position_file(pgn);
    REQUIRE(game);
    CHECK(game->start == chess::Position::initial());
    REQUIRE(game->moves.size() > 2);
    CHECK(chess::to_san_line(game->start, {game->moves.begin(), game->moves.begin() + 2}) ==
          "1. e4 e5");
}

TEST_CASE("export: comments where they are wanted, glyphs and arrows") {
    Grown grown;
    const AnalysisRun& run = grown.grow("1. d4", 3);
    REQUIRE(grown.core.core->direct(run.record.id, {}, "note", "kept").wait());
    ExportLimits limits{10, 30, 100'000};
    const auto text = [&](CommentDensity density) {
        limits.pgn.comments = density;
        return exported("pgn", *grown.core.core, run, {}, limits);
    };
    const auto comments = [](const std::string& pgn) { return std::ranges::count(pgn, '{'); };
    const auto all = comments(text(CommentDensity::all));
    const auto branches = comments(text(CommentDensity::branches));
    const auto leaves = comments(text(CommentDensity::leaves));
    CHECK(all >= branches);
    CHECK(branches > leaves); // there are choices
    limits.margin = 0;        // one line, where values do not tie
    CHECK(comments(text(CommentDensity::all)) > comments(text(CommentDensity::branches)));
    limits.margin = 10;
    CHECK(leaves > 1);
    CHECK(comments(text(CommentDensity::none)) == 1); // what people wrote
    CHECK(text(CommentDensity::leaves).find("{kept}") != std::string::npos);
    CHECK(text(CommentDensity::all).find('$') == std::string::npos);
    CHECK(text(CommentDensity::all).find("[%cal") == std::string::npos);
    limits.pgn.nags = limits.pgn.arrows = true;
    const std::string marked = text(CommentDensity::none);
    CHECK(marked.find("{[%adj engine] [%cal G") != std::string::npos);
    CHECK(marked.find(",Y") != std::string::npos);
    CHECK(chess::parse_position_file(marked));
}

TEST_CASE("export: a repertoire has one move of its side") {
    Grown grown;
    const AnalysisRun& run = grown.grow("1. e4");
    ExportLimits limits = wide;
    const auto most = [&](std::optional<chess::Color> side, chess::Color turn) {
        limits.one_sided = side;
        const json tree = json::parse(exported("json", *grown.core.core, run, {}, limits));
        std::size_t moves_here = 0;
        for_each_position(tree["moves"], run.root,
                          [&](const chess::Position& at, const json& moves) {
                              if (at.turn() == turn) {
                                  moves_here = std::max(moves_here, moves.size());
                              }
                          });
        return moves_here;
    };
    CHECK(most(std::nullopt, chess::Color::white) > 1);
    CHECK(most(chess::Color::white, chess::Color::white) == 1);
    CHECK(most(chess::Color::white, chess::Color::black) > 1);
    CHECK(most(chess::Color::black, chess::Color::black) == 1);
}

TEST_CASE("export: weights of a book") {
    using chess::Score;
    CHECK(book_weight(Score::cp(20), Score::cp(20)) == 10'000);
    CHECK(book_weight(Score::cp(20), Score::cp(10)) == 5'000);
    CHECK(book_weight(Score::cp(20), Score::cp(-20)) == 625);
    CHECK(book_weight(Score::cp(0), Score::cp(-500)) == 1);
    CHECK(book_weight(Score::mate_in(3), Score::cp(300)) == 1);
    CHECK(book_weight(Score::mated_in(4), Score::mated_in(4)) == 10'000);
}

TEST_CASE("export: Chess960 in every format") {
    Grown grown;
    const std::string fen = "4rkr1/pppppppp/8/8/8/8/PPPPPPPP/4RKR1 w GEge - 0 1";
    const auto start = *chess::Position::from_fen(fen);
    NewAnalysis wanted{"960", start, {}, "", {analysis::Limit::Kind::depth, 8}, {}, 0, false};
    wanted.spec.strategy = analysis::default_parameters("halving");
    wanted.spec.strategy.move_distance = 100;
    wanted.spec.strategy.refine = 2;
    const auto id = *grown.core.core->create(std::move(wanted)).wait();
    grown.core.work_until([&] { return grown.core.settled(id); });
    // Castling, whatever the engine thinks of it, by the move that the page would make.
    const auto parsed = chess::parse_uci(start, "f1g1");
    REQUIRE(parsed);
    const chess::Move castles = *parsed;
    REQUIRE(castles.kind() == chess::MoveKind::castling);
    REQUIRE(grown.core.core->direct(id, {castles}, "include", "").wait());
    grown.core.work_until([&] { return grown.core.settled(id); });
    const AnalysisRun& run = grown.core.run(id);

    const json node = grown.get("/analyses/1/node?moves=");
    const auto castling = std::find_if(node["moves"].begin(), node["moves"].end(),
                                       [](const json& move) { return move["uci"] == "f1g1"; });
    REQUIRE(castling != node["moves"].end());
    CHECK((*castling)["san"] == "O-O");
    CHECK(node["fen"] == start.fen());

    const ExportLimits everything{100'000, 1, 1'000};
    CHECK(exported("pgn", *grown.core.core, run, {}, everything).find("O-O") != std::string::npos);
    const json tree = json::parse(exported("json", *grown.core.core, run, {}, everything));
    CHECK(std::any_of(tree["moves"].begin(), tree["moves"].end(), [](const json& move) {
        return move["uci"] == "f1g1" && move["san"] == "O-O";
    }));
    const auto book = chess::read_book(exported("polyglot", *grown.core.core, run, {}, everything));
    REQUIRE(book);
    CHECK(std::any_of(book->begin(), book->end(), [&](const chess::BookEntry& entry) {
        return chess::move_of_book(start, entry.move) == castles;
    }));
    const auto record =
        chess::parse_epd(lines_of(exported("epd", *grown.core.core, run, {}, everything))[0]);
    REQUIRE(record);
    CHECK(record->position == start);
    // What engines were asked has castling as king takes rook, and Shredder's letters.
    CHECK(std::any_of(grown.bench.asked.begin(), grown.bench.asked.end(), [&](const auto& job) {
        return job.position.engine_fen().find(" GEge ") != std::string::npos;
    }));
}
