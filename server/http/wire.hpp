// From a Response to bytes: compression, the headers every response carries, the head. Pure.
#pragma once

#include "http/requests/message.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

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

// gzip of response bodies. Pure.

// Whether an Accept-Encoding header (nullopt: none) lets the answer be gzip. RFC 9110, 12.5.3.
bool accepts_gzip(std::optional<std::string_view> accept_encoding);

// Worth compressing: text in the widest sense. `content_type` may carry parameters.
bool is_compressible(std::string_view content_type);

// One gzip member, at the fastest level: answers are made on demand and travel short ways.
std::string gzip(std::string_view data);

} // namespace adjourn::http
