#include "evaluation.hpp"

#include <algorithm>

namespace hash_engine {
namespace {

using chess::Color;
using chess::MoveKind;
using chess::Piece;
using chess::Position;
using chess::Role;
using chess::Score;
using chess::Square;

// Far smaller than real piece values: what a capture changes stays within a tree's usual window.
constexpr std::array<int, 6> material{8, 22, 23, 32, 50, 0};
constexpr std::array<int, 6> spread{8, 15, 15, 12, 10, 12};
// Measured so that a search and what its parent expected of it agree on average.
constexpr int tempo = 7;

} // namespace

// The finaliser of SplitMix64 (Steele, Lea, Flood 2014).
std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
    std::uint64_t z = a + 0x9E3779B97F4A7C15ULL * (b + 1);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

Evaluation::Evaluation(std::uint64_t seed) : seed_{seed} {
    for (std::size_t role = 0; role < values_.size(); ++role) {
        for (std::size_t square = 0; square < 64; ++square) {
            const auto width = 2 * static_cast<std::uint64_t>(spread[role]) + 1;
            const auto deviation = static_cast<int>(mix(seed, role * 64 + square) % width);
            values_[role][square] = material[role] + deviation - spread[role];
        }
    }
}

int Evaluation::piece_value(Piece piece, Square square) const {
    const int seen = piece.color == Color::white ? square.index() : square.index() ^ 56;
    return values_[static_cast<std::size_t>(piece.role)][static_cast<std::size_t>(seen)];
}

int Evaluation::balance(const Position& position) const {
    int sum = 0;
    for (int i = 0; i < 64; ++i) {
        if (const auto piece = position.piece_at(Square{i})) {
            const int value = piece_value(*piece, Square{i});
            sum += piece->color == position.turn() ? value : -value;
        }
    }
    return sum;
}

int Evaluation::gain(const Position& position, chess::Move move) const {
    const Color us = position.turn();
    const Piece moved = *position.piece_at(move.from());
    const int rank = move.from().rank();
    switch (move.kind()) {
    case MoveKind::castling: {
        const bool short_side = move.to().file() > move.from().file();
        const Piece rook{us, Role::rook};
        return piece_value(moved, Square{short_side ? 6 : 2, rank}) -
               piece_value(moved, move.from()) +
               piece_value(rook, Square{short_side ? 5 : 3, rank}) - piece_value(rook, move.to());
    }
    case MoveKind::en_passant:
        return piece_value(moved, move.to()) - piece_value(moved, move.from()) +
               piece_value(Piece{!us, Role::pawn}, Square{move.to().file(), rank});
    case MoveKind::promotion:
    case MoveKind::normal: break;
    }
    const Piece after =
        move.kind() == MoveKind::promotion ? Piece{us, move.promotion_role()} : moved;
    const auto captured = position.piece_at(move.to());
    return piece_value(after, move.to()) - piece_value(moved, move.from()) +
           (captured ? piece_value(*captured, move.to()) : 0);
}

std::optional<Opinion> Evaluation::best_reply(const Position& position) const {
    const int before = balance(position);
    std::optional<Opinion> best;
    for (const chess::Move move : position.legal_moves()) {
        const bool mates = position.gives_check(move) && !position.after(move).has_legal_move();
        const Score score =
            mates ? Score::mate_in(1) : Score::cp(before + gain(position, move) - tempo);
        if (!best || score > best->score) {
            best = Opinion{move, score};
        }
    }
    return best;
}

std::vector<Opinion> Evaluation::search(const Position& position,
                                        const std::vector<chess::Move>& moves, std::uint64_t salt,
                                        int noise) const {
    std::vector<Opinion> opinions;
    for (const chess::Move move : moves) {
        const Position child = position.after(move);
        Score score = Score::cp(0); // stalemate or a dead position
        if (const chess::Terminal end = child.terminal(); end == chess::Terminal::checkmate) {
            score = Score::mate_in(1);
        } else if (end == chess::Terminal::no) {
            score = best_reply(child)->score.backed_up();
        }
        if (score.is_cp() && noise > 0) {
            const auto width = 2 * static_cast<std::uint64_t>(noise) + 1;
            const auto deviation = mix(mix(seed_, child.hash()), salt) % width;
            score = Score::cp(score.centipawns() + static_cast<int>(deviation) - noise);
        }
        opinions.push_back({move, score});
    }
    std::ranges::sort(opinions, [](const Opinion& a, const Opinion& b) {
        return a.score != b.score ? a.score > b.score : a.move < b.move;
    });
    return opinions;
}

} // namespace hash_engine
