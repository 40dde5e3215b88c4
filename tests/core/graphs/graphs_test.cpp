// Graphs alone: a store with facts, and reading that the test does by hand.
#include "temporary_directory.hpp"

#include "chess/notation.hpp"
#include "core/graphs/graphs.hpp"
#include "storage/open.hpp"
#include "test.hpp"

namespace adjourn::server {

namespace {

struct GraphsAlone {
    GraphsAlone()
        : graphs{*store,
                 background,
                 {nullptr, 50},
                 {[this](AnalysisRun& run) { ready.push_back(&run); },
                  [this](AnalysisRun& run, const std::string& why) {
                      unreadable.emplace_back(&run, why);
                  },
                  [this](GraphSlot& slot, const auto& nodes) {
                      changed.emplace_back(&slot, nodes.size());
                  },
                  [this](const GraphKey&, const GraphSlot*, const std::string& problem) {
                      read.push_back(problem);
                  },
                  [this](const GraphSlot&) { ++gone; }, [](const std::vector<std::string>&) {}}} {
        storage::EngineRecord record;
        record.name = "Some 1.0";
        engine = store->engine(record);
        graphs.begin();
    }
    ~GraphsAlone() { store->flush(); }

    AnalysisRun analysis(std::int64_t id, std::uint64_t depth = 8) const {
        storage::AnalysisRecord record;
        record.id = analysis::AnalysisId{id};
        record.engine = engine;
        record.limit = {analysis::Limit::Kind::depth, depth};
        return {record, {}, chess::Position::initial(), chess::Position::initial()};
    }
    analysis::Evaluation fact(const std::string& move, int cp, std::uint64_t depth = 8) const {
        analysis::Evaluation fact;
        fact.question = {
            chess::Position::initial().packed(), engine, {analysis::Limit::Kind::depth, depth}, {}};
        fact.move = chess::parse_line(chess::Position::initial(), move)->front();
        fact.score = chess::Score::cp(cp);
        fact.pv = {*fact.move};
        return fact;
    }
    analysis::Evaluation store_fact(analysis::Evaluation fact) {
        store->append(fact, [](const auto&) {});
        store->flush();
        fact.id = store->answer(fact.question)->id;
        return fact;
    }
    void run() {
        context.restart();
        while (context.poll() > 0) {
            context.restart();
        }
    }
    // What is to be read elsewhere is read, and taken over.
    void read_all() {
        run();
        while (!reading.empty()) {
            std::exchange(reading.front(), nullptr)();
            reading.pop_front();
            run();
        }
    }
    std::size_t moves_at_root(const AnalysisRun& run) const {
        return run.slot->graph().moves(run.root_node).size();
    }

