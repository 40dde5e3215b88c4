// Changes of annotated games: what they do, and that the game stays one.
#include "random_game.hpp"

#include "chess/game_edit.hpp"
#include "chess/game_reader.hpp"
#include "chess/pgn_comment.hpp"
#include "chess/pgn_writer.hpp"
#include "test.hpp"

using namespace adjourn::chess;
using namespace adjourn::chess::testing;

namespace {

AnnotatedGame game_of(const std::string& movetext) {
    const GameFile file = read_games("[Event \"x\"]\n\n" + movetext + " *\n");
    REQUIRE(file.report.notes.empty());
    return file.games.front();
}
std::string text_of(const AnnotatedGame& game) {
    std::string text = to_pgn(game);
    text = text.substr(text.find("\n\n") + 2, text.size() - text.find("\n\n") - 5);
    std::ranges::replace(text, '\n', ' ');
    return text;
}
// By SAN from the start.
GameTree::Node node(const GameTree& tree, const std::string& line) {
    const auto moves = parse_line(tree.game().start, line);
    REQUIRE(moves);
    const auto found = tree.find(std::span<const Move>{*moves});
    REQUIRE(found);
    return *found;
}
template <class Edit>
std::string edited(const std::string& movetext, const std::string& line, Edit edit) {
    AnnotatedGame game = game_of(movetext);
    const GameTree tree{game};
    const EditResult result = edit(tree, node(tree, line));
    if (!result) {
        return result.error();
    }
    game.moves = *result;
    require_stable({game});
    return text_of(game);
}

const std::string tree_text = "1. e4 {a} (1. d4 {b} 1... d5 (1... Nf6 {n} 2. c4) 2. c4) (1. c4) "
                              "{z} 1... e5 2. Nf3";

} // namespace

TEST_CASE("game edit: a move is added behind, or as a variation", "[chess]") {
    const auto add = [](const std::string& uci) {
        return [uci](const GameTree& tree, GameTree::Node at) {
            return add_move(tree, at, move(tree.position(at), uci));
        };
    };
    CHECK(edited("", "", add("e2e4")) == "1. e4");
    CHECK(edited("1. e4 (1. d4) {x}", "e4", add("e7e5")) == "1. e4 (1. d4) {x} 1... e5");
    CHECK(edited("1. e4 (1. d4) {x} e5", "", add("c2c4")) == "1. e4 (1. d4) (1. c4) {x} 1... e5");
    CHECK(edited("1. e4 (1. d4) e5", "d4", add("d7d5")) == "1. e4 (1. d4 d5) 1... e5");
    CHECK(edited("1. e4 (1. d4) e5", "", add("d2d4")) == "d4 is there already");
    const AnnotatedGame whole = game_of(tree_text);
    const GameTree tree{whole};
    const auto second = tree.find(std::span<const std::size_t>{std::vector<std::size_t>{1, 1}});
    CHECK(to_san_line(whole.start, tree.moves_to(second.value())) == "1. d4 Nf6");
    CHECK_FALSE(tree.in_main_line(*second));
    CHECK_FALSE(tree.find(std::span<const std::size_t>{std::vector<std::size_t>{3}}));
    AnnotatedGame game = game_of("1. e4");
    CHECK_FALSE(add_move(GameTree{game}, 0, Move::normal(Square{0}, Square{9})));
}

TEST_CASE("game edit: a move is deleted with what follows; a variation takes its place",
          "[chess]") {
    CHECK(edited(tree_text, "e4 e5", delete_move) ==
          "1. e4 {a} (1. d4 {b} 1... d5 (1... Nf6 {n} 2. c4) 2. c4) (1. c4) {z}");
    CHECK(edited(tree_text, "d4 Nf6", delete_move) ==
          "1. e4 {a} (1. d4 {b} 1... d5 2. c4) (1. c4) {z} 1... e5 2. Nf3");
    CHECK(edited(tree_text, "c4", delete_move) ==
          "1. e4 {a} (1. d4 {b} 1... d5 (1... Nf6 {n} 2. c4) 2. c4) {z} 1... e5 2. Nf3");
    CHECK(edited(tree_text, "e4", delete_move) ==
          "1. d4 {b} (1. c4) 1... d5 (1... Nf6 {n} 2. c4) 2. c4");
    CHECK(edited(tree_text, "d4 d5", delete_move) ==
          "1. e4 {a} (1. d4 {b} 1... Nf6 {n} 2. c4) (1. c4) {z} 1... e5 2. Nf3");
    CHECK(edited("{o} 1. e4 {x} e5", "e4", delete_move) == "{o}");
}

TEST_CASE("game edit: promote, make main line", "[chess]") {
    CHECK(edited(tree_text, "c4", promote) ==
          "1. c4 (1. d4 {b} 1... d5 (1... Nf6 {n} 2. c4) 2. c4) (1. e4 {a} {z} 1... e5 2. Nf3)");
    CHECK(edited(tree_text, "d4 Nf6 c4", promote) ==
          "1. e4 {a} (1. d4 {b} 1... Nf6 {n} (1... d5 2. c4) 2. c4) (1. c4) {z} 1... e5 2. Nf3");
    CHECK(edited(tree_text, "d4 Nf6 c4", make_main_line) ==
          "1. d4 {b} (1. e4 {a} {z} 1... e5 2. Nf3) (1. c4) 1... Nf6 {n} (1... d5 2. c4) 2. c4");
    CHECK(edited(tree_text, "e4 e5", promote) == "the move is in the main line");
}

