// Importing: what the scores in comments say, whoever wrote them.
#include "files/import/import.hpp"

#include "chess/notation.hpp"
#include "storage/open.hpp"
#include "temporary_directory.hpp"
#include "test.hpp"

using namespace adjourn::server;

namespace {

struct Target {
    TemporaryDirectory directory;
    std::unique_ptr<storage::Store> store =
        storage::open_store(directory.path(), storage::OpenMode::owner);

    ImportReport take_evals(const std::string& pgn) const {
        ImportOptions options;
        options.name = "games.pgn";
        std::istringstream in{pgn};
        const auto report = import_text(*store, ImportFormat::pgn, in, options);
        REQUIRE(report);
        return *report;
    }

    // What is known of the position after these moves, by source.
    std::multimap<std::string, analysis::Evaluation> facts(const std::string& moves) const {
        chess::Position position = chess::Position::initial();
        const auto line = *chess::parse_line(position, moves);
        for (const chess::Move move : line) {
            position.play(move);
        }
        std::multimap<std::string, analysis::Evaluation> found;
        for (const analysis::Evaluation& fact : store->evaluations(position.packed())) {
            for (const storage::EngineRecord& engine : store->engines()) {
                if (engine.id == fact.question.engine) {
                    found.emplace(engine.name, fact);
                }
            }
        }
        return found;
    }
    analysis::Evaluation fact(const std::string& moves) const {
        const auto found = facts(moves);
        REQUIRE(found.size() == 1);
        return found.begin()->second;
    }
};

const analysis::Limit depth(std::uint64_t plies) {
    return {analysis::Limit::Kind::depth, plies};
}

} // namespace

