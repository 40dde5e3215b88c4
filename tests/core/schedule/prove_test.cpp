// Strategy `prove` with an engine: small endings.
#include "core_fixture.hpp"

namespace {

analysis::AnalysisId prove(CoreFixture& fixture, const char* fen, int refine) {
    NewAnalysis wanted{"x", *chess::Position::from_fen(fen), {}, "", {}, {}, 0, false};
    wanted.limit = {analysis::Limit::Kind::depth, 8};
    wanted.spec.strategy = analysis::default_parameters("prove");
    wanted.spec.strategy.refine = refine;
    const auto id = fixture.core->create(std::move(wanted)).wait();
    REQUIRE(id);
    fixture.work_until([&] { return fixture.settled(*id); });
    REQUIRE(fixture.settled(*id));
    return *id;
}

} // namespace

TEST_CASE("prove: a mate ends the analysis, by one question") {
    TemporaryDirectory directory;
    Bench bench;
    CoreFixture fixture{directory.path(), bench};
    const auto id = prove(fixture, "6k1/8/6K1/8/8/8/8/R7 w - - 0 1", 0);
    CHECK(fixture.run(id).record.state_reason == "the result is proven");
    CHECK(bench.asked.size() == 1);
}

TEST_CASE("prove: with a reproducible engine the same tree grows again, level by level") {
    std::vector<std::vector<std::string>> facts;
    for (int run = 0; run < 2; ++run) {
        TemporaryDirectory directory;
        Bench bench;
        bench.processes = 1;
        CoreFixture fixture{directory.path(), bench, true};
        const auto id = prove(fixture, "4k3/r7/8/8/8/8/P6R/4K3 w - - 0 1", 2);
        fixture.flush();
        facts.push_back(facts_of(*fixture.store, fixture.run(id).record.engine));
        CHECK(facts.back().size() > 10);
        CHECK(fixture.run(id).plan.settled >= 1);
    }
    CHECK(facts[0] == facts[1]);
}
