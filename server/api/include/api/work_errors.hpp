// What the core refuses, in the words of HTTP.
#pragma once

#include "http/error.hpp"
#include "work/work_error.hpp"

namespace adjourn::server {

http::Error to_http(const WorkError& error);

} // namespace adjourn::server
