#include "chess/notation.hpp"
#include "core/records/finding.hpp"
#include "test.hpp"

#include <nlohmann/json.hpp>

using namespace adjourn;
using namespace adjourn::server;
using chess::Score;

TEST_CASE("finding: it is read back as it was written, whoever is to move; scores are White's") {
    const chess::Position start = chess::Position::initial();
    for (const char* played : {"", "e4"}) {
        const chess::Position at = start.after(*chess::parse_line(start, played));
        const auto reply = at.legal_moves()[0];
        SeatFinding finding;
        finding.ready = finding.anchored = true;
        finding.settled = 2;
        finding.nodes = 12;
        finding.problem = "none";
        for (const Score score : {Score::cp(31), Score::mate_in(5), Score::mated_in(6),
                                  Score::mate_in(1), Score::tablebase(chess::Wdl::blessed_loss, 7),
                                  Score::tablebase(chess::Wdl::win, 3)}) {
            finding.lines.push_back({score, {reply}});
        }
        finding.running = Candidate{{Score::cp(-5), {reply}, chess::Bound::lower}, 9, true};
        const nlohmann::json told = finding_json(finding, at);
        const bool white = at.turn() == chess::Color::white;
        CHECK(told["lines"][0]["score"]["cp"] == (white ? 31 : -31));
        CHECK(told["running"]["bound"] == (white ? "lower" : "upper"));
        const SeatFinding read = read_finding(told, at);
        CHECK(read.lines == finding.lines);
        CHECK(read.running->line == finding.running->line);
        CHECK(read.running->depth == 9);
        CHECK(read.running->final);
        CHECK_FALSE(read.stored);
        CHECK(read.problem == "none");
        CHECK(read.settled == 2);
        CHECK(finding_json(read, at) == told);
    }
    CHECK_THROWS(read_finding({{"ready", 1}}, start));
}
