// A tree as chapters of a study: nothing is lost, nothing but the leading lines stands twice.
#include "api_fixture.hpp"
#include "export/study.hpp"

#include "chess/notation.hpp"
#include "chess/pgn.hpp"

#include <catch2/catch.hpp>

#include <map>
#include <random>

using namespace adjourn;
using namespace adjourn::server;

namespace {

// Some legal moves each, `plies` deep; every comment is another one.
std::vector<chess::PgnNode> made_up(const chess::Position& at, int plies, std::mt19937& random,
                                    int& number) {
    std::vector<chess::PgnNode> nodes;
    std::size_t left = 1 + random() % 3;
    for (const chess::Move move : at.legal_moves()) {
        if (plies == 0 || left == 0) {
            break;
        }
        if (random() % 3 != 0) {
            continue;
        }
        --left;
        chess::PgnNode node{move, {}, "[%eval 0.10] c" + std::to_string(++number), {}};
        node.replies = made_up(at.after(move), plies - 1, random, number);
        nodes.push_back(std::move(node));
    }
    return nodes;
}

using Comments = std::multimap<std::string, std::string>; // by the line that leads there

void collect(const std::vector<chess::PgnNode>& moves, const chess::Position& at,
             const std::string& line, Comments& into) {
    for (const chess::PgnNode& node : moves) {
        const std::string here = line + " " + chess::to_uci(at, node.move);
        into.emplace(here, node.comment);
        collect(node.replies, at.after(node.move), here, into);
    }
}

std::size_t size_of(const std::vector<chess::PgnNode>& moves) {
    std::size_t count = moves.size();
    for (const chess::PgnNode& node : moves) {
        count += size_of(node.replies);
    }
    return count;
}

std::string tag_of(const chess::PgnTree& tree, const std::string& name) {
    std::string found;
    for (const chess::PgnTag& tag : tree.tags) {
        if (tag.name == name) {
            CHECK(found.empty());
            found = tag.value;
        }
    }
    return found;
}

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
        chess::PgnTree whole;
        whole.tags = {{"Event", "x"}, {"Annotator", "Adjourn"}};
        whole.result = "1-0";
        whole.comment = "first";
        const auto e4 = *chess::parse_line(whole.start, "1. e4 e5");
        int number = 0;
        chess::PgnNode second{e4[1], {}, "", {}};
        second.replies = made_up(whole.start.after(e4[0]).after(e4[1]), 12, random, number);
        whole.moves = {{e4[0], {}, "", {}}};
        whole.moves[0].replies.push_back(std::move(second));
        Comments before;
        collect(whole.moves, whole.start, "", before);
        REQUIRE(before.size() > 300);

