// Text from engines made fit for people and for JSON.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace adjourn::engine_bridge {

// Valid UTF-8 on one line: bytes that are not UTF-8 and control characters become "\xNN". At most
// `limit` bytes of the input are taken; what is left out is marked by "…".
std::string printable(std::string_view bytes, std::size_t limit = 400);

} // namespace adjourn::engine_bridge
