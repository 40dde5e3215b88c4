#include "core/records/stored_analysis.hpp"

#include "chess/notation.hpp"
#include "core/records/analysis_spec.hpp"
#include "test.hpp"

#include <nlohmann/json.hpp>

using namespace adjourn::server;
using nlohmann::json;

namespace {

NotedSnapshot noted(const std::string& text) {
    storage::SnapshotRecord record;
    record.data = text;
    return NotedSnapshot{record};
}

} // namespace

TEST_CASE("snapshot: the rules of a snapshot are limit, strategy and whose words count") {
    const json base{{"limit", {{"depth", 8}}}, {"strategy", {{"kind", "halving"}}}};
    const auto rules = rules_of_snapshot(base);
    REQUIRE(rules);
    const auto with = [&](const json& patch) {
        json other = base;
        other.merge_patch(patch);
        return rules_of_snapshot(other);
    };
    CHECK(with({{"strategy", {{"refine", 7}}}}) == rules); // the same tree, farther
    CHECK(with({{"strategy", {{"move_distance", 30}}}}) == rules);
    CHECK(with({{"evaluations", 5}}) == rules);
    CHECK(with({{"strategy", {{"move_distance", 31}}}}) != rules);
    CHECK(with({{"strategy", {{"kind", "uniform"}}}}) != rules);
    CHECK(with({{"limit", {{"depth", 9}}}}) != rules);
    CHECK(with({{"accept", {"epd"}}}) != rules);
    CHECK_FALSE(rules_of_snapshot(json::object()));
}

TEST_CASE("snapshot: the text has White's scores, moves in SAN, and the rules without refine") {
    Snapshot snapshot;
    snapshot.root.play(*chess::parse_san(snapshot.root, "e4")); // Black to move
    snapshot.evaluations = 3;
    snapshot.positions = 2;
    snapshot.engine_ms = 1'500;
    snapshot.limit = {analysis::Limit::Kind::nodes, 1'000};
    snapshot.strategy.refine = 4;
    const chess::Move e5 = *chess::parse_san(snapshot.root, "e5");
    snapshot.alpha = chess::Score::cp(-20);
    snapshot.moves = {{e5, chess::Score::cp(-20), chess::Score::mate_in(3)}};
    snapshot.pv = {e5};
    const json text = json::parse(to_text(snapshot));
    CHECK(text["engine_seconds"] == 1.5);
    CHECK(text["limit"] == json{{"nodes", 1'000}});
    CHECK_FALSE(text["strategy"].contains("refine"));
    CHECK_FALSE(text.contains("accept"));
    CHECK(text["alpha"] == json{{"cp", 20}});
    CHECK(text["idea"].is_null());
    const json move{
        {"uci", "e7e5"}, {"san", "e5"}, {"alpha", {{"cp", 20}}}, {"idea", {{"mate", -2}}}};
    CHECK(text["moves"] == json::array({move}));
    CHECK(text["pv"] == json::array({"e5"}));
    CHECK(noted(to_text(snapshot)).evaluations == 3);
    CHECK(noted("no JSON").evaluations == 0);
}

TEST_CASE("snapshot: what was told of an answer is read as it was written, or not at all") {
    Snapshot snapshot;
    snapshot.nodes = 16'000;
    snapshot.engine = "Stockfish 19";
    snapshot.best = "e2e4";
    snapshot.said = ToldAnswer{"d2d4", 4'000, {analysis::AnswerGroup::hard, 401}, 1.25, 0.75};
    const NotedSnapshot read = noted(to_text(snapshot));
    CHECK(read.nodes == 16'000);
    CHECK(read.engine == "Stockfish 19");
    CHECK(read.best == "e2e4");
    CHECK(read.said == snapshot.said);
    snapshot.said.reset();
    CHECK_FALSE(noted(to_text(snapshot)).said);
    CHECK_FALSE(noted("{}").said); // of an older program
    CHECK(noted("{}").best.empty());
    snapshot.said = ToldAnswer{"d2d4", 4'000, {analysis::AnswerGroup::hard, 401}, 1.25, 0.75};
    json odd = json::parse(to_text(snapshot));
    odd["said"]["group"] = 3;
    CHECK_FALSE(noted(odd.dump()).said);
    storage::SnapshotRecord record;
    record.refine = 1;
    record.data = odd.dump();
    CHECK(snapshot_trouble(record) == "its said cannot be read");
    odd["said"]["group"] = 2;
    record.data = odd.dump();
    CHECK(snapshot_trouble(record).empty());
}

TEST_CASE("snapshot: two are compared by their rules, and by what they say whatever it cost") {
    Snapshot one;
    one.limit = {analysis::Limit::Kind::depth, 8};
    one.alpha = chess::Score::cp(10);
    Snapshot dearer = one;
    dearer.engine_ms = 1'000;
    dearer.strategy.refine = 9;
    CHECK(noted(to_text(one)).same_rules(noted(to_text(dearer)).rules));
    CHECK(noted(to_text(one)).same_values(noted(to_text(dearer))));
    CHECK(noted(to_text(one))
              .same_rules(noted(rules_text(one.limit, one.strategy, one.accept)).rules));
    Snapshot other = one;
    other.alpha = chess::Score::cp(11);
    CHECK(noted(to_text(one)).same_rules(noted(to_text(other)).rules));
    CHECK_FALSE(noted(to_text(one)).same_values(noted(to_text(other))));
    other = one;
    other.accept = {"epd"};
    CHECK_FALSE(noted(to_text(one)).same_rules(noted(to_text(other)).rules));
    CHECK_FALSE(noted("").same_rules(noted("").rules));
    CHECK_FALSE(noted("").same_values(noted("")));
}
