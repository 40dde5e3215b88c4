// Files of games through the API: in, out, edits, and undoing them.
#include "api_fixture.hpp"

#include "chess/game_reader.hpp"
#include "chess/pgn_writer.hpp"
#include "files/kept/kept_file.hpp"

using http::Method;

namespace {

// As it is written.
std::string in_order(const std::string& pgn) {
    return chess::to_pgn(chess::read_games(pgn).games.front());
}

const std::string repertoire =
    in_order("[Event \"Mine\"]\n[White \"Me\"]\n[Black \"You\"]\n[Result \"*\"]\n\n"
             "{first} 1. e4! {[%clk 1:00:00] best} (1. d4 $14 {[%cal Gd2d4]}) e5 2. Nf3 *\n");

struct FilesFixture : OneAnalysis {
    FilesFixture() : OneAnalysis{wanted({{"moves", json::array()}})} {}
    const std::string files = path("/files");

    json bring(const std::string& pgn) {
        return ask(Method::post, files, {{"name", "mine.pgn"}, {"pgn", pgn}}, 201);
    }
    std::string at(std::int64_t file, const std::string& rest = "") const {
        return files + "/" + std::to_string(file) + rest;
    }
    std::string text(std::int64_t file) {
        const http::Response response = send(Method::get, at(file));
        REQUIRE(response.status == 200);
        CHECK(response.content_type == "application/x-chess-pgn; charset=utf-8");
        return response.body;
    }
    json edit(std::int64_t file, const json& wish) {
        return ask(Method::post, at(file, "/edits"), wish);
    }
    json undo(std::int64_t file, const json& wish = json::object()) {
        return ask(Method::post, at(file, "/undo"), wish);
    }
    std::string exported(const std::string& query = "") {
        return send(Method::get, path("/export" + query)).body;
    }
};

} // namespace

TEST_CASE("files: what comes in goes out, and is listed") {
    FilesFixture f;
    const json brought = f.bring(repertoire + "\n1. c4 {[%eval 0.2,20]} *\n");
    const std::int64_t file = brought["id"];
    CHECK(brought["games"] == 2);
    CHECK(brought["seeds"] == 5);
    CHECK(brought["evaluations"] == 1);
    CHECK(brought["refused"] == 0);
    CHECK(brought["mended"] == 1); // the second one has no tags
    CHECK(brought["told"][0]["line"] == 9);
    CHECK(f.text(file).starts_with(repertoire + "\n"));

    const json list = f.get(f.files)["files"];
    REQUIRE(list.size() == 1);
    CHECK(list[0]["name"] == "mine.pgn");
    const json game = list[0]["games"][0];
    CHECK(game["number"] == 1);
    CHECK(game["version"] == 1);
    CHECK(game["tags"]["White"] == "Me");
    CHECK(game["plies"] == 3);
    CHECK(game["variations"] == 1);
    CHECK(game["comments"] == 3);
    CHECK(f.send(Method::get, f.at(file) + "?game=1").body == repertoire);
    // It goes with its analysis.
    f.ask(Method::post, f.files, {{"pgn", "1. h4 *"}}, 201);
    CHECK(f.get(f.files)["files"][1]["name"] == "games.pgn");
    CHECK(f.bring(repertoire + "\n1. c4 {[%eval 0.2,20]} *\n")["id"] == file); // the same
    CHECK(f.send(Method::del, f.path()).status == 204);
    CHECK(f.core.store->files(analysis::AnalysisId{f.id}).empty());
}

TEST_CASE("files: a game for a board") {
    FilesFixture f;
    const std::int64_t file = f.bring(repertoire)["id"];
    const json game = f.get(f.at(file) + "?game=1&as=json");
    CHECK(game["file"] == file);
    CHECK(game["version"] == 1);
    CHECK(game["undo"] == false);
    CHECK(game["tags"][1] == json{{"name", "White"}, {"value", "Me"}});
    CHECK(game["comment"] == "first");
    CHECK(game["result"] == "*");
    const json moves = game["moves"];
    REQUIRE(moves.size() == 4);
    CHECK(moves[0] == json{{"parent", 0},
                           {"uci", "e2e4"},
                           {"san", "e4"},
                           {"nags", {1}},
                           {"comment", "best"},
                           {"clock", "1:00:00"}});
    CHECK(
        moves[1] ==
        json{{"parent", 0}, {"uci", "d2d4"}, {"san", "d4"}, {"nags", {14}}, {"marks", {"Gd2d4"}}});
    CHECK(moves[2]["parent"] == 1);
    CHECK(moves[3]["parent"] == 3);
}

