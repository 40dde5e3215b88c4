// Reviews of the games of a file: one after the other, and in a table.
#include "api_fixture.hpp"

#include "chess/game_reader.hpp"
#include "chess/pgn.hpp"
#include "shared_data.hpp"

namespace {

const char* const two_games =
    "[Event \"Club\"]\n[White \"Ada\"]\n[Black \"Ben\"]\n[Result \"0-1\"]\n\n"
    "1. f3 {[%clk 0:59:10] hm} e5 {[%clk 0:58:20]} 2. g4 Qh4# 0-1\n\n"
    "[White \"Ben\"]\n[Black \"Ada\"]\n[Result \"*\"]\n\n"
    "1. f3 e5 2. e4 Nf6 3. Nc3 Bb4 4. a3 Bc5 *\n\n"
    "[White \"?\"]\n[Result \"*\"]\n\n1. d4 d5 *\n";

// An analysis with its tree, to which games are brought.
struct FileFixture : OneAnalysis {
    explicit FileFixture(const json& position = json::object()) : OneAnalysis{wanted(position)} {
        core.work_until([&] { return run_of(id).slot != nullptr; });
    }
    json brought(const json& body) { return ask(http::Method::post, path("/files"), body, 201); }
    std::int64_t bring(const std::string& pgn, const std::string& name = "games.pgn") {
        return brought({{"name", name}, {"pgn", pgn}, {"seeds", false}})["id"];
    }
    std::string table(std::int64_t file) const {
        return path("/files/" + std::to_string(file) + "/review");
    }
    std::string game(std::int64_t file, std::int64_t number) const {
        return path("/files/" + std::to_string(file) + "/games/" + std::to_string(number) +
                    "/review");
    }
    json asked(std::int64_t file, const std::string& query = "") {
        return ask(http::Method::post, table(file) + query);
    }
    void wait_for(std::int64_t file) {
        const auto all = [&] {
            const json rows = get(table(file))["games"];
            return std::ranges::all_of(
                rows, [](const json& row) { return row["searched"] == row["positions"]; });
        };
        core.work_until(all);
        REQUIRE(all());
    }
    void search(std::int64_t file) {
        asked(file);
        wait_for(file);
    }
};

} // namespace

TEST_CASE(
    "review: a game comes back as it went in, and a second review takes the first one's place") {
    FileFixture f;
    std::ifstream in{data_root() / "pgn" / "ours_pupil.pgn"};
    std::ostringstream text;
    text << in.rdbuf();
    const auto given = chess::read_games(text.str()).games[0];
    const auto annotate = [&](const std::string& pgn, const std::string& name) {
        const std::int64_t file = f.bring(pgn, name);
        f.search(file);
        return f.send(http::Method::get, f.game(file, 1) + "?format=pgn").body;
    };
    const std::string first = annotate(text.str(), "pupil.pgn");
    INFO(first);
    const chess::GameFile file = chess::read_games(first);
    CHECK(file.report.notes.empty());
    REQUIRE(file.games.size() == 1);
    const chess::AnnotatedGame& out = file.games[0];
    auto at = out.moves.begin();
    for (const chess::GameToken& token : given.moves) {
        at = std::find(at, out.moves.end(), token);
        REQUIRE(at != out.moves.end());
        ++at;
    }
    for (const chess::PgnTag& tag : given.tags) {
        CHECK(chess::tag_value(out.tags, tag.name) == tag.value);
    }
    CHECK(out.result == "1-0");
    CHECK(first.find("{[%adj engine") != std::string::npos);
    CHECK(first.find("$6 {[%adj engine] [%eval") != std::string::npos); // the person's glyph
    CHECK(annotate(first, "again.pgn") == first);
}

