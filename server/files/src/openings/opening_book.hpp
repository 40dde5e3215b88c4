// The named openings, compiled in: by position and by word.
#pragma once

#include "chess/position.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace adjourn::server {

using OpeningWordId = std::size_t;

struct Opening {
    // "Sicilian Defense" and "Najdorf Variation" are parts of one name.
    struct Part {
        std::vector<OpeningWordId> words;
        std::vector<OpeningWordId> joined; // each word with the next: "nimzoindian"
    };

    std::string_view eco;
    std::string_view name;
    std::string_view pgn;
    std::vector<chess::Move> moves;
    std::vector<Part> parts;
    std::size_t family = 0; // lines whose names begin with the first part's words
    std::size_t below = 0;  // lines whose names begin with all of the words
};

class OpeningBook {
public:
    struct Word {
        std::string text;
        std::string sound;
        bool common; // says little: defense, variation, …
    };

    OpeningBook();

    const std::vector<Opening>& all() const { return openings_; }
    const std::vector<Word>& words() const { return words_; }
    // Null where the position has no name.
    const Opening* at(const chess::Position& position) const;

private:
    void add(std::string_view line);
    OpeningWordId id_of(const std::string& word);
    void count_names();

    std::vector<Opening> openings_;
    std::vector<Word> words_;
    std::unordered_map<std::string, OpeningWordId> ids_;
    std::unordered_map<chess::PackedPosition, std::size_t, chess::PackedPositionHash> by_position_;
};

// Read once, at the first call.
const OpeningBook& opening_book();

} // namespace adjourn::server
