// Files of games: what edits, undoing and replacing write.
#include "core_fixture.hpp"

#include "chess/pgn_writer.hpp"
#include "files/kept/kept_file.hpp"

namespace {

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

TEST_CASE("a file has its games by number, and changes follow their last versions") {
    Versions all{{"a", "b", "c"}};
    CHECK(all.file().name() == "mine.pgn");
    CHECK(all.file().at() == 100);
    CHECK(all.file().games().size() == 3);
    const auto change = all.file().with_game(2, "B", 150);
    REQUIRE(change.rows.size() == 1);
    CHECK(change.rows[0] == storage::FileRecord{0, analysis::AnalysisId{3}, 10, 2, 2, 1, "B", 150});
    all.write(change);
    CHECK(all.text(2) == "B");
    CHECK(all.file().game(4) == nullptr);
    CHECK(all.file().game(0) == nullptr);
}

TEST_CASE("replacing games writes those that are others, and deletes what is left over") {
    Versions all{{"a", "b", "c"}};
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