TEST_CASE("files: a comment that was changed or deleted is not exported as a note") {
    FilesFixture f;
    const std::int64_t file = f.bring(repertoire)["id"];
    f.settle(f.id);
    const auto has = [&](const char* text) {
        return f.exported("?engine=none").find(text) != std::string::npos;
    };
    REQUIRE(has("best}"));
    const auto edit = [&](const char* text) {
        f.edit(file, {{"game", 1}, {"path", "0"}, {"action", "comment"}, {"text", text}});
    };
    edit("second thoughts");
    CHECK(has("second thoughts}"));
    CHECK_FALSE(has("best}"));
    edit("");
    CHECK_FALSE(has("second thoughts}"));
    CHECK_FALSE(has("best}"));
    f.undo(file, {{"game", 1}});
    f.undo(file, {{"game", 1}});
    const std::string again = f.exported("?engine=none");
    CHECK(again.find("best}") == again.rfind("best}"));
    CHECK(has("best}"));
    // A person's own note stays, whatever files say.
    f.say({{"moves", "1. e4"}, {"action", "note"}, {"text", "my own"}});
    edit("third");
    CHECK(has("my own}"));
}

TEST_CASE("files: every edit does what it says, and undoing takes all of them back") {
    FilesFixture f;
    const std::int64_t file = f.bring(repertoire)["id"];
    struct Row {
        json edit;
        const char* path; // as it is told
        const char* holds;
    };
    const Row rows[] = {
        {{{"path", "0.0.0"}, {"action", "move"}, {"move", "Nc6"}}, "0.0.0.0", "2. Nf3 Nc6 *"},
        {{{"action", "move"}, {"move", "c2c4"}}, "2", "(1. c4)"},
        {{{"path", "2"}, {"action", "promote"}}, "0", "1. c4 (1. d4"},
        {{{"path", "2.0"}, {"action", "main"}}, "0.0", "1. e4"},
        {{{"path", "0"}, {"action", "nag"}, {"nag", 5}}, "0", "1. e4!?"},
        {{{"path", "0"}, {"action", "clear_nag"}, {"nag", 5}}, "0", "1. e4 {"},
        {{{"path", "0"}, {"action", "comment"}, {"text", "the point"}}, "0", "1:00:00] the point"},
        {{{"path", "1"}, {"action", "comment_before"}, {"text", "else"}}, "1", "({else} 1."},
        {{{"path", "0.0"}, {"action", "marks"}, {"marks", {"Re5", "Gf1b5"}}},
         "0.0",
         "[%csl Re5] [%cal Gf1b5]"},
        {{{"path", "0.0.0"}, {"action", "delete"}}, "0.0", "1. e4"}};
    int version = 1;
    for (const Row& row : rows) {
        json wish = row.edit;
        wish["game"] = 1;
        CAPTURE(wish);
        const json done = f.edit(file, wish);
        CHECK(done["path"] == row.path);
        CHECK(done["version"] == ++version);
        CHECK(done["undo"] == true);
        std::string text = f.text(file);
        std::ranges::replace(text, '\n', ' ');
        CHECK_THAT(text, Catch::Contains(row.holds));
    }
    std::size_t undone = 0;
    while (f.send(Method::post, f.at(file, "/undo"), {{"game", 1}}).status == 200) {
        ++undone;
    }
    CHECK(undone == std::size(rows));
    CHECK(f.text(file) == repertoire);
    CHECK(f.get(f.at(file) + "?game=1&as=json")["undo"] == false);
    f.refuse(Method::post, f.at(file, "/undo"), {{"game", 1}}, 409, "conflict", "game");
}

TEST_CASE("files: an edit of a version that is no longer the last one is refused") {
    FilesFixture f;
    const std::int64_t file = f.bring(repertoire)["id"];
    const json wish{{"game", 1}, {"version", 1}, {"path", "0"}, {"action", "nag"}, {"nag", 2}};
    CHECK(f.edit(file, wish)["version"] == 2);
    f.refuse(Method::post, f.at(file, "/edits"), wish, 409, "conflict", "version");
    CHECK(f.text(file).find("1. e4?") != std::string::npos);
    // Of two that have read the same version, the one that is written second.
    const auto kept = kept_file(*f.core.store, analysis::AnalysisId{f.id}, file);
    const auto write = [&](const std::string& pgn) {
        return f.core.core->keep(analysis::AnalysisId{f.id}, kept->with_game(1, pgn, 5)).wait();
    };
    CHECK(write("[Result \"*\"]\n\n1. a4 *\n"));
    const auto second = write("[Result \"*\"]\n\n1. b4 *\n");
    REQUIRE_FALSE(second);
    CHECK(second.error().kind == WorkError::Kind::changed_meanwhile);
    CHECK(f.text(file).find("1. a4") != std::string::npos);
    // What the store does not take.
    const auto gone = f.core.core
                          ->keep(analysis::AnalysisId{f.id},
                                 {{{0, analysis::AnalysisId{f.id}, file + 100, 1, 1, 0, "", 1}}})
                          .wait();
    REQUIRE_FALSE(gone);
    CHECK(gone.error().kind == WorkError::Kind::store_failed);
}

