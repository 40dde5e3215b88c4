#include "cluster/scripted_answer.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace adjourn::bench {

namespace {

// splitmix64's finaliser: Steele, Lea, Flood, "Fast splittable pseudorandom number generators".
std::uint64_t mix(std::uint64_t value) {
    value += 0x9E3779B97F4A7C15ULL;
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9ULL;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EBULL;
    return value ^ (value >> 31);
}

// What pieces are worth on their squares, White's point of view, cp.
int balance(const chess::Position& position) {
    int sum = 0;
    for (int square = 0; square < 64; ++square) {
        if (const auto piece = position.piece_at(chess::Square{square})) {
            const bool white = piece->color == chess::Color::white;
            const auto seen = static_cast<std::uint64_t>(white ? square : square ^ 56);
            const int worth =
                static_cast<int>(mix(static_cast<std::uint64_t>(piece->role) * 64 + seen) % 31);
            sum += white ? worth : -worth;
        }
    }
    return sum;
}

} // namespace

engine_bridge::Answer answer_to(const engine_bridge::Job& job) {
    std::vector<chess::Move> moves = job.searchmoves;
    if (moves.empty()) {
        const auto legal = job.position.legal_moves();
        moves.assign(legal.begin(), legal.end());
    }
    const int sign = job.position.turn() == chess::Color::white ? 1 : -1;
    std::optional<std::pair<int, chess::Move>> best;
    for (const chess::Move move : moves) {
        const chess::Position after = job.position.after(move);
        const int noise = static_cast<int>(mix(after.hash()) % 9) - 4;
        const int value = sign * balance(after) + noise;
        if (!best || value > best->first) {
            best = {value, move};
        }
    }
    return {best->second,
            chess::Score::cp(best->first),
            chess::Bound::exact,
            8,
            8,
            1'000,
            2'000,
            {best->second},
            0,
            std::nullopt};
}

} // namespace adjourn::bench
