// The PGN writer: what it writes reads back.
#include "pgn_log.hpp"

#include "chess/game_reader.hpp"
#include "chess/pgn_writer.hpp"
#include "random_game.hpp"
#include "test.hpp"

using namespace adjourn::chess;
using namespace adjourn::chess::testing;

namespace {

AnnotatedGame game_of_line(const std::string& line, const std::vector<PgnTag>& tags = {},
                           const Position& start = Position::initial()) {
    AnnotatedGame game = new_game(start, tags);
    const auto moves = parse_line(start, line);
    REQUIRE(moves);
    game.moves.assign(moves->begin(), moves->end());
    return game;
}

// With a comment behind the first move.
AnnotatedGame commented(const std::string& line, const std::string& comment) {
    AnnotatedGame game = game_of_line(line);
    game.moves.insert(game.moves.begin() + 1, PgnComment::of(comment));
    return game;
}

std::string movetext(const AnnotatedGame& game) {
    const std::string pgn = to_pgn(game);
    return pgn.substr(pgn.find("\n\n") + 2);
}

std::size_t longest_line(const std::string& text) {
    std::size_t longest = 0;
    for (const std::string& line : lines_of(text)) {
        longest = std::max(longest, line.size());
    }
    return longest;
}

} // namespace

TEST_CASE("pgn writer: the seven tags, then the others", "[chess]") {
    AnnotatedGame game = new_game(Position::initial(),
                                  {{"ECO", "A00"},
                                   {"Annotator", "me"},
                                   {"White", "Carlsen"},
                                   {"Result", "0-1"},
                                   {"SetUp", "0"}},
                                  "1-0");
    game.moves = game_of_line("e4").moves;
    CHECK(to_pgn(game) == "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n"
                          "[White \"Carlsen\"]\n[Black \"?\"]\n[Result \"1-0\"]\n"
                          "[Annotator \"me\"]\n[ECO \"A00\"]\n\n1. e4 1-0\n");
    CHECK(tag_value(game.tags, "White") == "Carlsen");
    CHECK(tag_value(game.tags, "Round of 16").empty());
}

TEST_CASE("pgn writer: another start needs SetUp and FEN", "[chess]") {
    const std::string pgn =
        to_pgn(game_of_line("Kd7 O-O", {}, position("4k3/8/8/8/8/8/8/4K2R b K - 3 17")));
    CHECK(pgn.find("[FEN \"4k3/8/8/8/8/8/8/4K2R b K - 3 17\"]\n[SetUp \"1\"]\n\n"
                   "17... Kd7 18. O-O *\n") != std::string::npos);
    CHECK(pgn.find("Variant") == std::string::npos);
    CHECK(to_pgn(game_of_line("O-O-O", {}, position("1k2r3/8/8/8/8/8/8/R2K3R w AHe - 0 1")))
              .find("[SetUp \"1\"]\n[Variant \"Chess960\"]\n") != std::string::npos);
}

TEST_CASE("pgn writer: tag values are escaped", "[chess]") {
    const AnnotatedGame written = game_of_line("", {{"White", "a \"b\" \\ c\n"}});
    CHECK(to_pgn(written).find("[White \"a \\\"b\\\" \\\\ c \"]\n") != std::string::npos);
    const AnnotatedGame game = read_games(to_pgn(written)).games.at(0);
    CHECK(std::ranges::count(game.tags, PgnTag{"White", "a \"b\" \\ c "}) == 1);
}

TEST_CASE("pgn writer: lines stay below 80 columns and at word ends", "[chess]") {
    const std::string line = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Nb8 d4";
    CHECK(longest_line(movetext(game_of_line(line))) <= 79);
    CHECK(lines_of(movetext(game_of_line(line))).size() == 2);
    for (std::size_t length = 60; length < 100; ++length) {
        CHECK(longest_line(movetext(commented(line, std::string(length, 'x')))) <=
              std::max<std::size_t>(79, length + 2));
    }
    std::string comment;
    for (int i = 0; i < 60; ++i) {
        comment += "words and words %";
    }
    const std::string text = movetext(commented(line, comment));
    CHECK(longest_line(text) <= 79);
    for (const std::string& each : lines_of(text)) {
        CHECK_FALSE(each.starts_with('%'));
        CHECK_FALSE(each.ends_with(' '));
    }
}

TEST_CASE("pgn writer: a command in a comment is not broken", "[chess]") {
    for (std::size_t length = 40; length < 80; ++length) {
        CHECK(to_pgn(commented("e4 e5", std::string(length, 'x') + " [%eval 0.23] d20"))
                  .find("[%eval 0.23]") != std::string::npos);
    }
}

TEST_CASE("pgn writer: what an export adds is told, and is gone without a trace", "[chess]") {
    CHECK(exported_comment(std::nullopt, "[%eval 0.23,18] idea +0.33").text ==
          "[%adj engine] [%eval 0.23,18] idea +0.33");
    CHECK(exported_comment(6, "").text == "[%adj engine,$6]");
    CHECK(is_exported("[%adj engine] x"));
    for (const char* text : {"", "x [%adj engine]", "[%eval 0.23]", "[%adjourn x]", "[%adj"}) {
        CHECK_FALSE(is_exported(text));
    }
    const AnnotatedGame own =
        read_games("1. e4 {mine} (1. d4 $6 d5) e5 ! $6 {[%clk 0:01]} *").games[0];
    AnnotatedGame game = own;
    const auto insert = [&](std::size_t at, GameToken token) {
        game.moves.insert(game.moves.begin() + static_cast<std::ptrdiff_t>(at), std::move(token));
    };
    insert(game.moves.size(), exported_comment(2, "[%eval 0.23]")); // e5 ! $6 {…} $2 {[%adj …]}
    insert(game.moves.size() - 1, PgnNag{2, false});
    insert(2, exported_comment(std::nullopt, "x")); // e4 {mine} {[%adj …]}
    insert(0, exported_comment(std::nullopt, "before"));
    require_stable({game});
    CHECK_FALSE(game == own);
    remove_exported(game);
    CHECK(game == own);
    game.moves.insert(game.moves.end() - 1, exported_comment(6, "")); // names the person's
    remove_exported(game);
    CHECK(std::ranges::count(game.moves, GameToken{PgnNag{6, false}}) == 1);
}
