// Gaps of a repertoire, against what the calls about single positions say.
#include "api_fixture.hpp"

namespace {

std::string words(const json& line) {
    std::string text;
    for (const json& move : line) {
        text += (text.empty() ? "" : " ") + move["uci"].get<std::string>();
    }
    return text;
}

int cp(const json& score) {
    return score["cp"].get<int>();
}

// Black's repertoire against 1. e4.
struct Sicilian : OneAnalysis {
    Sicilian() : OneAnalysis{body()} { settle(id); }
    static json body() {
        json body = wanted({{"moves", "1. e4 c5"}});
        body["strategy"]["move_distance"] = 2;
        return body;
    }
    json gaps(const std::string& more) { return get(path("/gaps?side=black" + more)); }
    void import(const std::string& pgn) {
        ask_text(http::Method::post,
                 "/import?format=pgn&name=mine.pgn&analysis=" + std::to_string(id), pgn);
        core.settle_down();
    }
    void collect(const std::string& pgn) {
        ask_text(http::Method::post, "/collections/games", pgn);
    }
    void work() {
        core.work_until([&] { return core.settled(analysis::AnalysisId{id}); });
    }
    // How many were asked.
    std::size_t queue(const json& lines) {
        const json told = ask(http::Method::post, path("/gaps/queue"), {{"lines", lines}});
        work();
        return told["asked"];
    }
    // White's moves at the root that have no answer, as UCI and SAN.
    std::vector<std::pair<std::string, std::string>> unanswered() {
        const chess::Position root = run_of(id).root;
        std::vector<std::pair<std::string, std::string>> all;
        for (const chess::Move move : root.legal_moves()) {
            if (scores(chess::to_uci(root, move)).empty()) {
                all.emplace_back(chess::to_uci(root, move), chess::to_san(root, move));
            }
        }
        REQUIRE(all.size() >= 2);
        return all;
    }
    // Scores of the moves of a position, from White's side.
    std::map<std::string, int> scores(const std::string& line) {
        std::map<std::string, int> all;
        const json here = get(path("/node?moves=" + http::percent_encoded(line)));
        for (const json& move : here["moves"]) {
            if (move["alpha"].is_object() && move["alpha"].contains("cp")) {
                all[move["uci"]] = cp(move["alpha"]);
            }
        }
        return all;
    }
};

// The best for White, or for Black.
int best_of(const std::map<std::string, int>& scores, bool white) {
    int best = white ? -10'000 : 10'000;
    for (const auto& [move, score] : scores) {
        best = white ? std::max(best, score) : std::min(best, score);
    }
    return best;
}

json gap_at(const json& list, const std::string& line) {
    for (const json& each : list) {
        if (words(each["line"]) == line) {
            return each;
        }
    }
    return {};
}

std::string games(const std::string& moves, int count) {
    std::string text;
    for (int i = 0; i < count; ++i) {
        text += "[Event \"" + std::to_string(i) + "\"]\n\n" + moves + " 1-0\n\n";
    }
    return text;
}

} // namespace

