// A stream that unpacks gzip members from another.
#pragma once

#include <istream>
#include <memory>

namespace adjourn::server {

// Throws std::ios_base::failure inside the stream on damaged or truncated members, which leaves it
// bad(). The packed stream is owned.
std::unique_ptr<std::istream> unpack_gzip(std::unique_ptr<std::istream> packed);

} // namespace adjourn::server
