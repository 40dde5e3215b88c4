#include "server/analysis_definition.hpp"

#include "api_calls.hpp"
#include "request_parts.hpp"

#include "chess/notation.hpp"

#include <nlohmann/json.hpp>

namespace adjourn::server {

using http::ObjectReader;
using nlohmann::json;

namespace {

std::optional<analysis::Limit> limit_of(const json& object) {
    const auto found = object.find("limit");
    if (found == object.end() || !found->is_object()) {
        return std::nullopt;
    }
    const auto limit = read_limit(ObjectReader{*found});
    return limit ? std::optional{*limit} : std::nullopt;
}

} // namespace

AnalysisDefinition definition_of(const storage::AnalysisRecord& record) {
    return {record.root_fen, record.root_moves, record.profile, record.limit,
            parse_spec(record.parameters)};
}

std::optional<AnalysisDefinition> wanted_definition(const json& body,
                                                    const std::string& default_engine) {
    ObjectReader reader{body};
    const auto wanted = read_new_analysis(reader);
    if (!wanted) {
        return std::nullopt;
    }
    return AnalysisDefinition{wanted->start.fen(), wanted->moves,
                              wanted->engine.empty() ? default_engine : wanted->engine,
                              wanted->limit, wanted->spec};
}

std::optional<AnalysisDefinition> shown_definition(const json& analysis) {
    const auto limit = analysis.is_object() ? limit_of(analysis) : std::nullopt;
    if (!limit || !analysis.contains("engine") || !analysis["engine"].is_string()) {
        return std::nullopt;
    }
    const json position{{"fen", analysis.value("start_fen", "")},
                        {"moves", analysis.value("moves", json::array())}};
    const auto root = read_root(ObjectReader{position});
    if (!root) {
        return std::nullopt;
    }
    return AnalysisDefinition{root->start.fen(), root->moves, analysis["engine"], *limit,
                              parse_spec(analysis.dump())};
}

std::optional<TreeRules> rules_of_snapshot(const json& snapshot) {
    const auto limit = snapshot.is_object() ? limit_of(snapshot) : std::nullopt;
    if (!limit || !snapshot.contains("strategy")) {
        return std::nullopt;
    }
    AnalysisSpec spec = parse_spec(snapshot.dump());
    TreeRules rules{*limit, std::move(spec.strategy), std::move(spec.accept)};
    rules.strategy.refine = 0;
    return rules;
}

} // namespace adjourn::server