TEST_CASE("gaps: moves close to their best one that have no answer") {
    Sicilian f;
    const json found = f.gaps("&within=200&limit=1000");
    REQUIRE(found["total"].get<std::size_t>() > 0);
    CHECK(found["gaps"].size() == found["total"]);
    CHECK(found["own_moves"] == 0);
    CHECK(found["truncated"] == false);
    std::set<std::string> lines;
    double before = 1.0;
    for (const json& gap : found["gaps"]) {
        const std::string line = words(gap["line"]);
        CAPTURE(line);
        CHECK(lines.insert(line).second);
        CHECK(gap["line"].size() % 2 == 1); // Black to move
        CHECK(gap["close"] == true);
        CHECK(gap["played"] == false);
        CHECK(gap["likelihood"].get<double>() <= before);
        before = gap["likelihood"];
        CHECK(f.scores(line).empty());
        const auto cut = line.rfind(' ');
        const std::string parent = cut == std::string::npos ? "" : line.substr(0, cut);
        const auto theirs = f.scores(parent);
        CHECK(theirs.at(gap["line"].back()["uci"]) >= best_of(theirs, true) - 200);
    }
    // All at the root.
    const auto root = f.scores("");
    const int best = best_of(root, true);
    for (const auto& [move, score] : root) {
        CAPTURE(move);
        CHECK(lines.contains(move) == (score >= best - 200 && f.scores(move).empty()));
    }
    SECTION("the answers, if they are asked for") {
        CHECK_FALSE(found.contains("answers"));
        const json answers = f.gaps("&within=200&limit=1000&answers=true")["answers"];
        CHECK(answers.size() == found["answered"]);
        for (const json& answer : answers) {
            const auto mine = f.scores(words(answer["line"]));
            const int least = best_of(mine, false);
            CHECK(mine.at(answer["move"]["uci"]) == least);
            CHECK(cp(answer["score"]) == least);
        }
    }
    SECTION("fewer within less, and the list is bounded, its count is not") {
        const json closer = f.gaps("&within=0&limit=1000");
        CHECK(closer["total"].get<int>() < found["total"].get<int>());
        const json some = f.gaps("&within=200&limit=1");
        CHECK(some["gaps"].size() == 1);
        CHECK(some["total"] == found["total"]);
        CHECK(some["gaps"][0] == found["gaps"][0]);
    }
    SECTION("asked all at once, they are answered") {
        json asked = json::array();
        for (const json& gap : found["gaps"]) {
            asked.push_back(words(gap["line"]));
        }
        CHECK(f.queue(asked) == asked.size());
        for (const json& line : asked) {
            CAPTURE(line);
            CHECK_FALSE(f.scores(line).empty());
        }
    }
}

TEST_CASE("gaps: moves that are played matter whatever they are worth, the likeliest first") {
    Sicilian f;
    const auto open = f.unanswered();
    f.collect(games("1. e4 c5 2. " + open[0].second, 8) +
              games("1. e4 c5 2. " + open[1].second, 4) + games("1. e4 c5 2. Nf3", 20));
    const auto by_line = [&](const std::string& more) {
        std::map<std::string, json> lines;
        const json found = f.gaps("&within=0&collection=games" + more);
        for (const json& gap : found["gaps"]) {
            lines[words(gap["line"])] = gap;
        }
        return lines;
    };
    auto lines = by_line("&games=5");
    REQUIRE(lines.contains(open[0].first));
    const json gap = lines[open[0].first];
    CHECK(gap["games"] == 8);
    CHECK(gap["played"] == true);
    CHECK(gap["likelihood"].get<double>() < 0.25);
    CHECK(gap["likelihood"].get<double>() > 8.0 / (32 + 40));
    CHECK_FALSE(lines.contains(open[1].first));
    CHECK(by_line("&games=4").contains(open[1].first));
    CHECK(f.gaps("&within=0")["total"] == 0);
}

TEST_CASE("gaps: my own file is the repertoire, with what it loses and what is new in it") {
    Sicilian f;
    const auto [uci, san] = f.unanswered().front();
    f.collect(games("1. e4 c5 2. " + san + " d6", 10));
    f.import("1. e4 c5 2. " + san + " h5 3. a3 *\n");
    // My move has no score yet: a gap that knows what I want to play. The file goes on from there.
    const json first = f.gaps("&within=0&own_only=true&collection=games&limit=1000");
    const json open = gap_at(first["gaps"], uci);
    REQUIRE(open.is_object());
    CHECK(open["mine"]["san"] == "h5");
    CHECK(first["own_moves"] == 1);
    CHECK(gap_at(first["gaps"], uci + " h7h5 a2a3").is_object());
    CHECK(first["total"].get<int>() > f.gaps("&within=0&collection=games")["total"].get<int>());

    f.queue({san + " h5", json::array({uci})});
    const auto scores = f.scores(uci);
    REQUIRE(scores.contains("h7h5"));
    const int best = best_of(scores, false);
    const int loss = scores.at("h7h5") - best;
    const json now = f.gaps("&within=0&own_only=true&collection=games&loses=1&limit=1000");
    CHECK(gap_at(now["gaps"], uci).is_null());
    const json novelty = gap_at(now["novelties"], uci + " h7h5");
    REQUIRE(novelty.is_object());
    CHECK(novelty["games"] == 10);
    const json loses = gap_at(now["loses"], uci + " h7h5");
    CHECK(loses.is_object() == (loss > 0));
    if (loss > 0) {
        CHECK(loses["loss"] == loss);
        CHECK(cp(loses["best_score"]) == best);
        CHECK(cp(loses["score"]) == scores.at("h7h5"));
    }
}

