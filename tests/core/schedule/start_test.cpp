// The start of a tree: many engines have work at once.
#include "core_fixture.hpp"

#include "analysis/strategy.hpp"

namespace {

// Share of the processes that search over the first ten answer times of the initial position, with
// the strategy that people get.
double busy_at_start(std::size_t processes) {
    TemporaryDirectory directory;
    Bench bench;
    bench.processes = processes;
    bench.duration = [](const engine_bridge::Job&) { return 1.0; };
    CoreFixture fixture{directory.path(), bench};
    NewAnalysis wanted{
        "", chess::Position::initial(), {}, "", {analysis::Limit::Kind::depth, 8}, {}, 0, false};
    wanted.spec.strategy = analysis::default_parameters("anchored");
    REQUIRE(fixture.core->create(std::move(wanted)).wait());
    double busy = 0;
    fixture.work_until([&] {
        busy = bench.clock <= 10 ? bench.busy : busy;
        return bench.clock > 10;
    });
    return busy / (10 * static_cast<double>(processes));
}

} // namespace

TEST_CASE("core: 16 engines are busy from the start of a tree") {
    CHECK(busy_at_start(16) >= 0.9);
    CHECK(busy_at_start(2) >= 0.99);
}
