// What commands that use the API have in common: a Service of their own, or the server that has the
// data directory.
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
// The same without engines: what is stored is looked at or changed.
int with_store(const CommonOptions& common, const std::function<int(Remote&)>& work);

} // namespace adjourn::server
