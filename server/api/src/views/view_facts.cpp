// Raw facts with their provenance, and which analyses hold a position.
#include "api/views/view.hpp"

#include "chess/notation.hpp"

#include <array>
#include <chrono>
#include <deque>
#include <map>
#include <unordered_map>

namespace adjourn::server {

using analysis::NodeId;
using nlohmann::json;

namespace {

const char* word(analysis::Bound bound) {
    switch (bound) {
    case analysis::Bound::exact: return "exact";
    case analysis::Bound::lower: return "lower";
    case analysis::Bound::upper: return "upper";
    }
    return "exact";
}

// From White's side an upper bound for Black is a lower one.
analysis::Bound white_bound(analysis::Bound bound, chess::Color mover) {
    if (mover == chess::Color::white || bound == analysis::Bound::exact) {
        return bound;
    }
    return bound == analysis::Bound::lower ? analysis::Bound::upper : analysis::Bound::lower;
}

// Shortest line of graph moves from the root to a node; nullopt if there is none.
std::optional<std::vector<chess::Move>> line_to(const AnalysisRun& run, NodeId wanted) {
    const analysis::Graph& graph = run.shown()->graph();
    std::unordered_map<NodeId, std::pair<NodeId, chess::Move>> came_from;
    std::deque<NodeId> open{run.root_node};
    while (!open.empty()) {
        const NodeId node = open.front();
        open.pop_front();
        if (node == wanted) {
            std::vector<chess::Move> line;
            for (NodeId at = wanted; at != run.root_node;) {
                const auto& [from, move] = came_from.at(at);
                line.insert(line.begin(), move);
                at = from;
            }
            return line;
        }
        for (const analysis::GraphMove& move : graph.moves(node)) {
            if (move.target != run.root_node &&
                came_from.emplace(move.target, std::pair{node, move.move}).second) {
                open.push_back(move.target);
            }
        }
    }
    return std::nullopt;
}

} // namespace

json evaluations_json(const storage::Store& store, const chess::Position& position) {
    std::map<analysis::EngineId, storage::EngineRecord> engines;
    for (storage::EngineRecord& engine : store.engines()) {
        engines.emplace(engine.id, std::move(engine));
    }
    json list = json::array();
    for (const analysis::Evaluation& fact : store.evaluations(position.packed())) {
        json entry;
        entry["id"] = static_cast<std::int64_t>(fact.id);
        const auto engine = engines.find(fact.question.engine);
        if (engine != engines.end()) {
            entry["engine"] = engine->second.name;
            entry["fingerprint"] = engine->second.fingerprint();
        }
        entry["limit"] = limit_json(fact.question.limit);
        json excluded = json::array();
        for (const chess::Move move : fact.question.excluded) {
            excluded.push_back(chess::to_uci(position, move));
        }
        entry["excluded"] = std::move(excluded);
        // Of facts that somebody has damaged, what is no legal move is not shown.
        const bool legal = fact.move && position.is_legal(*fact.move);
        entry["move"] = legal ? move_json(position, *fact.move) : json(nullptr);
        entry["score"] = score_json(fact.score, position.turn());
        entry["bound"] = word(white_bound(fact.bound, position.turn()));
        entry["depth"] = fact.depth;
        entry["seldepth"] = fact.seldepth;
        entry["nodes"] = fact.nodes;
        entry["time_ms"] = fact.time_ms;
        json pv = json::array();
        chess::Position at = position;
        for (const chess::Move move : fact.pv) {
            if (!at.is_legal(move)) {
                break;
            }
            pv.push_back(chess::to_san(at, move));
            at.play(move);
        }
        entry["pv"] = std::move(pv);
        entry["at"] = fact.at;
        if (fact.wdl) {
            entry["wdl"] = wdl_json(*fact.wdl, position.turn());
        }
        if (!fact.machine.empty()) {
            entry["machine"] = fact.machine;
        }
        list.push_back(std::move(entry));
    }
    return {{"fen", position.fen()}, {"evaluations", std::move(list)}};
}

json positions_json(const Core& core, const chess::Position& position) {
    json analyses = json::array();
    for (const auto& run : core.queue().runs()) {
        if (run->shown() == nullptr) {
            continue;
        }
        const auto node = run->shown()->graph().find(position.packed());
        if (!node) {
            continue;
        }
        if (const auto line = line_to(*run, *node)) {
            json moves = json::array();
            chess::Position at = run->root;
            for (const chess::Move move : *line) {
                moves.push_back(chess::to_uci(at, move));
                at.play(move);
            }
            analyses.push_back({{"id", static_cast<std::int64_t>(run->record.id)},
                                {"name", run->record.name},
                                {"line", std::move(moves)}});
        }
    }
    return {{"fen", position.fen()}, {"analyses", std::move(analyses)}};
}

} // namespace adjourn::server