    TemporaryDirectory directory;
    std::unique_ptr<storage::Store> store =
        storage::open_store(directory.path(), storage::OpenMode::owner);
    analysis::EngineId engine{};
    boost::asio::io_context context;
    base::TaskScope scope{context};
    Health health{*store, {}};
    std::deque<std::function<void()>> reading;
    Background background{scope.poster(), health, [this](std::function<void()> task) {
                              reading.push_back(std::move(task));
                          }};
    std::vector<AnalysisRun*> ready;
    std::vector<std::pair<AnalysisRun*, std::string>> unreadable;
    std::vector<std::pair<GraphSlot*, std::size_t>> changed;
    std::vector<std::string> read;
    int gone = 0;
    Graphs graphs;
};

} // namespace

TEST_CASE("an analysis waits for its graph, and has it once that is read", "[graphs]") {
    GraphsAlone here;
    here.store_fact(here.fact("e2e4", 30));
    AnalysisRun run = here.analysis(1);
    here.graphs.join(run);
    CHECK(run.awaited.has_value());
    bool told = false;
    here.graphs.when_read([&] { told = true; });
    here.run();
    CHECK(here.ready.empty()); // nobody has read it
    CHECK_FALSE(told);
    here.read_all();
    CHECK(here.ready == std::vector{&run});
    CHECK_FALSE(run.awaited.has_value());
    CHECK(here.moves_at_root(run) == 1);
    CHECK(run.seeds_read);
    CHECK(told);
    here.graphs.leave(run);
}

TEST_CASE("what an analysis had is shown until another graph is read", "[graphs]") {
    GraphsAlone here;
    here.store_fact(here.fact("e2e4", 30));
    here.store_fact(here.fact("d2d4", 20, 9));
    AnalysisRun run = here.analysis(1), other = here.analysis(2);
    here.graphs.join(run);
    here.graphs.join(other);
    here.read_all();
    GraphSlot* const former = run.slot;
    const std::uint64_t version = run.version();
    CHECK(version > 0);
    const auto limit_to = [&](std::uint64_t depth) {
        run.record.limit.amount = depth;
        CHECK(here.graphs.rests_elsewhere(run));
        here.graphs.change(run);
        CHECK_FALSE(here.graphs.rests_elsewhere(run));
    };
    limit_to(9);
    CHECK(run.shown() == former);
    CHECK_FALSE(run.has_graph());
    CHECK(run.version() == version);
    here.run();
    CHECK(here.ready.size() == 2); // nobody has read it yet

    SECTION("it is read") {
        here.read_all();
        CHECK(run.has_graph());
        CHECK(run.slot != former);
        CHECK(run.slot->key().basis == basis_of(run.record.limit, {}));
        CHECK(run.version() > version);
        CHECK(here.ready.size() == 3);
    }
    SECTION("it is left in favour of a third one") {
        limit_to(10);
        CHECK(run.shown() == former);
        here.read_all();
        CHECK(run.has_graph());
        CHECK(run.slot->key().basis == basis_of(run.record.limit, {}));
        CHECK(here.ready.size() == 3);
    }
    SECTION("the change is taken back meanwhile") {
        limit_to(8);
        CHECK(run.has_graph());
        CHECK(run.slot == former);
        CHECK(run.version() > version); // what was excluded may be so no more
        here.read_all();
        CHECK(run.slot == former);
        CHECK(here.moves_at_root(run) == 2);
    }
    SECTION("it cannot be read") {
        run.record.engine = analysis::EngineId{99};
        here.graphs.change(run);
        here.read_all();
        CHECK(run.slot == nullptr);
        CHECK(run.unreadable);
        CHECK(run.version() == 0);
        REQUIRE(here.unreadable.size() == 1);
        CHECK(here.unreadable[0].first == &run);
        CHECK(here.unreadable[0].second.find("no such row") != std::string::npos);
        CHECK_FALSE(run.awaited.has_value());
    }
    SECTION("the analysis goes") {
        here.graphs.leave(run);
        CHECK(run.slot == nullptr);
        CHECK_FALSE(here.graphs.rests_elsewhere(run));
        here.read_all();
        CHECK(here.ready.size() == 2);
    }
    CHECK(other.slot == former);
    here.graphs.leave(run);
    here.graphs.leave(other);
}

TEST_CASE("facts that come while a graph is read are in it", "[graphs]") {
    GraphsAlone here;
    here.store_fact(here.fact("g1f3", 5, 30));
    AnalysisRun run = here.analysis(1);
    here.graphs.join(run);
    here.run(); // what is to be read is fixed
    const auto fact = here.fact("e2e4", 30);
    here.graphs.apply(fact);
    here.read_all();
    CHECK(here.moves_at_root(run) == 2);
    here.graphs.apply(here.fact("d2d4", 20, 9));
    CHECK(here.moves_at_root(run) == 3);
    REQUIRE(here.changed.size() == 1);
    CHECK(here.changed[0].first == run.slot);
    CHECK(here.changed[0].second >= 1);
    here.graphs.leave(run);
}

TEST_CASE("analyses of one key share a graph; a question that one asked is asked for all",
          "[graphs]") {
    GraphsAlone here;
    AnalysisRun one = here.analysis(1);
    AnalysisRun two = here.analysis(2);
    AnalysisRun deeper = here.analysis(3, 20);
    here.graphs.join(one);
    here.graphs.join(two);
    here.graphs.join(deeper);
    here.read_all();
    CHECK(one.slot == two.slot);
    CHECK(one.slot != deeper.slot);
    const NodeQuestion asked{one.root_node, {analysis::Limit::Kind::depth, 20}, {}};
    one.slot->mark_pending(asked);
    const NodeQuestion same{deeper.root_node, asked.limit, {}};
    CHECK(here.graphs.state(*deeper.slot, same) == analysis::QuestionState::pending);
    one.slot->mark_failed(asked, "it died", 3, 1'000);
    CHECK(here.graphs.failure_of(*deeper.slot, same) == "it died");
    CHECK(here.graphs.retry_due(2'000, 2'000).empty());
    CHECK(here.graphs.retry_due(61'000, 61'000) == std::vector{one.slot});
    for (AnalysisRun* run : {&one, &two, &deeper}) {
        here.graphs.leave(*run);
    }
}

TEST_CASE("of the graphs that nobody needs the last is kept, and those to which an answer comes",
          "[graphs]") {
    GraphsAlone here;
    std::vector<AnalysisRun> runs;
    for (const std::uint64_t depth : {8, 10, 12}) {
        runs.push_back(here.analysis(static_cast<std::int64_t>(depth), depth));
    }
    for (AnalysisRun& run : runs) {
        here.graphs.join(run);
    }
    here.read_all();
    const NodeQuestion asked{runs[0].root_node, runs[0].record.limit, {}};
    GraphSlot* const waits = runs[0].slot;
    waits->mark_pending(asked);
    for (AnalysisRun& run : runs) {
        here.graphs.leave(run);
    }
    here.graphs.let_go();
    CHECK(here.gone == 1); // the second; the third is the last
    waits->unmark_pending(asked);
    here.graphs.let_go();
    CHECK(here.gone == 2);
    AnalysisRun back = here.analysis(4, 12);
    here.graphs.join(back);
    here.read_all();
    CHECK(back.slot != nullptr);
    here.graphs.leave(back);
}

} // namespace adjourn::server
