#include "engine_bridge/process/uci.hpp"
#include "test.hpp"

namespace uci = adjourn::engine_bridge::uci;
using adjourn::chess::Bound;
using adjourn::chess::Score;
using adjourn::chess::Wdl;

namespace {

uci::Info info(std::string_view line) {
    const uci::Line parsed = uci::parse(line);
    REQUIRE(std::holds_alternative<uci::Info>(parsed));
    return std::get<uci::Info>(parsed);
}

uci::Option option(std::string_view line) {
    const uci::Line parsed = uci::parse(line);
    REQUIRE(std::holds_alternative<uci::Option>(parsed));
    return std::get<uci::Option>(parsed);
}

bool is_other(std::string_view line) {
    return std::holds_alternative<uci::Other>(uci::parse(line));
}

} // namespace

TEST_CASE("pitfall 10: whole tokens count, everything else is ignored") {
    CHECK(std::holds_alternative<uci::UciOk>(uci::parse("uciok")));
    CHECK(std::holds_alternative<uci::UciOk>(uci::parse("  uciok \r")));
    CHECK(std::holds_alternative<uci::ReadyOk>(uci::parse("\treadyok")));
    for (const std::string_view line :
         {"", "   ", "uciokay", "0readyok", "readyok1", "UCIOK", "information depth 3",
          "bestmovee2e4", "No such option: X", "Stockfish 15.1 by the Stockfish developers", "id",
          "id version 3", "Loading weights file from: uciok", "option", "option name",
          "option name X type", "option name X type funny", "option type check name X",
          "option name type check"}) {
        CAPTURE(line);
        CHECK(is_other(line));
    }
}

TEST_CASE("pitfall 15: option names with blanks and keywords, values of several words") {
    using Type = uci::Option::Type;
    CHECK(option("option name Clear Hash type button") ==
          uci::Option{"Clear Hash", Type::button, {}, {}, {}, {}});
    CHECK(option("option name min name type max type spin default 3 min -1 max 9") ==
          uci::Option{"min name type max", Type::spin, "3", -1, 9, {}});
    CHECK(option("option name Mobility  (Middle Game) type spin default 100 min 0 max 200").name ==
          "Mobility  (Middle Game)");
    CHECK(option("option name NullMove Pruning type combo default Fail High var Always "
                 "var Fail  High var Never") == uci::Option{"NullMove Pruning",
                                                            Type::combo,
                                                            "Fail High",
                                                            {},
                                                            {},
                                                            {"Always", "Fail  High", "Never"}});
    CHECK(option("option name Book File type file default <empty>").type == Type::string);
}

TEST_CASE("pitfall 16: defaults and ranges may be missing, empty or odd") {
    CHECK(option("option name Debug Log File type string default ").initial == "");
    CHECK(option("option name SyzygyPath type string default <empty>").initial == "");
    CHECK(option("option name A type string").initial == std::nullopt);
    CHECK(option("option name Path type string default /a b/min 3 max c ").initial ==
          "/a b/min 3 max c");
    const uci::Option bare = option("option name S type spin");
    CHECK(bare.min == std::nullopt);
    CHECK(bare.max == std::nullopt);
    const uci::Option fractional = option("option name F type spin default 0.5 min 0.0 max 1.5");
    CHECK(fractional.initial == "0.5");
    CHECK(fractional.min == std::nullopt);
    CHECK(fractional.max == std::nullopt);
    CHECK(option("option name H type spin default min 1 max 2").initial == "");
    CHECK(option("option name Hash type spin default 16 min 1 max 33554432").max == 33554432);
}

