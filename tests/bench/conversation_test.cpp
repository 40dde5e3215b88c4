#include "bench/strategies/conversation.hpp"

#include "bench/strategies/assessments.hpp"
#include "bench/strategies/recorded_trees.hpp"
#include "bench/strategies/verdict.hpp"
#include "temporary_directory.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

using namespace adjourn;
using namespace adjourn::bench;

namespace {

// Deterministic, and as warm as can be: an answer depends on every question since new_game().
class WarmEngine final : public Searcher {
public:
    std::string identity() const override { return "warm 1"; }
    void new_game() override {
        memory_ = 1;
        ++games;
    }
    Found search(const Query& query) override {
        if (searches == dies_after) {
            throw std::runtime_error("the machine was switched off");
        }
        ++searches;
        for (const char c : to_text(query)) {
            memory_ = (memory_ ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
        }
        Found found;
        found.nodes = query.nodes;
        found.depth = 5;
        found.ms = 3;
        std::vector<chess::Move> moves = query.only;
        for (const chess::Move move : query.position.legal_moves()) {
            if (query.only.empty()) {
                moves.push_back(move);
            }
        }
        for (const chess::Move move : moves) {
            const std::uint64_t mixed = (memory_ ^ move.raw()) * 0x9e3779b97f4a7c15ULL;
            found.lines.push_back({move, chess::Score::cp(static_cast<int>(mixed >> 58))});
        }
        std::ranges::stable_sort(found.lines,
                                 [](const auto& a, const auto& b) { return a.score > b.score; });
        while (found.lines.size() > static_cast<std::size_t>(query.lines)) {
            found.lines.pop_back();
        }
        return found;
    }

    std::size_t searches = 0;
    std::size_t games = 0;
    std::size_t dies_after = 1'000'000;

private:
    std::uint64_t memory_ = 1;
};

Query query(const chess::Position& position, std::uint64_t nodes) {
    return {position, nodes, {}, 1};
}

// A whole small measurement with one engine for everything.
std::string table(Conversation& engine) {
    chess::Position position = chess::Position::initial();
    std::vector<JudgedRoot> roots;
    for (int i = 0; i < 4; ++i) {
        JudgedRoot root;
        root.assessments.push_back(assessment_of_search(position, 4'000, 1, engine).value());
        root.assessments.push_back(assessment_of_search(position, 4'000, 4, engine).value());
        Conversation* const engines[] = {&engine};
        root.assessments.push_back(
            assessment_of_tree({position,
                                analysis::default_parameters(analysis::StrategyKind::halving), 400,
                                4'000},
                               engines)
                .value());
        CHECK(root.assessments[0].estimates.empty());
        for (const auto& [move, estimate] : root.assessments[2].estimates) {
            CHECK(root.assessments[2].values.contains(move));
            CHECK(estimate.low < estimate.high);
        }
        CHECK_FALSE(root.assessments[2].estimates.empty());
        for (const Assessment& assessment : root.assessments) {
            root.values.emplace(assessment.move,
                                judgement_of(position, assessment.move, 9'000, engine).value());
        }
        roots.push_back(std::move(root));
        position.play(position.legal_moves()[1]);
    }
    std::ostringstream out;
    print_verdict({"one search", "multipv", "halving"}, roots, {}, out);
    return out.str();
}

} // namespace

TEST_CASE("conversation: an answer is that of the whole sequence since the beginning") {
    const TemporaryDirectory directory;
    const chess::Position start = chess::Position::initial();
    KeptSearches kept{directory.path() / "searches"};
    WarmEngine engine;
    Conversation talk{engine, kept};
    const Found cold = talk.ask(query(start, 100));
    const Found warm = talk.ask(query(start, 100));
    CHECK_FALSE(cold.same_words(warm));
    talk.begin();
    CHECK(talk.ask(query(start, 100)).same_words(cold));
    CHECK(talk.ask(query(start, 100)).same_words(warm));
    CHECK(talk.counts().searches == 2);
    CHECK(talk.counts().hits == 2);
    CHECK(engine.searches == 2);
    // A new question after kept ones: the engine is made as warm as it was.
    const Found third = talk.ask(query(start, 200));
    CHECK(talk.counts().repeated == 2);
    CHECK(talk.counts().differed == 0);
    WarmEngine other;
    other.new_game();
    other.search(query(start, 100));
    other.search(query(start, 100));
    CHECK(third.same_words(other.search(query(start, 200))));
}

TEST_CASE("conversation: a measurement goes on where it was, and its table is the same") {
    const TemporaryDirectory directory;
    std::string whole;
    std::size_t all = 0;
    {
        KeptSearches kept{directory.path() / "whole"};
        WarmEngine engine;
        Conversation talk{engine, kept};
        whole = table(talk);
        all = engine.searches;
        CHECK(talk.counts().searches == all);
        CHECK(kept.size() == all);
        CHECK(talk.counts().repeated == 0);
    }
    REQUIRE(all > 40);
    std::size_t lives = 0;
    std::size_t made = 0;
    std::size_t repeated = 0;
    for (bool done = false; !done; ++lives) {
        KeptSearches kept{directory.path() / "parts"};
        WarmEngine engine;
        engine.dies_after = 17; // more than the longest sequence has, or it would never get further
        Conversation talk{engine, kept};
        try {
            const std::string again = table(talk);
            CHECK(again == whole);
            done = true;
        } catch (const std::runtime_error&) {
        }
        made += talk.counts().searches;
        repeated += talk.counts().repeated;
        CHECK(talk.counts().differed == 0);
        REQUIRE(lives < 20);
    }
    CHECK(lives > 2);
    CHECK(made == all); // none twice but to warm the engine
    CHECK(repeated < lives * 10);
    KeptSearches kept{directory.path() / "parts"};
    WarmEngine engine;
    engine.dies_after = 0;
    Conversation talk{engine, kept};
    CHECK(table(talk) == whole);
    CHECK(talk.counts().hits == all);
}

TEST_CASE("conversation: cold trees share what they ask, warm ones do not") {
    const chess::Position start = chess::Position::initial();
    const TemporaryDirectory directory;
    for (const bool cold : {true, false}) {
        KeptSearches kept{directory.path() / (cold ? "cold" : "warm")};
        WarmEngine engine;
        Conversation talk{engine, kept};
        Conversation* const engines[] = {&talk};
        TreeRequest request{start, analysis::default_parameters(analysis::StrategyKind::halving),
                            100, 1'000};
        request.cold = cold;
        REQUIRE(assessment_of_tree(request, engines));
        CHECK(engine.games == (cold ? 10 : 1));
        const std::size_t before = engine.searches;
        request.parameters = analysis::default_parameters(analysis::StrategyKind::dropout);
        REQUIRE(assessment_of_tree(request, engines));
        CHECK(engine.searches > before);
        CHECK((engine.searches < before + 10) == cold);
    }
}

TEST_CASE("conversation: with several processes each part of the tree has its own") {
    const TemporaryDirectory directory;
    KeptSearches kept{directory.path() / "searches"};
    WarmEngine engines[3];
    Conversation a{engines[0], kept};
    Conversation b{engines[1], kept};
    Conversation c{engines[2], kept};
    Conversation* const all[] = {&a, &b, &c};
    REQUIRE(assessment_of_tree({chess::Position::initial(),
                                analysis::default_parameters(analysis::StrategyKind::halving), 100,
                                6'000},
                               all));
    // The root's questions, and those below.
    CHECK(engines[0].searches > 0);
    CHECK(engines[1].searches + engines[2].searches > 0);
    CHECK(engines[0].searches + engines[1].searches + engines[2].searches == 60);
}

TEST_CASE("kept searches: a line that was cut off is asked again, another file is refused") {
    const TemporaryDirectory directory;
    const auto file = directory.path() / "deep" / "searches";
    const SearchKey first = SearchKey::of("e").then("a");
    const SearchKey second = first.then("b");
    CHECK_FALSE(first == second);
    CHECK_FALSE(SearchKey::of("e").then("ab") == second);
    Found found;
    found.lines = {{chess::Position::initial().legal_moves()[3], chess::Score::mated_in(4)},
                   {chess::Position::initial().legal_moves()[5], chess::Score::cp(-7)}};
    found.nodes = 12'345;
    {
        KeptSearches kept{file};
        kept.keep(first, found);
        kept.keep(second, found);
    }
    std::filesystem::resize_file(file, std::filesystem::file_size(file) - 4);
    {
        KeptSearches kept{file};
        REQUIRE(kept.find(first));
        CHECK(kept.find(first)->same_words(found));
        CHECK(kept.find(first)->nodes == 12'345);
        CHECK_FALSE(kept.find(second));
        kept.keep(second, found);
    }
    CHECK(KeptSearches{file}.size() == 2);
    std::ofstream{directory.path() / "letter"} << "Dear Sir,\n";
    CHECK_THROWS_WITH(KeptSearches{directory.path() / "letter"},
                      Catch::Contains("not a file of kept searches"));
}

TEST_CASE("kept searches: other files are known, too, and nothing is written there") {
    const TemporaryDirectory directory;
    const SearchKey key = SearchKey::of("engine").then("question");
    const auto old = directory.path() / "old";
    {
        KeptSearches kept{old};
        kept.keep(key, {{}, 3, 17, 5});
    }
    const auto size = std::filesystem::file_size(old);
    KeptSearches kept{directory.path() / "new"};
    CHECK_FALSE(kept.find(key));
    kept.know(old);
    REQUIRE(kept.find(key));
    CHECK(kept.find(key)->nodes == 17);
    kept.keep(key.then("next"), {{}, 3, 18, 5});
    CHECK(std::filesystem::file_size(old) == size);
    CHECK_THROWS_WITH(kept.know(directory.path() / "nothing"), Catch::Contains("cannot be read"));
    std::ofstream{directory.path() / "letter"} << "Dear Sir\n";
    CHECK_THROWS_WITH(kept.know(directory.path() / "letter"),
                      Catch::Contains("not a file of kept searches"));
}

TEST_CASE("recorded trees: the estimates of an assessment follow from the facts that it names") {
    const TemporaryDirectory directory;
    KeptSearches kept{directory.path() / "searches"};
    WarmEngine engine;
    Conversation conversation{engine, kept};
    std::array<Conversation*, 1> engines{&conversation};
    const TreeRequest request{chess::Position::initial(),
                              analysis::default_parameters(analysis::StrategyKind::halving), 1'000,
                              30'000};
    const auto assessment = assessment_of_tree(request, engines);
    REQUIRE(assessment);
    REQUIRE(assessment->estimates.size() > 1);
    CHECK(assessment->facts.size() == 30);
    std::stringstream text;
    write_recorded_trees({{request.root, assessment->facts, {}}}, text);
    const auto read = read_recorded_trees(text);
    REQUIRE(read.size() == 1);
    CHECK(estimates_of(read[0]) == assessment->estimates);
}

TEST_CASE("assessments: which half a root belongs to never changes") {
    chess::Position position = chess::Position::initial();
    std::string halves;
    for (int i = 0; i < 32; ++i) {
        halves += in_tune_set(position) ? 't' : '.';
        const auto moves = position.legal_moves();
        position.play(moves[static_cast<std::size_t>(i) % moves.size()]);
    }
    CHECK(halves == "...t.t..t..ttttttt..tttttttt...t");
}

TEST_CASE("verdict: regret, coverage and errors by hand") {
    const auto moves = chess::Position::initial().legal_moves();
    JudgedRoot root;
    root.values = {{moves[0], {20, 30}}, {moves[1], {10, 10}}, {moves[2], {-60, -60}}};
    root.assessments = {{moves[1], {{moves[1], 14}}, 0},
                        {moves[0], {{moves[0], 21}, {moves[1], 12}, {moves[2], 0}}, 0},
                        {moves[2], {{moves[2], 1}}, 0}};
    // The first holds the reference's 25, the second not its 10; the third move is not compared.
    root.assessments[2].estimates = {
        {moves[0], {20, 10, 30, 1}}, {moves[1], {30, 20, 40, 1}}, {moves[2], {-60, -70, -50, 1}}};
    CHECK(regret(root, 0) == 15);
    CHECK(regret(root, 1) == 0);
    CHECK(regret(root, 2) == 85);
    std::ostringstream out;
    print_verdict({"one search", "multipv", "x"}, {root, root}, {}, out);
    const std::string text = out.str();
    CHECK_THAT(text, Catch::Contains("Mean [95 % interval] over 2 roots; 2 comparisons"));
    CHECK_THAT(text, Catch::Contains("differ by 3.3 [0.0, 8.3] cp a move"));
    CHECK_THAT(text, Catch::Contains("| one search | 15.0 [15.0, 15.0] |"));
    CHECK_THAT(text, Catch::Contains("| 15.0 [15.0, 15.0]        | 2 / 0 / 0"));
    CHECK_THAT(text, Catch::Contains("| x                           | 4        | 10.0           | "
                                     "50 [50, 50] %      |"));
    CHECK_THAT(text, Catch::Contains("2 of 4"));            // of the two moves within 50 cp, one
    CHECK_THAT(text, Catch::Contains("3.0 [3.0, 3.0]"));    // (|21 - 25| + |12 - 10|) / 2
    CHECK_THAT(text, Catch::Contains("-2.0 [-2.0, -2.0]")); // |14 - 10| instead of |12 - 10|
}

TEST_CASE("verdict: values and estimates are judged, each by themselves") {
    const auto moves = chess::Position::initial().legal_moves();
    JudgedRoot root;
    root.values = {{moves[0], {25, 25}}, {moves[1], {10, 10}}};
    root.assessments = {{moves[0], {{moves[0], 27}, {moves[1], 13}}, 0},
                        {moves[0], {{moves[0], 45}, {moves[1], 11}}, 0}};
    root.assessments[1].estimates = {{moves[0], {31, 20, 40, 2}}}; // the other's is its value
    std::ostringstream out;
    print_verdict({"multipv", "x"}, {root, root}, {}, out);
    const auto row = [text = out.str()](const std::string& name) {
        const std::size_t from = text.find("\n| " + name + ' ', text.find("have a value"));
        return text.substr(from + 1, text.find('\n', from + 1) - from - 1);
    };
    INFO(out.str());
    CHECK_THAT(row("x"), Catch::Contains("| 4 of 4 ") && Catch::Contains("| 10.5 [10.5, 10.5] ") &&
                             Catch::Contains("| -8.0 [-8.0, -8.0] "));
    CHECK_THAT(row("x, estimates"), Catch::Contains("| 4 of 4 ") &&
                                        Catch::Contains("| 3.5 [3.5, 3.5] ") &&
                                        Catch::Contains("| -1.0 [-1.0, -1.0] "));
    CHECK(out.str().find("multipv, estimates") == std::string::npos);
}
