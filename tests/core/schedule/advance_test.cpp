// The game goes on: the analysis stands at another root, and is what one that was made there is.
// Nothing that people said or engines found is lost.
#include "api/views/view.hpp"
#include "core_fixture.hpp"

namespace {

std::vector<chess::Move> moves_from(const chess::Position& from, const char* text) {
    return *chess::parse_line(from, text);
}

void go_on_by(CoreFixture& fixture, analysis::AnalysisId id, const char* moves,
              std::size_t back = 0) {
    const AnalysisRun& run = fixture.run(id);
    chess::Position from = run.made_at;
    for (std::size_t i = 0; i + back < run.played.size(); ++i) {
        from.play(run.played[i]);
    }
    REQUIRE(fixture.core->advance(id, back, moves_from(from, moves)).wait());
    fixture.settle_down();
}

void say(CoreFixture& fixture, analysis::AnalysisId id, const char* line, const char* action,
         const char* text = "") {
    REQUIRE(fixture.core->direct(id, moves_from(fixture.run(id).root, line), action, text).wait());
}

// What people see of it, without what belongs to its past: how it came to be, and what it cost.
json seen(CoreFixture& fixture, analysis::AnalysisId id) {
    const AnalysisRun& run = fixture.run(id);
    json head = analysis_json(*fixture.core, run);
    for (const char* past : {"id", "name", "rank", "created_at", "changed_at", "evaluations",
                             "unneeded", "nodes", "engine_seconds", "played", "sparkline"}) {
        head.erase(past);
    }
    json levels = history_json(run)["snapshots"];
    for (json& level : levels) {
        level.erase("at");
        level.erase("engine_seconds");
    }
    json nodes = json::array();
    std::vector<std::vector<chess::Move>> open{{}};
    for (std::size_t i = 0; i < open.size() && i < 40; ++i) {
        json node = node_draft(*fixture.core, run, open[i]).finish(*fixture.store);
        const chess::Position at = line_end(run, open[i]).position;
        for (const json& move : node["moves"]) {
            if (move["status"] == "expanded") {
                open.push_back(open[i]);
                open.back().push_back(*chess::parse_uci(at, move["uci"].get<std::string>()));
            }
        }
        node.erase("version");
        for (json& parent : node["parents"]) {
            parent.erase("fen"); // its clock is that of whoever came there first
        }
        nodes.push_back(std::move(node));
    }
    return {
        {"head", head}, {"levels", levels}, {"nodes", nodes}, {"used", run.plan.evaluations_used}};
}

} // namespace

TEST_CASE("advance: the tree is that of an analysis made at the new root, on the same facts") {
    TemporaryDirectory directory;
    Bench bench;
    json moved;
    {
        CoreFixture fixture{directory.path(), bench};
        const auto id = fixture.create("1. e4 e5", 2);
        fixture.settle(id);
        go_on_by(fixture, id, "Nf3 Nc6");
        CHECK(chess::to_san_line(fixture.run(id).start, fixture.run(id).moves_before()) ==
              "1. e4 e5 2. Nf3 Nc6");
        say(fixture, id, "Bb5", "include");
        say(fixture, id, "d4", "exclude");
        fixture.settle(id);
        moved = seen(fixture, id);
        CHECK(fixture.run(id).slot->graph().verify().empty());
        CHECK(fixture.store->check().empty());
    }
    CoreFixture fixture{directory.path(), bench};
    const auto made = fixture.create("1. e4 e5 2. Nf3 Nc6", 2);
    say(fixture, made, "Bb5", "include");
    say(fixture, made, "d4", "exclude");
    fixture.settle(made);
    const json fresh = seen(fixture, made);
    CHECK(moved["head"] == fresh["head"]);
    CHECK(moved["used"] == fresh["used"]);
    REQUIRE(moved["nodes"].size() > 10);
    CHECK(moved["nodes"].size() == fresh["nodes"].size());
    for (std::size_t i = 0; i < moved["nodes"].size(); ++i) {
        CHECK(moved["nodes"][i] == fresh["nodes"][i]);
    }
}

