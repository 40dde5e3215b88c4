// From a Response to bytes: compression, the headers every response carries, the head. Pure.
#pragma once

#include "http/requests/message.hpp"

#include <chrono>
#include <optional>
#include <string>

namespace adjourn::http {

// What of the request the form of its answer depends on.
struct ReplyForm {
    bool head = false; // answer without the body
    bool keep_alive = false;
    bool http_1_0 = false;
    bool gzip = false; // accepted
};

// Compresses the body where that pays and is allowed; for large ones, where it may take a while.
void pack(Response& response);

// Compresses the body where that pays and is allowed, and adds the headers of every response
// (content security, caching) that are not set. A response whose headers could break the head
// becomes 500.
void complete(Response& response, const ReplyForm& form);

bool never_has_body(int status);

// Status line to empty line. `length` is nullopt for a body that ends with the connection.
std::string head_of(const Response& response, const ReplyForm& form,
                    std::optional<std::size_t> length, std::chrono::system_clock::time_point now);

} // namespace adjourn::http
