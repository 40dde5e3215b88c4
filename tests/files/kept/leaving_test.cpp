// Games that leave what the files before them have.
#include "files/kept/kept_file.hpp"

#include "chess/notation.hpp"
#include "test.hpp"

using namespace adjourn::server;

namespace {

KeptFile kept_at(std::int64_t id, analysis::UnixMs at, const std::vector<std::string>& games) {
    std::vector<storage::FileRecord> rows{{id, analysis::AnalysisId{1}, id, 0, 1, 0, "f.pgn", at}};
    for (std::size_t i = 0; i < games.size(); ++i) {
        const auto number = static_cast<std::int64_t>(i) + 1;
        rows.push_back({id + number, analysis::AnalysisId{1}, id, number, 1, 0, games[i], at});
    }
    return KeptFile{rows};
}

std::vector<std::string> told_lines(const std::vector<KeptFile>& files, analysis::UnixMs since = 0,
                                    std::size_t most = 10,
                                    const chess::Position& root = chess::Position::initial()) {
    std::vector<std::string> lines;
    for (const LeavingGame& game : games_that_leave(files, root, since, most)) {
        lines.push_back(game.players + ": " + chess::to_san_line(root, game.line));
    }
    return lines;
}

const std::string own_lines = "1. e4 e5 2. Nf3 (2. Nc3 Nf6) 2... Nc6 *";

} // namespace

TEST_CASE("leaving: where a later game plays what no earlier file has") {
    const std::string game = "[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 2. Nc3 Nc6 3. f4 *";
    const auto left = games_that_leave({kept_at(1, 10, {own_lines}), kept_at(10, 20, {game})},
                                       chess::Position::initial(), 0, 10);
    REQUIRE(left.size() == 1);
    CHECK(left[0].players == "A – B");
    CHECK(left[0].at == 20);
    CHECK(chess::to_san_line(chess::Position::initial(), left[0].line) == "1. e4 e5 2. Nc3 Nc6");
    REQUIRE(left[0].known.size() == 1);
    // By another order of moves, too: 2...Nc6 3. Nc3 has no answer that a file knows.
    CHECK(
        told_lines({kept_at(1, 10, {own_lines}), kept_at(10, 20, {"1. e4 e5 2. Nf3 Nc6 3. Nc3 *"})})
            .empty());
    CHECK(told_lines({kept_at(1, 10, {own_lines}), kept_at(10, 20, {"1. d4 *"})}) ==
          std::vector<std::string>{"f.pgn: 1. d4"});
}

TEST_CASE("leaving: games of one file do not leave each other, nor what came after them") {
    CHECK(told_lines({kept_at(1, 10, {own_lines, "1. d4 d5 *"})}).empty());
    CHECK(told_lines({kept_at(1, 10, {"1. d4 d5 *"}), kept_at(10, 20, {"1. d4 d5 *"})}).empty());
    const std::vector<KeptFile> three{kept_at(1, 10, {own_lines}), kept_at(10, 20, {"1. e4 c5 *"}),
                                      kept_at(20, 30, {"1. e4 c5 *", "1. e4 e6 *"})};
    CHECK(told_lines(three).size() == 2);
    CHECK(told_lines(three, 20) == std::vector<std::string>{"f.pgn: 1. e4 e6"});
    CHECK(told_lines(three, 30).empty());
    CHECK(told_lines({}).empty());
}

TEST_CASE("leaving: those that leave the latest are told first") {
    const std::vector<KeptFile> files{
        kept_at(1, 10, {own_lines}),
        kept_at(10, 20, {"1. d4 *", "1. e4 e5 2. d4 *", "1. e4 c5 *"})};
    CHECK(told_lines(files) ==
          std::vector<std::string>{"f.pgn: 1. e4 e5 2. d4", "f.pgn: 1. e4 c5", "f.pgn: 1. d4"});
    CHECK(told_lines(files, 0, 1).size() == 1);
}

TEST_CASE("leaving: from the root of the analysis on") {
    chess::Position root = chess::Position::initial();
    for (const char* move : {"e2e4", "e7e5"}) {
        root.play(*chess::parse_uci(root, move));
    }
    const std::vector<KeptFile> files{kept_at(1, 10, {own_lines}),
                                      kept_at(10, 20, {"1. d4 d5 *", "1. e4 e5 2. d4 *"})};
    CHECK(told_lines(files, 0, 10, root) == std::vector<std::string>{"f.pgn: 2. d4"});
}

TEST_CASE("leaving: with my names only my games leave, and add nothing to what I should know") {
    const std::string mine = "[White \"Lasker, Emanuel\"]\n[Black \"B\"]\n\n1. e4 e5 2. d4 *";
    const std::string other = "[White \"C\"]\n[Black \"Laskers\"]\n\n1. e4 c5 *";
    const std::vector<KeptFile> files{kept_at(1, 10, {own_lines}), kept_at(10, 20, {mine}),
                                      kept_at(20, 30, {other, mine})};
    const auto left_by = [&](const std::string& names, const std::string& side) {
        Labels labels;
        labels.my_names = names;
        labels.my_side = side;
        return games_that_leave(files, chess::Position::initial(), 0, 10, labels);
    };
    const auto named = left_by("me; lasker", "black");
    REQUIRE(named.size() == 2);
    CHECK(named[0].me == chess::Color::white);
    CHECK(named[1].at == 30);
    CHECK(named[1].known.size() == 2);
    CHECK(left_by("nobody", "white").empty());
    const auto sided = left_by("", "black");
    REQUIRE(sided.size() == 2); // the second time the move is known
    CHECK(sided[0].at == 20);
    CHECK(sided[1].line.size() == 2);
    CHECK(sided[1].me == chess::Color::black);
    CHECK_FALSE(left_by("", "")[0].me);
}
