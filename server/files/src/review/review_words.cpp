// What a review says of a move, in words.
#include "chess/notation.hpp"
#include "files/review/review.hpp"

#include <optional>
#include <span>
#include <string>

namespace adjourn::server {

namespace {

const char* judgement(int nag) {
    switch (nag) {
    case 6: return "Inaccuracy.";
    case 2: return "Mistake.";
    case 4: return "Blunder.";
    default: return "";
    }
}

// In pawns, of the side.
int material(const chess::Position& position, chess::Color side) {
    constexpr int pawn = 1, minor = 3, rook = 5, queen = 9;
    int sum = 0;
    for (const char piece : position.fen()) {
        if (piece == ' ') {
            break;
        }
        const bool white = piece >= 'A' && piece <= 'Z';
        const int sign = white == (side == chess::Color::white) ? 1 : -1;
        switch (piece | 0x20) {
        case 'p': sum += sign * pawn; break;
        case 'n':
        case 'b': sum += sign * minor; break;
        case 'r': sum += sign * rook; break;
        case 'q': sum += sign * queen; break;
        default: break;
        }
    }
    return sum;
}

// Of the side at the end of a line; nothing where it ends amid captures or in check.
std::optional<int> material_behind(const chess::Position& start, std::span<const chess::Move> line,
                                   chess::Color side) {
    chess::Position position = start;
    bool quiet = false;
    for (const chess::Move move : line) {
        quiet = !position.is_capture(move);
        position.play(move);
    }
    return quiet && !position.in_check() ? std::optional{material(position, side)} : std::nullopt;
}

// A move, and where it is played.
struct Place {
    const Review& review;
    std::size_t ply;
    chess::Position before;
    int fair; // the mover's material: before the opponent's move where that took something

    Place(const Review& all, std::size_t at) : review{all}, ply{at}, before{all.start}, fair{0} {
        for (std::size_t i = 0; i < ply; ++i) {
            const chess::Position earlier = before;
            before.play(review.moves[i].move);
            const bool last = i + 1 == ply;
            if (last && earlier.is_capture(review.moves[i].move)) {
                fair = material(earlier, before.turn());
                return;
            }
        }
        fair = material(before, before.turn());
    }
    const ReviewedMove& move() const { return review.moves[ply]; }
};

std::string amount(int pawns) {
    return pawns == 1 ? "a pawn" : "material";
}

bool mates(const chess::Score& score) {
    return score.kind() == chess::Score::Kind::mate && score.rank() > 0;
}

bool is_mated(const chess::Score& score) {
    return score.kind() == chess::Score::Kind::mate && score.rank() < 0;
}

std::string in_moves(const chess::Score& score) {
    return " in " + std::to_string((score.plies() + 1) / 2);
}

// What the better move does.
std::string better_does(const Place& place) {
    const ReviewedMove& move = place.move();
    const chess::Score best = *move.best;
    if (mates(best)) {
        return best.plies() == 1 ? "mates" : "mates" + in_moves(best);
    }
    if (is_mated(*move.played) && !is_mated(best)) {
        return "prevents the mate";
    }
    constexpr int winning = 150;
    constexpr int better = 50;
    const auto held = material_behind(place.before, move.line, place.before.turn());
    if (held && *held > place.fair && best.rank() > -better) {
        return "wins " + amount(*held - place.fair);
    }
    return best.rank() >= winning   ? "is winning"
           : best.rank() >= better  ? "keeps the advantage"
           : best.rank() > -better  ? "keeps the balance"
           : best.rank() > -winning ? "loses less"
                                    : "resists longer";
}

// What the played move does: "" where there is nothing short to say.
std::string played_does(const Place& place) {
    const ReviewedMove& move = place.move();
    if (is_mated(*move.played) && !is_mated(*move.best)) {
        return "It allows mate" + in_moves(*move.played) + ".";
    }
    if (place.ply + 1 < place.review.moves.size() && !mates(*move.best)) {
        const auto held =
            material_behind(place.before.after(move.move), place.review.moves[place.ply + 1].line,
                            place.before.turn());
        if (held && *held < place.fair) {
            return "It loses " + amount(place.fair - *held) + ".";
        }
    }
    return "";
}

} // namespace

std::string review_words(const Review& review, std::size_t ply) {
    const ReviewedMove& move = review.moves[ply];
    std::string words;
    const auto add = [&](const std::string& sentence) {
        words += (words.empty() || sentence.empty() ? "" : " ") + sentence;
    };
    if (const int nag = blame(move); nag != 0) {
        const Place place{review, ply};
        add(judgement(nag));
        add(played_does(place));
        if (!move.line.empty() && move.line.front() != move.move) {
            add(chess::to_numbered_san(place.before, move.line.front()) + " " + better_does(place) +
                ".");
        }
    }
    add(move.missed ? "A missed chance." : "");
    add(move.only ? "The only move." : "");
    return words;
}

} // namespace adjourn::server
