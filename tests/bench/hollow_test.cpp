#include "bench/hollow.hpp"

#include "bench/strategies/hollow_moves.hpp"
#include "bench_run.hpp"
#include "chess/notation.hpp"
#include "temporary_directory.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>

using namespace adjourn;
using namespace adjourn::bench;

namespace {

// What an engine says of the moves after some lines, best first; elsewhere it names the first move
// by number and repeats what was said of the position before.
class HollowScript final : public Oracle {
public:
    using Words = std::vector<std::pair<const char*, int>>; // cp, mover's side

    void says(const std::vector<const char*>& after, const Words& words) {
        chess::Position position = chess::Position::initial();
        for (const char* san : after) {
            position.play(chess::parse_san(position, san).value());
        }
        auto& here = script_[position.packed()];
        for (const auto& [san, cp] : words) {
            const chess::Move move = chess::parse_san(position, san).value();
            here.emplace_back(move, cp);
            predicted_[position.after(move).packed()] = -cp;
        }
    }

    analysis::EngineId engine() const override { return analysis::EngineId{1}; }
    analysis::Evaluation ask(const analysis::Question& question) override {
        asked.push_back(question);
        const auto open = [&](chess::Move move) {
            return !std::ranges::binary_search(question.excluded, move);
        };
        analysis::Evaluation fact;
        fact.id = analysis::EvaluationId{static_cast<std::int64_t>(asked.size())};
        fact.question = question;
        for (const auto& [move, cp] : script_[question.position]) {
            if (open(move)) {
                return answered(std::move(fact), move, cp);
            }
        }
        const auto position = chess::Position::unpack(question.position).value();
        for (const chess::Move move : position.legal_moves()) {
            if (open(move)) {
                const int said = predicted_[question.position];
                predicted_.try_emplace(position.after(move).packed(), -said);
                return answered(std::move(fact), move,
                                question.excluded.empty() ? said : said - 300);
            }
        }
        return fact;
    }

    std::vector<analysis::Question> asked;

private:
    static analysis::Evaluation answered(analysis::Evaluation fact, chess::Move move, int cp) {
        fact.move = move;
        fact.score = chess::Score::cp(cp);
        return fact;
    }

    std::map<chess::PackedPosition, std::vector<std::pair<chess::Move, int>>> script_;
    std::map<chess::PackedPosition, int> predicted_;
};

// 1. d4 e6 2. c4 turns out bad. Nobody asked for 2. Nf3 before: c4 was good enough against 1… e6.
HollowScript fallen_line() {
    HollowScript script;
    script.says({}, {{"e4", 30}, {"d4", 25}, {"a3", -60}});
    script.says({"d4"}, {{"Nf6", -25}, {"e6", -28}, {"a6", -200}});
    script.says({"d4", "Nf6"}, {{"Nf3", 25}, {"a3", -200}});
    script.says({"d4", "e6"}, {{"c4", 28}, {"Nf3", 26}, {"a3", -200}});
    script.says({"d4", "e6", "c4"}, {{"h6", 100}, {"a6", -200}});
    return script;
}

HollowRequest hollow_request() {
    HollowRequest result{chess::Position::initial(),
                         analysis::default_parameters(analysis::StrategyKind::halving),
                         {analysis::Limit::Kind::depth, 10}};
    result.parameters.move_distance = 20;
    result.parameters.refine = 5;
    return result;
}

BenchRun hollow_run(const std::filesystem::path& directory, const std::vector<std::string>& more) {
    {
        std::ofstream epd{directory / "roots.epd"};
        epd << "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -\n"
               "rnbqkb1r/pp2pppp/3p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R b KQkq -\n"
               "rnbqkb1r/ppp2ppp/4pn2/3p4/2PP4/5N2/PP2PPPP/RNBQKB1R w KQkq -\n";
    }
    std::vector<std::string> args{"--epd",       (directory / "roots.epd").string(),
                                  "--cache",     (directory / "searches").string(),
                                  "--stockfish", ADJOURN_HASH_ENGINE,
                                  "--depth",     "1",
                                  "--refine",    "2"};
    args.insert(args.end(), more.begin(), more.end());
    return bench_run(run_hollow, args);
}

// The numbers of the table's last line after the strategy's name.
std::vector<std::size_t> figures(const std::string& table) {
    std::istringstream in{table.substr(table.rfind("\n| ") + 2)};
    std::vector<std::size_t> result;
    std::string cell;
    std::getline(in, cell, '|'); // the name may have numbers
    while (std::getline(in, cell, '|')) {
        if (cell.find_first_of("0123456789") != std::string::npos) {
            result.push_back(std::stoul(cell));
        }
    }
    return result;
}

} // namespace

