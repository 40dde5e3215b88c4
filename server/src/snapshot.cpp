#include "snapshot.hpp"

#include "chess/notation.hpp"
#include "server/analysis_definition.hpp"
#include "server/strategy_json.hpp"
#include "server/view.hpp"
#include "solved_node.hpp"

#include <algorithm>

namespace adjourn::server {

using nlohmann::json;

namespace {

void add_rules(json& out, const AnalysisRun& run) {
    out["limit"] = limit_json(run.record.limit);
    out["strategy"] = strategy_json(run.spec.strategy);
    out["strategy"].erase("refine"); // the same tree, however far it is meant to go
    if (!run.spec.accept.empty()) {
        out["accept"] = run.spec.accept;
    }
}

} // namespace

std::string snapshot_text(const AnalysisRun& run, std::size_t positions) {
    const analysis::Graph& graph = run.slot->graph();
    const std::vector<analysis::NodeId> line = line_to_root(run);
    const analysis::LineValues values{graph, line};
    const chess::Color mover = run.root.turn();
    json out;
    out["evaluations"] = run.evaluations_used;
    out["positions"] = positions;
    out["engine_seconds"] = static_cast<double>(run.usage.engine_ms) / 1000.0;
    add_rules(out, run);
    out["alpha"] = score_json(values.alpha(), mover);
    out["idea"] = score_json(graph.idea(run.root_node), mover);
    json moves = json::array();
    const bool solved = graph.exact(run.root_node).has_value();
    for (const SolvedMove& known : solved ? solved_moves(run, {}) : std::vector<SolvedMove>{}) {
        json entry = move_json(run.root, known.move.move);
        entry["alpha"] = score_json(known.alpha(), mover);
        entry["idea"] = score_json(known.move.value, mover);
        moves.push_back(std::move(entry));
    }
    const auto all = graph.moves(run.root_node);
    for (std::size_t i = 0; !solved && i < all.size(); ++i) {
        json entry = move_json(run.root, all[i].move);
        entry["alpha"] = score_json(values.alpha_of(i).value, mover);
        entry["idea"] = score_json(graph.idea_of(run.root_node, i).value, mover);
        moves.push_back(std::move(entry));
    }
    out["moves"] = std::move(moves);
    json pv = json::array();
    chess::Position position = run.root;
    for (const chess::Move move : analysis::alpha_pv(graph, line)) {
        pv.push_back(chess::to_san(position, move));
        position.play(move);
    }
    out["pv"] = std::move(pv);
    return out.dump();
}

namespace {

bool same_fields(const std::string& a, const std::string& b,
                 std::initializer_list<const char*> names) {
    const json left = json::parse(a, nullptr, false);
    const json right = json::parse(b, nullptr, false);
    if (!left.is_object() || !right.is_object()) {
        return false;
    }
    return std::all_of(names.begin(), names.end(), [&](const char* name) {
        return left.value(name, json{}) == right.value(name, json{});
    });
}

} // namespace

bool same_rules(const std::string& a, const std::string& b) {
    const auto left = rules_of_snapshot(json::parse(a, nullptr, false));
    return left && left == rules_of_snapshot(json::parse(b, nullptr, false));
}

bool same_values(const std::string& a, const std::string& b) {
    return same_fields(a, b, {"alpha", "idea", "moves", "pv"});
}

int recorded_level(const AnalysisRun& run) {
    json rules;
    add_rules(rules, run);
    const std::string present = rules.dump();
    int level = 0;
    for (const storage::SnapshotRecord& snapshot : run.snapshots) {
        if (snapshot.refine > level && same_rules(snapshot.data, present)) {
            level = snapshot.refine;
        }
    }
    const int last = run.spec.strategy.refine;
    return last == 0 ? level : std::min(level, last);
}

std::uint64_t snapshot_evaluations(const std::string& text) {
    const json in = json::parse(text, nullptr, false);
    return in.is_object() ? in.value("evaluations", std::uint64_t{0}) : 0;
}

} // namespace adjourn::server
