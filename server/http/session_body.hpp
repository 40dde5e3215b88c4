// What a session says of bodies, and of reads that failed. Pure.
#pragma once

#include "http/listener.hpp"
#include "http/requests/message.hpp"

#include <boost/system/error_code.hpp>

#include <cstddef>
#include <optional>

namespace adjourn::http {

// Bytes that the body of this request may have.
std::size_t most_body(const ListenerOptions& options, const Request& request);
Error too_large(std::size_t most_body);

// What to tell the client about a failed read; nullopt if it is gone or was too slow.
std::optional<Error> read_error(boost::system::error_code code, const ListenerOptions& options,
                                std::size_t most_body);

} // namespace adjourn::http
