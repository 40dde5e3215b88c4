// A stream whose first characters can be looked at, whatever it reads from: pipes cannot go back.
#pragma once

#include <istream>
#include <memory>
#include <string_view>

namespace adjourn::server {

struct PeekedStream {
    std::unique_ptr<std::istream> stream; // still has everything
    std::string_view start;               // valid until it is read from; short at the end
};

// Blocks for the first characters. The source is owned; where reading from it fails, the stream is
// bad().
PeekedStream peek_stream(std::unique_ptr<std::istream> source);

} // namespace adjourn::server
