// Exports of the person's side, and over HTTP.
#include "analysed.hpp"
#include "analysis/root_answer.hpp"
#include "api_fixture.hpp"

TEST_CASE("own export: a repertoire has the person's answers") {
    Analysed a{"1. e4 e5"};
    const chess::Move mine = a.worst();
    const auto best = analysis::root_answer(a.run().slot->graph(), a.run().root_node, {})->move;
    REQUIRE(mine != best);
    ExportLimits limits = from_game();
    limits.one_sided = chess::Color::white;
    const auto answers = [&](const Games& games) {
        const Games out = read(a.pgn(limits, games));
        const chess::GameTree tree{out[0]};
        std::vector<chess::Move> moves;
        const auto root = *tree.find(*chess::parse_line(out[0].start, "1. e4 e5"));
        for (auto at = tree.first_child(root); at != 0; at = tree.next_sibling(at)) {
            moves.push_back(tree.move(at));
        }
        return moves;
    };
    CHECK(answers({}) == std::vector{best});
    limits.own_only = true;
    CHECK(answers({}).empty());
    limits.own_only = false;
    chess::AnnotatedGame game;
    const auto before = *chess::parse_line(game.start, "1. e4 e5");
    game.moves = {before[0], before[1], mine};
    CHECK(answers({game}) == std::vector{mine});
    REQUIRE(a.core.core->direct(a.id, {mine}, "include", "").wait());
    a.settle();
    CHECK(answers({}) == std::vector{mine});
    limits.own_only = true;
    CHECK(answers({}) == std::vector{mine});
}

TEST_CASE("own export: over HTTP, with the analysis's players, and a file named after them") {
    ApiFixture f;
    json wanted = ApiFixture::wanted({{"moves", "1. e4 e5"}});
    wanted["game"] = {{"white", "Müller, J."}, {"black", "Çelik"},     {"event", "Club"},
                      {"site", "Town"},        {"date", "2026-11-20"}, {"round", "3"}};
    const auto id = f.post(wanted);
    f.settle(id);
    const std::string path = "/analyses/" + std::to_string(id);
    const auto said = f.send(http::Method::post, path + "/directives",
                             {{"moves", {"a2a4"}}, {"action", "note"}, {"text", "rare"}});
    REQUIRE(said.status == 201);
    const auto file = f.send(http::Method::get, path + "/export?from=game");
    REQUIRE(file.status == 200);
    CHECK(file.headers.at("Content-Disposition") == "attachment; filename=\"muller-j-celik.pgn\"");
    for (const char* tag : {"[Event \"Club\"]", "[Site \"Town\"]", "[Date \"2026.11.20\"]",
                            "[Round \"3\"]", "[White \"Müller, J.\"]", "[Black \"Çelik\"]"}) {
        CHECK(file.body.find(tag) != std::string::npos);
    }
    CHECK(file.body.find("a4 {rare}") != std::string::npos);
    const auto get = [&](const std::string& more) {
        return f.send(http::Method::get, path + "/export?" + more).body;
    };
    CHECK(get("mine=none").find("rare") == std::string::npos);
    CHECK(get("mine=annotated").find("a4 {rare}") != std::string::npos);
    CHECK(get("engine=none").find("%eval") == std::string::npos);
    CHECK(get("engine=best&mine=none&comments=none").find('(') == std::string::npos);
    CHECK(get("side=white&own_only=true&mine=none").find("2. ") == std::string::npos);
    f.refuse(http::Method::get, path + "/export?mine=some", {}, 400, "bad_value", "query.mine");
    f.refuse(http::Method::get, path + "/export?engine=some", {}, 400, "bad_value", "query.engine");
}

TEST_CASE("own export: what was said before the game went on is there, where it went and where it "
          "did not") {
    ApiFixture f;
    const auto id = f.post(ApiFixture::wanted({{"moves", "1. e4 e5"}}));
    f.settle(id);
    const std::string path = "/analyses/" + std::to_string(id);
    const auto note = [&](const json& line, const char* text) {
        REQUIRE(f.send(http::Method::post, path + "/directives",
                       {{"moves", line}, {"action", "note"}, {"text", text}})
                    .status == 201);
    };
    note({"g1f3"}, "the knight");
    note({"f2f4"}, "the gambit");
    note({"g1f3", "b8c6", "f1b5"}, "the pin");
    REQUIRE(f.send(http::Method::post, path + "/advance", {{"moves", {"g1f3", "b8c6"}}}).status ==
            200);
    f.settle(id);
    std::string whole = f.send(http::Method::get, path + "/export?from=game").body;
    std::ranges::replace(whole, '\n', ' '); // lines end anywhere
    for (const char* said : {"the knight", "the gambit", "the pin"}) {
        INFO(whole);
        CHECK(whole.find(said) != std::string::npos);
    }
    const std::string below = f.send(http::Method::get, path + "/export").body;
    CHECK(below.find("the pin") != std::string::npos);
    CHECK(below.find("the gambit") == std::string::npos);
}
