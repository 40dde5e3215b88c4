// The body of POST analyses.
#pragma once

#include "api/names.hpp"
#include "core/schedule/core.hpp"
#include "http/requests/message.hpp"

#include <expected>

namespace adjourn::server {

std::expected<NewAnalysis, Error> read_new_analysis(const JsonObject& reader);

} // namespace adjourn::server