TEST_CASE("chances are 1,000 in all; what is rounded is made so, other numbers are none") {
    using adjourn::chess::WinDrawLoss;
    const auto wdl = [](const std::string& numbers) {
        return info("info depth 3 score cp 5 wdl " + numbers + " pv e2e4").wdl;
    };
    CHECK(wdl("312 640 48") == WinDrawLoss{312, 640, 48});
    CHECK(wdl("1000 0 0") == WinDrawLoss{1'000, 0, 0});
    CHECK(wdl("333 333 333") == WinDrawLoss{333, 334, 333});
    CHECK(wdl("334 334 333") == WinDrawLoss{334, 333, 333});
    for (const char* none : {"", "312", "312 640", "312 640 x", "312 640 -48", "500 500 500",
                             "2000 -500 -500", "312 640 45", "501 0 501", "1000 0 1"}) {
        CAPTURE(none);
        CHECK_FALSE(wdl(none));
        CHECK(info("info depth 3 score cp 5 wdl " + std::string{none} + " pv e2e4").score);
    }
    CHECK_FALSE(info("info depth 3 score cp 5 pv e2e4").wdl);
}

TEST_CASE("pitfall 25: fields in any order, odd spacing, unknown words, free text") {
    const uci::Info lc0 =
        info("info depth 4  seldepth 6\ttime 8433 nodes 43 score cp 195 nps 5 tbhits 0 "
             "multipv 2 pv e7d8 e5d6\r");
    CHECK(lc0.depth == 4);
    CHECK(lc0.seldepth == 6);
    CHECK(lc0.nodes == 43);
    CHECK(lc0.nps == 5);
    CHECK(lc0.multipv == 2);
    CHECK(lc0.score == uci::RawScore{uci::Centipawns{195}});
    CHECK(lc0.pv == std::vector<std::string_view>{"e7d8", "e5d6"});

    const uci::Info middle = info("info pv e2e4 e7e5 depth 7 fancy 3 score mate -2 wdl 0 1 999");
    CHECK(middle.pv.size() == 2);
    CHECK(middle.depth == 7);
    CHECK(middle.score == uci::RawScore{uci::Mate{-2}});
    CHECK(middle.wdl == adjourn::chess::WinDrawLoss{0, 1, 999});

    const uci::Info text = info("info depth 3 string depth 9 score cp 5 pv a2a3");
    CHECK(text.depth == 3);
    CHECK_FALSE(text.score);
    CHECK(text.pv.empty());
    CHECK_FALSE(info("info string hello").progress);
    CHECK_FALSE(info("info").progress);

    const uci::Info garbage =
        info("info depth x seldepth 5 nodes -3 nps 12k score cp 1.5 multipv pv e2e4");
    CHECK_FALSE(garbage.depth);
    CHECK(garbage.seldepth == 5);
    CHECK_FALSE(garbage.nodes);
    CHECK_FALSE(garbage.nps);
    CHECK_FALSE(garbage.score);
    CHECK(garbage.multipv == 1);
    CHECK(garbage.pv == std::vector<std::string_view>{"e2e4"});

    CHECK(info("info nodes 4603616284472 tbhits 31002107665").nodes == 4603616284472ULL);
    CHECK(info("info currmove e2e4 currmovenumber 4").progress);
    CHECK(info("info refutation d1h5 g6h5 depth 3").depth == 3);
}

TEST_CASE("pitfall 30: mate counts moves, 0 means is mated, nonsense is refused") {
    const auto score = [](int moves) { return uci::to_score(uci::Mate{moves}, false); };
    CHECK(score(1) == Score::mate_in(1));
    CHECK(score(3) == Score::mate_in(5));
    CHECK(score(-1) == Score::mated_in(2));
    CHECK(score(0) == Score::mated_in(0));
    CHECK(score(0)->is_loss());
    CHECK(score(246) == Score::mate_in(491));
    CHECK(score(-246) == Score::mated_in(492));
    for (const int nonsense : {247, -247, 1'000'000, 2'147'483'647, -2'147'483'647 - 1}) {
        CHECK_FALSE(score(nonsense));
    }
    CHECK(info("info depth 0 score mate 0").score == uci::RawScore{uci::Mate{0}});
    CHECK(info("info score mate -0").score == uci::RawScore{uci::Mate{0}});
    CHECK(info("info score cp 50 mate 3").score == uci::RawScore{uci::Mate{3}});
    CHECK(info("info score mate 3 cp 50").score == uci::RawScore{uci::Mate{3}});
}

TEST_CASE("pitfall 31: Stockfish's tablebase scores are a kind of their own") {
    const auto score = [](int cp, bool tables) {
        return uci::to_score(uci::Centipawns{cp}, tables);
    };
    CHECK(score(19'993, true) == Score::tablebase(Wdl::win, 7));
    CHECK(score(-19'988, true) == Score::tablebase(Wdl::loss, 12));
    CHECK(score(19'993, false) == Score::cp(19'993));
    CHECK(score(8'795, true) == Score::cp(8'795));
    CHECK(score(20'001, true) == Score::cp(20'001));
    CHECK(score(29'753, false) == Score::cp(29'753));
    CHECK(score(-29'753, true) == Score::cp(-29'753));
}

TEST_CASE(
    "pitfall 34: mates written as centipawns are mates, and no other number so large is a score") {
    const auto score = [](int cp, bool tables = false) {
        return uci::to_score(uci::Centipawns{cp}, tables);
    };
    for (const int base : {30'000, 32'000, 100'000}) {
        CAPTURE(base);
        CHECK(score(base - 1) == Score::mate_in(1));
        CHECK(score(base - 5) == Score::mate_in(5));
        CHECK(score(base - 245) == Score::mate_in(245));
        CHECK(score(2 - base) == Score::mated_in(2));
        CHECK(score(246 - base) == Score::mated_in(246));
        CHECK_FALSE(score(base - 4));       // who mates, moves last
        CHECK_FALSE(score(3 - base));       // who is mated, does not
        CHECK_FALSE(score(base));           // mates in no ply, which is nobody's move
        CHECK_FALSE(score(-base));          // is mated, in a position with moves
        CHECK_FALSE(score(base - 5, true)); // a table's, perhaps
        CHECK_FALSE(score(base + 1));
    }
    for (const int nonsense : {31'000, 32'767, 50'000, 99'000, 100'001, 999'999, 2'147'483'647}) {
        CAPTURE(nonsense);
        CHECK_FALSE(score(nonsense));
        CHECK_FALSE(score(-nonsense));
    }
    CHECK_FALSE(score(-2'147'483'647 - 1));
    CHECK_FALSE(score(29'754)); // 246 plies to the end, and the other side's move
    CHECK_FALSE(score(-29'755));
}

TEST_CASE("pitfall 35: what is just within its range, or no number at all, is not out of it") {
    for (const std::string_view line :
         {"info depth 1000 seldepth 0 nodes 1000000000000000 time 4294967295 score cp -29753",
          "info depth 0 score mate 0", "info score mate -246", "info nps 99999999999999999999",
          "info nodes many depth x score cp 1.5 time soon", "info string nodes -1",
          "info depth 3 score cp 31995", "info depth 3 score cp 99999 mate 1"}) {
        CAPTURE(line);
        CHECK(info(line).out_of_range.empty());
    }
    CHECK(info("info depth 5 nps 1 hashfull 1000 tbhits 0 score cp 3").odd_counter.empty());
    // The first that is beyond.
    CHECK(info("info depth 1001 score cp 5 pv e2e4").out_of_range == "depth 1001");
    CHECK(info("info score cp -99999999999 pv e2e4").out_of_range == "cp -99999999999");
    CHECK(info("info score mate 247 pv e2e4").out_of_range == "mate 247");
    for (const std::string_view number :
         {"nodes 1000000000000001", "time 4294967296", "hashfull 1001", "seldepth 2147483648"}) {
        CHECK(info("info " + std::string{number} + " score cp 3").odd_counter == number);
    }
}
