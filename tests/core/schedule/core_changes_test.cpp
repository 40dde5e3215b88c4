// What the core tells its observer.
#include "core_fixture.hpp"

TEST_CASE("core: its observer is told once of all that changed since the last time") {
    TemporaryDirectory directory;
    Bench bench;
    CoreFixture fixture{directory.path(), bench};
    TestObserver& told = *fixture.told;
    const auto id = fixture.create("1. e4", 2);
    const auto idle = fixture.create("1. d4", 1, 20, -1);
    CHECK(told.analyses.empty()); // nobody has looked
    fixture.pass(200);
    CHECK(told.analyses == std::vector{id, idle});
    CHECK(told.engines == std::vector<std::string>{"simulated"});

    told.forget();
    fixture.work_until([&] { return fixture.settled(id); });
    CHECK(told.nodes.empty());
    fixture.pass(200);
    CHECK(std::ranges::count(told.analyses, id) == 1);
    const auto of_run = std::ranges::find_if(told.nodes, [&](auto& of) { return of.first == id; });
    REQUIRE(of_run != told.nodes.end());
    const std::vector<analysis::NodeId>& nodes = of_run->second;
    CHECK(nodes.size() > 1);
    CHECK(std::ranges::is_sorted(nodes));
    CHECK(std::ranges::adjacent_find(nodes) == nodes.end());
    CHECK(std::ranges::binary_search(nodes, fixture.run(id).root_node));
}

TEST_CASE("core: its observer is told of nothing where nothing changed, and of a removal at once") {
    TemporaryDirectory directory;
    Bench bench;
    CoreFixture fixture{directory.path(), bench};
    const auto id = fixture.create("1. e4", 1);
    fixture.work_until([&] { return fixture.settled(id); });
    fixture.pass(200);
    fixture.told->forget();
    fixture.pass(200);
    CHECK(fixture.told->analyses.empty());
    CHECK(fixture.told->nodes.empty());
    CHECK(fixture.told->engines.empty());
    REQUIRE(fixture.core->remove(id).wait());
    CHECK(fixture.told->removed == std::vector{id});
}
