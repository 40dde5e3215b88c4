// GameReader: PGN text as games of which nothing is lost, and what had to be mended or refused.
#pragma once

#include "chess/game_tree.hpp"

#include <cstddef>
#include <istream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace adjourn::chess {

struct ReadingNote {
    enum class Kind : std::uint8_t {
        mended,  // read as what it must mean
        refused, // left out
    };
    Kind kind;
    PgnError what;
    bool main_line = false; // the rest of the game's main line, or the game

    friend bool operator==(const ReadingNote&, const ReadingNote&) = default;
};

// "game 3, line 17, column 5: …"
std::string to_text(const ReadingNote& note);

struct ReadingReport {
    static constexpr std::size_t most_notes = 1'000;

    std::size_t mended = 0;
    std::size_t refused = 0;
    std::vector<ReadingNote> notes; // the first ones, at most most_notes

    friend bool operator==(const ReadingReport&, const ReadingReport&) = default;
};

// Not thread-safe; blocks as the stream does. What it gives is written and read again as it was,
// with an empty report.
class GameReader {
public:
    // Of a comment, in bytes: written again, it may get a third more by blanks behind line ends.
    static constexpr std::size_t longest_comment = std::size_t{768} << 10;
    // Of a game; what is more is refused.
    static constexpr std::size_t most_tokens = 1'000'000;
    static constexpr std::size_t most_text = std::size_t{8} << 20; // bytes of comments and escapes

    // The text must outlive the reader.
    explicit GameReader(std::string_view text);
    explicit GameReader(std::istream& in);
    ~GameReader();

    // nullopt at the end.
    std::optional<AnnotatedGame> next();
    // Of the game that next() gave last, from 1: games that are left out count, too.
    std::size_t number() const;
    // Of all that has been read.
    const ReadingReport& report() const;

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

struct GameFile {
    std::vector<AnnotatedGame> games;
    ReadingReport report;
};

GameFile read_games(std::string_view text);

} // namespace adjourn::chess
