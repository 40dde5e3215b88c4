// What fake_engine --hashed thinks of a question: made up, but the same for everybody who asks.
#pragma once

#include "chess/position.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace fake_engine {

struct Truth {
    adjourn::chess::Move move;
    int centipawns;
};

// The best of the moves asked for, of all legal ones if none is named.
inline Truth truth(const adjourn::chess::Position& position,
                   const std::vector<adjourn::chess::Move>& asked, int depth) {
    std::uint64_t here = 0xcbf29ce484222325ULL + static_cast<std::uint64_t>(depth);
    for (const char letter : position.engine_fen()) {
        here = (here ^ static_cast<unsigned char>(letter)) * 0x100000001b3ULL;
    }
    Truth best{position.legal_moves()[0], -1'000};
    for (const adjourn::chess::Move move : position.legal_moves()) {
        bool wanted = asked.empty();
        for (const adjourn::chess::Move other : asked) {
            wanted = wanted || other == move;
        }
        const std::uint64_t mixed = (here ^ move.raw()) * 0x9e3779b97f4a7c15ULL;
        const int centipawns = static_cast<int>((mixed >> 32) % 601) - 300;
        if (wanted && centipawns > best.centipawns) {
            best = {move, centipawns};
        }
    }
    return best;
}

} // namespace fake_engine
