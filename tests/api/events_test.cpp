// The events of the API: what the core tells, as its calls would show it.
#include "api/event_writer.hpp"
#include "api_fixture.hpp"

namespace {

struct Written {
    std::vector<http::Event> events;
    EventWriter writer{[this](http::Event event) { events.push_back(std::move(event)); }};
};

} // namespace

TEST_CASE("api: an event of an analysis or engine says what its call shows") {
    ApiFixture f;
    const auto id = f.post(ApiFixture::wanted({{"moves", "1. e4"}}));
    f.settle(id);
    Written written;
    const AnalysisRun& run = f.core.run(analysis::AnalysisId{id});
    written.writer.analysis_changed(*f.core.core, run);
    written.writer.engine_changed(*f.core.core, *f.core.core->engines().all().front());
    written.writer.engine_changed(*f.core.core, *f.core.core->engines().all().front());
    REQUIRE(written.events.size() == 2);
    CHECK(written.events[0].kind == "analysis");
    CHECK(written.events[0].subject == std::to_string(id));
    CHECK(written.events[0].analysis == id);
    CHECK(json::parse(written.events[0].data) == f.get("/analyses/" + std::to_string(id)));
    CHECK(written.events[1].kind == "engine");
    CHECK(written.events[1].subject == "simulated");
    CHECK_FALSE(written.events[1].analysis);
    const json engine = json::parse(written.events[1].data);
    CHECK(engine["default"] == true);
    CHECK(engine["identity"] == f.get("/engines")["engines"][0]["identity"]);
}

TEST_CASE("api: an event of positions names the first twenty, or says that there are many") {
    ApiFixture f;
    const auto id = f.post(ApiFixture::wanted({{"moves", "1. e4"}}));
    f.settle(id);
    Written written;
    const AnalysisRun& run = f.core.run(analysis::AnalysisId{id});
    std::vector<analysis::NodeId> nodes{run.root_node};
    written.writer.nodes_changed(run, nodes);
    nodes.resize(EventWriter::named_positions + 1, run.root_node);
    written.writer.nodes_changed(run, nodes);
    written.writer.analysis_removed(run.record.id);
    REQUIRE(written.events.size() == 3);
    const json one = json::parse(written.events[0].data);
    CHECK(written.events[0].kind == "node");
    CHECK(one["analysis"] == id);
    CHECK(one["version"] == run.slot->version());
    CHECK(one["fens"] == json{run.root.fen()});
    const json many = json::parse(written.events[1].data);
    CHECK(many["fens"].is_null());
    CHECK(written.events[0].data_if_replacing == written.events[1].data);
    CHECK(written.events[2].kind == "removed");
    CHECK(json::parse(written.events[2].data) == json{{"id", id}});
}

TEST_CASE("api: what would say the same of an analysis again is no event") {
    ApiFixture f;
    const auto id = f.post(ApiFixture::wanted({{"moves", "1. e4"}}));
    f.settle(id);
    Written written;
    const AnalysisRun& run = f.core.run(analysis::AnalysisId{id});
    written.writer.analysis_changed(*f.core.core, run);
    written.writer.analysis_changed(*f.core.core, run);
    CHECK(written.events.size() == 1);
    AnalysisPatch patch;
    patch.name = "renamed";
    REQUIRE(f.core.core->change(analysis::AnalysisId{id}, patch).wait());
    written.writer.analysis_changed(*f.core.core, run);
    REQUIRE(written.events.size() == 2);
    CHECK(json::parse(written.events[1].data)["name"] == "renamed");
    CHECK(written.events[0].changed.empty());
    CHECK(written.events[1].changed ==
          std::map<std::string, std::string>{{"id", std::to_string(id)}, {"name", "\"renamed\""}});
}
