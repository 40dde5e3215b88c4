#include "analysis/proof.hpp"

#include "base/text.hpp"

#include <utility>

namespace adjourn::analysis {

namespace {

constexpr int longest_proof = 1'000; // plies; no proof is longer

Proven verdict(chess::Score score) {
    return score.is_win() ? Proven::won : score.is_loss() ? Proven::lost : Proven::no;
}

bool left_out_by(const NodeDirectives* directives, chess::Move move) {
    return directives != nullptr && base::contains(directives->excluded, move);
}

} // namespace

// In cycles a position may be looked at while one above it is: what comes to nothing then is
// looked at again, as long as something else was proven meanwhile. So it does not matter where one
// begins, nor in which order the moves came.
Proven Proof::of(NodeId node) {
    for (;;) {
        const std::size_t before = decided_;
        provisional_.clear();
        met_open_ = false;
        const Proven result = look(node, 0);
        const bool again = result == Proven::no && decided_ > before;
        if (provisional_.empty() || (result == Proven::no && !again)) {
            return result;
        }
        for (const NodeId other : provisional_) {
            known_.erase(other);
        }
        if (!again) {
            return result;
        }
    }
}

Proven Proof::of_move(NodeId node, std::size_t i) {
    const NodeId target = graph_.moves(node)[i].target;
    if (!graph_.exact(target) && graph_.expanded(target)) {
        (void)of(target); // from there it is known
    }
    return look_at_move(node, i, 0);
}

const NodeDirectives* Proof::directives_at(NodeId node) const {
    if (directives_ == nullptr) {
        return nullptr;
    }
    const auto found = directives_->find(node);
    return found == directives_->end() ? nullptr : &found->second;
}

Proven Proof::look_at_move(NodeId node, std::size_t i, int depth) {
    const GraphMove& move = graph_.moves(node)[i];
    if (const auto exact = graph_.exact(move.target)) {
        return verdict(-*exact);
    }
    if (!graph_.expanded(move.target)) {
        return verdict(move.engine_score);
    }
    switch (look(move.target, depth + 1)) {
    case Proven::won: return Proven::lost;
    case Proven::lost: return Proven::won;
    case Proven::no: break;
    }
    return Proven::no;
}

Proven Proof::look(NodeId node, int depth) {
    if (const auto exact = graph_.exact(node)) {
        return verdict(*exact);
    }
    // No proof where the values do not even say so; that is nearly everywhere.
    const auto value = graph_.game_value(node);
    const NodeDirectives* directives = directives_at(node);
    if (!value || depth == longest_proof ||
        (verdict(*value) == Proven::no &&
         (directives == nullptr || directives->excluded.empty()))) {
        return Proven::no;
    }
    const auto [found, first] = known_.emplace(node, std::nullopt);
    if (!first) {
        met_open_ = met_open_ || !found->second || provisional_.contains(node);
        return found->second.value_or(Proven::no);
    }
    const bool met_before = std::exchange(met_open_, false);
    Proven result = Proven::no;
    for (std::size_t i = 0; i < graph_.moves(node).size() && result == Proven::no; ++i) {
        if (!left_out_by(directives, graph_.moves(node)[i].move) &&
            graph_.game_value_of(node, i).is_win() && look_at_move(node, i, depth) == Proven::won) {
            result = Proven::won;
        }
    }
    if (result == Proven::no && all_lost(node, directives, depth)) {
        result = Proven::lost;
    }
    known_[node] = result;
    if (result != Proven::no) {
        ++decided_;
        met_open_ = false; // it rests on what is proven
    } else if (met_open_) {
        provisional_.insert(node);
    }
    met_open_ = met_open_ || met_before;
    return result;
}

bool Proof::all_lost(NodeId node, const NodeDirectives* directives, int depth) {
    const auto moves = graph_.moves(node);
    std::vector<chess::Move> left_out = graph_.excluded_at(graph_.position(node).packed());
    if (directives != nullptr) {
        left_out.insert(left_out.end(), directives->excluded.begin(), directives->excluded.end());
    }
    std::size_t in_play = 0;
    for (std::size_t i = 0; i < moves.size(); ++i) {
        if (left_out_by(directives, moves[i].move)) {
            continue;
        }
        ++in_play;
        if (!graph_.game_value_of(node, i).is_loss() ||
            look_at_move(node, i, depth) != Proven::lost) {
            return false;
        }
    }
    std::size_t legal = 0;
    for (const chess::Move move : graph_.position(node).legal_moves()) {
        legal += base::contains(left_out, move) ? 0 : 1;
    }
    if (in_play == legal) {
        return in_play > 0;
    }
    const auto rest = graph_.rest_bound(node, 0, left_out);
    return rest && rest->is_loss();
}

} // namespace adjourn::analysis