        const auto chapters = study_chapters(whole, "Najdorf", most);
        CHECK((chapters.size() == 1) == (before.size() <= most));
        CHECK(chapters.size() <= 1 + 6 * before.size() / most); // few are nearly empty
        CHECK(chapters[0].comment == "first");
        CHECK(chapters[0].result == "1-0");
        Comments own;
        std::string file;
        for (std::size_t i = 0; i < chapters.size(); ++i) {
            const chess::PgnTree& chapter = chapters[i];
            INFO(chess::to_pgn(chapter));
            CHECK(size_of(chapter.moves) <= most);
            CHECK(tag_of(chapter, "StudyName") == "Najdorf");
            const std::string name = "Najdorf " + std::to_string(i + 1);
            CHECK(tag_of(chapter, "ChapterName").starts_with(i == 0 ? name : name + ": "));
            CHECK(tag_of(chapter, "Event") == "Najdorf: " + tag_of(chapter, "ChapterName"));
            CHECK(tag_of(chapter, "Annotator") == "Adjourn");
            Comments here;
            const auto* at = &chapter.moves;
            chess::Position position = chapter.start;
            std::string line;
            for (bool leading = i > 0; leading; at = &at->front().replies) {
                REQUIRE(at->size() == 1);
                const chess::PgnNode& node = at->front();
                line += " " + chess::to_uci(position, node.move);
                position.play(node.move);
                leading = !node.comment.starts_with("continues chapter ");
                CHECK((node.comment.empty() || !leading));
            }
            collect(*at, position, line, here);
            REQUIRE_FALSE(here.empty());
            own.insert(here.begin(), here.end());
            file += chess::to_pgn(chapter) + "\n";
        }
        REQUIRE(own.size() == before.size());
        std::size_t places = 0;
        for (auto now = own.begin(), old = before.begin(); now != own.end(); ++now, ++old) {
            CHECK(now->first == old->first);
            std::string text = now->second;
            if (const auto words = text.find("continues in chapter "); words != std::string::npos) {
                ++places;
                const auto comma = text.find(", ", words); // none where nothing was said
                text.erase(words, comma == std::string::npos ? comma : comma + 2 - words);
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
    chess::PgnTree whole;
    const auto first = *chess::parse_line(whole.start, "1. e4 c5 2. Nf3 d6");
    const auto second = *chess::parse_line(whole.start, "1. d4 d5 2. c4 e6 3. Nc3");
    const auto chain = [&](const std::vector<chess::Move>& moves) {
        std::vector<chess::PgnNode> nodes;
        for (std::size_t i = moves.size(); i-- > 0;) {
            chess::PgnNode node{moves[i], {}, i == 1 ? "[%csl Gd5] note: mine" : "", nodes};
            nodes = {std::move(node)};
        }
        return nodes.front();
    };
    whole.moves = {chain(first), chain(second)};
    const auto chapters = study_chapters(whole, std::string(60, 'x'), 6);
    REQUIRE(chapters.size() == 2);
    const std::string title = std::string(50, 'x') + "…";
    CHECK(tag_of(chapters[0], "ChapterName") == title + " 1");
    CHECK(tag_of(chapters[1], "ChapterName") == title + " 2: 1. d4");
    CHECK(chapters[0].moves[1].comment == "continues in chapter 2");
    CHECK(chapters[1].moves[0].comment == "continues chapter 1");
    CHECK(chapters[1].moves[0].replies[0].comment == "[%csl Gd5] note: mine");
}

TEST_CASE("study: a line that is longer than a chapter goes on from its position") {
    constexpr std::size_t most = 3000;
    constexpr std::size_t length = 2 * most + 500;
    constexpr std::size_t branches = 400; // near the end of the line
    const chess::PgnTree empty;
    const auto round = *chess::parse_line(empty.start, "1. Nf3 Nf6 2. Ng1 Ng8");
    const auto aside = *chess::parse_line(empty.start, "1. d4");
    const auto aside_black = *chess::parse_line(empty.start.after(round[0]), "1... d5");
    chess::PgnTree whole;
    for (std::size_t i = length; i-- > 0;) {
        chess::PgnNode node{round[i % 4], {}, "c" + std::to_string(i), std::move(whole.moves)};
        whole.moves.clear();
        whole.moves.push_back(std::move(node));
        if (i + branches * 2 >= length && i % 4 < 2) {
            const auto& move = i % 4 == 0 ? aside : aside_black;
            whole.moves.push_back({move[0], {}, "b" + std::to_string(i), {}});
        }
    }
    const std::size_t all = size_of(whole.moves);
    REQUIRE(all == length + branches);
    const auto chapters = study_chapters(whole, "x", most);
    CHECK(chapters.size() <= 5);
    std::size_t held = 0;
    for (std::size_t i = 0; i < chapters.size(); ++i) {
        const std::size_t size = size_of(chapters[i].moves);
        CHECK(size <= most);
        held += size;
        CHECK(chapters[i].comment.starts_with("continues chapter ") == (i > 0));
    }
    CHECK(held == all); // no line stands twice
    std::string file;
    for (const chess::PgnTree& chapter : chapters) {
        file += chess::to_pgn(chapter) + "\n";
    }
    Reading reading; // every move is legal where its chapter begins
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
