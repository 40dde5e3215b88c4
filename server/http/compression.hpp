// gzip of response bodies. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace adjourn::http {

// Whether an Accept-Encoding header (nullopt: none) lets the answer be gzip. RFC 9110, 12.5.3.
bool accepts_gzip(std::optional<std::string_view> accept_encoding);

// Worth compressing: text in the widest sense. `content_type` may carry parameters.
bool is_compressible(std::string_view content_type);

// One gzip member, at the fastest level: answers are made on demand and travel short ways.
std::string gzip(std::string_view data);

} // namespace adjourn::http
