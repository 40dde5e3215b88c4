#include "search/tree.hpp"

#include "search/board_sight.hpp"

#include <algorithm>
#include <utility>

namespace adjourn::search {

using chess::Bound;
using chess::Move;
using chess::MoveKind;
using chess::Role;

namespace {

std::array<Move, max_ply + 2> filled() {
    std::array<Move, max_ply + 2> line = []<std::size_t... i>(std::index_sequence<i...>) {
        return std::array<Move, max_ply + 2>{(static_cast<void>(i), Move::from_raw(0))...};
    }
    (std::make_index_sequence<max_ply + 2>{});
    return line;
}

constexpr int takes_well = 500'000;
constexpr int killer_rating = 400'000;
constexpr int reply_rating = 300'000;
constexpr int takes_badly = -500'000;
constexpr int small_promotion = -900'000;

int order_of_capture(const chess::Position& position, Move move) {
    if (move.kind() == MoveKind::promotion && move.promotion_role() != Role::queen) {
        return small_promotion;
    }
    const chess::detail::Board& board = position.board();
    const Role attacker = role_on(board, move.from());
    const bool takes = (board.of(!position.turn()) & bit_of(move.to())) != 0;
    const int victim = takes ? exchange_value(role_on(board, move.to())) : 0;
    const bool safe = (move.kind() == MoveKind::normal && victim >= exchange_value(attacker)) ||
                      exchange(position, move) >= 0;
    return (safe ? takes_well : takes_badly) + 8 * victim - static_cast<int>(attacker);
}

} // namespace

bool is_dead(const chess::Position& position) {
    const chess::detail::Board& board = position.board();
    return (board.of(Role::pawn) | board.of(Role::rook) | board.of(Role::queen)) == 0 &&
           !chess::detail::several(board.of(Role::knight) | board.of(Role::bishop));
}

Tree::Tree(const Options& options, const Query& query, const Hooks& hooks, Table& table,
           MoveMemory& memory)
    : options_{options}, query_{query}, hooks_{hooks}, table_{table}, memory_{memory},
      frames_(max_ply + 2, Frame{query.root, {}}), lines_(max_ply + 2, filled()),
      line_sizes_(max_ply + 2, 0), started_{hooks.clock ? hooks.clock() : 0} {
    std::vector<std::uint64_t> seen = query.history;
    std::sort(seen.begin(), seen.end());
    for (auto it = seen.begin(); (it = std::adjacent_find(it, seen.end())) != seen.end();) {
        twice_.push_back(*it);
        it = std::upper_bound(it, seen.end(), *it);
    }
}

bool Tree::may_begin(Move move) const {
    return std::find(closed_.begin(), closed_.end(), move) == closed_.end() &&
           (query_.moves.empty() ||
            std::find(query_.moves.begin(), query_.moves.end(), move) != query_.moves.end());
}

bool Tree::repeats(int ply) const {
    const int clock = position(ply).halfmove_clock();
    const std::uint64_t hash = position(ply).hash();
    const int first = std::max(0, ply - clock);
    for (int earlier = ply - 4; earlier >= first; earlier -= 2) {
        if (position(earlier).hash() == hash) {
            return true;
        }
    }
    return clock > ply && std::find(twice_.begin(), twice_.end(), hash) != twice_.end();
}

std::optional<Value> Tree::known(int ply) {
    line_sizes_[at(ply)] = 0;
    longest_ = std::max(longest_, ply);
    if (ply == 0) {
        return std::nullopt;
    }
    if (stopped_) {
        return 0;
    }
    const chess::Position& here = position(ply);
    if (repeats(ply) || is_dead(here)) {
        return 0;
    }
    if (here.halfmove_clock() >= 100 && (!here.in_check() || here.has_legal_move())) {
        return 0;
    }
    return std::nullopt;
}

void Tree::play(Move move, int ply) {
    Frame& next = frames_[at(ply) + 1];
    const chess::Position& here = position(ply);
    next.by.move = move;
    next.by.role = role_on(here.board(), move.from());
    next.position = here;
    next.position.play(move);
    ++nodes_;
    if (query_.limits.nodes && nodes_ >= *query_.limits.nodes) {
        stopped_ = true;
    } else if ((nodes_ & 1023) == 0) {
        look_at_limits();
    }
}

void Tree::look_at_limits() {
    stopped_ = stopped_ || (hooks_.stop && hooks_.stop()) ||
               (query_.limits.milliseconds && hooks_.clock &&
                hooks_.clock() - started_ >= *query_.limits.milliseconds);
}

void Tree::improved(int ply, Move move, Value value) {
    auto& line = lines_[at(ply)];
    const auto& rest = lines_[at(ply) + 1];
    const int size = line_sizes_[at(ply) + 1];
    line[0] = move;
    std::copy_n(rest.begin(), size, line.begin() + 1);
    line_sizes_[at(ply)] = std::min(size + 1, max_ply);
    if (ply == 0) {
        best_.value = value;
        best_.bound = Bound::lower;
        best_.moves.assign(line.begin(), line.begin() + line_sizes_[0]);
    }
}

void Tree::lengthen(Line& line, std::size_t most) const {
    std::vector<std::uint64_t> seen{query_.root.hash()};
    chess::Position here = query_.root;
    for (const Move move : line.moves) {
        here.play(move);
        seen.push_back(here.hash());
    }
    while (line.moves.size() < most && here.halfmove_clock() < 100 && !is_dead(here)) {
        const TableEntry* const entry = table_.find(here.hash());
        const bool again = std::find(seen.begin(), seen.end() - 1, here.hash()) != seen.end() - 1 ||
                           std::find(twice_.begin(), twice_.end(), here.hash()) != twice_.end();
        if (again || entry == nullptr || entry->kind() != Bound::exact ||
            !here.is_legal(Move::from_raw(entry->move))) {
            return;
        }
        line.moves.push_back(Move::from_raw(entry->move));
        here.play(line.moves.back());
        seen.push_back(here.hash());
    }
}

const TableEntry* Tree::find(int ply) const {
    return table_.find(position(ply).hash());
}

std::optional<Move> Tree::first_move(int ply) const {
    if (ply == 0 && first_) {
        return first_;
    }
    const TableEntry* const entry = find(ply);
    return entry != nullptr ? std::optional{Move::from_raw(entry->move)} : std::nullopt;
}

std::optional<Value> Tree::recall(RestCode rest, Value alpha, Value beta, int ply) const {
    const TableUse use = options_.table;
    const TableEntry* const entry = ply == 0 || use == TableUse::none ? nullptr : find(ply);
    if (entry == nullptr || (use == TableUse::same ? entry->rest != rest : entry->rest < rest)) {
        return std::nullopt;
    }
    Value value = entry->value;
    value = value > won ? value - ply : value < -won ? value + ply : value;
    const Bound kind = entry->kind();
    if (kind == Bound::exact || (kind == Bound::lower && value >= beta) ||
        (kind == Bound::upper && value <= alpha)) {
        return value;
    }
    return std::nullopt;
}

void Tree::keep(RestCode rest, Value alpha, Value beta, Value value, Move move, int ply) {
    if (ply == 0 && (!closed_.empty() || !query_.moves.empty())) {
        return; // not the position's value
    }
    const Bound bound = value >= beta ? Bound::lower : value <= alpha ? Bound::upper : Bound::exact;
    const Value from_here = value > won ? value + ply : value < -won ? value - ply : value;
    table_.keep(position(ply).hash(), rest, from_here, bound, move);
}

void Tree::cut(const OrderedMoves& moves, int ply, int weight) {
    const chess::Position& here = position(ply);
    const auto is_quiet = [&](Move move) {
        return !here.is_capture(move) && move.kind() != MoveKind::promotion;
    };
    const int last = moves.rank();
    if (is_quiet(moves.given(last))) {
        memory_.cut(ply, here.turn(), moves.given(last), weight, played(ply));
    }
    for (int rank = 0; rank < last; ++rank) {
        if (is_quiet(moves.given(rank))) {
            memory_.did_not_cut(here.turn(), moves.given(rank), weight);
        }
    }
}

OrderedMoves::OrderedMoves(const Tree& tree, int ply)
    : moves_{tree.position(ply).legal_moves()}, first_{tree.first_move(ply)}, tree_{tree},
      ply_{ply} {}

void OrderedMoves::rate() {
    const chess::Position& here = tree_.position(ply_);
    const MoveMemory& memory = tree_.memory();
    const chess::Color us = here.turn();
    rated_ = true;
    for (std::size_t i = done_; i < moves_.size(); ++i) {
        const Move move = moves_[i];
        int& rating = ratings_[i];
        if (here.is_capture(move) || move.kind() == MoveKind::promotion) {
            rating = order_of_capture(here, move);
            continue;
        }
        const int history = memory.history(us, move);
        most_history_ = std::max(most_history_, std::abs(history));
        rating = memory.is_killer(ply_, move)
                     ? killer_rating + (memory.is_first_killer(ply_, move) ? 1 : 0)
                 : memory.is_reply(us, tree_.played(ply_), move) ? reply_rating
                                                                 : history;
    }
}

std::optional<Move> OrderedMoves::next() {
    while (done_ < moves_.size()) {
        std::size_t best = moves_.size();
        if (done_ == 0 && first_) {
            for (best = 0; best < moves_.size() && moves_[best] != *first_; ++best) {
            }
        }
        if (best == moves_.size()) { // none, or another position's
            if (!rated_) {
                rate();
            }
            best = done_;
            for (std::size_t i = done_ + 1; i < moves_.size(); ++i) {
                best = ratings_[i] > ratings_[best] ? i : best;
            }
        }
        const Move move = moves_[best];
        moves_.swap(done_, best);
        std::swap(ratings_[done_], ratings_[best]);
        ++done_;
        if (tree_.is_open(ply_, move)) {
            return move;
        }
    }
    return std::nullopt;
}

} // namespace adjourn::search
