#include "core/graphs/analysis_run.hpp"

#include "analysis/strategy.hpp"
#include "base/number.hpp"
#include "core/graphs/line_end.hpp"
#include "core/graphs/node_directives.hpp"

namespace adjourn::server {

std::vector<analysis::NodeId> line_to_root(const RunView& run) {
    std::vector<analysis::NodeId> line;
    for (const chess::Position& position : run.repeated) {
        if (const auto node = run.slot->graph().find(position.packed())) {
            line.push_back(*node); // what the graph does not know, no move of it leads to
        }
    }
    line.push_back(run.root_node);
    return line;
}

const analysis::JointSearch* court_of(const RunView& run) {
    return analysis::strategy_of(run.spec.strategy.kind).has_anchor()
               ? analysis::court_of(run.slot->graph(), line_to_root(run),
                                    excluded_moves(run, run.root_node))
               : nullptr;
}

int settled_level(const RunView& run) {
    const auto known = run.plan.reached.find(run.plan.tree);
    const int level =
        std::max(run.plan.settled, known == run.plan.reached.end() ? 0 : known->second);
    const int last = run.spec.strategy.refine;
    return last == 0 ? level : std::min(level, last);
}

void AnalysisRun::pay(const storage::Cost& cost) {
    usage.nodes = base::capped_sum(usage.nodes, cost.nodes);
    usage.engine_ms = base::capped_sum(usage.engine_ms, cost.engine_ms);
    plan.recount = true;
}

void AnalysisRun::take_back(const storage::Cost& cost) {
    usage.nodes -= std::min(usage.nodes, cost.nodes);
    usage.engine_ms -= std::min(usage.engine_ms, cost.engine_ms);
    plan.recount = true;
}

bool AnalysisRun::follow_game() {
    std::vector<chess::Move> now = played_in(directives);
    if (now == played) {
        return false;
    }
    played = std::move(now);
    root = made_at.after(played);
    repeated = analysis::repeated_before(start, moves_before());
    return true;
}

std::vector<chess::Move> RunView::moves_before() const {
    std::vector<chess::Move> moves = record.root_moves;
    moves.insert(moves.end(), played.begin(), played.end());
    return moves;
}

std::optional<std::vector<chess::Move>>
RunView::from_root(const std::vector<chess::Move>& line) const {
    if (line.size() < played.size() || !std::equal(played.begin(), played.end(), line.begin())) {
        return std::nullopt;
    }
    return std::vector(line.begin() + static_cast<std::ptrdiff_t>(played.size()), line.end());
}

void AnalysisRun::restart() {
    AnalysisPlan::Tree now{
        rules_text(record.limit, spec.strategy, spec.accept, moved_to(), spec.renewal.at),
        basis_of(record.limit, directives).excluded,
    };
    if (now != plan.tree) {
        said.reset();
    }
    plan.restart(std::move(now), recorded_level(*this), waits_for_now(*this));
    out.spent = false;
    changed = true;
}

void AnalysisRun::readable_again() {
    if (std::exchange(unreadable, false) && record.state == storage::AnalysisState::failed) {
        record.state = storage::AnalysisState::queued;
        record.state_reason.clear();
    }
}

bool waits_for_now(const AnalysisRun& run) {
    return std::any_of(run.node_directives.begin(), run.node_directives.end(),
                       [](const auto& entry) { return entry.second.now; });
}

void AnalysisPlan::facts_came() {
    stale = true;
    ++answers_since_plan;
    if (std::exchange(finished, false)) {
        ready.clear();
    }
}

void AnalysisPlan::try_again() {
    failure.clear();
    court.reset();
    finished = false;
    stale = true;
}

void AnalysisPlan::restart(Tree now, int recorded, bool waits_for_now) {
    const bool other_rules = now.first != tree.first;
    tree = std::move(now);
    // Snapshots do not tell what was left out; they stand for the first tree under these rules.
    const bool first = std::ranges::none_of(
        reached, [&](const auto& other) { return other.first.first == tree.first; });
    reached.try_emplace(tree, first ? recorded : 0);
    refine = 1;
    settled = 0;
    if (other_rules) { // else the best move is one of them until the walk has looked again
        verified.clear();
        counted = false;
    }
    lead = {};
    stopped.clear();
    failure.clear();
    level_inputs.reset();
    finished = false;
    ready.clear();
    court.reset();
    planned = false;
    stale = true;
    now_due = waits_for_now;
}

namespace {

std::uint64_t hash_of(std::uint64_t key) {
    key ^= key >> 30;
    key *= 0xbf58476d1ce4e5b9ULL;
    key ^= key >> 27;
    key *= 0x94d049bb133111ebULL;
    return key ^ key >> 31;
}

} // namespace

bool AskedFacts::contains(analysis::EvaluationId fact) const {
    const auto key = static_cast<std::uint64_t>(fact);
    const std::uint64_t hash = hash_of(key);
    const std::vector<std::uint64_t>& places = shards_[hash % shards].places;
    if (places.empty() || key == 0) {
        return false;
    }
    std::size_t at = (hash / shards) & (places.size() - 1);
    while (places[at] != 0 && places[at] != key) {
        at = (at + 1) & (places.size() - 1);
    }
    return places[at] == key;
}

void AskedFacts::insert(analysis::EvaluationId fact) {
    if (fact == analysis::EvaluationId{} || contains(fact)) {
        return;
    }
    const auto key = static_cast<std::uint64_t>(fact);
    const std::uint64_t hash = hash_of(key);
    Shard& shard = shards_[hash % shards];
    if (4 * (shard.used + 1) > 3 * shard.places.size()) {
        Shard larger;
        larger.places.resize(shard.places.empty() ? 4 : 2 * shard.places.size());
        for (const std::uint64_t old : shard.places) {
            if (old != 0) {
                put(larger, old, hash_of(old));
            }
        }
        shard = std::move(larger);
    }
    put(shard, key, hash);
    ++size_;
}

void AskedFacts::put(Shard& shard, std::uint64_t key, std::uint64_t hash) {
    std::size_t at = (hash / shards) & (shard.places.size() - 1);
    while (shard.places[at] != 0) {
        at = (at + 1) & (shard.places.size() - 1);
    }
    shard.places[at] = key;
    ++shard.used;
}

Snapshot take_snapshot(const AnalysisRun& run, std::size_t positions) {
    const analysis::Graph& graph = run.slot->graph();
    const std::vector<analysis::NodeId> line = line_to_root(run);
    const analysis::JointSearch* const court = court_of(run);
    const analysis::LineValues values{graph, line, court};
    Snapshot snapshot;
    snapshot.root = run.root;
    snapshot.moved_to = run.moved_to();
    snapshot.evaluations = run.plan.evaluations_used;
    snapshot.positions = positions;
    snapshot.nodes = run.plan.nodes_used;
    snapshot.engine_ms = run.engine_ms();
    snapshot.engine = run.slot->engine().name;
    if (run.said && !run.said->best.empty()) {
        snapshot.said = run.said;
    }
    snapshot.limit = run.record.limit;
    snapshot.strategy = run.spec.strategy;
    snapshot.accept = run.spec.accept;
    snapshot.renewed = run.spec.renewal.at;
    snapshot.alpha = values.alpha();
    snapshot.idea = idea_after(graph, run.root_node, court);
    if (graph.exact(run.root_node)) {
        for (const SolvedMove& known : solved_moves(run, {})) {
            snapshot.moves.push_back({known.move.move, known.alpha(), known.move.value});
        }
    } else {
        const auto all = graph.moves(run.root_node);
        for (std::size_t i = 0; i < all.size(); ++i) {
            snapshot.moves.push_back({all[i].move, values.alpha_of(i).value,
                                      idea_after(graph, run.root_node, i, court)});
        }
    }
    snapshot.pv = analysis::alpha_pv(graph, line, analysis::longest_pv, court);
    return snapshot;
}

int recorded_level(const AnalysisRun& run) {
    storage::SnapshotRecord present;
    present.data = rules_text(run.record.limit, run.spec.strategy, run.spec.accept, run.moved_to(),
                              run.spec.renewal.at);
    const auto rules = NotedSnapshot{std::move(present)}.rules;
    int level = 0;
    for (const NotedSnapshot& snapshot : run.snapshots) {
        if (snapshot.refine > level && snapshot.same_rules(rules)) {
            level = snapshot.refine;
        }
    }
    const int last = run.spec.strategy.refine;
    return last == 0 ? level : std::min(level, last);
}

} // namespace adjourn::server
