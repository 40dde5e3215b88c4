// Collections of games through the API.
#include "api_fixture.hpp"

namespace {

const std::string three_games =
    "[White \"Najdorf, Miguel\"]\n[Black \"Fischer\"]\n[WhiteElo \"2500\"]\n[BlackElo \"2600\"]\n"
    "[Date \"1961.??.??\"]\n\n1. e4 c5 1-0\n\n"
    "[White \"A\"]\n[Date \"2024.02.03\"]\n\n1. e4 c5 1/2-1/2\n\n"
    "[White \"B\"]\n\n1. d4 Nf6 0-1\n\n[White \"C\"]\n\n1. Ke3 1-0\n";

} // namespace

TEST_CASE("collections: games are added, looked up by position, and deleted") {
    ApiFixture f;
    CHECK(f.get("/collections") == json{{"collections", json::array()}});
    const json report =
        f.ask_text(http::Method::post, "/collections/masters?file=a.pgn", three_games);
    CHECK(report["games"] == 3);
    CHECK(report["damaged"] == 1);
    CHECK(report["errors"][0]["record"] == 4);
    CHECK(report["errors"][0]["line"] == 20);

    const json start = f.get("/collections/masters/moves?fen=" +
                             http::percent_encoded(chess::Position::initial().fen()));
    CHECK(start["games"] == 3);
    CHECK(start["moves"][0] == json{{"uci", "e2e4"},
                                    {"san", "e4"},
                                    {"games", 2},
                                    {"white", 1},
                                    {"draws", 1},
                                    {"black", 0},
                                    {"last_year", 2024},
                                    {"elo", 2550},
                                    {"best",
                                     {{"white", "Najdorf, Miguel"},
                                      {"black", "Fischer"},
                                      {"year", 1961},
                                      {"elo", 2550},
                                      {"result", "1-0"}}}});
    CHECK(start["moves"][1]["last_year"].is_null());
    CHECK(start["moves"][1]["elo"].is_null());

    CHECK(f.ask_text(http::Method::post, "/collections/masters", three_games)["known"] == true);
    const json list = f.get("/collections")["collections"];
    REQUIRE(list.size() == 1);
    CHECK(list[0]["name"] == "masters");
    CHECK(list[0]["games"] == 3);
    CHECK(list[0]["sources"] == json::array({{{"name", "a.pgn"}, {"games", 3}}}));

    CHECK(f.send(http::Method::del, "/collections/masters").status == 204);
    f.refuse(http::Method::del, "/collections/masters", {}, 404, "not_found", "name");
    f.refuse(http::Method::get, "/collections/masters/moves?fen=8/8/8/8/8/4k3/4p3/4K3%20w%20-%20-",
             {}, 404, "not_found", "name");
}

TEST_CASE("collections: one that an older version has made is told, and can be deleted") {
    ApiFixture f;
    f.directory.write("collections/old.games", "adjourn games 3\n");
    const json list = f.get("/collections")["collections"];
    REQUIRE(list.size() == 1);
    CHECK(list[0]["name"] == "old");
    CHECK(list[0]["games"] == 0);
    f.refuse(http::Method::get, "/collections/old/moves?fen=8/8/8/8/8/4k3/4p3/4K3%20w%20-%20-", {},
             404, "not_found", "name");
    f.refuse_text(http::Method::post, "/collections/old", three_games, 503, "unavailable", "");
    CHECK(f.send(http::Method::del, "/collections/old").status == 204);
}

TEST_CASE("collections, positions: a position is read alike by all that are asked for one") {
    ApiFixture f;
    f.refuse_text(http::Method::post, "/collections/a%20b", three_games, 400, "bad_value", "name");
    f.refuse(http::Method::post, "/collections/a?plies=0", {}, 400, "bad_value", "query.plies");
    std::vector<std::string> told;
    for (const std::string path : {"/positions", "/collections/a/moves"}) {
        const auto refuse = [&](const std::string& query, const char* code, const char* where) {
            f.refuse(http::Method::get, path + query, {}, 400, code, where);
        };
        refuse("", "bad_request", "query.fen");
        refuse("?fen=x", "illegal_position", "query.fen");
        refuse("?fen=" + std::string(300, 'x'), "bad_value", "query.fen");
        refuse("?fen=x&plies=1", "unknown_field", "query.plies");
        told.push_back(f.send(http::Method::get, path + "?fen=8/8/8/8/8/8/8/8%20w").body);
    }
    CHECK(told[0] == told[1]);
}
