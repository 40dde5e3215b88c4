// The body of POST analyses.
#pragma once

#include "names.hpp"
#include "requests/json.hpp"
#include "work/core.hpp"

#include <expected>

namespace adjourn::server {

std::expected<NewAnalysis, Error> read_new_analysis(const JsonObject& reader);

} // namespace adjourn::server
