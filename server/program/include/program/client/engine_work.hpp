// What `analyse` and `review` have in common: work for engines, on a Service of their own, or on
// the server that has the data directory.
#pragma once

#include "program/cli/common.hpp"
#include "program/client/remote.hpp"

#include <functional>
#include <string>

namespace adjourn::server {

// Calls `work` once and returns its exit code; 1 or 2 after a message if it cannot come to that.
// `engine`: a profile of the configuration, "" = the first. Blocks the stop signals.
int with_engines(const CommonOptions& common, const std::string& engine,
                 const std::function<int(Remote&)>& work);

} // namespace adjourn::server
