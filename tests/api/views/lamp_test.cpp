// The fortress lamp beside a position and its moves.
#include "api/views/lamp.hpp"

#include "api_fixture.hpp"

#include <array>

using namespace adjourn;
using namespace adjourn::server;
using analysis::Evaluation;
using analysis::Limit;
using nlohmann::json;

namespace {

constexpr const char* blocked = "k1b5/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/8/8/K1B5 w - - 0 1";

struct Lamplit {
    chess::Position position = chess::Position::from_fen(blocked).value();
    std::vector<Evaluation> facts;
    NodeDraft draft;
    json node{{"moves", json::array({json::object(), json::object()})}};

    Lamplit() {
        draft.position = position.packed();
        draft.key.engine = analysis::EngineId{1};
        draft.moves = {{0, {move("c1f4")}}, {1, {move("a1b1")}}};
        for (const std::uint64_t nodes : {4'000, 16'000, 64'000, 256'000}) {
            know(nodes, "c1f4", 152);
        }
    }

    chess::Move move(const char* uci) const { return chess::parse_uci(position, uci).value(); }

    Evaluation& know(std::uint64_t nodes, const char* uci, int cp) {
        Evaluation fact;
        fact.id = analysis::EvaluationId{static_cast<std::int64_t>(facts.size()) + 1};
        fact.question = {position.packed(), analysis::EngineId{1}, {Limit::Kind::nodes, nodes}, {}};
        fact.move = move(uci);
        fact.score = chess::Score::cp(cp);
        fact.pv = {*fact.move};
        chess::Position at = position.after(*fact.move);
        constexpr std::array to_and_fro{"a8b8", "a1a2", "b8a8", "a2a1"};
        for (std::size_t i = 0; i < 24; ++i) {
            const auto step = chess::parse_uci(at, to_and_fro[i % to_and_fro.size()]);
            if (!step) {
                break;
            }
            fact.pv.push_back(*step);
            at.play(*step);
        }
        fact.at = static_cast<analysis::UnixMs>(facts.size());
        return facts.emplace_back(std::move(fact));
    }

    const json& lit() {
        add_lamps(node, draft, facts);
        return node;
    }
};

} // namespace

TEST_CASE("lamp: a course is by effort, each once, and of those who count") {
    Lamplit told;
    told.know(16'000, "c1f4", 160);                                           // later
    told.know(1'000'000, "c1f4", 90).question.engine = analysis::EngineId{2}; // a stranger
    told.know(2'000'000, "a1b1", 80).question.excluded = {told.move("c1f4")};
    const auto of_position = course_of(told.facts, told.draft.key, std::nullopt);
    REQUIRE(of_position.size() == 4);
    CHECK(of_position[1].score == chess::Score::cp(160));
    CHECK(of_position.front().effort < of_position.back().effort);
    CHECK(course_of(told.facts, told.draft.key, told.move("a1b1")).size() == 1);
    CHECK(course_of(told.facts, told.draft.key, told.move("c1e3")).empty());
}

TEST_CASE("lamp: lit beside the position and a move, with its reasons in words") {
    Lamplit told;
    told.draft.clock = 30;
    told.draft.around = 12;
    told.draft.values = {chess::Score::cp(152), chess::Score::cp(0)};
    told.know(64'000, "a1b1", 152).question.excluded = {told.move("c1f4")}; // once
    const json& node = told.lit();
    REQUIRE(node.contains("fortress"));
    CHECK(node["fortress"]["side"] == "white");
    CHECK(node["fortress"]["reasons"] ==
          json::array({{{"reason", "flat"}, {"figure", 0}, {"doublings", 4}},
                       {{"reason", "repeats"}, {"figure", 152}},
                       {{"reason", "around"}, {"figure", 12}},
                       {{"reason", "quiet"}, {"figure", 25}},
                       {{"reason", "clock"}, {"figure", 55}}}));
    CHECK(node["fortress"]["text"] ==
          "White's advantage may not be convertible: 16 times the work found nothing more; the "
          "tree finds nothing better than a repetition, against 1.52 without; 12 positions of the "
          "tree lead to each other, and nothing is given up between them; the line of 25 "
          "half-moves has no capture and no pawn move; at its end 55 of 100 half-moves without "
          "either are over");
    CHECK(node["moves"][0]["fortress"]["side"] == "white");
    CHECK(node["moves"][0]["fortress"]["reasons"].size() == 4); // its own values are not known
    CHECK_FALSE(node["moves"][1].contains("fortress"));

    Lamplit rising;
    rising.know(1'024'000, "c1f4", 210);
    CHECK_FALSE(rising.lit().contains("fortress"));
    CHECK_FALSE(rising.node["moves"][0].contains("fortress"));
}

TEST_CASE("lamp: whose advantage it is, is told from White's side") {
    using chess::Color;
    analysis::Fortress lamp;
    lamp.lit = true;
    for (const bool mover : {true, false}) {
        lamp.mover = mover;
        lamp.why = {{analysis::FortressReason::flat, 7, 5}};
        CHECK(lamp_json(lamp, Color::white)["side"] == (mover ? "white" : "black"));
        CHECK(lamp_json(lamp, Color::black)["side"] == (mover ? "black" : "white"));
        CHECK(lamp_json(lamp, Color::black)["text"].get<std::string>().ends_with(
            ": 32 times the work found 0.07 more"));
    }
}

TEST_CASE("lamp: the API shows it at a position that larger searches found nothing at") {
    GrownTree f;
    CHECK_FALSE(f.get(f.path("/node")).contains("fortress"));
    const auto root =
        chess::Position::from_fen(f.get(f.path("/node"))["fen"].get<std::string>()).value();
    Evaluation fact = f.core.store->evaluations(root.packed()).front();
    fact.move = chess::parse_uci(root, "g1f3").value();
    fact.score = chess::Score::cp(150);
    fact.wdl = std::nullopt;
    fact.question.excluded.clear();
    fact.pv.clear();
    chess::Position at = root;
    constexpr std::array to_and_fro{"g1f3", "b8c6", "f3g1", "c6b8"};
    for (std::size_t i = 0; i < 24; ++i) {
        fact.pv.push_back(chess::parse_uci(at, to_and_fro[i % to_and_fro.size()]).value());
        at.play(fact.pv.back());
    }
    for (const std::uint64_t depth : {30, 34, 38}) {
        fact.question.limit = {Limit::Kind::depth, depth};
        fact.depth = static_cast<int>(depth);
        f.core.store->append(fact, [](const auto&) {});
    }
    f.core.store->flush();
    const json node = f.get(f.path("/node"));
    REQUIRE(node.contains("fortress"));
    CHECK(node["fortress"]["side"] == "white");
    CHECK(node["fortress"]["reasons"][0] ==
          json{{"reason", "flat"}, {"figure", 0}, {"doublings", 5}});
}
