// What is exported as PGN and imported elsewhere is the same tree, without any engine.
#include "analysed.hpp"
#include "analysis/root_answer.hpp"
#include "api_fixture.hpp"

#include <regex>

namespace {

constexpr ExportLimits whole_tree{60, 30, 100'000};

} // namespace

namespace {

struct Root {
    const char* name;
    const char* fen;
    const char* moves;
    int refine = 2;
};

constexpr const char* initial = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

// An analysis of one root in a store of its own.
struct Place : ApiFixture {
    analysis::AnalysisId grow(const Root& root) {
        const auto start = *chess::Position::from_fen(root.fen);
        NewAnalysis wanted{root.name, start, *chess::parse_line(start, root.moves), "", {}, {},
                           0,         false};
        wanted.spec.strategy = analysis::default_parameters("halving");
        wanted.limit = {analysis::Limit::Kind::depth, 8};
        wanted.spec.strategy.move_distance = 20;
        wanted.spec.strategy.refine = root.refine;
        const auto id = core.core->create(std::move(wanted)).wait();
        REQUIRE(id);
        settle(static_cast<std::int64_t>(*id));
        return *id;
    }

    // Takes nothing but what the file says.
    analysis::AnalysisId take(const Root& root, const std::string& pgn) {
        const auto id = post({{"position", {{"fen", root.fen}, {"moves", root.moves}}},
                              {"name", root.name},
                              {"limit", {{"depth", 8}}},
                              {"strategy", {{"move_distance", 20}, {"refine", root.refine}}},
                              {"accept", {"any"}},
                              {"hold", true}});
        const auto imported =
            send_text(http::Method::post, "/import?format=pgn&name=tree.pgn&analysis=1", pgn);
        REQUIRE(imported.status == 200);
        const json report = json::parse(imported.body);
        CHECK(report["broken"] == 0);
        CHECK(report["warned"] == 0);
        core.settle_down();
        CHECK(bench.asked.empty());
        return analysis::AnalysisId{id};
    }

