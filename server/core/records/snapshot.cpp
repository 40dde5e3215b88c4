#include "core/records/snapshot.hpp"

#include "chess/notation.hpp"
#include "core/records/analysis_spec.hpp"
#include "core/records/strategy_json.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace adjourn::server {

using nlohmann::json;

namespace {

json rules_json(const analysis::Limit& limit, const analysis::StrategyParameters& strategy,
                const std::vector<std::string>& accept, const std::string& moved_to) {
    json out;
    out["limit"] = limit_json(limit);
    out["strategy"] = strategy_json(strategy);
    out["strategy"].erase("refine"); // the same tree, however far it is meant to go
    if (!accept.empty()) {
        out["accept"] = accept;
    }
    if (!moved_to.empty()) {
        out["fen"] = moved_to;
    }
    return out;
}

} // namespace

std::string to_text(const Snapshot& snapshot) {
    const chess::Color mover = snapshot.root.turn();
    json out = rules_json(snapshot.limit, snapshot.strategy, snapshot.accept, snapshot.moved_to);
    out["evaluations"] = snapshot.evaluations;
    out["positions"] = snapshot.positions;
    out["engine_seconds"] = static_cast<double>(snapshot.engine_ms) / 1000.0;
    out["alpha"] = score_json(snapshot.alpha, mover);
    out["idea"] = score_json(snapshot.idea, mover);
    json moves = json::array();
    for (const Snapshot::Move& move : snapshot.moves) {
        json entry = move_json(snapshot.root, move.move);
        entry["alpha"] = score_json(move.alpha, mover);
        entry["idea"] = score_json(move.idea, mover);
        moves.push_back(std::move(entry));
    }
    out["moves"] = std::move(moves);
    json pv = json::array();
    chess::Position position = snapshot.root;
    for (const chess::Move move : snapshot.pv) {
        pv.push_back(chess::to_san(position, move));
        position.play(move);
    }
    out["pv"] = std::move(pv);
    return out.dump();
}

std::string rules_text(const analysis::Limit& limit, const analysis::StrategyParameters& strategy,
                       const std::vector<std::string>& accept, const std::string& moved_to) {
    return rules_json(limit, strategy, accept, moved_to).dump();
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

std::uint64_t snapshot_evaluations(const std::string& text) {
    const json in = json::parse(text, nullptr, false);
    return in.is_object() ? in.value("evaluations", std::uint64_t{0}) : 0;
}

} // namespace adjourn::server
