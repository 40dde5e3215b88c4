// Which analysis a request or an answer of the API is about: see AnalysisDefinition.
#pragma once

#include "core/records/analysis_spec.hpp"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>

namespace adjourn::server {

// Of the body of POST analyses, where the engine may be absent: then it is `default_engine`.
// Nothing if POST would refuse it.
std::optional<AnalysisDefinition> wanted_definition(const nlohmann::json& body,
                                                    const std::string& default_engine);
// Of an analysis as GET shows it; nothing if it is not understood.
std::optional<AnalysisDefinition> shown_definition(const nlohmann::json& analysis);

} // namespace adjourn::server
