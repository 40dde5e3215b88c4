// What a seat is asked and what it finds, as values; a finding as JSON, too
// (docs/api/reference.md).
#pragma once

#include "analysis/growth.hpp"
#include "analysis/records.hpp"
#include "chess/position.hpp"
#include "chess/uci/command.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace adjourn::server {

struct SeatWish {
    chess::uci::Game game; // without a problem
    analysis::Limit limit; // of each evaluation
    analysis::StrategyParameters strategy;
    std::vector<chess::Move> searchmoves; // empty = all
    std::size_t lines = 1;                // that get a PV
    // What all processes together may spend.
    std::optional<std::uint64_t> nodes;
    std::uint64_t game_number = 0; // engines are told when it is another
};

// A line that one search told, without any tree: it may be the answer.
struct Candidate {
    chess::uci::RankedLine line;
    int depth = 0;      // plies
    bool final = false; // bound or not: the search ended with it
};

// What is known at some moment.
struct SeatFinding {
    bool ready = false;    // the engine has told who it is
    int settled = 0;       // refined depth
    bool finished = false; // nothing more to ask, or nothing left to spend
    bool looked = false;   // the core has seen to it: what the store has is here
    // Root moves with a score: the answer, then best alpha first.
    std::vector<chess::uci::RankedLine> lines;
    int evidence = 0;      // plies of the deepest search of the root that the lines stand on
    bool anchored = false; // the answer is a search's of the root, rather than the tree's
    // Of a search of the root and all its moves that runs, has ended, or was stopped in a hurry.
    std::optional<Candidate> running;
    // Where there are no lines: the deepest that any engine has said of the root.
    std::optional<Candidate> stored;
    std::uint64_t nodes = 0;     // of this request, running searches included
    double nodes_per_second = 0; // of one worker; 0 = not known
    std::string problem;         // why there is no analysis; "" where there is
    bool starting = false;       // the problem is an engine that may still answer
};

// Scores and bounds are White's there.
nlohmann::json finding_json(const SeatFinding& finding, const chess::Position& position);
// The inverse. Throws nlohmann::json::exception where it is none.
SeatFinding read_finding(const nlohmann::json& in, const chess::Position& position);

} // namespace adjourn::server
