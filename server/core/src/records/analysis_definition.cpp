#include "core/records/analysis_definition.hpp"

#include "analysis/strategy.hpp"
#include "chess/notation.hpp"
#include "core/records/strategy_json.hpp"
#include "core/records/value_json.hpp"

#include <nlohmann/json.hpp>

namespace adjourn::server {

using nlohmann::json;

AnalysisSpec without_labels(AnalysisSpec spec) {
    spec.labels = {};
    return spec;
}

AnalysisDefinition definition_of(const storage::AnalysisRecord& record) {
    return {record.root_fen, record.root_moves, record.profile, record.limit,
            without_labels(parse_spec(record.parameters))};
}

json definition_json(const storage::AnalysisRecord& record, const AnalysisSpec& spec,
                     const chess::Position& start, const std::vector<chess::Move>& moves) {
    json uci = json::array();
    chess::Position position = start;
    for (const chess::Move move : moves) {
        uci.push_back(chess::to_uci(position, move));
        position.play(move);
    }
    return {{"id", static_cast<std::int64_t>(record.id)},
            {"name", record.name},
            {"start_fen", record.root_fen},
            {"moves", std::move(uci)},
            {"engine", record.profile},
            {"limit", limit_json(record.limit)},
            {"strategy", strategy_json(spec.strategy)}};
}

std::optional<TreeRules> rules_of_snapshot(const json& snapshot) {
    if (!snapshot.is_object() || !snapshot.contains("limit") || !snapshot.contains("strategy")) {
        return std::nullopt;
    }
    const auto limit = parse_limit_json(snapshot["limit"]);
    if (!limit) {
        return std::nullopt;
    }
    const json kind =
        snapshot["strategy"].is_object() ? snapshot["strategy"].value("kind", json{}) : json{};
    if (kind.is_string() &&
        analysis::find_strategy(kind.get_ref<const std::string&>()) == nullptr) {
        return std::nullopt; // it is gone: levels of other strategies are no levels of it
    }
    AnalysisSpec spec = parse_spec(snapshot.dump());
    TreeRules rules{*limit, std::move(spec.strategy), std::move(spec.accept),
                    snapshot.value("fen", "")};
    rules.strategy.refine = 0;
    return rules;
}

} // namespace adjourn::server
