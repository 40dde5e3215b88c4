// The fortress lamp beside a position and its moves: docs/measurements/fortress.md.
#pragma once

#include "api/views/view.hpp"

#include <span>

namespace adjourn::server {

// What searches said of the position, or of the move there, by effort; of equal efforts the last.
// Searches that had to leave moves out say nothing of the position.
std::vector<analysis::SearchedScore> course_of(std::span<const analysis::Evaluation> facts,
                                               const GraphKey& key,
                                               const std::optional<chess::Move>& move);

// {"side","reasons","text"} of a lamp that is lit. `mover`: of the position.
nlohmann::json lamp_json(const analysis::Fortress& lamp, chess::Color mover);

// Puts the lamps that are lit beside the position and its moves.
void add_lamps(nlohmann::json& node, const NodeDraft& draft,
               std::span<const analysis::Evaluation> facts);

} // namespace adjourn::server
