// What engines need to speak UCI: time by the clock, scores as text.
#include "chess/uci/command.hpp"
#include "test.hpp"

using namespace adjourn::chess::uci;
using std::chrono::milliseconds;
using Limits = std::optional<int>;

TEST_CASE("uci time: never more than the clock, whatever it shows") {
    for (const std::int64_t left : {0, 1, 20, 31, 100, 1'000, 60'000, 7'200'000}) {
        for (const std::int64_t increment : {0, 10, 100, 30'000}) {
            for (const Limits moves :
                 {Limits{}, Limits{1}, Limits{2}, Limits{40}, Limits{10'000}}) {
                INFO(left << "+" << increment << " to go " << moves.value_or(0));
                const Allotment allotment =
                    allot({milliseconds{left}, milliseconds{increment}}, moves, milliseconds{30});
                CHECK(allotment.optimum >= milliseconds{1});
                CHECK(allotment.optimum <= allotment.maximum);
                CHECK(allotment.maximum <= std::max(milliseconds{1}, milliseconds{left - 30}));
            }
        }
    }
}

TEST_CASE("uci time: a whole game without increment never runs out") {
    milliseconds left{1'000};
    for (int move = 0; move < 300; ++move) {
        const Allotment allotment = allot({left, milliseconds{0}}, std::nullopt, milliseconds{0});
        if (left > milliseconds{3}) {
            REQUIRE(allotment.maximum < left);
        }
        left -= std::min(left, allotment.maximum);
    }
}

TEST_CASE("uci time: more time, more thought; the last move before the control takes most") {
    const auto optimum = [](std::int64_t left, std::int64_t increment, Limits moves) {
        return allot({milliseconds{left}, milliseconds{increment}}, moves, milliseconds{10})
            .optimum;
    };
    CHECK(optimum(60'000, 0, {}) > optimum(30'000, 0, {}));
    CHECK(optimum(60'000, 1'000, {}) > optimum(60'000, 0, {}));
    CHECK(optimum(60'000, 0, 1) > milliseconds{40'000});
    CHECK(optimum(60'000, 0, 2) < milliseconds{25'000});
    CHECK(allot(milliseconds{1'000}, milliseconds{30}).maximum == milliseconds{970});
    CHECK(allot(milliseconds{40}, milliseconds{30}).maximum == milliseconds{20});
    CHECK(allot(milliseconds{0}, milliseconds{30}).maximum == milliseconds{1});
}

TEST_CASE("uci time: enough when stable at the optimum, or at the maximum") {
    const Allotment allotment{milliseconds{100}, milliseconds{250}};
    CHECK_FALSE(enough(allotment, milliseconds{99}, milliseconds{0}));
    CHECK(enough(allotment, milliseconds{100}, milliseconds{50}));
    CHECK_FALSE(enough(allotment, milliseconds{100}, milliseconds{60}));
    CHECK(enough(allotment, milliseconds{120}, milliseconds{60}));
    CHECK(enough(allotment, milliseconds{250}, milliseconds{249}));
}

TEST_CASE("uci report: scores from the side to move") {
    CHECK(score_text(chess::Score::cp(-23)) == "cp -23");
    CHECK(score_text(chess::Score::mate_in(1)) == "mate 1");
    CHECK(score_text(chess::Score::mate_in(5)) == "mate 3");
    CHECK(score_text(chess::Score::mated_in(0)) == "mate 0");
    CHECK(score_text(chess::Score::mated_in(4)) == "mate -2");
    CHECK(score_text(chess::Score::tablebase(chess::Wdl::win, 12)) == "cp 19988");
    CHECK(score_text(chess::Score::tablebase(chess::Wdl::loss, 12)) == "cp -19988");
    CHECK(score_text(chess::Score::tablebase(chess::Wdl::cursed_win, 12)) == "cp 0");
}

TEST_CASE("uci report: info and bestmove lines") {
    const chess::Position at = *chess::Position::from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    const chess::Move castles = *chess::parse_uci(at, "e1g1");
    const chess::Move reply = *chess::parse_uci(at.after(castles), "e8c8");
    Report report;
    report.depth = 2;
    report.lines = {{chess::Score::cp(15), {castles, reply}}, {chess::Score::cp(-3), {castles}}};
    report.nodes = 3'000;
    report.time = milliseconds{1'500};
    const auto lines = info_lines(report, at, chess::CastlingStyle::standard);
    REQUIRE(lines.size() == 2);
    CHECK(lines[0] == "info depth 2 seldepth 2 multipv 1 score cp 15 nodes 3000 nps 2000 time 1500 "
                      "pv e1g1 e8c8");
    CHECK(lines[1].find(" multipv 2 score cp -3 ") != std::string::npos);
    CHECK(info_lines(report, at, chess::CastlingStyle::king_rook)[0].ends_with("pv e1h1 e8a8"));
    report.longest = 7;
    report.hashfull = 12;
    report.lines[0].bound = chess::Bound::lower;
    report.lines[0].wdl = {{500, 400, 100}};
    CHECK(info_lines(report, at, chess::CastlingStyle::standard)[0] ==
          "info depth 2 seldepth 7 multipv 1 score cp 15 lowerbound wdl 500 400 100 nodes 3000 nps "
          "2000 hashfull 12 time 1500 pv e1g1 e8c8");
    report.lines[1].depth = 1;
    CHECK(info_lines(report, at, chess::CastlingStyle::standard)[1].starts_with(
        "info depth 1 seldepth 7 multipv 2 "));
    report.lines.clear();
    report.longest = 0;
    report.hashfull.reset();
    CHECK(info_lines(report, at, chess::CastlingStyle::standard) ==
          std::vector<std::string>{"info depth 2 seldepth 2 nodes 3000 nps 2000 time 1500"});
    CHECK(bestmove_line(at, {castles, reply}, chess::CastlingStyle::king_rook) ==
          "bestmove e1h1 ponder e8a8");
    CHECK(bestmove_line(at, {castles}, chess::CastlingStyle::standard) == "bestmove e1g1");
    CHECK(bestmove_line(at, {}, chess::CastlingStyle::standard) == "bestmove (none)");
    CHECK(info_string("two\nlines\x01") == "info string two lines ");
}
