// The body of POST analyses.
#pragma once

#include "requests/json.hpp"
#include "work/core.hpp"

#include <expected>

namespace adjourn::server {

std::expected<NewAnalysis, http::Error> read_new_analysis(const base::JsonObject& reader);

} // namespace adjourn::server
