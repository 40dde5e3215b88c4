#include "chess/score.hpp"

#include <cstdio>

namespace adjourn::chess {

namespace {

// Moves of the side that mates, from plies: 1 ply is move 1, 2 plies (mated) too.
int moves_of(int plies) {
    return (plies + 1) / 2;
}

std::string pawns(int centipawns, bool with_plus) {
    char text[32];
    const int magnitude = centipawns < 0 ? -centipawns : centipawns;
    const char* sign = centipawns < 0 ? "-" : (with_plus && centipawns > 0 ? "+" : "");
    std::snprintf(text, sizeof text, "%s%d.%02d", sign, magnitude / 100, magnitude % 100);
    return text;
}

std::string mate(Score score) {
    // "#-0" is the side to move mated on the board: the sign says who has lost.
    return (score.is_loss() ? "#-" : "#") + std::to_string(moves_of(score.plies()));
}

} // namespace

std::string to_text(Score score) {
    switch (score.kind()) {
    case Score::Kind::mate: return mate(score);
    case Score::Kind::tablebase: break;
    default: return pawns(score.centipawns(), true);
    }
    switch (score.wdl()) {
    case Wdl::win: return "TB win (" + std::to_string(score.plies()) + ")";
    case Wdl::loss: return "TB loss (" + std::to_string(score.plies()) + ")";
    case Wdl::cursed_win: return "TB cursed win";
    case Wdl::blessed_loss: return "TB blessed loss";
    default: return "TB draw";
    }
}

// A tablebase win is 200.00 pawns less a hundredth for each ply of DTZ: no engine says so much
// without a mate, and shorter stays better for programs that only compare numbers.
std::string to_eval_text(Score white_score) {
    switch (white_score.kind()) {
    case Score::Kind::mate: return mate(white_score);
    case Score::Kind::tablebase: break;
    default: return pawns(white_score.centipawns(), false);
    }
    const int value = 20'000 - white_score.plies();
    if (white_score.is_win()) {
        return pawns(value, false);
    }
    return white_score.is_loss() ? pawns(-value, false) : pawns(0, false);
}

} // namespace adjourn::chess