TEST_CASE("import: whole numbers with a depth are centipawns") {
    const Target target;
    const ImportReport report =
        target.take_evals("1. e4 {[%eval -77,23]} c5 {[%eval 1706,29]} "
                          "2. Nf3 {[%eval -#6,11]} d6 {[%eval 297.53,30]} *");
    CHECK(report.evaluations_added == 4);
    CHECK(report.evaluations_unread == 0);
    CHECK(target.fact("").score == chess::Score::cp(-77));
    CHECK(target.fact("").question.limit == depth(23));
    CHECK(target.fact("1. e4").score == chess::Score::cp(-1706));
    CHECK(target.fact("1. e4 c5").score == chess::Score::mate_in(11).backed_up());
    CHECK(target.fact("1. e4 c5 2. Nf3").score == chess::Score::cp(-29'753));
}

TEST_CASE("import: scores and depths beyond what engines may say are left out and named") {
    const Target target;
    const ImportReport report = target.take_evals(
        "1. e4 {[%eval #247]} e5 {[%eval 297.54]} 2. Nf3 {[%eval 0.35,246]} Nc6 {[%eval -99999,9]} "
        "3. Bb5 {+999.99/18 1s} a6 {+M999/20 1s} 4. Ba4 {+0.30/999 1s} Nf6 {d=300, wv=0.1} "
        "5. d3 {[%eval #245]} d6 {[%eval #-246,245]} 6. O-O {+297.53/245 1s} *");
    CHECK(report.evaluations_unread == 8);
    CHECK(report.evaluations_added == 3);
    REQUIRE(report.warnings.size() == 8);
    CHECK(report.warnings[0].message == "the evaluation '[%eval #247]' is out of range");
    CHECK(report.warnings[4].message == "the evaluation '+999.99/18 1s' is out of range");
}

TEST_CASE("import: an evaluation that is not understood is counted and named with its place") {
    const Target target;
    const ImportReport report = target.take_evals(
        "1. e4 {[%eval 0.3]} e5 *\n\n[Event \"B\"]\n\n1. d4\n{[%eval good,23]} d5 "
        "{[%eval]} 2. c4 {[%eval 0.1,x]} *\n");
    CHECK(report.evaluations_added == 1);
    CHECK(report.evaluations_unread == 3);
    CHECK(report.broken == 0);
    CHECK(report.warned == 3);
    REQUIRE(report.warnings.size() == 3);
    CHECK(to_text(report.warnings[0], ImportFormat::pgn, "games.pgn") ==
          "games.pgn: game 2, line 6: the evaluation '[%eval good,23]' cannot be understood");
    CHECK(report.warnings[1].message.find("'[%eval]'") != std::string::npos);
}

TEST_CASE("import: scores of engine matches are of the search that chose the move") {
    const Target target;
    const ImportReport report = target.take_evals(
        "1. e4 {book} c5 {-0.31/18 0.38s, n=4711} 2. Nf3 {+0.25/20 3s} (2. c3 {(d5) +0.11/9 1s}) "
        "d6 {d=33, sd=48, mt=53840, n=11231475551, pv=d6 d4, wv=0.14, R50=50,} 3. d4 "
        "{[%eval 0.3,12] +0.9/9 1s} *");
    CHECK(report.evaluations_added == 5);
    CHECK(report.sources == std::set<std::string>{"pgn %eval", "pgn cutechess", "pgn tcec"});
    const analysis::Evaluation black = target.fact("1. e4");
    CHECK(black.score == chess::Score::cp(-31)); // the mover's
    CHECK(black.depth == 18);
    CHECK(black.nodes == 4711);
    CHECK(black.question.limit == depth(18));
    CHECK(black.question.excluded.empty());
    CHECK(black.move ==
          *chess::parse_uci(*chess::Position::from_fen(
                                "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"),
                            "c7c5"));
    const auto both = target.facts("1. e4 c5");
    CHECK(both.count("pgn cutechess") == 2);
    const auto tcec = target.facts("1. e4 c5 2. Nf3");
    REQUIRE(tcec.count("pgn tcec") == 1);
    CHECK(tcec.find("pgn tcec")->second.score == chess::Score::cp(-14)); // White's, and Black moved
    CHECK(tcec.find("pgn tcec")->second.question.limit == depth(33));
    CHECK(target.facts("1. e4 c5 2. Nf3 d6").count("pgn %eval") == 1); // the command goes first
}

TEST_CASE("import: a move that mates is evaluated by the rules where its game is evaluated") {
    const std::string moves = "1. f3 e5 {[%eval -1.0,20]} 2. g4 Qh4#";
    for (const std::string end : {"", " {[%eval #-1,20]}", " {[%eval #-0]}"}) {
        const Target target;
        INFO(end);
        CHECK(target.take_evals(moves + end + " 0-1").evaluations_added == 2);
        CHECK(target.fact("1. f3 e5 2. g4").score == chess::Score::mate_in(1));
    }
    const Target plain; // games alone make no facts
    CHECK(plain.take_evals("1. f3 e5 2. g4 Qh4# 0-1").evaluations_added == 0);
}

TEST_CASE("import: mate in none is no score of a move that does not mate") {
    const Target target;
    const ImportReport report =
        target.take_evals("1. e4 {[%eval #0,20]} e5 {[%eval #-0]} 2. Nf3 {[%eval 0.3,20]} *");
    CHECK(report.evaluations_added == 1);
    CHECK(report.evaluations_unread == 2);
    REQUIRE(report.warnings.size() == 2);
    CHECK(report.warnings[0].message == "the evaluation '[%eval #0,20]' cannot be understood");
    ImportOptions options;
    options.name = "tests.epd";
    const std::string start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - ";
    std::istringstream in{start + "dm 0; bm e4;\n" + start + "ce -32767;\n" + start + "ce 3;\n"};
    const auto records = import_text(*target.store, ImportFormat::epd, in, options);
    REQUIRE(records);
    CHECK(records->evaluations_added == 1);
    CHECK(records->broken == 2);
}

TEST_CASE("import: what was put right in a game is a warning") {
    const Target target;
    const ImportReport report = target.take_evals(
        "[FEN \"4k3/8/8/8/8/8/8/R3K3 w KQ - 0 1\"]\n\n1. O-O-O {[%eval 5.0,9]} *\n");
    CHECK(report.broken == 0);
    CHECK(report.evaluations_added == 1);
    REQUIRE(report.warnings.size() == 1);
    CHECK(report.warnings[0].line == 1);
    CHECK(report.warnings[0].message.find("castling right 'K' dropped") != std::string::npos);
}

TEST_CASE("import: a line of JSONL that is none is said to be so, by its column") {
    const Target target;
    ImportOptions options;
    options.name = "a.jsonl";
    std::istringstream in{"\n{oops}\n"};
    const auto report = import_text(*target.store, ImportFormat::lichess, in, options);
    REQUIRE(report);
    REQUIRE(report->errors.size() == 1);
    CHECK(report->errors[0].line == 2);
    CHECK(report->errors[0].message.starts_with("the line is not JSON at column 2"));
}
