// A tree as chapters of a study: nothing is lost, nothing but the leading lines stands twice.
#include "api_fixture.hpp"
#include "files/export/export_pgn.hpp"

#include "chess/game_edit.hpp"
#include "chess/game_reader.hpp"
#include "chess/game_tree.hpp"
#include "chess/notation.hpp"
#include "chess/pgn.hpp"
#include "chess/pgn_writer.hpp"

namespace {

using Node = chess::GameTree::Node;

// Some legal moves each, `plies` deep; every comment is another one.
void make_up(chess::GameDraft& draft, chess::GameDraft::Node node, const chess::Position& at,
             int plies, std::mt19937& random, int& number) {
    std::size_t left = 1 + random() % 3;
    for (const chess::Move move : at.legal_moves()) {
        if (plies == 0 || left == 0) {
            break;
        }
        if (random() % 3 != 0) {
            continue;
        }
        --left;
        const auto next = draft.add(node, move);
        draft.say(next, chess::PgnComment{"[%eval 0.10] c" + std::to_string(++number)});
        make_up(draft, next, at.after(move), plies - 1, random, number);
    }
}

std::string comments_at(const chess::GameTree& tree, Node node) {
    std::string text;
    const auto range = tree.behind(node);
    for (std::size_t i = range.first; i < range.end; ++i) {
        text += std::get<chess::PgnComment>(tree.game().moves[i]).text + "|";
    }
    return text;
}

using Comments = std::multimap<std::string, std::string>; // by the line that leads there

Comments comments_in(const chess::AnnotatedGame& game, Node from = 1) {
    Comments found;
    const chess::GameTree tree{game};
    for (Node node = from; node < tree.size(); ++node) {
        std::string line;
        chess::Position at = game.start;
        for (const chess::Move move : tree.moves_to(node)) {
            line += " " + chess::to_uci(at, move);
            at.play(move);
        }
        found.emplace(line, comments_at(tree, node));
    }
    return found;
}

std::size_t size_of(const chess::AnnotatedGame& game) {
    return chess::GameTree{game}.size() - 1;
}

std::string tag_of(const chess::AnnotatedGame& game, const std::string& name) {
    const auto is_this = [&](const chess::PgnTag& tag) { return tag.name == name; };
    CHECK(std::ranges::count_if(game.tags, is_this) <= 1);
    return std::string{chess::tag_value(game.tags, name)};
}

constexpr const char* continues = "[%adj engine] continues chapter ";
constexpr const char* goes_on = "[%adj engine] continues in chapter ";

// All lines of a file, as a program reads them that knows nothing of chapters.
struct Reading : chess::PgnVisitor {
    std::map<std::string, int> lines;
    std::vector<std::vector<std::string>> stack;

    bool begin_moves(const chess::Position&) override {
        stack = {{}};
        return true;
    }
    void move(const chess::Position& before, chess::Move move) override {
        stack.back().push_back(chess::to_uci(before, move));
        std::string line;
        for (const std::string& each : stack.back()) {
            line += " " + each;
        }
        ++lines[line];
    }
    void begin_variation() override {
        stack.push_back(stack.back());
        stack.back().pop_back();
    }
    void end_variation() override { stack.pop_back(); }
    void error(const chess::PgnError& error) override { FAIL(chess::to_text(error)); }
};

} // namespace

