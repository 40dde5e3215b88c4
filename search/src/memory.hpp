// Memory of moves: what caused cuts, whatever the position. For the order of moves, and for what
// makes them interesting.
#pragma once

#include "search/value.hpp"

#include "chess/types.hpp"

#include <array>
#include <cstdint>
#include <type_traits>

namespace adjourn::search {

// A move that was played, and by what.
struct Played {
    chess::Move move = chess::Move::from_raw(0);
    chess::Role role = chess::Role::pawn;
};

class MoveMemory {
public:
    void clear() { *this = MoveMemory{}; }
    // For a new search: killers belong to plies of the old one.
    void begin() {
        killers_ = {};
        for (auto& from : history_) {
            for (auto& to : from) {
                for (int& count : to) {
                    count /= 4;
                }
            }
        }
    }

    bool is_killer(int ply, chess::Move move) const {
        const auto& two = killers_[static_cast<std::size_t>(ply)];
        return two[0] == move.raw() || two[1] == move.raw();
    }
    bool is_first_killer(int ply, chess::Move move) const {
        return killers_[static_cast<std::size_t>(ply)][0] == move.raw();
    }
    int history(chess::Color color, chess::Move move) const {
        return history_[i(color)][i(move.from())][i(move.to())];
    }
    // `color` answers the opponent's move, or goes on after its own.
    bool is_reply(chess::Color color, const Played& to, chess::Move move) const {
        return to.move.raw() != 0 && replies_[i(color)][i(to.role)][i(to.move.to())] == move.raw();
    }
    bool is_follow_on(chess::Color color, const Played& after, chess::Move move) const {
        return after.move.raw() != 0 &&
               follow_ons_[i(color)][i(after.role)][i(after.move.to())] == move.raw();
    }

    // A quiet move caused a cut; `weight` grows with what was below it.
    void cut(int ply, chess::Color color, chess::Move move, int weight, const Played& opponents,
             const Played& own) {
        auto& two = killers_[static_cast<std::size_t>(ply)];
        if (two[0] != move.raw()) {
            two[1] = two[0];
            two[0] = move.raw();
        }
        replies_[i(color)][i(opponents.role)][i(opponents.move.to())] = move.raw();
        follow_ons_[i(color)][i(own.role)][i(own.move.to())] = move.raw();
        int& count = history_[i(color)][i(move.from())][i(move.to())];
        count += weight - count * weight / most_history;
    }

    static constexpr int most_history = 16'384;

private:
    template <class T>
    static std::size_t i(T value) {
        if constexpr (std::is_same_v<T, chess::Square>) {
            return static_cast<std::size_t>(value.index());
        } else {
            return static_cast<std::size_t>(value);
        }
    }
    template <class T>
    using BySquares = std::array<std::array<T, 64>, 64>;
    using ByPiece = std::array<std::array<std::array<std::uint16_t, 64>, 6>, 2>;

    std::array<std::array<std::uint16_t, 2>, max_ply + 2> killers_{};
    std::array<BySquares<int>, 2> history_{};
    ByPiece replies_{};
    ByPiece follow_ons_{};
};

} // namespace adjourn::search
