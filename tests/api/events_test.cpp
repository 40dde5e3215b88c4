// The events of the API: what the core tells, as its calls would show it.
#include "api/event_writer.hpp"
#include "api_fixture.hpp"

namespace {

struct Written : OneAnalysis {
    Written() : OneAnalysis{wanted({{"moves", "1. e4"}})} { settle(id); }
    const AnalysisRun& run = run_of(id);
    std::vector<http::Event> events;
    EventWriter writer{[this](http::Event event) { events.push_back(std::move(event)); }};
};

} // namespace

TEST_CASE("api: an event of an analysis or engine says what its call shows") {
    Written f;
    EventWriter& writer = f.writer;
    const Core& core = *f.core.core;
    writer.analysis_changed(core, f.run);
    writer.analysis_changed(core, f.run); // what would say the same again is no event
    writer.engine_changed(core, *core.engines().all().front());
    writer.engine_changed(core, *core.engines().all().front());
    REQUIRE(f.events.size() == 2);
    CHECK(f.events[0].kind == "analysis");
    CHECK(f.events[0].subject == std::to_string(f.id));
    CHECK(f.events[0].analysis == f.id);
    CHECK(f.events[0].changed.empty());
    CHECK(json::parse(f.events[0].data) == f.get(f.path()));
    CHECK(f.events[1].kind == "engine");
    CHECK(f.events[1].subject == "simulated");
    CHECK_FALSE(f.events[1].analysis);
    const json engine = json::parse(f.events[1].data);
    CHECK(engine["default"] == true);
    CHECK(engine["identity"] == f.get("/engines")["engines"][0]["identity"]);
    f.change({{"name", "renamed"}});
    writer.analysis_changed(core, f.run);
    REQUIRE(f.events.size() == 3);
    CHECK(json::parse(f.events[2].data)["name"] == "renamed");
    CHECK(f.events[2].changed == std::map<std::string, std::string>{{"id", std::to_string(f.id)},
                                                                    {"name", "\"renamed\""}});
}

TEST_CASE("api: an event of positions names the first twenty, or says that there are many") {
    Written f;
    std::vector<analysis::NodeId> nodes{f.run.root_node};
    f.writer.nodes_changed(f.run, nodes);
    nodes.resize(EventWriter::named_positions + 1, f.run.root_node);
    f.writer.nodes_changed(f.run, nodes);
    f.writer.analysis_removed(f.run.record.id);
    REQUIRE(f.events.size() == 3);
    const json one = json::parse(f.events[0].data);
    CHECK(f.events[0].kind == "node");
    CHECK(one["analysis"] == f.id);
    CHECK(one["version"] == f.run.slot->version());
    CHECK(one["fens"] == json{f.run.root.fen()});
    const json many = json::parse(f.events[1].data);
    CHECK(many["fens"].is_null());
    CHECK(f.events[0].data_if_replacing == f.events[1].data);
    CHECK(f.events[2].kind == "removed");
    CHECK(json::parse(f.events[2].data) == json{{"id", f.id}});
}
