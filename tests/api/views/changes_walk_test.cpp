// What changed since a moment, by the graph in memory, is what the store alone says.
#include "changes_facts.hpp"
#include "temporary_directory.hpp"

#include "api/views/view_walks.hpp"
#include "chess/notation.hpp"
#include "core/graphs/analysis_run.hpp"
#include "storage/open.hpp"

#include <catch2/catch.hpp>

#include <iostream>

using namespace adjourn;
using namespace adjourn::server;
using analysis::Evaluation;
using changes_facts::below;
using changes_facts::Random;
using changes_facts::random_facts;
using changes_facts::second;
using chess::Move;
using chess::Position;
using nlohmann::json;

namespace {

// Says of some positions that they are won or drawn.
class TablesOfSome : public analysis::Tables {
public:
    std::optional<chess::Score> value(const Position& position) const override {
        const std::size_t hash = chess::PackedPositionHash{}(position.packed());
        if (hash % 7 != 0) {
            return std::nullopt;
        }
        return chess::Score::tablebase(hash % 2 == 0 ? chess::Wdl::win : chess::Wdl::draw,
                                       static_cast<int>(hash / 100 % 20));
    }
    std::vector<analysis::TableMove> moves(const Position&) const override { return {}; }
};

bool at_once() {
    return true;
}

// By the graph in memory, in the smallest pieces, while the facts of `coming` come in, whenever
// they are from. They are stored before that, as it is in a server.
json by_walk(storage::Store& store, AnalysisRun& run, analysis::UnixMs since, analysis::UnixMs now,
             const std::shared_ptr<const analysis::Tables>& tables, std::vector<Evaluation>& coming,
             Random& random) {
    constexpr std::size_t always = 1;
    const auto walk = walk_changes(run, store, since, now, tables, always);
    while (!walk->go_on(at_once)) {
        if (const auto task = walk->elsewhere()) {
            task();
        }
        for (std::size_t some = below(random, 3); some > 1 && !coming.empty(); --some) {
            store.append(coming.back(), [](const auto&) {});
            store.flush();
            run.slot->apply(*store.answer(coming.back().question));
            coming.pop_back();
        }
    }
    CHECK_FALSE(walk->given_up());
    return walk->result();
}

} // namespace

TEST_CASE("changes by the graph in memory are those by the store alone") {
    constexpr std::uint64_t seed = 20'261'124;
    std::cout << "changes in memory: seed " << seed << '\n';
    Random random{seed};
    for (int round = 0; round < 60; ++round) {
        INFO("round " << round);
        TemporaryDirectory directory;
        const auto store = storage::open_store(directory.path(), storage::OpenMode::owner);
        storage::EngineRecord engine;
        engine.name = "Some 1.0";
        engine.id = store->engine(engine);
        storage::AnalysisRecord record;
        record.engine = engine.id;
        record.limit = {analysis::Limit::Kind::depth, round % 2 == 0 ? 7u : 9u};
        record.root_fen = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1";
        Position root = Position::from_fen(record.root_fen).value();
        if (round % 3 == 2) { // the game before the root has been at some positions twice
            record.root_moves =
                chess::parse_line(root, "1. Ra2 Kd8 2. Ra1 Ke8 3. Ra2 Kd8 4. Ra1 Ke8").value();
        }
        for (const Move move : record.root_moves) {
            root.play(move);
        }
        std::vector<Evaluation> facts =
            random_facts(random, record.engine, root, 20 + below(random, 100));
        // Some come while it is looked at: most are newer than that, some from another machine.
        std::vector<Evaluation> coming;
        for (std::size_t i = facts.size() / 4; i > 0; --i) {
            const auto at =
                facts.begin() + static_cast<std::ptrdiff_t>(below(random, facts.size()));
            at->at = (101 + static_cast<analysis::UnixMs>(below(random, 20))) * second;
            coming.push_back(*at);
            facts.erase(at);
        }
        for (const Evaluation& fact : facts) {
            store->append(fact, [](const auto&) {});
        }
        store->flush();
        AnalysisRun run{record, {}, Position::from_fen(record.root_fen).value(), root};
        for (int i = 0; i < 4 && round % 4 == 0; ++i) {
            const Evaluation& one = facts[below(random, facts.size())];
            run.directives.push_back({0, one.question.position, {}, Exclude{*one.move}, 0});
        }
        const analysis::Basis basis = basis_of(record.limit, run.directives);
        const auto tables = round % 5 == 4 ? std::make_shared<const TablesOfSome>()
                                           : std::shared_ptr<const analysis::Tables>{};
        const analysis::UnixMs now = 100 * second;
        for (const int moment : {5, 50, 90, 96, 99, 100}) {
            INFO("since " << moment);
            const analysis::UnixMs since = moment * second;
            GraphSlot slot{
                *store, engine, tables, {engine.id, {}, basis}, nullptr, std::span{&root, 1}};
            run.slot = &slot;
            run.root_node = slot.graph().find(root.packed()).value();
            if (slot.newest() > now) {
                break; // all that was to come has
            }
            const json wanted = changes_json(*store, record, root, basis, since, now, tables);
            std::vector<Evaluation> none;
            CHECK(by_walk(*store, run, since, now, tables, moment == 96 ? coming : none, random) ==
                  wanted);
        }
    }
}

TEST_CASE("changes of most of a tree, or of a graph that is gone, are told by the store") {
    TemporaryDirectory directory;
    const auto store = storage::open_store(directory.path(), storage::OpenMode::owner);
    storage::EngineRecord engine;
    engine.name = "Some 1.0";
    engine.id = store->engine(engine);
    storage::AnalysisRecord record;
    record.engine = engine.id;
    record.limit = {analysis::Limit::Kind::depth, 8};
    record.root_fen = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1";
    const Position root = Position::from_fen(record.root_fen).value();
    Random random{1};
    for (const Evaluation& fact : random_facts(random, record.engine, root, 100)) {
        store->append(fact, [](const auto&) {});
    }
    store->flush();
    AnalysisRun run{record, {}, root, root};
    const analysis::Basis basis = basis_of(record.limit, {});
    GraphSlot slot{*store, engine, nullptr, {engine.id, {}, basis}, nullptr, std::span{&root, 1}};
    run.slot = &slot;
    run.root_node = slot.graph().find(root.packed()).value();
    const analysis::UnixMs now = 100 * second;
    const auto seen = [&](analysis::UnixMs since, bool gone) {
        const auto walk = walk_changes(run, *store, since, now, nullptr);
        if (gone) {
            CHECK_FALSE(walk->go_on(at_once));
            walk->give_up();
        } else {
            while (!walk->go_on(at_once)) {
                if (const auto task = walk->elsewhere()) {
                    task();
                }
            }
        }
        CHECK(walk->result() == changes_json(*store, record, root, basis, since, now, nullptr));
        return walk->given_up();
    };
    CHECK(seen(10 * second, false));
    CHECK_FALSE(seen(90 * second, false));
    CHECK(seen(90 * second, true));
    run.slot = nullptr; // not read yet
    CHECK(walk_changes(run, *store, 90 * second, now, nullptr)->given_up());
}
