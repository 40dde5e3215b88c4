// EPD records: reading what files have, writing what reads back.
#include "support.hpp"

#include "chess/epd.hpp"
#include "test.hpp"

using namespace adjourn::chess;
using namespace adjourn::chess::testing;

namespace {

const std::string start_position = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

EpdRecord record(const std::string& line) {
    const auto result = parse_epd(line);
    INFO(line << ": " << (result ? "" : result.error()));
    REQUIRE(result);
    return *result;
}

EpdVerdict verdict(const std::string& operations, const std::string& fen = start_position) {
    const auto result = verdict_of(record(fen + " " + operations));
    INFO(operations << ": " << (result ? "" : result.error()));
    REQUIRE(result);
    return *result;
}

std::string epd_error(const std::string& line) {
    const auto result = parse_epd(line);
    if (!result) {
        return result.error();
    }
    const auto said = verdict_of(*result);
    REQUIRE_FALSE(said);
    return said.error();
}

} // namespace

TEST_CASE("epd: operations with words, numbers and quoted texts", "[chess]") {
    const EpdRecord read =
        record(start_position + " bm e4 Nf3; ce 23; id \"a; b\"; c0 \"\"; noop; x-y_1 two words;");
    CHECK(read.position == Position::initial());
    const std::vector<EpdOperation> expected{{"bm", {"e4", "Nf3"}}, {"ce", {"23"}},
                                             {"id", {"a; b"}},      {"c0", {""}},
                                             {"noop", {}},          {"x-y_1", {"two", "words"}}};
    CHECK(read.operations == expected);
    CHECK(read.find("ce") == &read.operations[1]);
    CHECK(read.find("dm") == nullptr);
}

TEST_CASE("epd: as sloppy as files are", "[chess]") {
    CHECK(record(start_position).operations.empty());
    CHECK(record(start_position + " ; bm e4; id LCTII.POS.01 ").operations.size() == 2);
    CHECK(record("\xef\xbb\xbf" + start_position + " bm e4\r\n").operations.size() == 1);
    CHECK(record(start_position + " 0 1 bm e4 dm 26").find("dm")->operands.front() == "26");
    CHECK(record(start_position + " bm e4;;; 17 free text; ce 1").operations.size() == 2);
    CHECK(record(start_position + " id \"unclosed; text").find("id")->operands.front() ==
          "unclosed; text");
    CHECK(record(start_position + " c0 \"Caf\xe9\";").find("c0")->operands.front() ==
          "Caf\xc3\xa9");
    CHECK(record("8/2k5/8/8/8/8/5K2/4Q3 w - -; am Qe4 + ? ; c1 diff=10").operations.size() == 2);
    CHECK(record(start_position + "\tbm\te4;").operations.size() == 1);
    CHECK(record(start_position + "0 7 bm e4;").position.fen().ends_with(" 0 7"));
    CHECK(verdict("bm f8 = Q +; ", "8/5P2/8/8/8/1k6/8/1K6 w - -").best.size() == 1);
    CHECK(verdict("acn 12 acd ; ce 3;").nodes == 12U);
    CHECK(verdict("bm e4, Nf3;").best.size() == 2);
    CHECK(verdict("bm Nf3 +\xa0 ").best.size() == 1); // a no-break space of Latin-1
    CHECK(verdict(std::string{"bm Nf3 \0", 8}).best.size() == 1);
}

TEST_CASE("epd: clocks from the FEN's fields and from hmvc and fmvn", "[chess]") {
    CHECK(record(start_position + " 7 12 bm e4;").position.fen().ends_with(" 7 12"));
    CHECK(record(start_position + " hmvc 7; bm e4; fmvn 12;").position.fen().ends_with(" 7 12"));
    CHECK(record(start_position + " hmvc 7; bm e4; fmvn 12;").operations.size() == 1);
    CHECK(to_epd(record(start_position + " 7 12 bm e4;")) ==
          start_position + " hmvc 7; fmvn 12; bm e4;");
}