TEST_CASE("game edit: NAGs of one kind replace each other", "[chess]") {
    const auto set = [](std::uint8_t number) {
        return
            [number](const GameTree& tree, GameTree::Node at) { return set_nag(tree, at, number); };
    };
    const auto clear = [](const GameTree& tree, GameTree::Node at) {
        return clear_nag(tree, at, 2);
    };
    CHECK(edited("1. e4 {x}", "e4", set(1)) == "1. e4! {x}");
    CHECK(edited("1. e4? $16 {x}", "e4", set(5)) == "1. e4!? $16 {x}");
    CHECK(edited("1. e4? {x}", "e4", set(10)) == "1. e4? $10 {x}");
    CHECK(edited("1. e4? $16 {x}", "e4", set(13)) == "1. e4? $13 {x}");
    CHECK(edited("1. e4? $22 {x}", "e4", set(140)) == "1. e4? $22 $140 {x}");
    CHECK(edited("1. e4? $2 {x}", "e4", clear) == "1. e4 {x}");
    CHECK(edited("1. e4 {x}", "", set(1)) == "there is no move");
    const std::pair<int, std::string> signs[] = {
        {1, "!"},   {2, "?"},   {3, "!!"},  {4, "??"}, {5, "!?"}, {6, "?!"}, {7, "□"},
        {10, "="},  {13, "∞"},  {14, "⩲"},  {15, "⩱"}, {16, "±"}, {17, "∓"}, {18, "+-"},
        {19, "-+"}, {22, "⨀"},  {26, "○"},  {32, "⟳"}, {36, "→"}, {40, "↑"}, {44, "=∞"},
        {132, "⇆"}, {138, "⊕"}, {140, "∆"}, {146, "N"}};
    for (const auto& [number, sign] : signs) {
        const GameFile file = read_games("1. e4 " + sign + " *");
        CHECK(std::get<PgnNag>(file.games.at(0).moves.at(1)).number == number);
    }
}

TEST_CASE("game edit: a comment is set, commands stay; marks are set, text stays", "[chess]") {
    const auto say = [](CommentPlace place, const std::string& text) {
        return [place, text](const GameTree& tree, GameTree::Node at) {
            return set_comment(tree, at, place, text);
        };
    };
    const auto behind = CommentPlace::behind;
    const auto before = CommentPlace::before;
    CHECK(edited("1. e4! e5", "e4", say(behind, "{new}\n\nline")) ==
          "1. e4! {(new)  line} 1... e5");
    CHECK(edited("1. e4 {[%clk 1:00] old} $1 {b [%csl Gd4]} e5", "e4", say(behind, "new")) ==
          "1. e4 {[%clk 1:00] [%csl Gd4] new} $1 1... e5");
    CHECK(edited("1. e4 {old} e5", "e4", say(behind, "")) == "1. e4 e5");
    CHECK(edited("1. e4 e5", "", say(behind, "first")) == "{first} 1. e4 e5");
    CHECK(edited("1. e4 (1. d4) e5", "d4", say(before, "in")) == "1. e4 ({in} 1. d4) 1... e5");
    CHECK(edited("1. e4 (1. d4) e5", "e4 e5", say(before, "x")) == "1. e4 (1. d4) {x} 1... e5");
    CHECK(edited("1. e4 e5", "e4 e5", say(before, "x")) ==
          "a comment here is the comment behind the move before");
    const std::vector<BoardMark> marks{{'R', Square{4, 1}, Square{4, 3}}, {'G', Square{3, 3}, {}}};
    const auto mark = [](const std::vector<BoardMark>& drawn) {
        return
            [drawn](const GameTree& tree, GameTree::Node at) { return set_marks(tree, at, drawn); };
    };
    CHECK(edited("1. e4", "e4", mark(marks)) == "1. e4 {[%csl Gd4] [%cal Re2e4]}");
    CHECK(edited("1. e4 {old [%cal Ga1a2] [%clk 1:00]} {more [%csl Ra1]}", "e4", mark(marks)) ==
          "1. e4 {[%csl Gd4] [%cal Re2e4] old [%clk 1:00]} {more}");
    CHECK(edited("1. e4 {[%cal Ga1a2]} e5", "e4", mark({})) == "1. e4 e5");
    CHECK(marks_of(to_text(marks)) == std::vector<BoardMark>{marks[1], marks[0]});
}

TEST_CASE("game edit: merged games have the moves of both, each once", "[chess]") {
    const auto merged = [](const std::string& first, const std::string& second) {
        return edited(first, "", [&](const GameTree& tree, GameTree::Node) {
            return merge(tree, game_of(second));
        });
    };
    CHECK(merged("1. e4 {a} e5", "1. e4 {a} {b} e5! 2. Nf3 (2. Nc3 {x} Nf6)") ==
          "1. e4 {a} {b} 1... e5! 2. Nf3 (2. Nc3 {x} 2... Nf6)");
    CHECK(merged("1. e4 (1. d4) e5", "{o} 1. c4 c5 (1... e5) 2. g3 (2. b3) 2... g6") ==
          "{o} 1. e4 (1. d4) (1. c4 c5 (1... e5) 2. g3 (2. b3) 2... g6) 1... e5");
    CHECK(merged("1. e4 (1. d4 d5) e5", "1. d4 {q} (1. e4 c5) 1... Nf6") ==
          "1. e4 (1. d4 {q} 1... d5 (1... Nf6)) 1... e5 (1... c5)");
    CHECK(merged("", "1. e4 e5") == "1. e4 e5");
    CHECK(merged("1. e4 $1", "1. e4! e5") == "1. e4 $1 1... e5");
    AnnotatedGame elsewhere;
    elsewhere.start = position("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    CHECK_FALSE(merge(GameTree{elsewhere}, game_of("1. e4")));
}
