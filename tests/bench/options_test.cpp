#include "bench/strategies/options.hpp"

#include <catch2/catch.hpp>

using namespace adjourn;
using namespace adjourn::bench;

TEST_CASE("bench strategies: arguments") {
    const auto plain = parse_options({});
    REQUIRE(plain);
    CHECK(plain->epd.empty());
    CHECK(plain->budget == 100);
    CHECK(plain->budgets == std::vector<std::size_t>{6, 12, 25, 50, 100});
    CHECK(plain->rivals.size() == 3);
    CHECK_FALSE(plain->cold);
    CHECK(plain->reference == 10'000'000);
    CHECK(plain->strategies.size() == analysis::strategy_kinds().size());

    const auto full =
        parse_options({"--epd",
                       "a.epd",
                       "--epd",
                       "b.epd",
                       "--budget",
                       "40",
                       "--at",
                       "20,5,90",
                       "--rivals",
                       "long,threads",
                       "--strategies",
                       "halving:distance=20:floor=0:floor_sigma=0.5:nodes=5000,dropout:step=0.5,"
                       "anchored:processes=8:anchor_threads=-1",
                       "--set",
                       "tune",
                       "--choice",
                       "settled",
                       "--seed",
                       "0",
                       "--cold",
                       "--judge",
                       "other engine"});
    REQUIRE(full);
    CHECK(full->epd.size() == 2);
    CHECK(full->budgets == std::vector<std::size_t>{5, 20, 40}); // beyond the budget there is none
    CHECK(full->rivals == std::vector{Rival::one_search, Rival::threads});
    CHECK(full->cold);
    CHECK(full->judge == "other engine");
    CHECK(full->strategies[0].nodes == 5'000);
    CHECK(full->strategies[1].nodes == 0);
    REQUIRE(full->strategies.size() == 3);
    CHECK(full->strategies[1].processes == 0);
    CHECK(full->strategies[2].processes == 8);
    CHECK(full->strategies[2].parameters.anchor_threads == -1);
    CHECK(full->strategies[0].name == "halving:distance=20:floor=0:floor_sigma=0.5:nodes=5000");
    CHECK(full->strategies[0].parameters.move_distance == 20);
    CHECK(full->strategies[0].parameters.floor == 0);
    CHECK(full->strategies[0].parameters.floor_sigma == 0.5);
    CHECK(full->strategies[1].parameters.kind == analysis::StrategyKind::dropout);
    CHECK(full->strategies[1].parameters.costs.step == 0.5);
    CHECK(full->strategies[1].parameters.costs.per_cp ==
          analysis::default_parameters(analysis::StrategyKind::dropout).costs.per_cp);
    CHECK(full->set == StrategiesOptions::Set::tune);
    CHECK(full->choice == RootChoice::settled);

    for (const std::vector<std::string>& bad :
         std::vector<std::vector<std::string>>{{"--nonsense", "1"},
                                               {"--budget"},
                                               {"--budget", "0"},
                                               {"--budget", "12x"},
                                               {"--at", "5,,6"},
                                               {"--strategies", "halving,chance"},
                                               {"--set", "later"},
                                               {"--rivals", "long,short"},
                                               {"--strategies", "halving:distance=-1"},
                                               {"--strategies", "halving:nonsense=1"},
                                               {"--strategies", "anchored:processes=2"},
                                               {"--strategies", "halving:distance"}}) {
        const auto result = parse_options(bad);
        REQUIRE_FALSE(result);
        CHECK(result.error().find(bad.front()) != std::string::npos);
    }
}