TEST_CASE("epd: comments and blank lines are no records", "[chess]") {
    for (const char* line :
         {"", " \t\r\n", "# text", "  # text", "; text", "// text", "\xef\xbb\xbf"}) {
        CHECK(is_epd_comment(line));
    }
    CHECK_FALSE(is_epd_comment(start_position));
}

TEST_CASE("epd: refusals name the field or the operation", "[chess]") {
    CHECK(epd_error("startpos").starts_with("position: "));
    CHECK(epd_error("8/8/8/8/8/8/8/8 w - - bm e4;").starts_with("placement: "));
    CHECK(epd_error(start_position + " hmvc x;") == "hmvc and fmvn need a number each");
    CHECK(epd_error(start_position + " bm e5;").starts_with("bm: 'e5'"));
    CHECK(epd_error(start_position + " pv e4 e4;").starts_with("pv: 'e4'"));
    CHECK(epd_error(start_position + " ce 40000;") ==
          "ce: 40000 is neither within 29,753 nor a mate in 246 moves or fewer");
    CHECK(epd_error(start_position + " ce x;") == "ce: one number is wanted");
    CHECK(epd_error(start_position + " acd 1 2;") == "acd: one number is wanted");
    for (const char* number : {"-2147483648", "x", "247", "-247", "3 4"}) {
        CHECK(epd_error(start_position + " dm " + number + ";") ==
              "dm: a number of moves is wanted, at most 246");
    }
    CHECK(epd_error(start_position + " bm #x;") ==
          "bm: a number of moves is wanted after '#', at most 246");
}

