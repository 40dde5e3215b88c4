// From Beast's parsed head to a Request. Pure.
#pragma once

#include "http/requests/error.hpp"

#include <boost/beast/http/fields.hpp>
#include <boost/beast/http/message.hpp>

#include <expected>

namespace adjourn::http {

using ParsedHead = boost::beast::http::request_header<boost::beast::http::fields>;

// Method, target and headers. Of a target in absolute form the authority stands in place of Host
// (RFC 9112, 3.2.2). bad_request for a target that cannot be decoded, for headers that say
// two things, and for transfer codings other than chunked: two readers could disagree where the
// body ends.
std::expected<Request, Error> request_of(const ParsedHead& head);

bool expects_continue(const Request& request);

} // namespace adjourn::http
