// Snapshot: values and moves of the root when a level had settled; kept in the store as JSON text.
#pragma once

#include "analysis/growth.hpp"
#include "analysis/records.hpp"
#include "chess/position.hpp"
#include "chess/score.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace adjourn::server {

struct Snapshot {
    // Scores are from the side to move at the root.
    struct Move {
        chess::Move move;
        chess::Score alpha;
        chess::Score idea;
    };

    chess::Position root = chess::Position::initial();
    std::string moved_to; // the root's FEN, where it is not that which the analysis was made with
    std::size_t evaluations = 0; // that the tree rests on
    std::size_t positions = 0;   // expanded ones
    std::uint64_t engine_ms = 0;
    analysis::Limit limit;
    analysis::StrategyParameters strategy; // refine is not kept: the tree is the same
    std::vector<std::string> accept;
    std::optional<chess::Score> alpha;
    std::optional<chess::Score> idea;
    std::vector<Move> moves; // at the root
    std::vector<chess::Move> pv;
};

// {"evaluations","positions","engine_seconds","limit","strategy","accept"?,"fen"?,"alpha","idea",
// "moves":[…],"pv":[…]}; scores are White's.
std::string to_text(const Snapshot& snapshot);
// Its members limit, strategy, accept and fen.
std::string rules_text(const analysis::Limit& limit, const analysis::StrategyParameters& strategy,
                       const std::vector<std::string>& accept, const std::string& moved_to = "");

// The next three take stored texts, which may be anything.
// Whether two snapshots are of one root and were made under the same rules: see TreeRules.
bool same_rules(const std::string& a, const std::string& b);
// Whether two snapshots have the same moves and values; costs may differ.
bool same_values(const std::string& a, const std::string& b);
std::uint64_t snapshot_evaluations(const std::string& text);

} // namespace adjourn::server
