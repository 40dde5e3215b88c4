// Calls that look at much of a graph: tree, disagreements, export.
#pragma once

#include "api/api.hpp"

namespace adjourn::server {

std::expected<Api::Walk, http::Error> tree_walk(const Core& core, const http::Request& request,
                                                const http::PathParameters& path);
std::expected<Api::Walk, http::Error> disagreements_walk(const Core& core,
                                                         const http::Request& request,
                                                         const http::PathParameters& path);
std::expected<Api::Walk, http::Error> export_walk(const Core& core, const http::Request& request,
                                                  const http::PathParameters& path);

} // namespace adjourn::server
