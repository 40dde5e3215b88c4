// POST import: a file's text into the store.
#pragma once

#include "api/api.hpp"

namespace adjourn::server {

// Reads the query on the core's thread and takes the body out of the request; the result may be
// called on any thread and blocks for the disk.
std::expected<Api::Deferred, http::Error> prepare_import(Core& core, http::Request& request);

} // namespace adjourn::server
