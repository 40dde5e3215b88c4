// Settings: the options of the built-in engine: what is declared, and what was set. Pure.
#pragma once

#include "search/search.hpp"

#include "chess/notation.hpp"

#include <chrono>
#include <cstddef>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace adjourn::engine {

struct Settings {
    std::size_t hash_mib = 16;
    int lines = 1;
    search::Selection selection = search::Selection::full_width;
    search::Quiescence quiescence = search::Quiescence::captures;
    bool chess960 = false;
    bool shows_wdl = false;
    std::chrono::milliseconds overhead{30};

    chess::CastlingStyle castling() const {
        return chess960 ? chess::CastlingStyle::king_rook : chess::CastlingStyle::standard;
    }
    // Another one needs another search::Search.
    search::Options search() const;

    // What was said of "Clear Hash": a button has no value, and is pressed once.
    enum class Effect : std::uint8_t { set, clear };
    // Names are compared without regard to case. The error is for people, and nothing is changed.
    std::expected<Effect, std::string> set(std::string_view name, std::string_view value);
};

// "option name …" lines, with the values of Settings{}.
const std::vector<std::string>& declared_options();

} // namespace adjourn::engine