TEST_CASE("epd: scores and depths of others are held to what engines may say", "[chess]") {
    for (const char* ce : {"29754", "30000", "31999", "32275", "-30000", "-32274", "-2147483648"}) {
        INFO(ce);
        CHECK(epd_error(start_position + " ce " + ce + ";").starts_with("ce: "));
    }
    CHECK(verdict("ce 29753;").score == Score::cp(29'753));
    CHECK(verdict("ce -29753;").score == Score::cp(-29'753));
    CHECK(verdict("ce 32276;").score == Score::mate_in(491));
    CHECK(verdict("ce -32275;").score == Score::mated_in(492));
    CHECK(verdict("dm 246;").score == Score::mate_in(491));
    CHECK(verdict("dm -246;").score == Score::mated_in(492));
    CHECK(epd_error(start_position + " bm #300;").starts_with("bm: "));
    for (const char* depth : {"999", "246", "-1"}) {
        CHECK(epd_error(start_position + " acd " + depth + ";") ==
              "acd: a depth of 0 to 245 is wanted");
    }
    CHECK(verdict("acd 245;").depth == 245);
}

namespace {

using Told = std::vector<std::string>;

Told told(const std::string& operations) {
    Told texts;
    for (const EpdNote& note : record(start_position + " " + operations).told) {
        texts.push_back(to_text(note));
    }
    return texts;
}

} // namespace

TEST_CASE("epd: where no opcode can be, words are left out and told", "[chess]") {
    CHECK(verdict("- bm e4;").best.size() == 1);
    CHECK(told("- bm e4;") == Told{"column 54: '-' is left out: it has no opcode"});
    CHECK(verdict("- - - bm e4; ce 5;").best.size() == 1);
    CHECK(verdict("0 1 7 bm e4; ce 5;").score == Score::cp(5));
    CHECK(told("0 1 7 bm e4;") == Told{"column 58: '7' is left out: it has no opcode"});
    CHECK(told("99999 1 bm e4;") == Told{"column 54: '99999 1' is left out: it has no opcode"});
    CHECK(told("\"x\" bm e4;") == Told{"column 54: '\"x\"' is left out: it has no opcode"});
    CHECK(told("bm e4; 17 free text; ce 1;") ==
          Told{"column 61: '17 free text' is left out: it has no opcode"});
    CHECK(told("bm e4; ce 1; c4 \"x\"; noop;").empty());
}

TEST_CASE("epd: where a semicolon is missing, the next operation is read", "[chess]") {
    const std::vector<EpdOperation> expected{{"c0", {"x"}}, {"bm", {"e4"}}, {"id", {"y"}}};
    CHECK(record(start_position + " c0 \"x\" bm e4; id \"y\";").operations == expected);
    CHECK(record(start_position + " c0 \"x\" bm e4 id \"y\"").operations == expected);
    CHECK(record(start_position + " c0 \"x\"bm e4 id \"y\"").operations == expected);
    CHECK(record(start_position + " bm e4 c0 \"x\";").operations ==
          std::vector<EpdOperation>{{"bm", {"e4"}}, {"c0", {"x"}}});
    CHECK(record(start_position + " bm c4 c3 \"x\" c1 \"y\";").operations ==
          std::vector<EpdOperation>{{"bm", {"c4"}}, {"c3", {"x"}}, {"c1", {"y"}}});
    CHECK(verdict("bm c4 c3;").best.size() == 2);
    CHECK(verdict("id \"x\" ce 12;").score == Score::cp(12));
    CHECK(verdict("id WAC.001 bm e4; ce 3;").best.size() == 1);
    CHECK(verdict("rc 5 bm e4 acd 3 id \"x\";").depth == 3);
    // Words of a text without quotes stay words, and that is told.
    CHECK(record(start_position + " c0 I am here;").find("c0")->operands.size() == 3);
    CHECK(told("c0 I am here;") == Told{"column 59: 'am' is read as a word of c0"});
}

TEST_CASE("epd: a quoted text that is not closed ends before the next operation", "[chess]") {
    CHECK(verdict("id \"x; bm e4; ce 5;").best.size() == 1);
    CHECK(verdict("id \"x; bm e4; ce 5;").id == "x");
    CHECK(told("id \"x; bm e4;") == Told{"column 57: the quoted text is not closed"});
    CHECK(told("id \"x; y") == Told{"column 57: the quoted text is not closed"});
    CHECK(told("bm e4; id \"x; c0 \"y\";").size() == 1);
}

TEST_CASE("epd: what is said twice counts once and is told; moves all count", "[chess]") {
    CHECK(verdict("bm e4; bm d4 Nf3; ce 3;").best.size() == 3);
    CHECK(verdict("ce 3; ce 4;").score == Score::cp(3));
    CHECK(told("ce 3; ce 4;") == Told{"column 60: 'ce 4' is left out: it is there before"});
    CHECK(told("hmvc 3; hmvc 4; id \"a\"; id \"b\"; pv e4; pv d4;").size() == 3);
    CHECK(record(start_position + " c0 \"a\"; c0 \"b\";").operations.size() == 2);
}

TEST_CASE("epd: what is said of the best play", "[chess]") {
    const EpdVerdict said =
        verdict("acd 12; acn 20439; acs 3; bm e4! 1.Nf3; am h4?; ce \"+23\"; id 7; pv 1. e4 e5;");
    CHECK(said.depth == 12);
    CHECK(said.nodes == 20'439U);
    CHECK(said.seconds == 3U);
    CHECK(said.score == Score::cp(23));
    CHECK(said.id == "7");
    CHECK(said.best.size() == 2);
    CHECK(said.avoid == std::vector<Move>{move(Position::initial(), "h2h4")});
    REQUIRE(said.pv.size() == 2);
    CHECK(said.pv[0] == move(Position::initial(), "e2e4"));
    CHECK(verdict("noop;") == EpdVerdict{});
    const Position start = Position::initial();
    CHECK(verdict_of(record(to_epd({start, operations_of(start, said)}))) == said);
}

TEST_CASE("epd: mates by dm, ce and bm #n", "[chess]") {
    CHECK(verdict("dm 3;").score == Score::mate_in(5));
    CHECK(verdict("dm -3;").score == Score::mated_in(6));
    CHECK(verdict("ce 32764; dm 2;").score == Score::mate_in(3));
    CHECK(verdict("ce 32764;").score == Score::mate_in(3));
    CHECK(verdict("ce -32755;").score == Score::mated_in(12));
    CHECK(verdict("bm #-10;").score == Score::mated_in(20));
    CHECK(verdict("bm #-10;").best.empty());
    CHECK(verdict("bm e4 dm 26").score == Score::mate_in(51));
}

TEST_CASE("epd: ce and back", "[chess]") {
    for (const Score score : {Score::cp(0), Score::cp(-417), Score::cp(29'753), Score::mate_in(1),
                              Score::mate_in(401), Score::mated_in(0), Score::mated_in(36)}) {
        CHECK(score_of_ce(to_ce(score)) == score);
    }
    CHECK(to_ce(Score::cp(90'000)) == 29'753);
    CHECK(to_ce(Score::tablebase(Wdl::win, 12)) == 19'988);
    CHECK(to_ce(Score::tablebase(Wdl::loss, 12)) == -19'988);
    CHECK(to_ce(Score::tablebase(Wdl::cursed_win, 120)) == 0);
    CHECK_FALSE(score_of_ce(32'768));
}

TEST_CASE("epd: written records read back", "[chess]") {
    const EpdRecord original =
        record(start_position +
               " bm e4; id \"it's; \"; c0 \"\"; c1 plain; text \"two words\"; bm \"pv\";");
    const EpdRecord again = record(to_epd(original));
    CHECK(again.operations == original.operations);
    CHECK(to_epd({Position::initial(), {{"id", {"say \"x\"\n"}}}}) ==
          start_position + " id \"say 'x' \";");
}

TEST_CASE("epd: quotes and backslashes in texts, as python-chess writes them", "[chess]") {
    const auto id = [](const std::string& text) {
        return record(start_position + " id " + text + "; c0 \"next\";").operations;
    };
    const auto said = [](const std::string& text) {
        return std::vector<EpdOperation>{{"id", {text}}, {"c0", {"next"}}};
    };
    CHECK(id(R"("say \"hi\"; yes")") == said(R"(say "hi"; yes)"));
    CHECK(id(R"("C:\\tests\\")") == said(R"(C:\tests\)"));
    CHECK(id(R"("C:\tests")") == said(R"(C:\tests)"));
    CHECK(record(start_position + R"( id "C:\tests\";)").find("id")->operands.front() ==
          R"(C:\tests\)");
    const EpdRecord path{Position::initial(), {{"id", {R"(C:\a "b"\)"}}, {"c0", {"next"}}}};
    CHECK(to_epd(path) == start_position + R"( id "C:\\a 'b'\\"; c0 "next";)");
    CHECK(record(to_epd(path)).find("c0") != nullptr);
}

TEST_CASE("epd: moves as people write them", "[chess]") {
    CHECK(verdict("bm e4,d4;").best.size() == 2);
    CHECK(verdict("pv 1.e4 e5 $1 2.Nf3,Nc6 *;").pv.size() == 4);
    CHECK(verdict("pv e4+= e5 1-0;").pv.size() == 2);
    const std::string pawn = "4k3/P7/8/8/8/8/8/4K3 w - -";
    for (const char* move : {"a8=Q+", "a8 = Q", "a8 =Q", "a8= Q+", "a8(Q)", "a8Q"}) {
        INFO(move);
        CHECK(verdict(std::string{"bm "} + move + "; ce 5;", pawn).best.size() == 1);
    }
    CHECK(epd_error(start_position + " bm e4 or d4;") == "bm: 'or' is not a move");
    CHECK(verdict("acs 1.6; bm e4;").seconds == 2);
    CHECK(epd_error(start_position + " acs -1;") == "acs: a number of seconds is wanted");
}
