// The clock of moves without a capture or a pawn move: at 100 half-moves a draw can be claimed, at
// 150 the game is drawn, and it is told before.
#include "api/views/view.hpp"
#include "core/graphs/line_end.hpp"
#include "core_fixture.hpp"

namespace {

analysis::AnalysisId at(CoreFixture& fixture, const std::string& fen, const std::string& moves = "",
                        bool fifty_moves = true) {
    const chess::Position start = chess::Position::from_fen(fen).value();
    NewAnalysis wanted = wanted_at(start, moves, 2);
    wanted.spec.fifty_moves = fifty_moves;
    return fixture.create_settled(std::move(wanted));
}

const std::string rook_ending = "8/8/4k3/8/7p/4K3/4R2P/8 w - - ";

} // namespace

TEST_CASE("clock: what is left of it is told, and that a draw can be claimed") {
    CoreAlone fixture;
    const auto node = [&](analysis::AnalysisId id, const std::vector<chess::Move>& line = {}) {
        return node_draft(*fixture.core, fixture.run(id), line).finish(*fixture.store);
    };
    const json early = node(at(fixture, rook_ending + "7 80"));
    CHECK(early["clock"] == 93);
    CHECK(early["clock_note"].is_null());
    CHECK(early["terminal"].is_null());
    const auto late = at(fixture, rook_ending + "98 80", "e3f3 e6f6");
    CHECK(node(late)["clock"] == 0);
    CHECK(node(late)["clock_note"].get<std::string>().starts_with("a draw can be claimed"));
    CHECK_FALSE(node(late)["moves"].empty());
    const chess::Position root = fixture.run(late).root;
    const json after = node(late, {*chess::parse_uci(root, "h2h3")}); // a pawn moves
    CHECK(after["clock"] == 100);
    CHECK(after["clock_note"].is_null());
    const auto without = at(fixture, rook_ending + "98 80", "e3f3 e6f6", false);
    CHECK(node(without)["clock"].is_null());
    CHECK(node(without)["clock_note"].is_null());
    CHECK(analysis_json(*fixture.core, fixture.run(without))["fifty_moves"] == false);
}

TEST_CASE("clock: at 150 the game is drawn, at the root and on a line, unless it is mate") {
    CoreAlone fixture;
    const auto over = at(fixture, rook_ending + "148 99", "e3f3 e6f6");
    CHECK(fixture.bench.asked.empty());
    const json root = node_draft(*fixture.core, fixture.run(over), {}).finish(*fixture.store);
    CHECK(root["terminal"] == "seventy_five_moves");
    CHECK(root["status"] == "terminal");
    CHECK(root["alpha"]["cp"] == 0);
    CHECK(root["moves"].empty());
    CHECK(fixture.run(over).record.state_reason.starts_with("a draw"));
    const auto next = at(fixture, rook_ending + "149 99");
    const json last = node_draft(*fixture.core, fixture.run(next), {}).finish(*fixture.store);
    std::size_t drawn = 0;
    for (const json& move : last["moves"]) {
        const bool pawn = move["uci"].get<std::string>().starts_with("h2");
        CHECK((move["status"] == "terminal") == !pawn);
        drawn += pawn ? 0 : 1;
        CHECK((pawn || move["alpha"]["cp"] == 0));
    }
    CHECK(drawn > 0);
    CHECK(last["alpha"]["cp"].get<int>() >= 0);
    const auto mate = chess::Position::from_fen("R6k/8/6K1/8/8/8/8/8 b - - 150 99").value();
    AnalysisRun run{{}, {}, mate, mate};
    CHECK_FALSE(drawn_by_clock(run, mate));
    const auto open = chess::Position::from_fen(rook_ending + "150 99").value();
    CHECK(drawn_by_clock(run, open));
    run.spec.fifty_moves = false;
    CHECK_FALSE(drawn_by_clock(run, open));
}

TEST_CASE("clock: a line behind the value that is longer than the clock is told of") {
    const auto at = chess::Position::from_fen(rook_ending + "97 80").value();
    const AnalysisRun run{{}, {}, at, at};
    const auto line = [&](const std::string& moves) { return *chess::parse_line(at, moves); };
    CHECK(clock_note(run, at, line("e3f3 e6f6 f3f4")).starts_with("in 3 half-moves"));
    CHECK(clock_note(run, at, line("e3f3 e6f6")).empty());
    CHECK(clock_note(run, at, line("h2h3 e6f6 e3f3 f6f7")).empty());
}