    std::string pgn(analysis::AnalysisId id) const {
        return exported("pgn", *core.core, core.run(id), {}, whole_tree);
    }
};

// The header Analysis says how far the analysis settled: only an engine can settle anything.
std::string without_settled(const std::string& pgn) {
    const auto start = pgn.find("[Analysis ");
    REQUIRE(start != std::string::npos);
    return pgn.substr(0, start) + pgn.substr(pgn.find('\n', start) + 1);
}

// Estimates weigh the engine's own words, and the file has the backed-up values. The rest is
// broken into other lines without them.
std::string without_estimates(const std::string& pgn) {
    static const std::regex estimate{", estimate [^ ]+ \\([^)]+\\)| estimate [^ ]+ \\([^)]+\\)"};
    std::istringstream words{pgn};
    std::string joined;
    for (std::string word; words >> word;) {
        joined += (joined.empty() ? "" : " ") + word;
    }
    return std::regex_replace(joined, estimate, "");
}

} // namespace

TEST_CASE("export: PGN, imported and exported again, is the same byte for byte") {
    for (const Root& root :
         {Root{"open", initial, "e2e4 e7e5"}, Root{"Black to move", initial, "d2d4"},
          Root{"transpositions", initial, "d2d4 d7d5 c2c4", 3},
          Root{"mate in one", "7k/5Q2/8/8/8/8/8/K5R1 w - - 0 1", ""},
          Root{"mate in two", "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", ""},
          Root{"to be mated", "7k/5Q2/8/8/8/8/8/K5R1 b - - 0 1", ""},
          Root{"Black mates", "k5r1/8/8/8/8/8/5q2/7K b - - 0 1", ""},
          Root{"queen's ending", "4k3/8/4K3/8/8/8/8/Q7 w - - 0 1", ""},
          Root{"rooks", "4k3/8/8/r7/8/8/8/R3K3 b Q - 0 40", ""},
          Root{"Chess960", "4rkr1/pppppppp/8/8/8/8/PPPPPPPP/4RKR1 w GEge - 0 1", ""},
          Root{"Chess960, Black", "bnrbkrqn/pppppppp/8/8/4P3/8/PPPP1PPP/BNRBKRQN b FCfc - 0 1",
               ""}}) {
        INFO(root.name);
        Place grown;
        const std::string first = grown.pgn(grown.grow(root));
        Place copy;
        const std::string second = copy.pgn(copy.take(root, first));
        CHECK(without_estimates(without_settled(second)) ==
              without_estimates(without_settled(first)));
        Place again;
        CHECK(again.pgn(again.take(root, second)) == second);
    }
}

TEST_CASE("export: a main line that ends the game has its result, and pgn-extract is content") {
    for (const auto& [fen, result] : std::vector<std::pair<const char*, const char*>>{
             {"7k/5Q2/8/8/8/8/8/K5R1 w - - 0 1", "1-0"},
             {"k5r1/8/8/8/8/8/5q2/7K b - - 0 1", "0-1"},
             {initial, "*"}}) {
        Place place;
        const Root root{"end", fen, ""};
        const std::string pgn = place.pgn(place.grow(root));
        INFO(pgn);
        CHECK(pgn.find("[Result \"" + std::string{result} + "\"]") != std::string::npos);
        CHECK(pgn.ends_with(" " + std::string{result} + "\n"));
        CHECK(pgn.find("#0") == std::string::npos);
        check_by_pgn_extract(place.directory.path(), pgn);
    }
}

TEST_CASE("export: estimates stand behind the exported position's moves, and are no scores") {
    for (const Root& root :
         {Root{"White", initial, "e2e4 e7e5", 3}, Root{"Black", initial, "d2d4", 3}}) {
        Place place;
        const auto id = place.grow(root);
        std::string pgn = place.pgn(id);
        INFO(pgn);
        const json node = place.get("/analyses/1/node?moves=");
        std::ranges::replace(pgn, '\n', ' ');
        std::size_t expected = 0;
        for (const json& move : node["moves"]) {
            const bool within = std::abs(move["alpha"]["cp"].get<int>() -
                                         node["alpha"]["cp"].get<int>()) <= whole_tree.margin;
            if (!within || move["estimate"]["searches"] < 2) {
                continue;
            }
            ++expected;
            const auto text = [&](const char* which) {
                return chess::to_text(chess::Score::cp(move["estimate"][which].get<int>()));
            };
            const std::string words = "estimate " + text("cp") + " (" + text("low") + " to " +
                                      text("high") + ", " + move["estimate"]["searches"].dump() +
                                      " searches)";
            INFO(words);
            CHECK(pgn.find(words) != std::string::npos);
        }
        CHECK(expected >= 2);
        std::size_t seen = 0;
        for (auto at = pgn.find("estimate "); at != std::string::npos;
             at = pgn.find("estimate ", at + 1)) {
            ++seen;
        }
        CHECK(seen == expected); // and nowhere else
        check_by_pgn_extract(place.directory.path(), place.pgn(id));
    }
}

TEST_CASE("export: notes stand at their positions, and no note is an evaluation") {
    Place place;
    const auto id = place.grow({"notes", initial, ""});
    const auto best = chess::Move{
        analysis::root_answer(place.core.run(id).slot->graph(), place.core.run(id).root_node, {})
            ->move};
    REQUIRE(place.core.core->direct(id, {}, "note", "the {start}").wait());
    REQUIRE(place.core.core->direct(id, {best}, "note", "best? [%eval 9.00,40]").wait());
    place.core.settle_down();
    const std::string pgn = place.pgn(id);
    INFO(pgn);
    CHECK(pgn.find("\n\n{the (start)} 1. ") != std::string::npos);
    CHECK(pgn.find("{best? [ %eval 9.00,40]}") != std::string::npos);
    CHECK(pgn.find("[%eval 9.00") == std::string::npos);
}

TEST_CASE("views: table, best move, variation, tree and export agree on the order of moves") {
    Place place;
    // Three moves of equal value, in an order that is neither their own nor anybody's.
    const auto id = place.take({"ties", initial, ""},
                               "1. h3 {[%eval 0.30,8]} (1. a3 {[%eval 0.30,8]}) "
                               "(1. e4 {[%eval 0.30,12]} 1... e5 {[%eval 0.30,8]} "
                               "(1... a6 {[%eval 0.30,8]})) (1. d4 {[%eval 0.30,12]}) *\n");
    const auto get = [&](const std::string& target) { return place.get("/analyses/1" + target); };
    const auto names = [](const json& moves) {
        std::string text;
        for (const json& move : moves) {
            text += move["san"].get<std::string>() + " ";
        }
        return text;
    };
    const json node = get("/node?moves=");
    const json told =
        json::parse(exported("json", *place.core.core, place.core.run(id), {}, whole_tree));
    CHECK(names(node["moves"]) == names(told["moves"]));
    CHECK(names(node["moves"]) ==
          names(get("/tree?moves=&plies=1&margin=100")["root"]["children"]));
    CHECK(node["moves"][0]["san"] == node["pv"]["alpha"][0]["san"]);
    CHECK(node["moves"][0]["san"] == get("")["best"]["san"]);
    // Of equal values first what is judged below, then the larger effort.
    CHECK(names(node["moves"]).starts_with("e4 d4 "));
    CHECK(get("/node?moves=e2e4")["moves"][0]["san"] ==
          get("/node?moves=e2e4")["pv"]["alpha"][0]["san"]);
}