TEST_CASE("gaps: how much of what is played is answered, and where the games end") {
    Sicilian f;
    const std::string line = "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 6. Be3";
    f.collect(games(line, 6) + games("1. e4 c5 2. Nf3 d6 3. Bb5+", 2));
    f.import(line + " e5 7. Nb3 Be6 *\n");
    const json found = f.gaps("&own_only=true&collection=games&games=6");
    const json& coverage = found["coverage"];
    REQUIRE(coverage.size() == 3);
    CHECK(coverage[0]["moves"] == 5);
    CHECK(coverage[0]["answered"].get<double>() == Approx(0.75));
    CHECK(coverage[1]["moves"] == 8);
    CHECK(coverage[1]["answered"] == 0.0);
    CHECK(coverage[2]["unseen"].get<double>() < 0.01);
    REQUIRE(found["ends"].size() == 1);
    CHECK(words(found["ends"][0]["line"]) == "g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 a7a6 c1e3 e7e5");
    CHECK(found["ends"][0]["games"] == 6);
    CHECK(found["seldom"].empty());
}

TEST_CASE("gaps: lines of my file that hardly ever come") {
    Sicilian f;
    f.collect(games("1. e4 c5 2. Nf3", 2'000));
    f.import("1. e4 c5 2. h4 (2. Nf3 d6) 2... Nf6 3. h5 d5 *\n");
    const json found = f.gaps("&own_only=true&collection=games");
    REQUIRE(found["seldom"].size() == 1);
    CHECK(words(found["seldom"][0]["line"]) == "h2h4");
    CHECK(found["seldom"][0]["answers"] == 2);
    CHECK(found["seldom"][0]["likelihood"].get<double>() < 0.001);
}

TEST_CASE("gaps: my side is said once, and where my game left my file is told with what it cost") {
    Sicilian f;
    const auto left = [&] { return f.get(f.path("/gaps?left=true"))["left"]; };
    CHECK(f.get(f.path("/gaps"))["side"] == "white");
    CHECK(left().empty());
    f.import("1. e4 c5 2. Nf3 d6 *\n");
    f.import("[White \"Ada\"]\n[Black \"Ben\"]\n\n1. e4 c5 2. Nf3 Nc6 1-0\n");
    f.work();
    REQUIRE(left().size() == 1);
    CHECK(left()[0]["mine"].is_null());
    f.change({{"my_side", "white"}});
    CHECK(left()[0]["mine"] == false);
    f.change({{"my_side", "black"}, {"my_names", "Ben"}});
    CHECK(f.get(f.path("/gaps"))["side"] == "black");
    const json game = left()[0];
    CHECK(game["mine"] == true);
    CHECK(game["players"] == "Ada – Ben");
    CHECK(words(game["line"]) == "g1f3 b8c6");
    CHECK(game["known"][0]["san"] == "d6");
    if (game["loss"].is_number()) {
        CHECK(game["loss"] == cp(game["score"]) - cp(game["known"][0]["score"]));
    }
    f.change({{"my_names", "Carl"}});
    CHECK(left().empty());
    f.refuse(http::Method::patch, f.path(), {{"my_side", "both"}}, 400, "bad_value", "my_side");
    f.refuse(http::Method::get, f.path("/gaps?collection=none"), {}, 400, "bad_value",
             "query.collection");
    f.refuse(http::Method::get, f.path("/gaps?side=both"), {}, 400, "bad_value", "query.side");
    f.refuse(http::Method::post, f.path("/gaps/queue"), {{"lines", {"Ke3"}}}, 400, "illegal_move",
             "lines[0][0]");
}
