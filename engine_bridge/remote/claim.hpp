// Claim: what a machine says it found, as it stands in its message. None of it is believed before
// believed() has compared it with the question.
#pragma once

#include "engine_bridge/process/job.hpp"
#include "engine_bridge/process/profile.hpp"

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <vector>

namespace adjourn::engine_bridge {

struct Claim {
    std::string move;           // UCI
    std::optional<int> cp = {}; // of one of these two; White's point of view
    std::optional<int> mate = {};
    int depth = 0;
    int seldepth = 0;
    std::uint64_t nodes = 0;
    std::uint32_t time_ms = 0;
    std::vector<std::string> pv;                // UCI; begins with the move
    std::optional<chess::WinDrawLoss> wdl = {}; // White's
};

// Numbers are within process/text.hpp, as those of engines here are.
inline constexpr std::size_t claim_max_pv = 100; // plies

// The answer; or why it cannot be one to this question, for people.
std::expected<Answer, std::string> believed(const Claim& told, const Job& question);
// The inverse; the pv is cut at claim_max_pv. REQUIRES: the answer has a score.
Claim claim_of(const Answer& answer, const Job& question);

// Equal for equal questions to one engine: position, limit, moves to search. 16 hexadecimal digits.
std::string question_key(const std::string& profile, const Job& question);

// What differs between two engines, for people; "" if nothing does. An engine answers for another
// one only if they are equal in all of it.
std::string difference(const Identity& here, const Identity& there);

} // namespace adjourn::engine_bridge
