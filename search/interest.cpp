#include "search/interest.hpp"

#include "search/search.hpp"

#include <algorithm>
#include <cmath>

namespace adjourn::search {

using chess::Color;
using chess::Role;
using namespace chess::detail;
using chess::Move;
using chess::MoveKind;
using enum InterestTerm;

namespace {

// By hand, then by a short random climb on positions with known best moves, then by 32,000 games:
// docs/measurements/benchmarks.md.
constexpr std::array<InterestWeight, interest_terms> tuned_by_games{{
    {"replies", 2985, "R"},    {"check_evasion", 99, "R"},
    {"after_check", 2, "R"},   {"takes_checker", 29, "R"},
    {"last_best", 106, "R"},   {"principal", 1, "ours"},
    {"killer", 23, "R"},       {"reply", 24, "R"},
    {"follow_on", 19, "R"},    {"best_quiet", 7, "R"},
    {"capture", 76, "ours"},   {"winning", 18, "ours"},
    {"recapture", 45, "ours"}, {"check", 39, "R"},
    {"promotion", 28, "ours"}, {"pin", 7, "R"},
    {"attack", 12, "ours"},    {"answer", 19, "ours"},
    {"tie", -9, "R"},          {"plausible", 10, "R"},
    {"losing", 80, "ours"},    {"same_from", 97, "S"},
    {"same_piece", 100, "S"},  {"same_kind", 98, "S"},
    {"same_target", 96, "S"},  {"beyond", 97, "R"},
    {"least", 13, "ours"},     {"carry", 2, "R"},
}};

enum Kind : std::uint8_t { quiet, capturing, checking, promoting, castling };

int clamped(int budget) {
    return std::clamp(budget, 0, most_rest);
}

bool covers(int kept, int wanted, TableUse use) {
    return use == TableUse::same ? kept == wanted : kept >= wanted;
}

float percent(int points) {
    return static_cast<float>(points) / 100;
}

} // namespace

InterestWeights::InterestWeights() : table_{tuned_by_games} {}

InterestSight::InterestSight(const chess::Position& position)
    : position_{position}, checks_{position} {
    const Board& board = position.board();
    const Color us = position.turn();
    const Bitboard occupied = board.occupied();
    const Bitboard own = board.of(us);
    const Bitboard other = board.of(!us);
    checkers_ = all_attackers(board, king_square(board, us), occupied) & other;
    Bitboard undefended = 0; // of the other side
    for (Bitboard set = other & ~board.of(Role::king); set != 0;) {
        const int square = pop_lowest(set);
        if ((all_attackers(board, square, occupied) & other) == 0) {
            undefended |= bit(square);
        }
    }
    Bitboard more = other & ~board.of(Role::king);
    for (int role = 0; role < 6; ++role) {
        more &= ~board.of(static_cast<Role>(role));
        prey_[static_cast<std::size_t>(role)] = more | undefended;
    }
    for (Bitboard set = own & ~board.of(Role::king); set != 0;) {
        const int square = pop_lowest(set);
        const Bitboard attackers = all_attackers(board, square, occupied);
        const Bitboard enemies = attackers & other;
        if (enemies == 0) {
            continue;
        }
        const Bitboard guards = attackers & own;
        const Role role = role_on(board, chess::Square{square});
        Bitboard lesser = 0;
        for (int k = 0; k < static_cast<int>(role); ++k) {
            lesser |= enemies & board.of(static_cast<Role>(k));
        }
        if (guards == 0 || lesser != 0) {
            threatened_ |= bit(square);
            threats_ |= guards == 0 ? enemies : lesser;
        }
        if (guards != 0 && !several(guards)) {
            ties_ |= guards;
        }
    }
}

bool InterestSight::attacks(Role role, chess::Move move) const {
    const Bitboard occupied = position_.board().occupied();
    const Color us = position_.turn();
    const Bitboard prey = prey_[static_cast<std::size_t>(role)];
    const Bitboard before = role_attacks(role, us, move.from().index(), occupied);
    const Bitboard after =
        role_attacks(role, us, move.to().index(), occupied & ~bit_of(move.from()));
    return (after & prey & ~before & ~bit_of(move.to())) != 0;
}

bool InterestSight::pins(Role role, chess::Move move) const {
    if (role != Role::bishop && role != Role::rook && role != Role::queen) {
        return false;
    }
    const Board& board = position_.board();
    const Color them = !position_.turn();
    const int to = move.to().index();
    const Bitboard occupied = (board.occupied() & ~bit_of(move.from())) | bit_of(move.to());
    const Bitboard seen = role_attacks(role, !them, to, occupied);
    for (Bitboard fronts = seen & board.of(them) & ~board.of(Role::king); fronts != 0;) {
        const int front = pop_lowest(fronts);
        const Role shield = role_on(board, chess::Square{front});
        for (Bitboard set =
                 role_attacks(role, !them, to, occupied & ~bit(front)) & ~seen & board.of(them);
             set != 0;) {
            const int behind = pop_lowest(set);
            if (exchange_value(role_on(board, chess::Square{behind})) > exchange_value(shield)) {
                return true;
            }
        }
    }
    return false;
}

InterestTree::Rest InterestTree::rest_of_iteration(int iteration) {
    const InterestOptions& how = options().interest;
    const int threshold = how.step * iteration;
    own_depth_ = 2 * threshold / interest_unit;
    return how.budgets_apart ? Rest{clamped(threshold), clamped(threshold)}
                             : Rest{clamped(2 * threshold), clamped(2 * threshold)};
}

void InterestTree::play(Move move, int ply) {
    const Ply& here = plies_[static_cast<std::size_t>(ply)];
    plies_[static_cast<std::size_t>(ply) + 1].principal = here.principal && here.first == move;
    Tree::play(move, ply);
}

std::optional<Value> InterestTree::recall(Rest rest, Value alpha, Value beta, int ply) const {
    const TableUse use = options().table;
    if (ply == 0 || use == TableUse::none) {
        return std::nullopt;
    }
    const TableEntry* const entry = find(ply);
    if (entry == nullptr ||
        !covers(static_cast<int>(entry->rest >> half_bits), clamped(rest.mover), use) ||
        !covers(static_cast<int>(entry->rest & most_rest), clamped(rest.other), use)) {
        return std::nullopt;
    }
    return bound_of(*entry, alpha, beta, ply);
}

void InterestTree::remember(Rest rest, Value alpha, Value beta, Value value, Move move, int ply) {
    keep(static_cast<RestCode>(clamped(rest.mover) << half_bits | clamped(rest.other)), alpha, beta,
         value, move, ply);
}

void InterestTree::refuted(Rest rest, int ply, Move move) {
    const int plies = 1 + (rest.mover + rest.other) / interest_unit;
    cut(ply, move, std::min(plies * plies, 400));
}

InterestTree::Moves::Moves(InterestTree& tree, Rest rest, int ply) : rest_{rest}, tree_{tree} {
    const InterestWeights& weights = tree.options().interest.weights;
    const chess::Position& here = tree.position(ply);
    const chess::Color us = here.turn();
    const MoveMemory& memory = tree.memory();
    const InterestSight sight{here};
    const auto points = [&](InterestTerm term) { return static_cast<float>(weights[term]); };
    first_ = tree.first_move(tree.find(ply), ply);
    Ply& at = tree.plies_[static_cast<std::size_t>(ply)];
    at.first = first_;
    at.in_check = sight.checkers() != 0;
    const chess::MoveList legal = here.legal_moves();

    float base = points(replies) / static_cast<float>(std::max<std::size_t>(1, legal.size()));
    base += at.in_check ? base * percent(weights[check_evasion]) : 0;
    if (ply >= 1 && tree.plies_[static_cast<std::size_t>(ply) - 1].in_check) {
        base += points(after_check);
    }
    const int beyond_depth = std::max(0, ply - tree.own_depth_);
    const float fading =
        std::pow(percent(weights[beyond]), static_cast<float>(std::min(beyond_depth, 40)));
    const Played& opponents = tree.played(ply);
    const Played own = ply > 0 ? tree.played(ply - 1) : Played{};

    int most_history = 0;
    for (const Move move : legal) {
        if (!here.is_capture(move)) {
            most_history = std::max(most_history, memory.history(us, move));
        }
    }
    for (const Move move : legal) {
        if (!tree.is_open(ply, move)) {
            continue;
        }
        Candidate& candidate = moves_[size_++];
        candidate.raw = move.raw();
        candidate.role = role_on(here.board(), move.from());
        const bool takes = here.is_capture(move);
        const bool promotes = move.kind() == MoveKind::promotion;
        const bool castles = move.kind() == MoveKind::castling;
        const bool checks = sight.gives_check(move);
        candidate.kind = promotes  ? promoting
                         : takes   ? capturing
                         : castles ? castling
                         : checks  ? checking
                                   : quiet;
        float interest = base;
        const int gain = exchange(here, move);
        if (first_ == move) {
            interest += points(last_best) + (at.principal ? points(principal) : 0);
        }
        if (takes || promotes) {
            interest += (gain >= 0 ? points(capture) : 0) + (gain > 0 ? points(winning) : 0);
            interest += promotes ? points(promotion) : 0;
            interest += takes && move.to() == opponents.move.to() && opponents.move.raw() != 0
                            ? points(recapture)
                            : 0;
            interest += (sight.checkers() & bit_of(move.to())) != 0 ? points(takes_checker) : 0;
        } else {
            const int history = memory.history(us, move);
            if (most_history > 0) {
                interest += points(plausible) * static_cast<float>(history) /
                            static_cast<float>(most_history);
                interest += history == most_history ? points(best_quiet) : 0;
            }
            interest += memory.is_killer(ply, move) ? points(killer) : 0;
            interest += memory.is_reply(us, opponents, move) ? points(reply) : 0;
            interest += memory.is_follow_on(us, own, move) ? points(follow_on) : 0;
        }
        interest += checks ? points(check) : 0;
        if (!castles) {
            interest += sight.answers(move) ? points(answer) : 0;
            interest += sight.attacks(candidate.role, move) ? points(attack) : 0;
            interest += sight.pins(candidate.role, move) ? points(pin) : 0;
            interest += sight.tied(move) ? points(tie) : 0;
        }
        interest *= fading * (gain < 0 ? percent(weights[losing]) : 1);
        candidate.interest = interest;
    }
}

std::size_t InterestTree::Moves::best() const {
    std::size_t best = done_;
    for (std::size_t i = done_; i < size_; ++i) {
        if (done_ == 0 && first_ == moves_[i].move()) {
            return i;
        }
        best = moves_[i].interest > moves_[best].interest ? i : best;
    }
    return best;
}

void InterestTree::Moves::lower_what_is_like(const Candidate& tried) {
    const InterestWeights& weights = tree_.options().interest.weights;
    const float from = percent(weights[same_from]);
    const float piece = percent(weights[same_piece]);
    const float kind = percent(weights[same_kind]);
    const float target = percent(weights[same_target]);
    for (std::size_t i = done_; i < size_; ++i) {
        Candidate& other = moves_[i];
        float factor = other.move().from() == tried.move().from() ? from
                       : other.role == tried.role                 ? piece
                                                                  : 1;
        factor *= other.kind == tried.kind ? kind : 1;
        factor *= other.move().to() == tried.move().to() ? target : 1;
        other.interest *= factor;
    }
}

std::optional<Step<Move, InterestTree::Rest>> InterestTree::Moves::next() {
    if (done_ == size_) {
        return std::nullopt;
    }
    const InterestOptions& how = tree_.options().interest;
    std::swap(moves_[done_], moves_[best()]);
    const Candidate& chosen = moves_[done_++];
    const float interest =
        std::max(chosen.interest, static_cast<float>(how.weights[InterestTerm::least]));
    const int cost = std::max(1, static_cast<int>(100 * interest_unit / interest));
    const int charge = cost + paid_ * how.weights[carry] / 100;
    paid_ += cost;
    lower_what_is_like(chosen);
    const int left = rest_.mover - charge;
    if (left > 0) {
        const int others = how.budgets_apart ? rest_.other : rest_.other - charge;
        return Step<Move, Rest>{chosen.move(), {others, left}};
    }
    // A dull move: the line ends with it, if that is no gain.
    if (how.dull == DullMoves::left_out && done_ > 1) {
        return std::nullopt;
    }
    Step<Move, Rest> step{chosen.move(), {0, 0}};
    if (how.dull != DullMoves::counted && how.budgets_apart && rest_.other > how.entry) {
        step.confirm = Rest{rest_.other, 0};
    }
    return step;
}

} // namespace adjourn::search
