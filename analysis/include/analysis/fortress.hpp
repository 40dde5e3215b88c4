// Fortress: signs that an advantage may not be convertible. A lamp, no proof: what it is right
// about, and how often, is in docs/measurements/fortress.md. Functions of values: the same signs
// give the same answer.
#pragma once

#include "analysis/graph.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace adjourn::analysis {

// One search of a position, or of a move.
struct SearchedScore {
    double effort = 0;                        // log2 of nominal nodes
    chess::Score score = chess::Score::cp(0); // mover's side
};

// What is known of a position, or of a move there. All scores are of one side.
struct FortressSigns {
    std::vector<SearchedScore> course; // by effort, smallest first; each effort once
    std::optional<chess::Score> idea;  // as if positions could not come again
    std::optional<chess::Score> alpha; // with repetitions as draws
    // Positions of the graph that can be come to from here by moves that can be taken back, and
    // lead back here; itself included. 0: not known.
    std::size_t around = 0;
    std::size_t quiet = 0; // plies of the line before its first capture or pawn move
    std::size_t line = 0;  // plies of the line
    int clock = 0;         // plies since the last capture or pawn move, where the line begins
};

enum class FortressReason : std::uint8_t {
    flat,    // more work found no more: `figure` cp more over `over` doublings
    repeats, // the tree finds nothing better than a repetition: `figure` cp by idea
    around,  // `figure` positions of the tree that lead to each other without an irreversible move
    quiet,   // `figure` plies of the line, all that are known, without capture or pawn move
    clock,   // `figure` plies without capture or pawn move at the end of the line, of 100
};
std::string_view to_text(FortressReason reason);

struct Fortress {
    struct Why {
        FortressReason reason{};
        int figure = 0;
        int over = 0; // of `flat`: doublings of the work
        friend bool operator==(const Why&, const Why&) = default;
    };
    bool lit = false;
    bool mover = false;   // whose advantage it is: the side to move's, or the other one's
    std::vector<Why> why; // what speaks for it, lit or not, in the order of the enumeration
};

Fortress fortress_of(const FortressSigns& signs);

// What of the line cannot be undone: plies before the first capture or pawn move.
std::size_t quiet_plies(chess::Position from, std::span<const chess::Move> line);

// `around` of the signs, looked at up to so many positions.
std::size_t positions_around(const Graph& graph, NodeId node, std::size_t most);

} // namespace adjourn::analysis
