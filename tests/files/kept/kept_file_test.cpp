// Files of games: what edits, undoing and replacing write, and games that leave what the files
// before them have.
#include "core_fixture.hpp"

#include "chess/pgn_writer.hpp"
#include "files/kept/kept_file.hpp"

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

// Versions of one file as a store has them.
class Versions {
public:
    explicit Versions(const std::vector<std::string>& games) {
        write(new_file(analysis::AnalysisId{3}, "mine.pgn", games, 100));
    }

    void write(const storage::FileChange& change) {
        for (storage::FileRecord row : change.rows) {
            row.id = static_cast<std::int64_t>(rows_.size()) + 10;
            row.file = 10;
            rows_.push_back(row);
        }
    }
    KeptFile file() const { return KeptFile{rows_}; }
    std::string text(std::int64_t number) const {
        const KeptFile now = file();
        const auto* game = now.game(number);
        return game == nullptr ? "none" : game->text;
    }
    // Of the last change; "" if there is nothing to take back.
    bool undo(std::int64_t number) {
        const auto change = file().undone(number, 200);
        if (change) {
            write(*change);
        }
        return change.has_value();
    }

private:
    std::vector<storage::FileRecord> rows_;
};

} // namespace

TEST_CASE("replacing games writes those that are others, and deletes what is left over") {
    Versions all{{"a", "b", "c"}};
    CHECK(all.file().game(4) == nullptr);
    CHECK(all.file().game(0) == nullptr);
    CHECK(all.file().with_game(2, "B", 150).rows ==
          std::vector{storage::FileRecord{0, analysis::AnalysisId{3}, 10, 2, 2, 1, "B", 150}});
    CHECK(all.file().with("", {"a", "b", "c"}, 150).rows.empty());
    CHECK(all.file().with("mine.pgn", {"a", "b", "c"}, 150).rows.empty());
    const auto change = all.file().with("yours.pgn", {"a", "B"}, 150);
    REQUIRE(change.rows.size() == 3);
    all.write(change);
    CHECK(all.file().name() == "yours.pgn");
    CHECK(all.text(1) == "a");
    CHECK(all.text(2) == "B");
    CHECK(all.text(3) == "none");
    CHECK(all.file().with("", {"a", "B"}, 160).rows.empty());
    all.write(all.file().with("", {"a", "B", "d", "e"}, 160));
    CHECK(all.text(3) == "d");
    CHECK(all.text(4) == "e");
}

TEST_CASE("undoing goes back change by change, and a new change is taken back first") {
    Versions all{{"a"}};
    for (const char* text : {"b", "c", "d"}) {
        all.write(all.file().with_game(1, text, 150));
    }
    REQUIRE(all.undo(1));
    CHECK(all.text(1) == "c");
    REQUIRE(all.undo(1));
    CHECK(all.text(1) == "b");
    all.write(all.file().with_game(1, "e", 160));
    REQUIRE(all.undo(1));
    CHECK(all.text(1) == "b");
    REQUIRE(all.undo(1));
    CHECK(all.text(1) == "a");
    CHECK_FALSE(all.undo(1));
    CHECK_FALSE(all.undo(2)); // there never was one
}

TEST_CASE("a deleted file and a deleted game come back") {
    Versions all{{"a", "b"}};
    all.write(all.file().without(150));
    CHECK(all.file().deleted());
    CHECK(all.text(1) == "a");
    REQUIRE(all.undo(0));
    CHECK_FALSE(all.file().deleted());
    CHECK(all.file().name() == "mine.pgn");
    all.write(all.file().with("", {"a"}, 160));
    CHECK(all.text(2) == "none");
    REQUIRE(all.undo(2));
    CHECK(all.text(2) == "b");
}

TEST_CASE("of a damaged row the others stand") {
    storage::FileRecord game{11, analysis::AnalysisId{3}, 10, 1, 1, 0, "a", 100};
    storage::FileRecord third = game;
    third.id = 13;
    third.version = 3;
    third.before = 2;
    third.text = "c";
    const KeptFile file{{game, third}}; // its name and a version are lost
    CHECK(file.name() == "file 10");
    CHECK_FALSE(file.deleted());
    CHECK(file.game(1)->text == "c");
    CHECK(file.undone(1, 200).error() == "the version before is damaged and cannot be read");
    CHECK(file.with_game(1, "d", 200).rows.front().version == 4);
}

TEST_CASE("text becomes games, and what was mended or left out is told with its place") {
    const GamesText read = read_games_text("[White \"Me\"]\n\n1. e4 {mine} e5 2. Ke3 Nf6 *\n\n"
                                           "1. d4 -- *\n");
    REQUIRE(read.games.size() == 2);
    CHECK(game_of(read.games[0])->tags.front().value == "Me");
    CHECK(read.told.refused >= 2);
    const auto json = told_json(read.told);
    CHECK(json["refused"] == read.told.refused);
    CHECK(json["told"].size() == read.told.notes.size());
    CHECK(json["told"][0]["game"] == 1);
    CHECK(json["told"][0]["line"] == 3);
    CHECK(json["told"][0]["column"].get<int>() > 10);
    CHECK(told_json(told_of(json)) == json);
}

TEST_CASE("the same games under the same name are one file") {
    const TemporaryDirectory directory;
    Bench bench;
    CoreFixture core{directory.path(), bench};
    const auto id = core.create("", 1);
    const std::vector<std::string> games = read_games_text("1. e4 *\n\n1. d4 d5 *").games;
    const auto first = keep(*core.store, id, "a.pgn", games, 100);
    REQUIRE(first);
    CHECK_FALSE(first->known);
    const auto again = keep(*core.store, id, "a.pgn", games, 200);
    CHECK(again->known);
    CHECK(again->file == first->file);
    CHECK_FALSE(keep(*core.store, id, "b.pgn", games, 200)->known);
    CHECK_FALSE(keep(*core.store, id, "a.pgn", {games[0]}, 200)->known);
    CHECK(kept_files(*core.store, id).size() == 3);
    CHECK(games_of(kept_files(*core.store, id)).size() == 5);
    CHECK(chess::to_pgn(games_of(kept_files(*core.store, id))[1]) == games[1]);
    CHECK(kept_file(*core.store, id, first->file)->games().size() == 2);
    CHECK_FALSE(kept_file(*core.store, analysis::AnalysisId{99}, first->file));
    CHECK_FALSE(kept_file(*core.store, id, 99));
}

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
    chess::Position root = chess::Position::initial(); // of the analysis
    for (const char* move : {"e2e4", "e7e5"}) {
        root.play(*chess::parse_uci(root, move));
    }
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
