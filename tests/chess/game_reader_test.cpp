// Games read token by token: nothing of a file is lost without being told.
#include "random_game.hpp"
#include "shared_data.hpp"

#include "chess/game_reader.hpp"
#include "chess/pgn_writer.hpp"
#include "test.hpp"

#include <nlohmann/json.hpp>

using namespace adjourn::chess;
using namespace adjourn::chess::testing;

namespace {

std::string one_game(const std::string& movetext) {
    return "[Event \"x\"]\n\n" + movetext + "\n";
}

// Movetext that is kept, in one line, and what is told.
struct Kept {
    std::string text;
    std::vector<std::string> notes;
};
Kept kept(const std::string& pgn) {
    const GameFile file = read_games(pgn);
    Kept result;
    if (!file.games.empty()) {
        require_stable(file.games);
        const std::string written = to_pgn(file.games.front());
        result.text = written.substr(written.find("\n\n") + 2);
        result.text.pop_back();
    }
    for (const ReadingNote& note : file.report.notes) {
        result.notes.push_back(to_text(note));
    }
    CHECK(file.report.mended + file.report.refused == file.report.notes.size());
    return result;
}
// `note`: all that is told; "": something is.
void becomes(const std::string& movetext, const std::string& expected,
             const std::optional<std::string>& note = "") {
    INFO(movetext);
    const Kept result = kept(one_game(movetext));
    CHECK(result.text == expected);
    CHECK(result.notes.empty() == !note);
    if (note && !note->empty()) {
        CHECK(result.notes == std::vector<std::string>{*note});
    }
}
void stays(const std::string& movetext) {
    becomes(movetext, movetext, {});
}

void require_kept(const std::string& name, const std::string& text) {
    INFO(name);
    const GameFile file = read_games(text);
    if (!file.games.empty()) {
        require_stable(file.games);
    }
}

} // namespace

TEST_CASE("game reader: everything stays what it is, where it stands", "[chess]") {
    stays("{a} {b} 1. e4 {c} (1. d4 {in}) {between} (1. c4 (1. f4)) {} 1... e5 *");
    stays("1. e4 ({before} 1. d4 d5 ({again} 1... Nf6)) (1. e4 c5) (1. e4 e6) 1... e5 *");
    stays("1. e4 e5 * {said after it}");
    stays("1. e4 e5 * ; and to the end of a line");
    stays("1. e4 ; of a line } {\n1... e5 *");
    stays("1. e4 {one\n\ntwo\n\n\n [Event \"x\"]} 1... e5 *");
    stays("1. e4! e5!? $14 $1 $1 2. Nf3 {a} ?! $255 $0 *");
    stays("1. e4 {[%clk 1:29:50] my [%csl Gd4][%cal Ge2e4,Rd7d5] [%foo a, b]} 1... e5 *");
    stays("%before\n1. e4\n%in it\n1... e5 (1... c5\n% of a variation\n) *\n%at the end");
    // A line end in a comment is a blank, several are a paragraph.
    CHECK(kept(one_game("1. e4 {  one \n two\r\n three  four } *")).text ==
          "1. e4 {one two three  four} *");
    CHECK(kept(one_game("1. e4 {one \n \r\n two} *")).text == "1. e4 {one\n\ntwo} *");
}

