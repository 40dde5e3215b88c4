// Games, comments, tags and words that are too long: refused where they begin, and the rest is
// read.
#include "pgn_log.hpp"

#include "base/line_reader.hpp"
#include "chess/pgn.hpp"
#include "chess/position_text.hpp"
#include "test.hpp"

using namespace adjourn::chess;

namespace {

std::string repeated(const std::string& text, std::size_t count) {
    std::string all;
    all.reserve(text.size() * count);
    for (std::size_t i = 0; i < count; ++i) {
        all += text;
    }
    return all;
}

struct LimitLog : PgnVisitor {
    std::vector<std::string> errors;
    std::size_t longest = 0;
    std::size_t games = 0;
    std::size_t moves = 0;

    void begin_game() override { ++games; }
    void tag(std::string_view, std::string_view value) override { see(value); }
    void comment(std::string_view text) override { see(text); }
    void move(const Position&, Move) override { ++moves; }
    void error(const PgnError& error) override { errors.push_back(to_text(error)); }
    void see(std::string_view text) { longest = std::max(longest, text.size()); }
};

LimitLog limit_log(const std::string& text) {
    std::istringstream in{text};
    PgnReader reader{in};
    LimitLog log;
    while (reader.read_game(log)) {
    }
    PgnReader again{std::string_view{text}};
    LimitLog same;
    while (again.read_game(same)) {
    }
    CHECK(same.errors == log.errors);
    CHECK(same.moves == log.moves);
    return log;
}

const std::string next_game = "\n\n[Event \"B\"]\n\n1. d4 d5 *\n";
const std::string too_long(adjourn::base::longest_text + 1, 'a');
const std::string just_right(adjourn::base::longest_text, 'a');

std::vector<PgnParts::Part> parts_of(const std::string& text, std::size_t size) {
    std::istringstream in{text};
    PgnParts parts{in, size};
    std::vector<PgnParts::Part> all;
    std::size_t lines = 0;
    while (auto part = parts.next()) {
        CHECK(part->lines_before == lines);
        lines += part->lines;
        CHECK(part->text.size() <= PgnParts::longest_game);
        all.push_back(std::move(*part));
    }
    CHECK(lines == static_cast<std::size_t>(std::ranges::count(text, '\n')));
    return all;
}

} // namespace

TEST_CASE("pgn: 1 MiB of a comment, a tag or a word are taken, and not a byte more", "[chess]") {
    for (const auto& [before, behind] : {std::pair{"1. e4 {", "} e5 *"},
                                         {"1. e4 ;", "\ne5 *"},
                                         {"{", "}\n1. e4 e5 *"},
                                         {"[A \"a\"]\n{", "}\n1. e4 e5 *"},
                                         {"1. e4 ", " e5 *"}}) {
        INFO(before);
        const LimitLog fine = limit_log(before + just_right + behind + next_game);
        const LimitLog bad = limit_log(before + too_long + behind + next_game);
        CHECK(bad.errors.size() == 1);
        CHECK(bad.errors.front().find(" is longer than 1 MiB") != std::string::npos);
        CHECK(bad.longest <= just_right.size());
        CHECK(fine.errors.size() == (std::string_view{behind} == " e5 *" ? 1 : 0)); // no move
        CHECK(
            (fine.errors.empty() || fine.errors.front().find("longer than") == std::string::npos));
        CHECK(bad.games >= 2);
    }
    const std::size_t quotes = std::string{"[A \"\"]"}.size();
    const std::string value = just_right.substr(quotes);
    CHECK(limit_log("[A \"" + value + "\"]\n\n1. e4 *" + next_game).errors.empty());
    CHECK(limit_log("[A \"" + value + "a\"]\n\n1. e4 *" + next_game).errors ==
          std::vector<std::string>{"game 1, line 1: column 1: the tag is longer than 1 MiB"});
}