TEST_CASE("study: chapters hold the whole tree, each move once, and none is too large") {
    std::mt19937 random{7};
    for (const std::size_t most : {40, 100, 100'000}) {
        chess::AnnotatedGame whole = chess::new_game(
            chess::Position::initial(), {{"Event", "x"}, {"Annotator", "Adjourn"}}, "1-0");
        const auto e4 = *chess::parse_line(whole.start, "1. e4 e5");
        chess::GameDraft draft;
        draft.say(chess::GameDraft::start, chess::PgnComment{"first"});
        int number = 0;
        make_up(draft, draft.add_line(chess::GameDraft::start, e4),
                whole.start.after(e4[0]).after(e4[1]), 12, random, number);
        whole.moves = draft.tokens();
        Comments before = comments_in(whole);
        REQUIRE(before.size() > 300);

        const auto chapters = study_chapters(whole, "Najdorf", most);
        CHECK((chapters.size() == 1) == (before.size() <= most));
        CHECK(chapters.size() <= 1 + 6 * before.size() / most); // few are nearly empty
        CHECK(comments_at(chess::GameTree{chapters[0]}, 0) == "first|");
        CHECK(chapters[0].result == "1-0");
        Comments own;
        std::string file;
        for (std::size_t i = 0; i < chapters.size(); ++i) {
            const chess::AnnotatedGame& chapter = chapters[i];
            INFO(chess::to_pgn(chapter));
            CHECK(size_of(chapter) <= most);
            CHECK(tag_of(chapter, "StudyName") == "Najdorf");
            CHECK(tag_of(chapter, "Result") == chapter.result);
            const std::string name = "Najdorf " + std::to_string(i + 1);
            CHECK(tag_of(chapter, "ChapterName").starts_with(i == 0 ? name : name + ": "));
            CHECK(tag_of(chapter, "Event") == "Najdorf: " + tag_of(chapter, "ChapterName"));
            CHECK(tag_of(chapter, "Annotator") == "Adjourn");
            const chess::GameTree tree{chapter};
            Node first = 0; // of its own moves
            if (i > 0) {
                first = tree.first_child(first);
                while (!comments_at(tree, first).starts_with(continues)) {
                    REQUIRE(comments_at(tree, first).empty());
                    REQUIRE(tree.next_sibling(first) == chess::GameTree::none);
                    first = tree.first_child(first);
                    REQUIRE(first != chess::GameTree::none);
                }
            }
            const Comments here = comments_in(chapter, first + 1);
            REQUIRE_FALSE(here.empty());
            own.insert(here.begin(), here.end());
            file += chess::to_pgn(chapter) + "\n";
        }
        REQUIRE(own.size() == before.size());
        std::size_t places = 0;
        for (auto now = own.begin(), old = before.begin(); now != own.end(); ++now, ++old) {
            CHECK(now->first == old->first);
            std::string text = now->second;
            if (const auto words = text.find(goes_on); words != std::string::npos) {
                ++places;
                text.erase(words);
            }
            CHECK(text == old->second);
        }
        CHECK(places + 1 == chapters.size());

        Reading again;
        chess::PgnReader reader{file};
        std::size_t games = 0;
        while (reader.read_game(again)) {
            ++games;
        }
        CHECK(games == chapters.size());
        REQUIRE(again.lines.size() == before.size());
        for (const auto& [line, count] : again.lines) {
            CHECK(before.count(line) == 1);
        }
    }
}

TEST_CASE("study: a chapter is named by the moves that lead to it, and both ends say where to go") {
    const chess::AnnotatedGame whole =
        chess::read_games("1. e4 {mine} (1. d4 {[%csl Gd5] mine} (1. c4) d5 2. c4 {so} (2. a3) "
                          "{and} e6 3. Nc3) 1... c5 2. Nf3 d6 *")
            .games[0];
    const auto chapters = study_chapters(whole, std::string(60, 'x'), 8);
    REQUIRE(chapters.size() == 2);
    const std::string title = std::string(50, 'x') + "…";
    CHECK(tag_of(chapters[0], "ChapterName") == title + " 1");
    CHECK(tag_of(chapters[1], "ChapterName") == title + " 2: 1. d4");
    const auto moves = [](const chess::AnnotatedGame& game) {
        const std::string pgn = chess::to_pgn(game);
        std::string text = pgn.substr(pgn.find("\n\n") + 2);
        std::ranges::replace(text, '\n', ' ');
        return text;
    };
    // What people wrote keeps its place.
    CHECK(moves(chapters[0]) == "1. e4 {mine} (1. d4 {[%csl Gd5] mine} {" + std::string{goes_on} +
                                    "2} (1. c4)) 1... c5 2. Nf3 d6 * ");
    CHECK(moves(chapters[1]) == "1. d4 {" + std::string{continues} +
                                    "1} 1... d5 2. c4 {so} (2. a3) {and} 2... e6 3. Nc3 * ");
}

TEST_CASE("study: a line that is longer than a chapter goes on from its position") {
    constexpr std::size_t most = 3000;
    constexpr std::size_t length = 2 * most + 500;
    constexpr std::size_t branches = 400; // near the end of the line
    const chess::Position start = chess::Position::initial();
    const auto round = *chess::parse_line(start, "1. Nf3 Nf6 2. Ng1 Ng8");
    const auto aside = *chess::parse_line(start, "1. d4");
    const auto aside_black = *chess::parse_line(start.after(round[0]), "1... d5");
    chess::GameDraft draft;
    chess::GameDraft::Node at = chess::GameDraft::start;
    for (std::size_t i = 0; i < length; ++i) {
        const chess::GameDraft::Node next = draft.add(at, round[i % 4]);
        draft.say(next, chess::PgnComment{"c" + std::to_string(i)});
        if (i + branches * 2 >= length && i % 4 < 2) {
            draft.add(at, i % 4 == 0 ? aside[0] : aside_black[0]);
        }
        at = next;
    }
    chess::AnnotatedGame whole = chess::new_game(start, {});
    whole.moves = draft.tokens();
    REQUIRE(size_of(whole) == length + branches);
    const auto chapters = study_chapters(whole, "x", most);
    CHECK(chapters.size() <= 5);
    std::size_t held = 0;
    std::string file;
    for (std::size_t i = 0; i < chapters.size(); ++i) {
        const std::size_t size = size_of(chapters[i]);
        CHECK(size <= most);
        held += size;
        CHECK(comments_at(chess::GameTree{chapters[i]}, 0).starts_with(continues) == (i > 0));
        file += chess::to_pgn(chapters[i]) + "\n";
    }
    CHECK(held == length + branches); // no line stands twice
    Reading reading;                  // every move is legal where its chapter begins
    chess::PgnReader reader{file};
    std::size_t games = 0;
    while (reader.read_game(reading)) {
        ++games;
    }
    CHECK(games == chapters.size());
}

TEST_CASE("export: a file for a study says how many chapters it has, others say nothing") {
    ApiFixture f;
    const auto id = f.post(ApiFixture::wanted({{"moves", "1. e4 e5"}}));
    f.settle(id);
    const std::string path = "/analyses/" + std::to_string(id) + "/export?margin=60";
    const auto study = f.send(http::Method::get, path + "&study=true");
    REQUIRE(study.status == 200);
    CHECK(study.headers.at("Adjourn-Chapters") == "1");
    CHECK(study.body.find("[ChapterName \"") != std::string::npos);
    const auto plain = f.send(http::Method::get, path);
    CHECK(plain.headers.count("Adjourn-Chapters") == 0);
    CHECK(plain.body.find("ChapterName") == std::string::npos);
}