TEST_CASE("files: replaced, renamed, deleted, and back") {
    FilesFixture f;
    const std::int64_t file = f.bring(repertoire)["id"];
    json done = f.ask(Method::put, f.at(file), {{"pgn", "1. a3 *\n\n1. b3 {mine} *"}});
    CHECK(done["id"] == file);
    CHECK(done["games"] == 2);
    CHECK(done["seeds"] == 2);
    CHECK(f.get(f.files)["files"][0]["games"].size() == 2);
    CHECK(f.get(f.files)["files"][0]["name"] == "mine.pgn");
    done = f.ask(Method::put, f.at(file), {{"name", "ours.pgn"}});
    CHECK(done["games"] == 2);
    CHECK(f.get(f.files)["files"][0]["name"] == "ours.pgn");
    CHECK(f.undo(file)["name"] == "mine.pgn");
    const std::string now = f.text(file);
    CHECK(f.send(Method::del, f.at(file)).status == 204);
    CHECK(f.get(f.files)["files"].empty());
    f.refuse(Method::get, f.at(file), {}, 404, "not_found", "file");
    f.undo(file);
    CHECK(f.text(file) == now);
    // PGN as it is, by its kind of content.
    const auto parsed = http::parse_target("/api/v1" + f.at(file));
    const http::Response text = f.api(http::Request{
        Method::put, parsed->path, {}, {{"content-type", "application/x-chess-pgn"}}, repertoire});
    CHECK(text.status == 200);
    CHECK(f.text(file) == repertoire);
}

TEST_CASE("files: what is wrong is said with its place") {
    FilesFixture f;
    const std::int64_t file = f.bring(repertoire)["id"];
    const auto post = [&](const json& body, int status, const char* code, const char* where) {
        f.refuse(Method::post, f.files, body, status, code, where);
    };
    post(json::object(), 400, "bad_request", "pgn");
    post({{"pgn", " "}}, 400, "bad_value", "pgn");
    post({{"pgn", "1. e4 *"}, {"name", " "}}, 400, "bad_value", "name");
    std::string many;
    for (int i = 0; i < 2'001; ++i) {
        many += "1. e4 *\n\n";
    }
    post({{"pgn", many}}, 413, "too_large", "pgn");
    const auto get = [&](const std::string& target, int status, const char* code,
                         const char* where) {
        f.refuse(Method::get, target, {}, status, code, where);
    };
    get(f.files + "/99", 404, "not_found", "file");
    get(f.at(file) + "?game=2", 404, "not_found", "query.game");
    get(f.at(file) + "?as=json", 400, "bad_request", "query.game");
    const auto edit = [&](json wish, int status, const char* code, const char* where) {
        wish["game"] = wish.value("game", 1);
        f.refuse(Method::post, f.at(file, "/edits"), wish, status, code, where);
    };
    edit({{"action", "move"}}, 400, "bad_request", "move");
    edit({{"action", "move"}, {"move", "e5"}}, 400, "illegal_move", "move[0]");
    edit({{"action", "move"}, {"move", "e4 e5"}}, 400, "bad_value", "move");
    edit({{"action", "delete"}}, 409, "conflict", "path");
    edit({{"action", "promote"}, {"path", "0"}}, 409, "conflict", "path");
    edit({{"action", "delete"}, {"path", "0..0"}}, 400, "bad_value", "path");
    edit({{"action", "marks"}, {"path", "0"}, {"marks", {"Xd4"}}}, 400, "bad_value", "marks[0]");
    edit({{"action", "delete"}, {"path", "0"}, {"text", "x"}}, 400, "unknown_field", "text");
    edit({{"game", 2}, {"action", "delete"}, {"path", "0"}}, 404, "not_found", "game");
    CHECK(f.text(file) == repertoire);
}

TEST_CASE("files: an import keeps its games, once, and tells what it had to mend or leave out") {
    FilesFixture f;
    const std::string target = "/import?format=pgn&name=mine.pgn&analysis=" + std::to_string(f.id);
    const auto import = [&](const std::string& more, const std::string& text) {
        return f.ask_text(Method::post, target + more, text);
    };
    const std::string broken = repertoire + "\n[Result \"*\"]\n\n1. e4 e5 2. Ke3 *\n";
    const json report = import("", broken);
    CHECK(report["file"]["games"] == 2);
    CHECK(report["file"]["known"] == false);
    CHECK(report["file"]["refused"] == 1);
    CHECK(report["file"]["told"][0]["game"] == 2);
    CHECK(report["file"]["told"][0]["line"] == 11);
    CHECK(report["file"]["told"][0]["column"] == 13);
    CHECK(report["broken"] == 1);
    CHECK(f.text(report["file"]["id"]).starts_with(repertoire));
    CHECK(import("", broken)["file"]["known"] == true);
    CHECK(f.get(f.files)["files"].size() == 1);
    CHECK(import("&keep=false", "1. h4 *")["file"].is_null());
    CHECK(f.get(f.files)["files"].size() == 1);
}
