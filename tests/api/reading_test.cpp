// Nobody waits for what is read: graphs and imported facts come from another thread.
#include "core_fixture.hpp"
#include "http/requests/target.hpp"
#include "test_api.hpp"

namespace {

http::Response get(CoreFixture& fixture, const std::string& target) {
    const auto parsed = http::parse_target("/api/v1" + target);
    REQUIRE(parsed);
    return TestApi{fixture}(http::Request{http::Method::get, parsed->path, parsed->query, {}, ""});
}

// What a graph made of nothing but the store's facts is.
std::uint64_t digest_of(const CoreFixture& fixture, const GraphSlot& slot) {
    const GraphSlot fresh{*fixture.store, slot.engine(), nullptr, slot.key()};
    return fresh.graph().digest();
}

// Knows nothing, but once armed stops whoever asks first.
class Gate final : public analysis::Tables {
public:
    std::optional<chess::Score> value(const chess::Position&) const override {
        if (armed.exchange(false)) {
            begun.set_value();
            opened.get_future().wait();
        }
        return std::nullopt;
    }
    std::vector<analysis::TableMove> moves(const chess::Position&) const override { return {}; }

    mutable std::atomic<bool> armed = false;
    mutable std::promise<void> begun, opened;
};

// Does `meanwhile` when the reader has begun to read the facts and is not through yet.
void read_with(CoreFixture& fixture, const Gate& gate, const std::function<void()>& meanwhile) {
    REQUIRE(fixture.reading.size() == 1);
    gate.armed = true;
    std::thread reader{std::exchange(fixture.reading.front(), nullptr)};
    fixture.reading.pop_front();
    gate.begun.get_future().wait();
    meanwhile();
    gate.opened.set_value();
    reader.join();
    fixture.read();
}

// Facts of an engine called "other" about the positions after each first move.
std::vector<analysis::Evaluation> other_facts(analysis::EngineId engine) {
    const chess::Position start = chess::Position::initial();
    std::vector<analysis::Evaluation> facts;
    for (const chess::Move first : start.legal_moves()) {
        const chess::Position position = start.after(first);
        for (const chess::Move reply : position.legal_moves()) {
            analysis::Evaluation fact;
            fact.question = {position.packed(), engine, {analysis::Limit::Kind::depth, 9}, {}};
            for (const chess::Move other : position.legal_moves()) {
                if (other != reply) {
                    fact.question.excluded.push_back(other);
                }
            }
            std::sort(fact.question.excluded.begin(), fact.question.excluded.end());
            fact.move = reply;
            fact.score = chess::Score::cp(static_cast<int>(facts.size()));
            facts.push_back(std::move(fact));
        }
    }
    return facts;
}

} // namespace

TEST_CASE("core: while its graph is read an analysis waits and says why, and all else answers") {
    TemporaryDirectory directory;
    Bench bench;
    analysis::AnalysisId id{};
    std::uint64_t digest = 0;
    {
        CoreFixture fixture{directory.path(), bench};
        id = fixture.create("e4 e5", 2, 30);
        fixture.work_until([&] { return fixture.settled(id); });
        digest = fixture.run(id).slot->graph().digest();
        AnalysisPatch patch;
        patch.strategy = fixture.run(id).spec.strategy;
        patch.strategy->refine = 3; // so that there is work to do
        REQUIRE(fixture.core->change(id, patch).wait());
        fixture.settle_down();
    }
    bench = Bench{};
    CoreFixture fixture{directory.path(), bench, false, nullptr, true};
    bool read = false;
    fixture.core->when_read([&] { read = true; });
    REQUIRE_FALSE(fixture.reading.empty());
    CHECK(fixture.run(id).slot == nullptr);
    CHECK(fixture.run(id).record.state == storage::AnalysisState::queued);
    CHECK(fixture.run(id).record.state_reason == "reading its evaluations");
    CHECK(bench.asked.empty());
    CHECK_FALSE(read);
    const http::Response node = get(fixture, "/analyses/1/node");
    CHECK(node.status == 503);
    CHECK(json::parse(node.body)["error"]["code"] == "unavailable");
    CHECK(node.body.find("reading its evaluations") != std::string::npos);
    CHECK(get(fixture, "/analyses/1/tree").status == 503);
    CHECK(get(fixture, "/health").status == 200);
    CHECK(get(fixture, "/analyses").status == 200);
    CHECK(get(fixture, "/engines").status == 200);

    fixture.read();
    CHECK(read);
    REQUIRE(fixture.run(id).slot != nullptr);
    CHECK(fixture.run(id).slot->graph().digest() == digest);
    CHECK(fixture.run(id).record.state_reason.empty());
    CHECK(get(fixture, "/analyses/1/node").status == 200);
    fixture.work_until([&] { return fixture.settled(id); });
    CHECK(fixture.run(id).plan.settled == 3);
    CHECK(Planner::expanded_positions(fixture.run(id)) ==
          fixture.run(id).slot->graph().count_below(fixture.run(id).root_node, 1'000'000));
}

