// The start of a tree: many engines have work at once, and the tree is hardly larger for it.
#include "core_fixture.hpp"

using namespace adjourn;
using namespace adjourn::server;

namespace {

struct Start {
    std::size_t questions = 0;
    double busy = 0; // share of the processes, over the first ten answer times
};

// Of a pawn ending. `tells_at`: share of its time after which a search tells what it thinks.
Start grow(std::size_t processes, double tells_at, bool reproducible = false) {
    TemporaryDirectory directory;
    Bench bench;
    bench.processes = processes;
    bench.duration = [](const engine_bridge::Job&) { return 1.0; };
    bench.tells_at = tells_at;
    CoreFixture fixture{directory.path(), bench, reproducible};
    const chess::Position root =
        chess::Position::from_fen("4k3/2pp4/8/8/8/8/4PP2/4K3 w - - 0 1").value();
    NewAnalysis wanted{"", root, {}, "", {analysis::Limit::Kind::depth, 8}, {}, 0, false};
    wanted.spec.strategy.move_distance = 20;
    wanted.spec.strategy.refine = 4;
    const auto id = fixture.core->create(std::move(wanted)).wait();
    REQUIRE(id);
    Start start;
    fixture.work_until([&] {
        if (bench.clock <= 10) {
            start.busy = bench.busy / (10 * static_cast<double>(processes));
        }
        return fixture.settled(*id);
    });
    REQUIRE(fixture.settled(*id));
    start.questions = bench.asked.size();
    return start;
}

} // namespace

TEST_CASE("core: 16 engines are busy from the start of a tree, with hardly more questions") {
    const Start alone = grow(1, 1.0 / 16);
    const Start silent = grow(16, 0);
    const Start many = grow(16, 1.0 / 16);
    INFO("busy " << silent.busy << " and " << many.busy << ", questions " << alone.questions << ", "
                 << silent.questions << " and " << many.questions);
    CHECK(silent.busy < 0.5); // each question waits for the answers before it
    CHECK(many.busy >= 0.8);
    CHECK(static_cast<double>(many.questions) <= 1.1 * static_cast<double>(alone.questions));
    CHECK(static_cast<double>(many.questions) <= 1.1 * static_cast<double>(silent.questions));
}

TEST_CASE("core: nothing is foreseen for one engine, nor for reproducible ones") {
    CHECK(grow(1, 1.0 / 16).questions == grow(1, 0).questions);
    CHECK(grow(4, 1.0 / 16, true).questions == grow(4, 0, true).questions);
}
