#include "analysis/proof.hpp"

#include "base/contains.hpp"

namespace adjourn::analysis {

namespace {

constexpr int longest_proof = 1'000; // plies; no proof is longer

Proven verdict(chess::Score score) {
    return score.is_win() ? Proven::won : score.is_loss() ? Proven::lost : Proven::no;
}

bool left_out_by(const NodeSteering* said, chess::Move move) {
    return said != nullptr && base::contains(said->excluded, move);
}

} // namespace

Proven Proof::of(NodeId node) {
    return look(node, 0);
}

Proven Proof::of_move(NodeId node, std::size_t i) {
    return look_at_move(node, i, 0);
}

const NodeSteering* Proof::said_at(NodeId node) const {
    if (steering_ == nullptr) {
        return nullptr;
    }
    const auto found = steering_->find(node);
    return found == steering_->end() ? nullptr : &found->second;
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
    const NodeSteering* said = said_at(node);
    if (!value || depth == longest_proof ||
        (verdict(*value) == Proven::no && (said == nullptr || said->excluded.empty()))) {
        return Proven::no;
    }
    const auto [found, first] = known_.emplace(node, std::nullopt);
    if (!first) {
        return found->second.value_or(Proven::no);
    }
    Proven result = Proven::no;
    for (std::size_t i = 0; i < graph_.moves(node).size() && result == Proven::no; ++i) {
        if (!left_out_by(said, graph_.moves(node)[i].move) &&
            graph_.game_value_of(node, i).is_win() && look_at_move(node, i, depth) == Proven::won) {
            result = Proven::won;
        }
    }
    if (result == Proven::no && all_lost(node, said, depth)) {
        result = Proven::lost;
    }
    known_[node] = result;
    return result;
}

bool Proof::all_lost(NodeId node, const NodeSteering* said, int depth) {
    const auto moves = graph_.moves(node);
    std::vector<chess::Move> left_out = graph_.excluded_at(graph_.position(node).packed());
    if (said != nullptr) {
        left_out.insert(left_out.end(), said->excluded.begin(), said->excluded.end());
    }
    std::size_t in_play = 0;
    for (std::size_t i = 0; i < moves.size(); ++i) {
        if (left_out_by(said, moves[i].move)) {
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
