// PgnParts: a PGN text in parts of whole games.
#pragma once

#include <cstddef>
#include <istream>
#include <optional>
#include <string>

namespace adjourn::collections {

class PgnParts {
public:
    // Parts have about `size` bytes; more where a game is longer.
    PgnParts(std::istream& in, std::size_t size) : in_{in}, size_{size} {}

    // The next games; nullopt at the end, or if the stream is bad().
    std::optional<std::string> next();

private:
    bool fill();

    std::istream& in_;
    std::size_t size_;
    std::string text_; // read, not yet given
    bool ended_ = false;
};

} // namespace adjourn::collections
