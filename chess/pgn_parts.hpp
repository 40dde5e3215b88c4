// PgnParts: a PGN text in parts of whole games, so that each can be read alone.
#pragma once

#include <cstddef>
#include <istream>
#include <optional>
#include <string>

namespace adjourn::chess {

class PgnParts {
public:
    // Bytes of one game, which a part must hold as a whole.
    static constexpr std::size_t longest_game = std::size_t{8} << 20;

    struct Part {
        std::string text;
        std::size_t lines_before = 0; // in the file
        std::size_t lines = 0;        // of the text, or of what was left out
        // One game was left out since it is longer than longest_game; the line where it begins.
        std::optional<std::size_t> left_out;
    };
    static constexpr const char* trouble = "the game is longer than 8 MiB; it is left out";

    // Parts have about `size` bytes; more, up to longest_game, where a game is longer. The stream
    // must outlive this.
    PgnParts(std::istream& in, std::size_t size) : in_{in}, size_{size} {}

    // The next games; nullopt at the end, or if the stream is bad(). Blocks as the stream does.
    std::optional<Part> next();

private:
    void fill();
    Part take(std::size_t bytes);
    Part leave_out();

    std::istream& in_;
    std::size_t size_;
    std::string text_; // read, not yet given
    std::size_t lines_ = 0;
    bool ended_ = false;
};

} // namespace adjourn::chess