namespace {

// An order by HTTP, which waits for the tree. `api` must outlive it.
Api::Wait direct(const TestApi& api, analysis::AnalysisId id, const std::string& order) {
    auto reply = api.begin(
        http::Request{http::Method::post,
                      "/api/v1/analyses/" + std::to_string(static_cast<int>(id)) + "/directives",
                      {},
                      {},
                      order});
    REQUIRE(std::holds_alternative<Api::Wait>(reply));
    return std::get<Api::Wait>(std::move(reply));
}

} // namespace

TEST_CASE("api: a change is answered when the tree is there that it changes") {
    TemporaryDirectory directory;
    Bench bench;
    CoreFixture fixture{directory.path(), bench, false, nullptr, true};
    const TestApi api{fixture};
    const auto id = fixture.create("", 1, 20);
    const auto other = fixture.create("e4", 1, 20);
    fixture.read();
    fixture.work_until([&] { return fixture.settled(id) && fixture.settled(other); });
    const auto node = [&] {
        const auto response =
            get(fixture, "/analyses/" + std::to_string(static_cast<int>(id)) + "/node");
        REQUIRE(response.status == 200);
        return json::parse(response.body);
    };
    const auto status_of = [](const json& shown) {
        const auto move = std::ranges::find_if(
            shown["moves"], [](const json& each) { return each["uci"] == "e2e4"; });
        REQUIRE(move != shown["moves"].end());
        return move->at("status").get<std::string>();
    };
    AnalysisPatch more; // so that there is work to do
    more.strategy = fixture.run(id).spec.strategy;
    more.strategy->refine = 2;
    REQUIRE(fixture.core->change(id, more).wait());
    const Api::Wait excludes = direct(api, id, R"({"moves":["e2e4"],"action":"exclude"})");
    fixture.settle_down(); // durable; its graph is of other moves now
    REQUIRE(fixture.run(id).awaited);
    CHECK_FALSE(excludes.look());
    int woken = 0;
    // Who looks meanwhile sees the tree as it was, and nothing is asked in it.
    const std::size_t asked = bench.asked.size();
    while (bench.step()) { // what is out comes back
        fixture.settle_down();
    }
    const json before = node();
    CHECK(status_of(before) != "excluded");
    CHECK(before["moves"].size() > 1);
    CHECK(fixture.run(id).record.state == storage::AnalysisState::queued);
    CHECK(fixture.run(id).record.state_reason == reading_evaluations);
    REQUIRE(excludes.wake_me([&] { ++woken; }));

    // Who changes another one does not wait for that.
    const Api::Wait notes = direct(api, other, R"({"moves":[],"action":"note","text":"good"})");
    fixture.settle_down();
    const auto noted = notes.look();
    REQUIRE(noted);
    CHECK(noted->status == 201);
    notes.leave();

    woken = 0;
    CHECK_FALSE(excludes.look());
    CHECK(bench.asked.size() == asked);
    fixture.read();
    CHECK(woken > 0);
    const auto excluded = excludes.look();
    REQUIRE(excluded);
    CHECK(excluded->status == 201);
    excludes.leave();
    const json after = node();
    CHECK(status_of(after) == "excluded");
    CHECK(after["version"] > before["version"]);
}

TEST_CASE("core: whatever its state, an analysis whose counts are still read says so") {
    for (const bool paused : {true, false}) { // else it has settled
        CAPTURE(paused);
        TemporaryDirectory directory;
        Bench bench;
        const auto shown = [&](CoreFixture& fixture) {
            return json::parse(get(fixture, "/analyses/1").body);
        };
        json before;
        {
            CoreFixture fixture{directory.path(), bench};
            const auto id = fixture.create("e4 e5", 2, 30);
            fixture.work_until([&] { return fixture.settled(id); });
            AnalysisPatch hold;
            hold.hold = true;
            REQUIRE((!paused || fixture.core->change(id, hold).wait()));
            fixture.settle_down();
            before = shown(fixture);
            REQUIRE(before["positions"] > 5);
        }
        bench = Bench{};
        CoreFixture fixture{directory.path(), bench, false, nullptr, true};
        fixture.settle_down();
        const json reading = shown(fixture);
        CHECK(reading["state"] == (paused ? "paused" : "settled"));
        CHECK(reading["reason"] == reading_evaluations);
        fixture.told->forget();
        fixture.read();
        fixture.pass(200);
        CHECK_FALSE(fixture.told->analyses.empty());
        const json after = shown(fixture);
        for (const char* key : {"state", "reason", "positions", "evaluations", "nodes", "settled",
                                "refine", "best"}) {
            CAPTURE(key);
            CHECK(after[key] == before[key]);
        }
    }
}

