// Labels by which people find an analysis again: tags, and the game that it is of. They are stored
// with the settings, and have no effect on what is searched.
#pragma once

#include "core/records/settings.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace adjourn::server {

// All texts; "" where nothing is known.
struct GameLabels {
    std::string white;
    std::string black;
    std::string event;
    std::string date;
    std::string clock;
    std::string opponent;
    std::string move_by; // "2026-12-03"
    std::string site;
    std::string round;

    friend bool operator==(const GameLabels&, const GameLabels&) = default;
};

struct GameField {
    std::string_view name;
    std::string GameLabels::*member;
    std::size_t most; // bytes
    std::string_view meaning;
};

inline constexpr std::array game_fields{
    GameField{"white", &GameLabels::white, 200, "Who plays White"},
    GameField{"black", &GameLabels::black, 200, "Who plays Black"},
    GameField{"event", &GameLabels::event, 200, "Tournament or match"},
    GameField{"date", &GameLabels::date, 200, "When it was played, as PGN writes it"},
    GameField{
        "clock", &GameLabels::clock, 200,
        "Time left on the clocks at the root, White's and Black's, as the game's file has it"},
    GameField{"opponent", &GameLabels::opponent, 200,
              "Of a correspondence game: who plays against us"},
    GameField{"move_by", &GameLabels::move_by, 10,
              "Of a correspondence game: the day by which we have to move, such as 2026-12-03"},
    GameField{"site", &GameLabels::site, 200, "Where it was played"},
    GameField{"round", &GameLabels::round, 200, "Round of the tournament or match"},
};

struct Labels {
    std::vector<std::string> tags;
    GameLabels game;

    friend bool operator==(const Labels&, const Labels&) = default;
};

inline constexpr std::size_t most_tags = 20;
inline constexpr std::size_t longest_tag = 50; // bytes

// The fields that are not empty.
nlohmann::json game_json(const GameLabels& game);

// The settings "tags" and "game", if they are there. Fields of the game that are not given are as
// in `base`; an empty text clears the field. What is wrong is left out and reported to the reader:
// a tag that is empty, too long or has commas or control characters, a text that is too long, an
// impossible date. Blanks around tags and doubles are dropped silently.
std::optional<std::vector<std::string>> read_tags(const base::JsonObject& reader);
std::optional<GameLabels> read_game(const base::JsonObject& reader, const GameLabels& base);

} // namespace adjourn::server
