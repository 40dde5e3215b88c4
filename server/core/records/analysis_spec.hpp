// What an analysis was asked to do, apart from its root: strategy, budget, time window. Kept in the
// store as JSON text (docs/internals/database-format.md, analyses.parameters).
#pragma once

#include "analysis/root_answer.hpp"
#include "analysis/strategy.hpp"
#include "core/records/settings.hpp"
#include "storage/store.hpp"

#include <nlohmann/json_fwd.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace adjourn::server {

// Labels by which people find an analysis again: tags, and the game that it is of. They are stored
// with the settings, and have no effect on what is searched.

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
    std::string my_side;  // "white", "black"; "": nobody said
    std::string my_names; // as base::is_one_of_names() has them

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

// Of a game between these players: the side that has one of my names; where I have none, `my_side`.
// nullopt: it is no game of mine, or nobody said.
std::optional<chess::Color> my_side_of(const Labels& labels, std::string_view white,
                                       std::string_view black);

struct Budget {
    std::optional<std::uint64_t> positions; // expanded positions
    std::optional<double> engine_seconds;   // of this analysis's own searches
    std::optional<std::int64_t> until;      // UnixMs
    // Of this analysis's own searches. Nothing is asked once those spent and those that the
    // questions that are out may spend (where their limit is in nodes) reach it.
    std::optional<std::uint64_t> nodes{};

    friend bool operator==(const Budget&, const Budget&) = default;
};

inline constexpr std::array budget_fields{
    base::Field<Budget>{"positions", &Budget::positions, 1, 1e9, "Expanded positions"},
    base::Field<Budget>{"nodes", &Budget::nodes, 1, 1e15,
                        "Nodes of this analysis's own searches, summed over processes. Nothing "
                        "more is asked once those spent and those that the questions that are out "
                        "may spend (where the limit is in nodes) reach it"},
    base::Field<Budget>{"engine_seconds", &Budget::engine_seconds, 0.001, 1e9,
                        "Time of this analysis's own searches, summed over processes"},
    base::Field<Budget>{"until", &Budget::until, 1, 1e14, "Unix milliseconds"},
};

inline constexpr std::array stop_fields{
    base::Field<analysis::StopRules>{"proven", &analysis::StopRules::proven, 0, 1,
                                     "When the root is proven won or lost"},
    base::Field<analysis::StopRules>{"lead", &analysis::StopRules::lead, 0, 100,
                                     "When the best move is ahead of all others by so many sigma "
                                     "of the engine's noise; 0 = never"},
    base::Field<analysis::StopRules>{"levels", &analysis::StopRules::levels, 1, 200,
                                     "On so many settled levels in a row"},
};

// Whoever has a higher one gets the engines first.
inline constexpr int most_priority = 100; // the least is its opposite
inline constexpr int seat_priority = most_priority + 1;
inline constexpr double most_rank = 1e9;
inline constexpr std::size_t most_accepted = 100;

// "22:00-07:00" in local time; may span midnight. "00:00-24:00" is the whole day.
struct TimeWindow {
    int from_minute = 0; // of the day
    int to_minute = 0;   // of the day; 0: midnight at its end

    // The error says what is wrong.
    static std::expected<TimeWindow, std::string> parse(std::string_view text);
    std::string text() const;
    bool contains(int minute_of_day) const;
    // Minutes until it ends; a day if it is the whole day. Precondition: contains(minute_of_day).
    int minutes_left(int minute_of_day) const;

    friend bool operator==(const TimeWindow&, const TimeWindow&) = default;
};

int local_minute_of_day(analysis::UnixMs at);

// Renewal: that another engine has taken the place of the analysis's (decision 145), and what its
// answers were then. No setting: Core::renew makes it.
struct Renewal {
    std::vector<std::string> engines; // fingerprints of those that it had before, the last one last
    std::string name;                 // of that, for people
    analysis::UnixMs at = 0;
    int level = 0; // that had settled
    // The main line from where the analysis was made, in UCI, and for each of its moves from the
    // root on the alpha that it had as the answer in its position, mover's side.
    std::vector<std::string> line;
    std::vector<chess::Score> scores;

    friend bool operator==(const Renewal&, const Renewal&) = default;
};
// From the store; what is wrong is left out and told to the reader.
Renewal read_renewal(const base::JsonObject& given);
nlohmann::json renewal_json(const Renewal& renewal); // as it is stored