TEST_CASE("game reader: what is read as something else, or left out, is told", "[chess]") {
    const auto at = [](int column, const std::string& text) {
        return "game 1, line 3, column " + std::to_string(column) + ": " + text;
    };
    becomes("1. e4 ± *", "1. e4 $16 *", at(7, "'±' is kept as $16"));
    becomes("1. e4 $256 *", "1. e4 *", at(7, "'$256' is left out"));
    becomes("1. e4!!! *", "1. e4 *", at(4, "'!!!' is left out"));
    for (const std::string odd : {"}", ")", "<odd>", "[odd]", "~"}) {
        becomes("1. e4 " + odd + " e5 *", "1. e4 e5 *", at(7, "'" + odd + "' is left out"));
    }
    becomes("1. e4 e5 (1... c5 *) 2. Nf3 *", "1. e4 e5 (1... c5) 2. Nf3 *",
            at(19, "'*' is left out"));
    becomes("1. e4 Nd4 {x} (1... e5) 2. Nf3 1-0", "1. e4 1-0");
    becomes("1. e4 {a {b} c} *", "1. e4 {a (b) c} *");
    becomes("1. e4 (;x\n) e5 *", "1. e4 ; x\n1... e5 *");
    for (const std::string null : {"--", "Z0"}) {
        becomes("1. e4 e5 (1... " + null + " 2. d4 {why}) 2. Nf3 (2. d4 " + null + ") 2... Nc6 *",
                "1. e4 e5 2. Nf3 (2. d4) 2... Nc6 *");
    }
    std::string deep;
    for (int i = 0; i < 501; ++i) {
        deep += "(1. d4 ";
    }
    const Kept most = kept(one_game("1. e4 " + deep + std::string(501, ')') + " e5 *"));
    REQUIRE(most.notes.size() == 1);
    CHECK(most.notes.front().find("nested more than 500 deep") != std::string::npos);
    CHECK(most.text.ends_with("1... e5 *"));
    const Kept remarks = kept(one_game("1. e4 *") + "\nmy remark {a comment} * \n");
    CHECK(remarks.text == "1. e4 * {a comment}");
    CHECK(remarks.notes ==
          std::vector<std::string>{
              "game 1, line 5, column 1: 'my remark ' is left out: it is in no game",
              "game 1, line 5, column 23: '* ' is left out: it is in no game"});
}

TEST_CASE("game reader: tags stay in their order, whatever they are", "[chess]") {
    const std::string text = "[White \"A \\\"b\\\" \\\\\"]\n[x \"\"]\n[x \"2\"]\n[Event \"last\"]\n"
                             "[Result \"1-0\"]\n\n1. e4 0-1\n";
    const GameFile file = read_games(text);
    CHECK(file.report.notes.empty());
    CHECK(require_stable(file.games) == text);
    using namespace std::string_literals;
    const GameFile odd = read_games("[Event \"x\"]\n[a\0b \"y\"]\n[%c \"y\"]\n\n*\n"s);
    CHECK(odd.games.at(0).tags == std::vector<PgnTag>{{"Event", "x"}});
    CHECK(odd.report.refused == 2);
}

TEST_CASE("game reader: start positions of all kinds stay, and others are mended or refused",
          "[chess]") {
    for (const char* fen :
         {"4k3/8/8/8/8/8/8/4K2R b K - 3 17", "1k2r3/8/8/8/8/8/8/R2K3R w AHe - 0 1",
          "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", "?"}) {
        const std::string text = "[FEN \"" + std::string{fen} + "\"]\n[SetUp \"1\"]\n\n*\n";
        const GameFile file = read_games(text);
        CHECK(file.report.notes.empty());
        CHECK(require_stable(file.games) == text);
    }
    const GameFile odd =
        read_games("[FEN \"4k3/8/8/8/8/8/8/4K2R w K - \x01x\x01y\"]\n\n1. O-O *\n");
    CHECK(require_stable(odd.games).starts_with("[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n"));
    const GameFile refused = read_games("[FEN \"x\"]\n\n1. e4 *\n\n" + one_game("1. d4 *"));
    CHECK(refused.games.size() == 1);
    CHECK(refused.report.refused == 1);
    CHECK(to_text(refused.report.notes.front()).ends_with("; the game is left out"));
}

TEST_CASE("game reader: which game it is, and whether its main line was cut", "[chess]") {
    const std::string text = "[FEN \"nonsense\"]\n\n1. e4 *\n\n" + one_game("1. e4 (1. d5) e5 *") +
                             "\n" + one_game("1. e4 Ke4 2. d4 *");
    GameReader reader{text};
    CHECK(reader.number() == 0);
    REQUIRE(reader.next());
    CHECK(reader.number() == 2);
    REQUIRE(reader.next());
    CHECK(reader.number() == 3);
    CHECK_FALSE(reader.next());
    CHECK(reader.number() == 3);
    std::vector<std::pair<std::size_t, bool>> refused;
    for (const ReadingNote& note : reader.report().notes) {
        if (note.kind == ReadingNote::Kind::refused) {
            refused.emplace_back(note.what.game, note.main_line);
        }
    }
    CHECK(refused == std::vector<std::pair<std::size_t, bool>>{{1, true}, {2, false}, {3, true}});
}

