#include "records/analysis_definition.hpp"

#include "records/value_json.hpp"

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

std::optional<TreeRules> rules_of_snapshot(const json& snapshot) {
    if (!snapshot.is_object() || !snapshot.contains("limit") || !snapshot.contains("strategy")) {
        return std::nullopt;
    }
    const auto limit = parse_limit_json(snapshot["limit"]);
    if (!limit) {
        return std::nullopt;
    }
    AnalysisSpec spec = parse_spec(snapshot.dump());
    TreeRules rules{*limit, std::move(spec.strategy), std::move(spec.accept)};
    rules.strategy.refine = 0;
    return rules;
}

} // namespace adjourn::server
