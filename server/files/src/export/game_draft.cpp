#include "game_draft.hpp"

#include <algorithm>

namespace adjourn::server {

GameDraft::Node GameDraft::add(Node at, chess::Move move) {
    const auto& replies = nodes_[at].replies;
    const auto found = std::ranges::find(replies, move, [&](Node n) { return nodes_[n].move; });
    if (found != replies.end()) {
        return *found;
    }
    const Node made = nodes_.size();
    nodes_[at].replies.push_back(made);
    nodes_.push_back({move, {}, {}});
    return made;
}

GameDraft::Node GameDraft::add_line(Node at, std::span<const chess::Move> moves) {
    for (const chess::Move move : moves) {
        at = add(at, move);
    }
    return at;
}

std::vector<chess::GameToken> GameDraft::tokens() const {
    struct Step {
        enum class Kind : std::uint8_t { move, replies, close } kind;
        Node node;
    };
    std::vector<chess::GameToken> tokens;
    const auto say = [&](Node node) {
        const auto& said = nodes_[node].said;
        tokens.insert(tokens.end(), said.begin(), said.end());
    };
    say(start);
    std::vector<Step> steps{{Step::Kind::replies, start}}; // the next one is the last
    while (!steps.empty()) {
        const Step step = steps.back();
        steps.pop_back();
        const auto& replies = nodes_[step.node].replies;
        switch (step.kind) {
        case Step::Kind::close: tokens.emplace_back(chess::VariationEnd{}); break;
        case Step::Kind::move: // begins a variation
            tokens.emplace_back(chess::VariationStart{});
            tokens.emplace_back(nodes_[step.node].move);
            say(step.node);
            break;
        case Step::Kind::replies:
            if (replies.empty()) {
                break;
            }
            tokens.emplace_back(nodes_[replies.front()].move);
            say(replies.front());
            steps.push_back({Step::Kind::replies, replies.front()});
            for (std::size_t i = replies.size(); i > 1; --i) {
                steps.push_back({Step::Kind::close, start});
                steps.push_back({Step::Kind::replies, replies[i - 1]});
                steps.push_back({Step::Kind::move, replies[i - 1]});
            }
        }
    }
    return tokens;
}

} // namespace adjourn::server