TEST_CASE("review: the games of a file, one after the other and in a table") {
    FileFixture f;
    const std::int64_t file = f.bring(two_games);
    const int asked = f.asked(file)["asked"];
    CHECK(asked >= 11); // of 16 positions, where games begin alike once
    CHECK(asked <= 13);
    CHECK(f.asked(file) == json{{"asked", 0}, {"waiting", asked}, {"left", 0}});
    f.wait_for(file);
    CHECK(f.asked(file) == json{{"asked", 0}, {"waiting", 0}, {"left", 0}});

    const json one = f.get(f.game(file, 1));
    CHECK(one["file"] ==
          json{{"id", file}, {"name", "games.pgn"}, {"at", one["file"]["at"]}, {"games", 3}});
    CHECK(one["game"] == 1);
    CHECK(one["previous"].is_null());
    CHECK(one["next"] == 2);
    CHECK(one["result"] == "0-1");
    CHECK(one["tags"][1] == json{{"name", "White"}, {"value", "Ada"}});
    CHECK(one["clocks"] == json{"0:59:10", "0:58:20", nullptr, nullptr});
    CHECK(one["moves"].size() == 4);
    CHECK(one["moves"][3]["san"] == "Qh4#");
    CHECK(one["searched"] == one["positions"]);
    CHECK(f.get(f.game(file, 3))["next"].is_null());

    const json table = f.get(f.table(file));
    CHECK(table["file"] == one["file"]);
    REQUIRE(table["games"].size() == 3);
    for (const json& row : table["games"]) {
        INFO(row.dump());
        const json game = f.get(f.game(file, row["number"]));
        CHECK(row["reason"].is_null());
        CHECK(row["plies"] == game["moves"].size());
        for (const char* field : {"positions", "searched", "white", "black"}) {
            CHECK(row[field] == game[field]);
        }
        if (!row["worst"].is_null()) {
            const std::size_t ply = row["worst"]["ply"];
            CHECK(row["worst"]["san"] == game["moves"][ply - 1]["san"]);
            CHECK(row["worst"]["loss"] == game["moves"][ply - 1]["loss"]);
        }
    }
    CHECK(table["games"][1]["tags"]["Black"] == "Ada");
    REQUIRE(table["players"].size() == 2); // nobody is "?"
    const json ada = table["players"][0];
    CHECK(ada["name"] == "Ada");
    CHECK(ada["games"] == 2);
    const double white = table["games"][0]["white"]["accuracy"];
    const double black = table["games"][1]["black"]["accuracy"];
    CHECK(ada["accuracy"].get<double>() == Approx((white + black) / 2));
    CHECK(ada["blunders"] == table["games"][0]["white"]["blunders"].get<int>() +
                                 table["games"][1]["black"]["blunders"].get<int>());
    CHECK(table["players"][1]["name"] == "Ben");
}

TEST_CASE("review: one game of a file is searched alone") {
    FileFixture f;
    const std::int64_t file = f.bring(two_games);
    CHECK(f.asked(file, "?game=3")["asked"].get<int>() >= 2);
    f.core.work_until([&] {
        const json seen = f.get(f.game(file, 3));
        return seen["searched"] == seen["positions"];
    });
    const json rows = f.get(f.table(file))["games"];
    CHECK(rows[2]["searched"] == 3);
    CHECK(rows[0]["searched"].get<int>() < rows[0]["positions"].get<int>());
}

TEST_CASE(
    "review: a game that does not lead to the root, or is not there, is told with the reason") {
    FileFixture f{json{{"moves", "1. d4 d5"}}};
    const std::int64_t file =
        f.bring(std::string{two_games} + "\n1. d4 {[%clk 1:00]} d5 2. c4 {[%clk 0:58]} e6 *\n");
    f.search(file);
    const json rows = f.get(f.table(file))["games"];
    REQUIRE(rows.size() == 4);
    CHECK(rows[0]["reason"].get<std::string>().find("does not lead to the root") !=
          std::string::npos);
    CHECK(rows[0]["tags"]["White"] == "Ada");
    CHECK(rows[0]["positions"] == 0);
    CHECK(rows[3]["reason"].is_null());
    CHECK(rows[3]["positions"] == 3);
    CHECK(rows[3]["plies"] == 4);
    CHECK(f.get(f.table(file))["players"].empty());
    CHECK(f.get(f.game(file, 4))["clocks"] == json{"0:58", nullptr});
    f.refuse(http::Method::get, f.game(file, 1), {}, 409, "conflict", "game");
    f.refuse(http::Method::get, f.game(file, 9), {}, 404, "not_found", "game");
    f.refuse(http::Method::get, f.table(file + 1), {}, 404, "not_found", "file");
    f.refuse(http::Method::post, f.table(file) + "?game=9", {}, 404, "not_found", "query.game");
}

TEST_CASE("review: a file that is only kept has no seeds and makes no notes") {
    FileFixture f;
    const json brought = f.brought({{"pgn", two_games}, {"seeds", false}});
    CHECK(brought["seeds"] == 0);
    CHECK(brought["known"] == false);
    CHECK(f.brought({{"pgn", two_games}, {"seeds", false}})["known"] == true);
    const auto notes = [&] { return f.get(f.path("/notes"))["notes"].size(); };
    CHECK(f.brought({{"name", "mine.pgn"}, {"pgn", two_games}})["seeds"].get<int>() > 0);
    f.core.work_until([&] { return notes() > 0; });
    CHECK(notes() == 1); // of the second one
}
