// Strategy parameters as JSON: in requests, answers, exports and the store.
#pragma once

#include "analysis/growth.hpp"
#include "analysis/records.hpp"
#include "chess/position.hpp"
#include "chess/score.hpp"
#include "core/records/settings.hpp"

#include <nlohmann/json_fwd.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace adjourn::server {

// All that applies to the kind: {kind, move_distance, floor, refine}, its own numbers by name, the
// plan where there is one.
nlohmann::json strategy_json(const analysis::StrategyParameters& parameters);

// The inverse: missing fields as in `base`; a new kind begins with its own defaults, but keeps the
// numbers that every kind has. In the store a kind that is gone is `uniform`, and that is told.
analysis::StrategyParameters read_strategy(const base::JsonObject& reader,
                                           const analysis::StrategyParameters& base);

// Scores, moves and limits as JSON: in answers, exports and the store. Shapes:
// docs/api/reference.md.

nlohmann::json score_json(chess::Score white);
// From the side of `mover` to White's, then as above; null where there is none.
nlohmann::json score_json(std::optional<chess::Score> score, chess::Color mover);
// [win, draw, loss] in permille, White's; given the mover's.
nlohmann::json wdl_json(const chess::WinDrawLoss& wdl, chess::Color mover);

nlohmann::json move_json(const chess::Position& position, chess::Move move); // {uci, san}
nlohmann::json line_json(chess::Position from, const std::vector<chess::Move>& line);

// A limit is exactly one of these fields.
struct LimitField {
    const char* name;
    analysis::Limit::Kind kind;
    std::int64_t most; // least: 1
    const char* meaning;
};
inline constexpr std::array<LimitField, 3> limit_fields{
    {{"depth", analysis::Limit::Kind::depth, 245, "Plies, as the engine counts them"},
     {"nodes", analysis::Limit::Kind::nodes, 1'000'000'000'000, "Nodes"},
     {"movetime_ms", analysis::Limit::Kind::movetime, 86'400'000, "Milliseconds"}}};
nlohmann::json limit_json(const analysis::Limit& limit);
// Exactly one of the fields; what is wrong is remembered by the reader.
std::optional<analysis::Limit> read_limit(const base::JsonObject& reader);
// From the store; nullopt if it is no limit.
std::optional<analysis::Limit> parse_limit_json(const nlohmann::json& in);

} // namespace adjourn::server
