#include "chess/game_tree.hpp"

#include <algorithm>

namespace adjourn::chess {

GameTree::GameTree(const AnnotatedGame& game) : game_{&game} {
    struct Open {
        Node last; // move of the line
        std::uint32_t line;
    };
    std::vector<Node> last_child{none};
    std::vector<Open> open{{start, 0}};
    nodes_.push_back({0, none, none, none, 0});
    lines_.push_back({0, game.moves.size(), none});
    for (std::size_t i = 0; i < game.moves.size(); ++i) {
        if (std::holds_alternative<Move>(game.moves[i])) {
            const Node parent = open.back().last;
            const auto node = static_cast<Node>(nodes_.size());
            nodes_.push_back({static_cast<std::uint32_t>(i), parent, none, none, open.back().line});
            Node& before = last_child[parent];
            (before == none ? nodes_[parent].first_child : nodes_[before].next_sibling) = node;
            before = node;
            last_child.push_back(none);
            open.back().last = node;
        } else if (std::holds_alternative<VariationStart>(game.moves[i])) {
            const Node replaced = open.back().last;
            open.push_back({nodes_[replaced].parent, static_cast<std::uint32_t>(lines_.size())});
            lines_.push_back({i, game.moves.size(), replaced});
        } else if (std::holds_alternative<VariationEnd>(game.moves[i])) {
            lines_[open.back().line].end = i;
            open.pop_back();
        }
    }
}

std::optional<GameTree::Node> GameTree::child(Node node, Move move) const {
    for (Node at = first_child(node); at != none; at = next_sibling(at)) {
        if (this->move(at) == move) {
            return at;
        }
    }
    return std::nullopt;
}

std::optional<GameTree::Node> GameTree::find(std::span<const Move> moves) const {
    std::optional<Node> at = start;
    for (std::size_t i = 0; at && i < moves.size(); ++i) {
        at = child(*at, moves[i]);
    }
    return at;
}

std::optional<GameTree::Node> GameTree::find(std::span<const std::size_t> numbers) const {
    Node at = start;
    for (const std::size_t number : numbers) {
        at = first_child(at);
        for (std::size_t i = 0; at != none && i < number; ++i) {
            at = next_sibling(at);
        }
        if (at == none) {
            return std::nullopt;
        }
    }
    return at;
}

std::vector<Move> GameTree::moves_to(Node node) const {
    std::vector<Move> moves;
    for (; node != start; node = parent(node)) {
        moves.push_back(move(node));
    }
    std::ranges::reverse(moves);
    return moves;
}

Position GameTree::position(Node node) const {
    Position position = game_->start;
    for (const Move move : moves_to(node)) {
        position.play(move);
    }
    return position;
}

std::size_t GameTree::end_of_annotations(std::size_t token) const {
    while (token < game_->moves.size() && is_annotation(game_->moves[token])) {
        ++token;
    }
    return token;
}

GameTree::Range GameTree::behind(Node node) const {
    const std::size_t first = node == start ? 0 : token(node) + 1;
    return {first, end_of_annotations(first)};
}

std::optional<GameTree::Range> GameTree::before(Node node) const {
    Range range{token(node), token(node)};
    while (range.first > 0 && is_annotation(game_->moves[range.first - 1])) {
        --range.first;
    }
    if (range.first > 0 && std::holds_alternative<Move>(game_->moves[range.first - 1])) {
        return std::nullopt;
    }
    return range;
}

std::size_t GameTree::end_of_variations(Node node) const {
    const std::vector<GameToken>& tokens = game_->moves;
    std::size_t end = behind(node).end;
    std::size_t depth = 0;
    for (std::size_t i = end; node != start && i < tokens.size(); ++i) {
        if (std::holds_alternative<VariationStart>(tokens[i])) {
            ++depth;
        } else if (std::holds_alternative<VariationEnd>(tokens[i])) {
            if (depth == 0) {
                break;
            }
            end = --depth == 0 ? i + 1 : end;
        } else if (depth == 0 && std::holds_alternative<Move>(tokens[i])) {
            break;
        }
    }
    return end;
}

} // namespace adjourn::chess
