// Graphs: who needs which, how they are read, and what gets into them.
#include "core/graphs/graphs.hpp"

#include "base/free_memory.hpp"
#include "core/graphs/line_end.hpp"
#include "core/graphs/node_directives.hpp"

#include <algorithm>

namespace adjourn::server {

Graphs::Graphs(const storage::Store& store, Background& background, Options options,
               Listener listener)
    : store_{store}, background_{background}, options_{std::move(options)}, listener_{std::move(
                                                                                listener)} {}

void Graphs::know(const storage::EngineRecord& engine) {
    if (std::ranges::find(engines_, engine.id, &storage::EngineRecord::id) == engines_.end()) {
        engines_.push_back(engine);
    }
}

// A transient analysis serves a search in a GUI, whose limits change from move to move: it rests on
// all that is known.
GraphKey Graphs::key_of(const AnalysisRun& run) const {
    GraphKey key{run.record.engine, named_engines(engines_, run.spec.accept, run.record.engine),
                 run.transient ? analysis::Basis{} : basis_of(run.record.limit, run.directives),
                 named_engines(engines_, run.spec.renewal.engines, run.record.engine)};
    std::erase_if(key.accepted, [&](analysis::EngineId engine) { return key.renews(engine); });
    return key;
}

bool Graphs::rests_elsewhere(const AnalysisRun& run) const {
    const GraphKey* key = run.awaited           ? &*run.awaited
                          : run.slot != nullptr ? &run.slot->key()
                                                : nullptr;
    return key != nullptr && *key != key_of(run);
}

void Graphs::join(AnalysisRun& run) {
    const GraphKey key = key_of(run);
    run.restart();
    if (const auto found = held_.find(key); found != held_.end()) {
        enter(run, found->second, std::nullopt);
    } else {
        run.awaited = key;
        loading_[key].waiting.push_back(&run);
        want(key);
    }
    let_go();
}

void Graphs::change(AnalysisRun& run) {
    wait_no_more(run);
    join(run);
}

void Graphs::leave(AnalysisRun& run) {
    wait_no_more(run);
    leave_slot(run);
}

void Graphs::wait_no_more(AnalysisRun& run) {
    if (run.awaited) {
        std::erase(loading_.at(*run.awaited).waiting, &run);
        run.awaited.reset();
    }
}

void Graphs::leave_slot(AnalysisRun& run) {
    if (run.slot != nullptr) {
        run.versions_before += run.slot->version() + 1;
        GraphSlot& slot = *std::exchange(run.slot, nullptr);
        const auto held = held_.find(slot.key());
        auto& members = held->second.members;
        std::erase(members, &run);
        slot.remove_root(run.root_node, members.empty());
        if (members.empty()) {
            std::erase(idle_, slot.key());
            idle_.push_back(slot.key());
        }
    }
    run.readable_again(); // what was not was of the graph it had
    run.seeds_read = false;
    run.seeds = no_seeds(); // by the graph's own numbers of positions, as node_directives are
    run.node_directives.clear();
    run.plan.ready.clear();
}

// `root` is the analysis's root there, if that is counted already.
void Graphs::enter(AnalysisRun& run, Held& held, std::optional<analysis::NodeId> root) {
    if (run.slot != nullptr) {
        leave_slot(run);
    }
    GraphSlot& slot = *held.slot;
    held.members.push_back(&run);
    run.awaited.reset();
    run.slot = &slot;
    run.root_node = root ? *root : slot.intern(run.root);
    if (!root) {
        slot.add_root(run.root_node);
        background_.in_slices(
            [shared = held.slot, node = run.root_node] { return !shared->count_on(node, 200); });
    }
    run.readable_again();
    rebuild_node_directives(run);
    if (!run.seeds_read) {
        reread_seeds(run);
    }
    listener_.ready(run);
}

void Graphs::let_go() {
    std::erase_if(idle_, [&](const GraphKey& key) {
        const auto found = held_.find(key);
        return found == held_.end() || !found->second.members.empty();
    });
    for (std::size_t i = 0; i + 1 < idle_.size();) {
        const auto found = held_.find(idle_[i]);
        if (found->second.slot->anything_out()) { // an answer comes
            ++i;
            continue;
        }
        listener_.gone(*found->second.slot);
        std::shared_ptr<GraphSlot> last = std::move(found->second.slot);
        held_.erase(found);
        idle_.erase(idle_.begin() + static_cast<std::ptrdiff_t>(i));
        background_.let_go(std::move(last));
    }
}

void Graphs::apply(const analysis::Evaluation& fact) {
    for (auto& [key, held] : held_) {
        if (key.holds(fact.question.engine)) {
            if (const auto changed = held.slot->apply_soon(fact)) {
                listener_.changed(*held.slot, *changed);
            }
        }
    }
    for (auto& [key, loading] : loading_) {
        if (key.holds(fact.question.engine)) {
            loading.arrived.push_back(fact);
        }
    }
}

void Graphs::hold(const GraphKey& key, std::shared_ptr<GraphSlot> slot) {
    slot->lock().set_free(
        [this, key, soon = background_.poster()] { soon([this, key] { let_in(key); }); });
    held_.emplace(key, Held{std::move(slot), {}});
}

// Nobody reads any more: what waits comes in.
void Graphs::let_in(const GraphKey& key) {
    if (const auto held = held_.find(key); held != held_.end()) {
        const std::shared_ptr<GraphSlot> slot = held->second.slot;
        if (const auto changed = slot->take_waiting()) {
            listener_.changed(*slot, *changed);
        }
    }
}

// ---- looking ----

analysis::QuestionState Graphs::state(const GraphSlot& slot, const NodeQuestion& asked) const {
    analysis::QuestionState state = slot.state(asked);
    for (const auto& [key, other] : held_) {
        if (state != analysis::QuestionState::open) {
            break;
        }
        if (other.slot.get() != &slot && key.engine == slot.engine().id) {
            const auto node = other.slot->graph().find(slot.graph().position(asked.node).packed());
            if (node) {
                state = other.slot->state({*node, asked.limit, asked.excluded});
            }
        }
    }
    return state;
}

std::string Graphs::failure_of(const GraphSlot& slot, const NodeQuestion& asked) const {
    std::string reason = slot.failure_of(asked);
    for (const auto& [key, other] : held_) {
        const auto node = other.slot->graph().find(slot.graph().position(asked.node).packed());
        if (reason.empty() && node && key.engine == slot.engine().id) {
            reason = other.slot->failure_of({*node, asked.limit, asked.excluded});
        }
    }
    return reason;
}

std::vector<GraphSlot*> Graphs::retry_due(analysis::UnixMs now, analysis::UnixMs steady) {
    std::vector<GraphSlot*> due;
    for (const auto& [key, held] : held_) {
        if (held.slot->retry_due(now, steady)) {
            due.push_back(held.slot.get());
        }
    }
    return due;
}

std::optional<analysis::Noise> Graphs::noise_of(analysis::EngineId engine) const {
    std::optional<analysis::Noise> best;
    for (const auto& [key, held] : held_) {
        if (key.engine != engine || key.mixed()) {
            continue;
        }
        const auto noise = held.slot->noise();
        if (noise && (!best || noise->pairs > best->pairs)) {
            best = noise;
        }
    }
    return best;
}

// Graphs, what is read elsewhere: graphs with their seeds, and facts that an import has brought.
// This thread takes over what was read, in slices where it is much.

using analysis::EngineId;
using analysis::EvaluationId;

namespace {

SeedMoves read_seeds(const storage::Store& store, analysis::AnalysisId id,
                     const storage::Damaged& damaged) {
    SeedMoves moves;
    for (const storage::SeedRecord& seed : store.seeds(id, damaged)) {
        const auto position = chess::Position::unpack(seed.position);
        if (position && position->is_legal(seed.move)) {
            moves.emplace_back(*position, seed.move);
        }
    }
    return moves;
}

AnalysisRun* member(const std::vector<AnalysisRun*>& runs, analysis::AnalysisId id) {
    const auto found =
        std::ranges::find_if(runs, [&](const AnalysisRun* run) { return run->record.id == id; });
    return found == runs.end() ? nullptr : *found;
}

} // namespace

// What the reading thread hands over.
struct Graphs::Read {
    struct Run {
        analysis::AnalysisId id{};
        chess::Position root;
        analysis::NodeId root_node{};
        analysis::Seeds seeds;
    };
    std::unique_ptr<GraphSlot> slot;
    std::vector<Run> runs; // that waited for it when the reading began
};

void Graphs::begin() {
    begun_ = true;
    if (!wanted_.empty()) {
        background_.soon([this] { read_wanted(); });
    }
}

void Graphs::when_read(std::function<void()> call) {
    if (loading_.empty()) {
        call();
    } else {
        when_read_.push_back(std::move(call));
    }
}

void Graphs::want(const GraphKey& key) {
    const bool read = held_.contains(key);
    const bool reading = loading_.contains(key) && loading_[key].begun;
    if (read || reading) {
        return;
    }
    loading_[key].begun = true;
    wanted_.push_back(key);
    if (background_.at_once()) {
        read_wanted();
    } else if (wanted_.size() == 1 && begun_) {
        // soon: so that all who wait for a graph are known when it is read
        background_.soon([this] { read_wanted(); });
    }
}

void Graphs::read_wanted() {
    for (const GraphKey& key : std::exchange(wanted_, {})) {
        read_graph(key);
    }
}

void Graphs::read_graph(const GraphKey& key) {
    std::vector<Read::Run> waiting;
    for (const AnalysisRun* run : loading_[key].waiting) {
        waiting.push_back({run->record.id, run->root, {}, {}});
    }
    const auto read = [this, &store = store_, tables = options_.tables, key,
                       stopping = background_.stopping(),
                       waiting = std::move(waiting)]() mutable -> std::function<void()> {
        const auto engines = store.engines();
        const auto own = std::ranges::find(engines, key.engine, &storage::EngineRecord::id);
        if (own == engines.end()) {
            throw storage::DamagedRow{"the store names engine " +
                                      std::to_string(static_cast<std::int64_t>(key.engine)) +
                                      " but has no such row"};
        }
        const auto result = std::make_shared<Read>();
        result->runs = std::move(waiting);
        std::vector<chess::Position> roots;
        for (const Read::Run& run : result->runs) {
            roots.push_back(run.root);
            if (tables) {
                (void)tables->moves(run.root); // for whoever looks at it
            }
        }
        result->slot = std::make_unique<GraphSlot>(store, *own, tables, key, stopping.get(), roots);
        const analysis::Graph& graph = result->slot->graph();
        for (Read::Run& run : result->runs) {
            run.root_node = result->slot->intern(run.root);
            result->slot->count_on(run.root_node, graph.node_count());
            for (const auto& [position, move] :
                 read_seeds(store, run.id, result->slot->set_aside())) {
                run.seeds[result->slot->intern(position)].push_back(move);
            }
        }
        (void)result->slot->noise();       // is known from then on
        if (graph.node_count() > 10'000) { // what this thread used for it may be much
            base::give_back_free_memory();
        }
        return [this, key, result] { graph_read(key, *result); };
    };
    background_.read(read,
                     [this, key](const std::string& problem) { graph_not_read(key, problem); });
}

void Graphs::graph_read(const GraphKey& key, Read& read) {
    const Loading loading = std::move(loading_.extract(key).mapped());
    hold(key, std::move(read.slot));
    Held& held = held_.at(key);
    const std::shared_ptr<GraphSlot> slot = held.slot;
    slot->apply_all(loading.arrived);
    std::vector<analysis::NodeId> unwanted; // of analyses that are gone, elsewhere, or moved on
    for (Read::Run& prepared : read.runs) {
        AnalysisRun* run = member(loading.waiting, prepared.id);
        if (run == nullptr || run->root != prepared.root) {
            unwanted.push_back(prepared.root_node);
            continue;
        }
        leave_slot(*run);
        run->seeds = std::make_shared<const analysis::Seeds>(std::move(prepared.seeds));
        run->seeds_read = true;
        enter(*run, held, prepared.root_node);
        if (loading.seeded.contains(run->record.id)) {
            reread_seeds(*run);
        }
    }
    for (AnalysisRun* run : loading.waiting) { // those who came to wait for it while it was read
        if (run->awaited == key) {
            enter(*run, held, std::nullopt);
        }
    }
    for (const analysis::NodeId root : unwanted) {
        slot->remove_root(root, held.members.empty());
    }
    for (const EngineId engine : loading.imported) {
        read_again(slot, engine, {});
    }
    if (held.members.empty()) {
        idle_.push_back(key);
    }
    listener_.read(key, slot.get(), "");
    let_go();
    tell_waiting();
}

void Graphs::graph_not_read(const GraphKey& key, const std::string& problem) {
    const Loading loading = std::move(loading_.extract(key).mapped());
    listener_.read(key, nullptr, problem);
    for (AnalysisRun* run : loading.waiting) {
        run->awaited.reset();
        leave_slot(*run);
        run->unreadable = true;
        listener_.unreadable(*run, problem);
    }
    tell_waiting();
}

void Graphs::tell_waiting() {
    if (loading_.empty()) {
        for (const auto& call : std::exchange(when_read_, {})) {
            call();
        }
    }
}

// ---- what others bring ----

void Graphs::reread_seeds(AnalysisRun& run) {
    if (run.awaited) {
        loading_.at(*run.awaited).seeded.insert(run.record.id);
    }
    if (run.slot == nullptr) {
        return; // they come with the graph
    }
    const analysis::AnalysisId id = run.record.id;
    const std::shared_ptr<GraphSlot> slot = held_.at(run.slot->key()).slot;
    const auto read = [this, &store = store_, id, slot] {
        std::vector<std::string> damage;
        const auto damaged = [&](const std::string& row) { damage.push_back(row); };
        const auto moves = std::make_shared<const SeedMoves>(read_seeds(store, id, damaged));
        return [this, id, slot, moves, damage] {
            listener_.damaged(damage);
            take_seeds(id, slot, moves);
        };
    };
    background_.read(
        read, [this, id, slot](const std::string& problem) { seeds_not_read(id, slot, problem); });
}

// Without them it is not known what it would ask.
void Graphs::seeds_not_read(analysis::AnalysisId id, const std::shared_ptr<GraphSlot>& slot,
                            const std::string& problem) {
    const auto held = held_.find(slot->key());
    if (held == held_.end() || held->second.slot != slot) {
        return;
    }
    if (AnalysisRun* run = member(held->second.members, id)) {
        run->unreadable = true; // it is read anew when a person lets it go on
        listener_.unreadable(*run, problem);
    }
}

void Graphs::take_seeds(analysis::AnalysisId id, const std::shared_ptr<GraphSlot>& slot,
                        std::shared_ptr<const SeedMoves> moves) {
    const auto step = [this, id, slot, moves, seeds = analysis::Seeds{},
                       next = std::size_t{0}]() mutable {
        const auto held = held_.find(slot->key());
        AnalysisRun* run = held == held_.end() || held->second.slot != slot
                               ? nullptr
                               : member(held->second.members, id);
        if (run == nullptr) {
            return false;
        }
        const std::size_t end = std::min(next + 100, moves->size());
        for (; next < end; ++next) {
            const auto& [position, move] = (*moves)[next];
            seeds[slot->intern(position)].push_back(move);
        }
        if (next < moves->size()) {
            return true;
        }
        run->seeds = std::make_shared<const analysis::Seeds>(std::move(seeds));
        run->seeds_read = true;
        listener_.ready(*run);
        return false;
    };
    background_.in_slices(step);
}

void Graphs::reread(EngineId engine) {
    for (const auto& [key, held] : held_) {
        if (key.holds(engine)) {
            read_again(held.slot, engine, {});
        }
    }
    for (auto& [key, loading] : loading_) {
        if (key.holds(engine)) {
            loading.imported.insert(engine);
        }
    }
}

// The facts of `engine` after that row. Most of them are known already: then nothing changes.
void Graphs::read_again(std::shared_ptr<GraphSlot> slot, EngineId engine, EvaluationId after) {
    const auto read = [this, &store = store_, tables = options_.tables, slot = std::move(slot),
                       engine, after, most = options_.facts_at_once] {
        auto facts = std::make_shared<const std::vector<analysis::Evaluation>>(
            store.evaluations_after(engine, after, most));
        for (const analysis::Evaluation& fact : *facts) {
            ask_ahead(tables.get(), fact);
        }
        return [this, slot, engine, facts] { take_facts(slot, engine, facts); };
    };
    background_.read(read, [](const std::string&) {});
}

void Graphs::take_facts(const std::shared_ptr<GraphSlot>& slot, EngineId engine,
                        std::shared_ptr<const std::vector<analysis::Evaluation>> facts) {
    const auto step = [this, slot, engine, facts, next = std::size_t{0},
                       changed = std::vector<analysis::NodeId>{}]() mutable {
        const std::size_t end = std::min(next + 20, facts->size());
        const auto nodes = slot->apply_all(std::span{*facts}.subspan(next, end - next));
        changed.insert(changed.end(), nodes.begin(), nodes.end());
        next = end;
        if (next < facts->size()) {
            return true;
        }
        if (!changed.empty()) {
            listener_.changed(*slot, changed);
        }
        if (facts->size() == options_.facts_at_once) {
            read_again(slot, engine, facts->back().id);
        }
        return false;
    };
    background_.in_slices(step);
}

} // namespace adjourn::server