TEST_CASE("pgn: a game with too many tags or plies is refused with its place", "[chess]") {
    const LimitLog tags =
        limit_log(repeated("[A \"a\"]\n", 1'000) + "  [B \"b\"]\n1. e4 *" + next_game);
    CHECK(tags.errors ==
          std::vector<std::string>{"game 1, line 1001: column 3: the game has more than 1000 tags, "
                                   "or more than 1 MiB of them"});
    CHECK(tags.moves == 2);
    const LimitLog long_tags = limit_log(repeated("[A \"" + just_right.substr(1'000) + "\"]\n", 2) +
                                         "1. e4 *" + next_game);
    REQUIRE(long_tags.errors.size() == 1);
    CHECK(long_tags.errors.front().starts_with("game 1, line 2: column 1: the game has more"));
    const LimitLog plies = limit_log(repeated("Nf3 Nf6 Ng1 Ng8 ", 7'000) + "*" + next_game);
    CHECK(plies.errors == std::vector<std::string>{"game 1, line 1: column 100001: a line of more "
                                                   "than 25000 plies"});
    CHECK(plies.moves == 25'002);
}

TEST_CASE("pgn: what stands on one line is looked through once", "[chess]") {
    CHECK(limit_log(repeated("[ ]", 1'000'000) + next_game).games == 1);
    CHECK(limit_log(repeated("[A \"a\"] ", 200'000) + "1. e4 *" + next_game).games == 2);
    CHECK(limit_log("1. e4 {" + repeated("{", 300'000) + repeated("}", 300'001) + " *").games == 1);
    CHECK_FALSE(parse_position_text("http://" + repeated("/", 1'000'000)));
    CHECK_FALSE(parse_position_text(repeated("\xe2\x80\x8b", 300'000)));
}

TEST_CASE("pgn parts: whole games, with the lines before them", "[chess]") {
    const std::string game = "[Event \"A\"]\n[White \"B\"]\n\n1. e4 e5 *\n\n";
    const auto parts = parts_of(repeated(game, 100), 300);
    CHECK(parts.size() > 5);
    std::string all;
    for (const auto& part : parts) {
        CHECK(part.text.starts_with("[Event \"A\"]"));
        all += part.text;
    }
    CHECK(all == repeated(game, 100));
}

TEST_CASE("pgn parts: a game that is too long is left out, the others are not", "[chess]") {
    const std::string game = "[Event \"A\"]\n\n1. e4 e5 *\n\n";
    const std::string long_game =
        "\n[Event \"L\"]\n\n{" + repeated("a\n", PgnParts::longest_game / 2) + "} *\n\n";
    for (const std::size_t size : {std::size_t{1} << 16, std::size_t{4} << 20}) {
        const auto parts = parts_of(game + long_game + game + game, size);
        std::string taken;
        std::size_t left_out = 0;
        for (const auto& part : parts) {
            taken += part.text;
            left_out += part.left_out ? 1 : 0;
            CHECK((!part.left_out || *part.left_out == 6));
        }
        CHECK(left_out == 1);
        CHECK(limit_log(taken).games == 3);
        const auto at_end = parts_of(game + long_game, size);
        REQUIRE_FALSE(at_end.empty());
        CHECK(at_end.back().left_out == 6);
    }
}

TEST_CASE("pgn parts: games without titles are told apart where there are too many for one part",
          "[chess]") {
    for (const std::string& game :
         {std::string{"1. e4 e5 1-0\n"}, {"[White \"A\"]\n\n1. e4 e5\n\n"}}) {
        const std::size_t count = PgnParts::longest_game / game.size() * 2;
        std::size_t games = 0;
        for (const auto& part : parts_of(repeated(game, count), std::size_t{4} << 20)) {
            CHECK_FALSE(part.left_out);
            games += limit_log(part.text.substr(0, 100 * game.size())).games;
            CHECK(part.text.size() % game.size() == 0);
        }
        CHECK(games >= 200);
    }
}
