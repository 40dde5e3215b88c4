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

inline constexpr std::array game_fields{
    base::Field<GameLabels>{"white", &GameLabels::white, 0, 200, "Who plays White"},
    base::Field<GameLabels>{"black", &GameLabels::black, 0, 200, "Who plays Black"},
    base::Field<GameLabels>{"event", &GameLabels::event, 0, 200, "Tournament or match"},
    base::Field<GameLabels>{"date", &GameLabels::date, 0, 200,
                            "When it was played, as PGN writes it"},
    base::Field<GameLabels>{
        "clock", &GameLabels::clock, 0, 200,
        "Time left on the clocks at the root, White's and Black's, as the game's file has it"},
    base::Field<GameLabels>{"opponent", &GameLabels::opponent, 0, 200,
                            "Of a correspondence game: who plays against us"},
    base::Field<GameLabels>{
        "move_by", &GameLabels::move_by, 0, 10,
        "Of a correspondence game: the day by which we have to move, such as 2026-12-03"},
    base::Field<GameLabels>{"site", &GameLabels::site, 0, 200, "Where it was played"},
    base::Field<GameLabels>{"round", &GameLabels::round, 0, 200,
                            "Round of the tournament or match"},
};

struct Labels {
    std::vector<std::string> tags;
    GameLabels game;

    friend bool operator==(const Labels&, const Labels&) = default;
};

inline constexpr std::size_t most_tags = 20;
inline constexpr std::size_t longest_tag = 50; // bytes

// The settings "tags" and "game". Fields of the game that are not given are as they are `now`; an
// empty text clears the field. What is wrong is left out and reported to the reader: a tag that is
// empty, too long or has commas or control characters, a text that is too long, an impossible date.
// Blanks around tags and doubles are dropped silently.
std::optional<std::vector<std::string>> read_tags(const base::JsonValue& given);
GameLabels read_game(const base::JsonObject& given, const GameLabels& now);

} // namespace adjourn::server