TEST_CASE("game reader: what is missing is added and told", "[chess]") {
    const Kept bare = kept("{first} 1. e4 e5 (1... c5");
    CHECK(bare.text == "{first} 1. e4 e5 (1... c5) *");
    CHECK(bare.notes.size() == 3);
    const Kept two = kept("1. e4 *\n\n{to the first} 1. d4 *");
    CHECK(two.text == "1. e4 * {to the first}");
    CHECK(
        kept("{only this}").notes ==
        std::vector<std::string>{"game 1, line 1, column 1: comments without a game are left out"});
    CHECK(kept("[A \"a\"]\n{among}\n[B \"b\"]\n{behind} 1. e4 *").text ==
          "{among} {behind} 1. e4 *");
    CHECK(kept("[Result \"1-0\"]\n\n1. e4").text == "1. e4 1-0");
}

TEST_CASE("game reader: Latin-1 becomes UTF-8 and is told", "[chess]") {
    const GameFile file = read_games("[White \"Gr\xfcn\"]\n\n1. e4 {Gr\xfcn} *\n");
    CHECK(file.report.mended == 2);
    CHECK(require_stable(file.games) == "[White \"Grün\"]\n\n1. e4 {Grün} *\n");
}

TEST_CASE("game reader: a stream is read as the text is, and what is too large is told",
          "[chess]") {
    std::string text = one_game("1. e4 {a} * {b}");
    text += "\n" + one_game("1. d4 {" + std::string((768 << 10) + 1, 'x') + "} d5 *");
    std::istringstream in{text};
    GameReader reader{in};
    const GameFile file = read_games(text);
    for (const AnnotatedGame& game : file.games) {
        CHECK((reader.next() == game));
    }
    CHECK_FALSE(reader.next());
    CHECK(reader.report() == file.report);
    REQUIRE(file.report.notes.size() == 1);
    CHECK(to_text(file.report.notes.front()) ==
          "game 2, line 7, column 7: a comment of more than 768 KiB is left out");
    std::string nags = "1. e4";
    for (std::size_t i = 0; i < GameReader::most_tokens; ++i) {
        nags += "!";
        nags += " ";
    }
    const GameFile full = read_games(one_game(nags + " (1. d4) e5 *"));
    CHECK(full.games.front().moves.size() == GameReader::most_tokens);
    CHECK(full.report.refused == 1);
}

TEST_CASE("game reader: random games are kept", "[chess]") {
    Random random{30};
    for (int i = 0; i < 60; ++i) {
        std::vector<AnnotatedGame> games{random_game(random), random_game(random)};
        require_stable(games);
    }
}

TEST_CASE("game reader: every file of other projects is kept", "[chess]") {
    std::size_t files = 0;
    std::error_code error;
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator{adjourn::data_root(), error}) {
        std::string extension = entry.path().extension().string();
        if (entry.is_regular_file() && (extension == ".pgn" || extension == ".PGN")) {
            const std::string name = std::filesystem::relative(entry.path(), adjourn::data_root());
            require_kept(name, *shared_file(name));
            ++files;
        }
    }
    CHECK(files > (adjourn::has_all_data() ? 100 : 3));
    for (const char* list : {"pythonchess_inline_games.jsonl", "chessjs_inline_games.jsonl"}) {
        const auto text = shared_file("pgn/" + std::string{list});
        REQUIRE(text);
        for (const std::string& line : lines_of(*text)) {
            require_kept(line, nlohmann::json::parse(line).at("pgn"));
        }
    }
    if (!adjourn::has_all_data()) {
        adjourn::skip("no ../shared/data: games of other projects are read from the sample only");
    }
}
