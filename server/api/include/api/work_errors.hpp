// What the core refuses, in the words of HTTP.
#pragma once

#include "core/graphs/work_error.hpp"
#include "http/requests/error.hpp"

namespace adjourn::server {

http::Error to_http(const WorkError& error);

} // namespace adjourn::server