struct AnalysisSpec {
    analysis::StrategyParameters strategy =
        analysis::default_parameters(analysis::default_strategy);
    Budget budget;
    std::optional<TimeWindow> window;
    analysis::StopRules stop;
    // Whose evaluations count beside those of the analysis's own engine: names or fingerprints of
    // engines in the store (imported ones are "pgn %eval", "epd", "lichess"), or "any".
    std::vector<std::string> accept;
    std::string second_engine; // name of a configured one (schedule/answer.hpp); "": none
    Labels labels;
    // Whether the clock of moves without capture and pawn move counts: see graphs/line_end.hpp.
    bool fifty_moves = true;
    Renewal renewal;

    friend bool operator==(const AnalysisSpec&, const AnalysisSpec&) = default;
};

// What POST or PATCH says; what is absent stays. Each member has its row in the table of settings.
struct AnalysisPatch {
    std::optional<analysis::StrategyParameters> strategy;
    std::optional<Budget> budget;
    std::optional<std::optional<TimeWindow>> window;
    std::optional<analysis::StopRules> stop;
    std::optional<std::vector<std::string>> accept;
    std::optional<std::string> second_engine;
    std::optional<std::vector<std::string>> tags;
    std::optional<GameLabels> game;
    std::optional<std::string> my_side;
    std::optional<std::string> my_names;
    std::optional<bool> fifty_moves;
    std::optional<std::string> name;
    std::optional<std::string> engine; // POST and Core::renew; "" = default
    std::optional<bool> hold;
    std::optional<int> priority;
    std::optional<double> rank; // PATCH alone, as the next one
    std::optional<analysis::Limit> limit;
    std::optional<std::vector<std::string>> accept_also; // beside those that are accepted by then
    std::optional<Renewal> renewal;                      // Core::renew alone
};

// Where settings stand: in a request, which has places of its own, or in
// AnalysisRecord::parameters.
enum class SettingsOf : std::uint8_t { post, patch, parameters };

// What stands there. What is not given of the strategy, the stop rules and the game is as in `now`.
AnalysisPatch read_settings(const base::JsonObject& reader, SettingsOf where,
                            const AnalysisSpec& now);
// All but AnalysisRecord::parameters, which are to_text(spec) then.
void apply(const AnalysisPatch& patch, storage::AnalysisRecord& record, AnalysisSpec& spec);
// All of it, as requests and answers have it.
nlohmann::json spec_json(const AnalysisSpec& spec);
// Whether a tree grows and ends by the one as by the other (`accept` says which graph it is).
bool same_growth(AnalysisSpec one, const AnalysisSpec& other);

std::string to_text(const AnalysisSpec& spec);
// Never fails: what is missing or wrong gets its default, a number out of range the nearest end of
// the range. What was wrong is appended to `findings` (may be null).
AnalysisSpec parse_spec(const std::string& text, std::vector<std::string>* findings = nullptr);

// Extension: more work for an analysis that has ended, or would end.

struct Extension {
    enum class Kind : std::uint8_t {
        hours,     // of all processes of its engine
        levels,    // settled ones
        positions, // expanded
        nodes,     // of its own searches
        until,     // this moment, UnixMs
    };
    Kind kind = Kind::hours;
    double amount = 1;

    friend bool operator==(const Extension&, const Extension&) = default;
};

// Which settings identify an analysis, and which make settled levels comparable. Code that asks
// whether two are the same compares these structs, so that no field is forgotten.

// Two analyses with the same definition are one analysis. Name, labels, queue place and state are
// not in it.
struct AnalysisDefinition {
    std::string start_fen; // where the moves begin
    std::vector<chess::Move> moves;
    std::string engine; // profile name
    analysis::Limit limit;
    AnalysisSpec spec; // defining()

    friend bool operator==(const AnalysisDefinition&, const AnalysisDefinition&) = default;
};

// The settings without labels and renewal, which are no part of the definition.
AnalysisSpec defining(AnalysisSpec spec);

// What people are told of it: {id, name, start_fen, moves, engine, limit, strategy}. `moves` lead
// from `start` to the root.
nlohmann::json definition_json(const storage::AnalysisRecord& record, const AnalysisSpec& spec,
                               const chess::Position& start, const std::vector<chess::Move>& moves);

// Where a tree begins, and the rules under which it was grown. The last level is no part of them.
struct TreeRules {
    analysis::Limit limit;
    analysis::StrategyParameters strategy; // refine: 0
    std::vector<std::string> accept;
    std::string moved_to;         // Snapshot::moved_to
    analysis::UnixMs renewed = 0; // Renewal::at

    friend bool operator==(const TreeRules&, const TreeRules&) = default;
};

// Of a snapshot's {limit, strategy, accept, fen}; nothing if it has no limit or strategy, or one
// that is gone.
std::optional<TreeRules> rules_of_snapshot(const nlohmann::json& snapshot);

} // namespace adjourn::server