TEST_CASE("hollow moves: none where what fell is asked about again, one where it is not") {
    HollowScript script = fallen_line();
    const auto found = hollow_moves(hollow_request(), script);
    REQUIRE(found);
    CHECK(found->searched.size() == 2);
    CHECK(found->hollow.empty());
    CHECK(found->answers + found->checks == script.asked.size());

    // A floor so high that nothing is asked about again.
    HollowRequest careless = hollow_request();
    careless.parameters.floor = 1'000;
    HollowScript again = fallen_line();
    const auto seen = hollow_moves(careless, again);
    REQUIRE(seen);
    CHECK(seen->searched.size() == 2);
    REQUIRE(seen->hollow.size() == 1);
    CHECK(chess::to_san(chess::Position::initial(), seen->hollow.front()) == "d4");
    CHECK(seen->checks > 0);
    // From -100 to 25: that is not more than 125.
    for (const int rise : {124, 125}) {
        careless.rise = rise;
        HollowScript more = fallen_line();
        CHECK(hollow_moves(careless, more)->hollow.size() == (rise == 124 ? 1 : 0));
    }
}

TEST_CASE("hollow moves: a tree that needs too many answers is given up") {
    HollowScript script = fallen_line();
    HollowRequest wanted = hollow_request();
    wanted.most_answers = 6;
    CHECK_FALSE(hollow_moves(wanted, script));
    CHECK(script.asked.size() == 6);
}

TEST_CASE("bench hollow: a real process, and a run that was cut off ends in the same table") {
    const TemporaryDirectory directory;
    const BenchRun first =
        hollow_run(directory.path(), {"--roots", "2", "--strategy", "halving:distance=9"});
    INFO(first.said());
    REQUIRE(first.code == 0);
    CHECK_THAT(first.said(), Catch::Contains("| halving:distance=9 |"));
    const auto cells = figures(first.said());
    REQUIRE(cells.size() == 9);
    CHECK(cells[0] == 1); // depth
    CHECK(cells[1] == 2); // level
    CHECK(cells[2] > 0);  // roots
    CHECK(cells[3] > cells[2]);
    const auto file = directory.path() / "searches";
    const auto again = [&] {
        return hollow_run(directory.path(), {"--roots", "2", "--strategy", "halving:distance=9"});
    };
    std::filesystem::resize_file(file, std::filesystem::file_size(file) / 2);
    CHECK(again().said() == first.said());
    const auto size = std::filesystem::file_size(file);
    CHECK(again().said() == first.said());
    CHECK(std::filesystem::file_size(file) == size); // everything was known
}

TEST_CASE("bench hollow: what fails is named") {
    const TemporaryDirectory directory;
    const BenchRun none = hollow_run(directory.path(), {"--stockfish", "/nonexistent/engine"});
    CHECK(none.code == 1);
    CHECK_THAT(none.said(), Catch::Contains("/nonexistent/engine"));
    std::ostringstream out;
    CHECK(run_hollow({}, out) == 0);
    CHECK_THAT(out.str(), Catch::Contains("--epd FILE"));
}
