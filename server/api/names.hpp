// What the files of this room say all the time.
#pragma once

#include "base/json_reader.hpp"
#include "http/requests/message.hpp"
#include "http/requests/target.hpp"

namespace adjourn::server {

using base::JsonObject;
using base::JsonValue;
using http::Error;
using http::ErrorCode;
using http::Method;
using http::QueryReader;
using http::Request;
using http::Response;
using nlohmann::json;

} // namespace adjourn::server
