// What the core refuses, in the words of HTTP.
#pragma once

#include "core/graphs/pending.hpp"
#include "http/requests/message.hpp"

namespace adjourn::server {

http::Error to_http(const WorkError& error);

} // namespace adjourn::server
