// Core, what is read elsewhere: graphs with their seeds, and facts that an import has brought. This
// thread takes over what was read, in slices where it is much.
#include "work/core.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>

namespace adjourn::server {

using analysis::EngineId;
using analysis::EvaluationId;
using Clock = std::chrono::steady_clock;

namespace {

constexpr std::chrono::milliseconds load_slice{3};

SeedMoves read_seeds(const storage::Store& store, analysis::AnalysisId id) {
    SeedMoves moves;
    for (const storage::SeedRecord& seed : store.seeds(id, [](const std::string&) {})) {
        const auto position = chess::Position::unpack(seed.position);
        if (position && position->is_legal(seed.move)) {
            moves.emplace_back(*position, seed.move);
        }
    }
    return moves;
}

} // namespace

// What the reading thread hands over.
struct Core::Read {
    struct Run {
        analysis::AnalysisId id{};
        chess::Position root;
        analysis::NodeId root_node{};
        analysis::Seeds seeds;
    };
    std::unique_ptr<GraphSlot> slot;
    std::vector<Run> runs; // that waited for it when the reading began
};

// `read` runs elsewhere and returns what is then to be done here; it must not touch the core. If
// it cannot read, `failed` is told why, here. `here`: read on this thread, at once.
void Core::elsewhere(std::function<std::function<void()>()> read,
                     std::function<void(const std::string&)> failed, bool here) {
    const auto work = [read = std::move(read), failed = std::move(failed)] {
        std::function<void()> then;
        if (const auto trouble = guarded("reading the store", [&] { then = read(); })) {
            return std::function<void()>{[failed, what = trouble->what] { failed(what); }};
        }
        return then;
    };
    if (here || !options_.elsewhere) {
        attempt("taking over what was read", work());
        return;
    }
    options_.elsewhere([this, core = scope_.poster(), work] {
        core.post([this, then = work()] {
            if (!stopping_) {
                const HoldWatch::Hold hold{watch_, "read"};
                attempt("taking over what was read", then);
            }
        });
    });
}

// Calls `step` until it returns false, a few milliseconds at a time; others have their turn
// between.
void Core::in_slices(std::function<bool()> step) {
    const HoldWatch::Hold hold{watch_, "slice"};
    const Clock::time_point end = Clock::now() + load_slice;
    bool more = true;
    const bool well = attempt("taking over what was read", [&] {
        while (more && (!options_.elsewhere || Clock::now() < end)) {
            more = step();
        }
    });
    if (well && more) {
        scope_.post([this, step = std::move(step)]() mutable {
            if (!stopping_) {
                in_slices(std::move(step));
            }
        });
    }
}

void Core::when_read(std::function<void()> call) {
    if (loading_.empty()) {
        call();
    } else {
        when_read_.push_back(std::move(call));
    }
}

// ---- graphs ----

void Core::attach(AnalysisRun& run) {
    const GraphKey key = key_of(run);
    run.awaited = key;
    restart_plan(run);
    GraphSlot* slot = graph_slot(key);
    if (slot != nullptr && run.awaited) {
        join(run, *slot, std::nullopt);
    }
    let_go_of_idle_graphs();
}

// Null while it is being read.
GraphSlot* Core::graph_slot(const GraphKey& key) {
    if (const auto found = slots_.find(key); found != slots_.end()) {
        return found->second.get();
    }
    if (loading_.try_emplace(key).second) {
        wanted_graphs_.push_back(key);
        if (!options_.elsewhere || reads_in_passing()) {
            read_wanted();
        } else if (wanted_graphs_.size() == 1 && !constructing_) {
            read_wanted_soon();
        }
    }
    const auto found = slots_.find(key);
    return found == slots_.end() ? nullptr : found->second.get();
}

// Few facts are read within tens of milliseconds: who asks for an analysis, or excludes a move,
// need not wait for the tree.
bool Core::reads_in_passing() const {
    bool few = false;
    const auto count = [&] { few = store_.evaluation_count() <= options_.facts_in_passing; };
    return !constructing_ && loading_.size() <= 1 && !guarded("counting evaluations", count) && few;
}

// Soon: so that all who wait for a graph are known when it is read.
void Core::read_wanted_soon() {
    scope_.post([this] {
        if (!stopping_) {
            read_wanted();
        }
    });
}

void Core::read_wanted() {
    for (const GraphKey& key : std::exchange(wanted_graphs_, {})) {
        read_graph(key);
    }
}

void Core::read_graph(const GraphKey& key) {
    std::vector<Read::Run> waiting;
    for (const auto& run : runs_) {
        if (run->awaited == key) {
            waiting.push_back({run->record.id, run->root, {}, {}});
        }
    }
    const auto read = [this, &store = store_, tables = options_.tables, key, leaving = leaving_,
                       waiting = std::move(waiting)]() mutable -> std::function<void()> {
        const auto engines = store.engines();
        const auto own = std::ranges::find(engines, key.engine, &storage::EngineRecord::id);
        if (own == engines.end()) {
            throw storage::DamagedRow{"the store names engine " +
                                      std::to_string(static_cast<std::int64_t>(key.engine)) +
                                      " but has no such row"};
        }
        const auto result = std::make_shared<Read>();
        result->slot = std::make_unique<GraphSlot>(store, *own, tables, key, leaving.get());
        result->runs = std::move(waiting);
        analysis::Graph& graph = result->slot->graph();
        for (Read::Run& run : result->runs) {
            run.root_node = graph.intern(run.root);
            result->slot->add_root(run.root_node);
            result->slot->count_on(run.root_node, graph.node_count());
            for (const auto& [position, move] : read_seeds(store, run.id)) {
                run.seeds[graph.intern(position)].push_back(move);
            }
        }
        (void)result->slot->noise(); // is known from then on
        return [this, key, result] { graph_read(key, *result); };
    };
    elsewhere(
        read, [this, key](const std::string& problem) { graph_not_read(key, problem); },
        reads_in_passing());
}

void Core::graph_read(const GraphKey& key, Read& read) {
    const Loading loading = std::move(loading_.extract(key).mapped());
    const std::shared_ptr<GraphSlot> shared =
        slots_.emplace(key, std::move(read.slot)).first->second;
    GraphSlot& slot = *shared;
    note(slot.damaged());
    for (const analysis::Evaluation& fact : loading.arrived) {
        slot.apply(fact);
    }
    std::vector<analysis::NodeId> unwanted; // of analyses that are gone, or elsewhere
    for (Read::Run& prepared : read.runs) {
        AnalysisRun* run = lookup(prepared.id);
        if (run == nullptr || run->awaited != key) {
            unwanted.push_back(prepared.root_node);
            continue;
        }
        run->seeds = std::move(prepared.seeds);
        run->seeds_read = true;
        join(*run, slot, prepared.root_node);
        if (loading.seeded.contains(run->record.id)) {
            rebuild_seeds(*run);
        }
    }
    for (const auto& run : runs_) { // those who came to wait for it while it was read
        if (run->awaited == key) {
            join(*run, slot, std::nullopt);
        }
    }
    for (const analysis::NodeId root : unwanted) {
        slot.remove_root(
            root, std::ranges::none_of(runs_, [&](const auto& run) { return run->slot == &slot; }));
    }
    for (const EngineId engine : loading.imported) {
        read_again(shared, engine, {});
    }
    for (const auto& engine : engines_) {
        if (engine->id == key.engine && key.accepted.empty()) {
            engine->slot = &slot;
            engine->changed = true;
            if (on_engine) {
                on_engine(*engine);
            }
        }
    }
    if (std::ranges::none_of(runs_, [&](const auto& run) { return run->slot == &slot; })) {
        idle_.push_back(key);
    }
    let_go_of_idle_graphs();
    schedule_fill();
    tell_readers();
}

void Core::graph_not_read(const GraphKey& key, const std::string& problem) {
    loading_.erase(key);
    if (unreadable_.empty()) {
        unreadable_ = problem;
    }
    for (const auto& engine : engines_) {
        if (engine->id == key.engine && key.accepted.empty()) {
            engine->problem = "the store cannot be used: " + problem;
            engine->changed = true;
            if (on_engine) {
                on_engine(*engine);
            }
        }
    }
    for (const auto& run : runs_) {
        if (run->awaited == key) {
            run->awaited.reset();
            run->unreadable = true;
            fail(*run, problem);
        }
    }
    schedule_fill();
    tell_readers();
}

void Core::tell_readers() {
    if (loading_.empty()) {
        for (const auto& call : std::exchange(when_read_, {})) {
            call();
        }
    }
}

// The analysis gets its graph. `root` is its root there, if that is counted already.
void Core::join(AnalysisRun& run, GraphSlot& slot, std::optional<analysis::NodeId> root) {
    run.awaited.reset();
    run.slot = &slot;
    run.root_node = root ? *root : slot.graph().intern(run.root);
    if (!root) {
        slot.add_root(run.root_node);
        in_slices([shared = slots_.at(slot.key()), node = run.root_node] {
            return !shared->count_on(node, 200);
        });
    }
    if (std::exchange(run.unreadable, false) &&
        run.record.state == storage::AnalysisState::failed) {
        run.record.state = storage::AnalysisState::queued;
        run.record.state_reason.clear();
    }
    rebuild_steering(run);
    if (!run.seeds_read) {
        rebuild_seeds(run);
    }
    restart_plan(run);
}

// ---- what others bring ----

void Core::rebuild_seeds(AnalysisRun& run) {
    if (run.awaited) {
        loading_.at(*run.awaited).seeded.insert(run.record.id);
    }
    if (run.slot == nullptr) {
        return; // they come with the graph
    }
    const auto read = [this, &store = store_, id = run.record.id,
                       slot = slots_.at(run.slot->key())] {
        const auto moves = std::make_shared<const SeedMoves>(read_seeds(store, id));
        return [this, id, slot, moves] { take_seeds(id, *slot, moves); };
    };
    elsewhere(read, [](const std::string&) {});
}

void Core::take_seeds(analysis::AnalysisId id, GraphSlot& slot,
                      std::shared_ptr<const SeedMoves> moves) {
    const auto step = [this, id, place = &slot, moves, seeds = analysis::Seeds{},
                       next = std::size_t{0}]() mutable {
        AnalysisRun* run = lookup(id);
        if (run == nullptr || run->slot != place) {
            return false;
        }
        const std::size_t end = std::min(next + 100, moves->size());
        for (; next < end; ++next) {
            const auto& [position, move] = (*moves)[next];
            seeds[run->slot->graph().intern(position)].push_back(move);
        }
        if (next < moves->size()) {
            return true;
        }
        run->seeds = std::move(seeds);
        run->seeds_read = true;
        restart_plan(*run);
        schedule_fill();
        return false;
    };
    in_slices(step);
}

// The facts of `engine` after that row. Most of them are known already: then nothing changes.
void Core::read_again(std::shared_ptr<GraphSlot> slot, EngineId engine, EvaluationId after) {
    const auto read = [this, &store = store_, slot = std::move(slot), engine, after,
                       most = options_.facts_at_once] {
        auto facts = std::make_shared<const std::vector<analysis::Evaluation>>(
            store.evaluations_after(engine, after, most));
        return [this, slot, engine, facts] { take_facts(slot, engine, facts); };
    };
    elsewhere(read, [](const std::string&) {});
}

void Core::take_facts(const std::shared_ptr<GraphSlot>& slot, EngineId engine,
                      std::shared_ptr<const std::vector<analysis::Evaluation>> facts) {
    const auto step = [this, slot, engine, facts, next = std::size_t{0},
                       changed = std::vector<analysis::NodeId>{}]() mutable {
        const std::size_t end = std::min(next + 20, facts->size());
        for (; next < end; ++next) {
            const auto nodes = slot->apply((*facts)[next]);
            changed.insert(changed.end(), nodes.begin(), nodes.end());
        }
        if (next < facts->size()) {
            return true;
        }
        if (!changed.empty()) {
            facts_arrived(*slot, changed);
            schedule_fill();
        }
        if (facts->size() == options_.facts_at_once) {
            read_again(slot, engine, facts->back().id);
        }
        return false;
    };
    in_slices(step);
}

} // namespace adjourn::server
