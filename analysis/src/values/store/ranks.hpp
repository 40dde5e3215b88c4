// Ranks: game values are kept as Score::rank(). A rank other than 0 says which score it is; rank 0
// is cp 0, since a game value of 0 is a draw whatever it comes from.
#pragma once

#include "chess/score.hpp"

namespace adjourn::analysis {

constexpr chess::Score score_of_rank(int rank) {
    using chess::Score;
    const int magnitude = rank < 0 ? -rank : rank;
    if (magnitude <= Score::max_cp) {
        return Score::cp(rank);
    }
    const int mate = Score::mate_in(0).rank();
    const int table = Score::tablebase(chess::Wdl::win, 0).rank();
    if (magnitude <= table) {
        return Score::tablebase(rank > 0 ? chess::Wdl::win : chess::Wdl::loss, table - magnitude);
    }
    return rank > 0 ? Score::mate_in(mate - magnitude) : Score::mated_in(mate - magnitude);
}

// Score::backed_up() on ranks.
constexpr int backed_up(int rank) {
    if (rank <= chess::Score::max_cp && rank >= -chess::Score::max_cp) {
        return -rank;
    }
    return score_of_rank(rank).backed_up().rank();
}

// A total order for choosing the best move, so that the choice among equivalent scores (cp 0, a
// tablebase draw, a cursed win) does not depend on which came first.
constexpr bool better(chess::Score a, chess::Score b) {
    return a.rank() != b.rank() ? a.rank() > b.rank() : a.encode() > b.encode();
}

} // namespace adjourn::analysis
