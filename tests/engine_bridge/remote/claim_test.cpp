// What a machine tells is compared with the question before anybody believes it.
#include "engine_bridge/remote/fleet.hpp"

#include "chess/notation.hpp"
#include "test.hpp"

using namespace adjourn::engine_bridge;

namespace {

Job black_to_move() {
    const auto position =
        chess::Position::from_fen("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    return {1, *position, {chess::Limit::Kind::depth, 8}, {}};
}

Claim right() {
    Claim told;
    told.move = "e7e5";
    told.cp = 30;
    told.depth = 8;
    told.nodes = 100;
    told.pv = {"e7e5", "g1f3"};
    return told;
}

} // namespace

TEST_CASE("claim: from White's point of view to the mover's, and back") {
    const Job job = black_to_move();
    Claim told = right();
    const auto answer = believed(told, job);
    REQUIRE(answer);
    CHECK(answer->score == chess::Score::cp(-30));
    CHECK(answer->pv.size() == 2);
    CHECK(claim_of(*answer, job).cp == 30);
    CHECK(claim_of(*answer, job).pv == told.pv);
    CHECK_FALSE(answer->wdl);
    told.wdl = chess::WinDrawLoss{312, 640, 48};
    const auto chances = believed(told, job);
    REQUIRE(chances);
    CHECK(chances->wdl == chess::WinDrawLoss{48, 640, 312});
    CHECK(claim_of(*chances, job).wdl == told.wdl);
    for (const int mate : {3, -3, 1, -1}) {
        told.cp.reset();
        told.mate = mate;
        const auto mated = believed(told, job);
        REQUIRE(mated);
        CHECK(mated->score->is_win() == (mate < 0));
        CHECK(claim_of(*mated, job).mate == mate);
    }
}

TEST_CASE("claim: what cannot be an answer is none") {
    const Job job = black_to_move();
    const auto refused = [&](const std::function<void(Claim&)>& change) {
        Claim told = right();
        change(told);
        const auto answer = believed(told, job);
        return answer ? "" : answer.error();
    };
    CHECK(refused([](Claim&) {}).empty());
    CHECK(refused([](Claim& t) { t.move = "e2e4"; }).find("e2e4") != std::string::npos);
    CHECK_FALSE(refused([](Claim& t) { t.move = ""; }).empty());
    CHECK_FALSE(refused([](Claim& t) { t.cp.reset(); }).empty());
    CHECK_FALSE(refused([](Claim& t) { t.mate = 3; }).empty());
    // As of engines here (text.hpp): mates written as centipawns, too.
    for (const int cp : {29'754, -29'754, 31'999, 100'001, 2'147'483'647, -2'147'483'647 - 1}) {
        CHECK(refused([&](Claim& t) { t.cp = cp; }) == "a number is out of range");
    }
    for (const int mate : {247, -247, 4'999, 2'147'483'647, -2'147'483'647 - 1}) {
        CHECK(refused([&](Claim& t) {
                  t.cp.reset();
                  t.mate = mate;
              }) == "a number is out of range");
    }
    CHECK_FALSE(refused([](Claim& t) { t.depth = 1'001; }).empty());
    CHECK_FALSE(refused([](Claim& t) { t.seldepth = -1; }).empty());
    CHECK_FALSE(refused([](Claim& t) { t.nodes = ~std::uint64_t{0}; }).empty());
    CHECK_FALSE(refused([](Claim& t) { t.pv = {"g8f6"}; }).empty());
    CHECK_FALSE(refused([](Claim& t) { t.pv.clear(); }).empty());
    CHECK_FALSE(refused([](Claim& t) { t.pv[1] = "e7e5"; }).empty());
    Job only = job;
    only.searchmoves = {*chess::parse_uci(job.position, "c7c5")};
    CHECK(believed(right(), only).error() == "e7e5 was not among the moves to search");
}

TEST_CASE("claim: questions are equal where position, limit and moves are") {
    const Job job = black_to_move();
    Job other = job;
    other.id = 2;
    other.affinity = 5;
    CHECK(question_key("a", job) == question_key("a", other));
    CHECK(question_key("a", job).size() == 16);
    CHECK(question_key("b", job) != question_key("a", job));
    other.limit.amount = 9;
    CHECK(question_key("a", job) != question_key("a", other));
    other = job;
    other.searchmoves = {*chess::parse_uci(job.position, "c7c5")};
    CHECK(question_key("a", job) != question_key("a", other));
    other = job;
    other.position = chess::Position::initial();
    CHECK(question_key("a", job) != question_key("a", other));
}

TEST_CASE("claim: what differs between two engines is named") {
    const engine_bridge::Identity here{"Fish 1", "x", {{"Hash", "64"}, {"Skill", "20"}}, "nn-1"};
    engine_bridge::Identity there = here;
    there.author = "somebody else";
    CHECK(difference(here, there).empty());
    there.options["Hash"] = "128";
    CHECK(difference(here, there) == "option Hash is '64' on the server and '128' on the machine");
    there.options.erase("Skill");
    CHECK(difference(here, there).find("; option Skill is unknown to the engine of the machine") !=
          std::string::npos);
    there = here;
    there.network = "nn-2";
    CHECK(difference(here, there).starts_with("the network is 'nn-1'"));
    there.name = "Fish 2";
    CHECK(difference(here, there).starts_with("the engine's name is 'Fish 1'"));
}
