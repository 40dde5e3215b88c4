// When engines were released, by the names that they call themselves.
#pragma once

#include "analysis/records.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace adjourn::server {

// Of a release that is known here, or of a build whose name has its day. nullopt of others, newer
// ones among them.
std::optional<int> release_year(std::string_view name);
// "Stockfish 15.1 (2022)"; the name alone where no year is known.
std::string with_year(const std::string& name);
// For people: that an engine is older than two years, and what to do. "" of others.
std::string advice_on(std::string_view name, analysis::UnixMs now);

} // namespace adjourn::server
