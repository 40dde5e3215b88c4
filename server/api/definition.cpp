#include "api/definition.hpp"

#include "api/new_analysis.hpp"
#include "api/request_parts.hpp"

#include "core/records/strategy_json.hpp"

#include <nlohmann/json.hpp>

namespace adjourn::server {

std::optional<AnalysisDefinition> wanted_definition(const json& body,
                                                    const std::string& default_engine) {
    const auto wanted = read_new_analysis(JsonObject{body, base::JsonPolicy::strict});
    if (!wanted) {
        return std::nullopt;
    }
    return AnalysisDefinition{wanted->start.fen(), wanted->moves,
                              wanted->engine.empty() ? default_engine : wanted->engine,
                              wanted->limit, defining(wanted->spec)};
}

std::optional<AnalysisDefinition> shown_definition(const json& analysis) {
    const auto limit = analysis.is_object() && analysis.contains("limit")
                           ? parse_limit_json(analysis["limit"])
                           : std::nullopt;
    if (!limit || !analysis.contains("engine") || !analysis["engine"].is_string()) {
        return std::nullopt;
    }
    const json position{{"fen", analysis.value("start_fen", "")},
                        {"moves", analysis.value("moves", json::array())}};
    const auto root = read_root(JsonObject{position, base::JsonPolicy::strict});
    if (!root) {
        return std::nullopt;
    }
    return AnalysisDefinition{root->start.fen(), root->moves, analysis["engine"], *limit,
                              defining(parse_spec(analysis.dump()))};
}

} // namespace adjourn::server
