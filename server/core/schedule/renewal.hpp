// Another engine in the place of an analysis's (decision 145): what its answers were then, and what
// has become of them. On the core's thread, or under the lock of the graph; the run has its graph.
#pragma once

#include "core/graphs/analysis_run.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace adjourn::server {

// Of the analysis as it is, before another engine takes over.
Renewal renewal_of(const RunView& run, analysis::UnixMs at);

// An answer of the main line as it was.
struct RenewedAnswer {
    enum class State : std::uint8_t {
        open,      // the new engine has searched neither it nor what is the answer now
        confirmed, // it is the answer still, and its value within confirmed_within()
        differs,   // the answer still, by another value
        fell,      // another move is the answer
    };
    chess::Position position; // where it is the answer
    chess::Move move;
    chess::Score before; // its alpha then; mover's side, as all of these
    chess::Score now;
    chess::Move best; // the answer now
    chess::Score best_now;
    State state{};
};
// From the root on, as far as the game went that way; empty where it went another one, and where
// no engine took over.
std::vector<RenewedAnswer> renewed_answers(const RunView& run);

// How far apart, in cp, two scores of one position may be by the noise of the engine alone: 2 σ.
double confirmed_within(const RunView& run);

// The moves of the main line as it was, from the root.
std::vector<chess::Move> renewed_line(const RunView& run);

// Whether the new engine's tree is not yet as deep as the one before.
bool is_renewing(const RunView& run);

// "4 of 9 answers confirmed, 1 fell; of 120 positions 32 searched again, 30 confirmed", or that
// nothing is searched yet.
std::string renewal_text(const RunView& run, const std::vector<RenewedAnswer>& answers);

} // namespace adjourn::server