TEST_CASE("advance: what people said and engines found is there again when moves are taken back") {
    TemporaryDirectory directory;
    Bench bench;
    analysis::AnalysisId id{};
    json before;
    std::vector<Directive> said;
    {
        CoreFixture fixture{directory.path(), bench};
        id = fixture.create("1. e4", 2);
        say(fixture, id, "c5 Nf3", "note", "the main line");
        say(fixture, id, "e5", "note", "not mine");
        say(fixture, id, "c5 Nf3 a6", "include");
        say(fixture, id, "e5 Qh5", "include");
        say(fixture, id, "c5 Nf3 e6", "exclude");
        fixture.settle(id);
        before = seen(fixture, id);
        said = fixture.run(id).directives;
        const auto facts = fixture.store->evaluation_count();

        go_on_by(fixture, id, "c5 Nf3");
        fixture.settle(id);
        const AnalysisRun& run = fixture.run(id);
        const auto& here = run.node_directives.at(run.root_node);
        CHECK(here.included == moves_from(run.root, "a6"));
        CHECK(here.excluded == moves_from(run.root, "e6"));
        const json node = node_draft(*fixture.core, run, {}).finish(*fixture.store);
        REQUIRE(node["notes"].size() == 1);
        CHECK(node["notes"][0]["text"] == "the main line");
        say(fixture, id, "a6", "note", "said later");
        CHECK(fixture.store->evaluation_count() >= facts);
        CHECK(history_json(run)["snapshots"].size() == 2); // of this root
    }
    CoreFixture fixture{directory.path(), bench}; // the program began anew
    const AnalysisRun& run = fixture.run(id);
    CHECK(chess::to_san_line(run.start, run.moves_before()) == "1. e4 c5 2. Nf3");
    CHECK(run.played.size() == 2);
    CHECK(fixture.settled(id));
    const json notes =
        node_draft(*fixture.core, run, moves_from(run.root, "a6")).finish(*fixture.store)["notes"];
    REQUIRE(notes.size() == 1);
    CHECK(notes[0]["text"] == "said later");

    go_on_by(fixture, id, "", 2);
    fixture.settle(id);
    CHECK(run.played.empty());
    for (std::size_t i = 0; i < said.size(); ++i) {
        CHECK(run.directives[i] == said[i]);
    }
    const json after = seen(fixture, id);
    CHECK(after["head"]["best"] == before["head"]["best"]);
    CHECK(after["head"]["settled"] == before["head"]["settled"]);
    CHECK(after["levels"] == before["levels"]);
    const auto& root = run.node_directives.at(run.root_node);
    CHECK(root.included.size() == 2); // the lines of what is included
}

TEST_CASE("advance: it goes on whatever the analysis does, and what is out keeps its place") {
    CoreAlone fixture{3};
    Bench& bench = fixture.bench;
    const auto id = fixture.create("1. e4", 0, 30);
    fixture.work_until([&] { return bench.asked.size() > 60; });
    const AnalysisRun& run = fixture.run(id);
    const auto lines_are_right = [&] {
        std::size_t below = 0;
        for (const engine_bridge::Job& job : bench.queue) {
            const auto* info = fixture.core->scheduler().job(job.id);
            REQUIRE(info != nullptr);
            chess::Position at = run.root;
            for (const chess::Move move : info->line) {
                REQUIRE(at.is_legal(move));
                at.play(move);
            }
            below += at == job.position ? 1 : 0;
        }
        return below;
    };
    REQUIRE(run.out.in_flight > 0);
    go_on_by(fixture, id, "e5");
    CHECK(lines_are_right() > 0);
    fixture.work_until([&] { return bench.asked.size() > 120; });
    CHECK(lines_are_right() == bench.queue.size()); // nothing else is asked any more
    CHECK(run.record.state == storage::AnalysisState::running);
    go_on_by(fixture, id, "c5", 1);
    fixture.work_until([&] { return bench.asked.size() > 160; });
    CHECK(lines_are_right() == bench.queue.size());

    fixture.hold(id);
    go_on_by(fixture, id, "Nf3");
    CHECK(run.record.state == storage::AnalysisState::paused);
    CHECK(run.root_node == run.slot->graph().find(run.root.packed()));
}

TEST_CASE("advance: refused where the game cannot have gone so") {
    CoreAlone fixture;
    const auto id = fixture.create("1. f3 e5 2. g4", 1);
    const chess::Position root = fixture.run(id).root;
    const auto refused = [&](std::size_t back, const std::vector<chess::Move>& moves) {
        const auto result = fixture.core->advance(id, back, moves).wait();
        return !result && result.error().kind == WorkError::Kind::futile_line;
    };
    CHECK(refused(1, {}));                       // further back than it was made
    CHECK(refused(0, moves_from(root, "Qh4#"))); // the game is over
    const auto first = fixture.core->advance(id, 0, moves_from(root, "d5"));
    const auto second = fixture.core->advance(id, 0, moves_from(root, "d5")); // one after the other
    CHECK(first.wait());
    CHECK_FALSE(second.wait());
    CHECK(fixture.run(id).played.size() == 1);
    CHECK_FALSE(fixture.core->direct(id, moves_from(root, "d5"), "note", "late").wait());
}

TEST_CASE("advance: a graph that is read meanwhile is entered at the new root") {
    TemporaryDirectory directory;
    Bench bench;
    analysis::AnalysisId id{};
    {
        CoreFixture fixture{directory.path(), bench};
        id = fixture.create("1. e4", 2);
        fixture.settle(id);
    }
    CoreFixture fixture{directory.path(), bench, false, nullptr, true};
    const AnalysisRun& run = fixture.run(id);
    REQUIRE(run.slot == nullptr);
    REQUIRE_FALSE(fixture.reading.empty()); // its root is the old one there
    go_on_by(fixture, id, "c5");
    while (run.slot == nullptr) {
        fixture.read();
    }
    CHECK(run.root_node == run.slot->graph().find(run.root.packed()));
    fixture.settle(id);
    CHECK(run.slot->graph().verify().empty());
}