TEST_CASE("core: nothing is found settled in the tree that an analysis had before") {
    TemporaryDirectory directory;
    Bench bench;
    CoreFixture fixture{directory.path(), bench, false, nullptr, true};
    const auto id = fixture.create("", 1, 20);
    fixture.read();
    fixture.work_until([&] { return fixture.settled(id); });
    AnalysisPatch patch;
    patch.hold = true; // those that may not work are looked at all the same
    patch.limit = analysis::Limit{analysis::Limit::Kind::depth, 12};
    REQUIRE(fixture.core->change(id, patch).wait());
    fixture.pass(1'000);
    const AnalysisRun& run = fixture.run(id);
    REQUIRE(run.awaited);
    REQUIRE(run.shown() != nullptr);
    CHECK_FALSE(run.plan.planned);
    CHECK(settled_level(run) == 0);
    fixture.read();
    CHECK(run.plan.planned);
    CHECK(settled_level(run) == 0);
}

TEST_CASE("core: what an import brings is read elsewhere, in portions, and all of it taken") {
    TemporaryDirectory directory;
    Bench bench;
    CoreFixture fixture{directory.path(), bench, false, nullptr, true};
    fixture.read();
    const auto id = fixture.create("", 2, 20);
    fixture.read();
    fixture.work_until([&] { return fixture.settled(id); });
    const GraphSlot& slot = *fixture.run(id).slot;
    const std::uint64_t before = slot.graph().digest();

    const auto facts = other_facts(slot.engine().id);
    REQUIRE(facts.size() == 400); // eight portions
    for (const analysis::Evaluation& fact : facts) {
        fixture.store->append(fact, {});
    }
    const chess::Position start = chess::Position::initial();
    for (const chess::Move move : start.legal_moves()) {
        fixture.store->append(storage::SeedRecord{id, start.packed(), move, "test", 1}, {});
    }
    fixture.store->flush();
    fixture.core->when_imported()({id, {slot.engine().id}});
    fixture.settle_down();
    CHECK_FALSE(fixture.reading.empty());
    CHECK(slot.graph().digest() == before);
    CHECK(fixture.run(id).seeds->empty());
    fixture.read();
    CHECK(slot.graph().digest() == digest_of(fixture, slot));
    CHECK(slot.graph().digest() != before);
    REQUIRE(fixture.run(id).seeds->contains(fixture.run(id).root_node));
    CHECK(fixture.run(id).seeds->at(fixture.run(id).root_node).size() == 20);
    CHECK(slot.graph().verify().empty());
}

TEST_CASE("core: facts and seeds that are imported while a graph is read are not forgotten") {
    TemporaryDirectory directory;
    Bench bench;
    analysis::AnalysisId id{};
    {
        CoreFixture fixture{directory.path(), bench};
        id = fixture.create("", 1, 20);
        fixture.work_until([&] { return fixture.settled(id); });
    }
    const auto gate = std::make_shared<Gate>();
    CoreFixture fixture{directory.path(), bench, false, gate, true};
    const analysis::EngineId engine = fixture.run(id).record.engine;
    read_with(fixture, *gate, [&] {
        for (const analysis::Evaluation& fact : other_facts(engine)) {
            fixture.store->append(fact, {});
        }
        const chess::Position start = chess::Position::initial();
        fixture.store->append(
            storage::SeedRecord{id, start.packed(), start.legal_moves()[0], "test", 1}, {});
        fixture.store->flush();
        fixture.core->when_imported()({id, {engine}});
        fixture.settle_down();
    });
    const GraphSlot* slot = fixture.run(id).slot;
    REQUIRE(slot != nullptr);
    CHECK(slot->graph().digest() == digest_of(fixture, *slot));
    CHECK(fixture.run(id).seeds->size() == 1);
}

TEST_CASE("core: an analysis that is removed while its graph is read is gone") {
    TemporaryDirectory directory;
    Bench bench;
    analysis::AnalysisId first{}, second{};
    {
        CoreFixture fixture{directory.path(), bench};
        first = fixture.create("e4", 1, 20);
        second = fixture.create("d4", 1, 20);
        fixture.work_until([&] { return fixture.settled(first) && fixture.settled(second); });
    }
    CoreFixture fixture{directory.path(), bench, false, nullptr, true};
    REQUIRE(fixture.core->remove(first).wait());
    fixture.read();
    CHECK(fixture.core->queue().find(first) == nullptr);
    REQUIRE(fixture.run(second).slot != nullptr);
    const auto root = fixture.run(second).slot->graph().find(
        chess::Position::initial()
            .after(*chess::parse_san(chess::Position::initial(), "e4"))
            .packed());
    REQUIRE(root);
    CHECK_FALSE(fixture.run(second).slot->graph().ply(*root)); // no root any more
}
