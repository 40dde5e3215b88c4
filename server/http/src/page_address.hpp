// Addresses of the page written without the "#": what people type, or remember of another version.
#pragma once

#include "http/requests/message.hpp"

#include <optional>
#include <string>

namespace adjourn::http {

// "/analyses/1/e2e4" → "../../#/analysis/1/e2e4", "/new" → "./#/new": where the page has what this
// address names. Relative to it, since a proxy may serve the page below a folder. nullopt: it names
// no place of the page.
std::optional<std::string> page_address(const Request& request);

} // namespace adjourn::http
