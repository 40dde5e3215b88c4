// Two games as one.
#include "game_tokens.hpp"

#include <algorithm>
#include <map>
#include <optional>

namespace adjourn::chess {

using namespace detail;

namespace {

using Node = GameTree::Node;
using Tokens = std::vector<GameToken>;

// What is said of each node, wherever it stands: behind a move, or, before the first of a
// variation, of that.
std::vector<Tokens> said_of(const GameTree& tree) {
    std::vector<Tokens> said(tree.size());
    std::vector<Node> last{GameTree::start}; // of the line, and of those around it
    Tokens waiting;                          // for a variation's first move
    bool in_front = false;
    Node next = 1;
    for (const GameToken& token : tree.game().moves) {
        if (std::holds_alternative<Move>(token)) {
            last.back() = next++;
            in_front = false;
            said[last.back()] = std::exchange(waiting, {});
        } else if (std::holds_alternative<VariationStart>(token)) {
            last.push_back(GameTree::start);
            in_front = true;
        } else if (std::holds_alternative<VariationEnd>(token)) {
            last.pop_back();
        } else {
            (in_front ? waiting : said[last.back()]).push_back(token);
        }
    }
    return said;
}

bool says_the_same(const GameToken& a, const GameToken& b) {
    const auto* nag = std::get_if<PgnNag>(&a);
    const auto* other = std::get_if<PgnNag>(&b);
    return nag != nullptr && other != nullptr ? nag->number == other->number : a == b;
}

class Merging {
public:
    Merging(const GameTree& tree, const GameTree& other)
        : tree_{tree}, said_{said_of(tree)}, other_{other} {}

    Tokens merged() {
        compare();
        std::map<Place, Tokens> inserts;
        for (const auto& [node, tokens] : annotations_) {
            add_to(inserts[{tree_.behind(node).end, 0}], tokens);
        }
        for (const auto& [node, children] : children_) {
            const Node next = tree_.first_child(node);
            if (next == GameTree::none) {
                add_line(inserts[{tree_.line(node).end, 2}], children, false);
            } else {
                add_line(inserts[{tree_.end_of_variations(next), 1}], children, true);
            }
        }
        TokenList list{tree_.game().moves};
        std::size_t at = 0;
        for (auto& [place, tokens] : inserts) {
            list.copy(at, place.token);
            at = place.token;
            for (GameToken& token : tokens) {
                list.add(std::move(token));
            }
        }
        return list.rest(at).take();
    }

private:
    struct Place {
        std::size_t token;
        int order; // annotations, then variations, then what goes on

        auto operator<=>(const Place&) const = default;
    };
    // A move that the tree has not.
    struct Added {
        Move move;
        Tokens said;
        std::vector<std::size_t> children;
    };
    // A node of the tree, or an added move.
    struct Target {
        std::optional<Node> node;
        std::size_t added = 0;
    };

    static void add_to(Tokens& tokens, const Tokens& more) {
        tokens.insert(tokens.end(), more.begin(), more.end());
    }

    void compare() {
        const std::vector<Tokens> said = said_of(other_);
        std::vector<Target> targets{{GameTree::start}};
        say(targets.front(), said.front());
        for (Node node = 1; node < other_.size(); ++node) {
            targets.push_back(target_of(targets[other_.parent(node)], other_.move(node)));
            say(targets.back(), said[node]);
        }
    }

    Target target_of(const Target& parent, Move move) {
        if (parent.node) {
            if (const auto child = tree_.child(*parent.node, move)) {
                return {child};
            }
        }
        for (const std::size_t child : children_of(parent)) {
            if (added_[child].move == move) {
                return {std::nullopt, child};
            }
        }
        const std::size_t added = added_.size();
        added_.push_back({move, {}, {}});
        children_of(parent).push_back(added);
        return {std::nullopt, added};
    }

    std::vector<std::size_t>& children_of(const Target& target) {
        return target.node ? children_[*target.node] : added_[target.added].children;
    }

    void say(const Target& target, const Tokens& tokens) {
        for (const GameToken& token : tokens) {
            const auto is_same = [&](const GameToken& other) {
                return says_the_same(token, other);
            };
            if (!target.node) {
                Tokens& said = added_[target.added].said;
                if (std::ranges::none_of(said, is_same)) {
                    said.push_back(token);
                }
            } else if (std::ranges::none_of(said_[*target.node], is_same)) {
                said_[*target.node].push_back(token);
                annotations_[*target.node].push_back(token);
            }
        }
    }

    // Added moves with all that follows them: the first as a line's next move, the others, or all,
    // as variations.
    void add_line(Tokens& tokens, const std::vector<std::size_t>& first, bool all_variations) {
        struct Step {
            enum class Kind : std::uint8_t { move, replies, open, close } kind;
            std::size_t added;
        };
        std::vector<Step> steps; // the next one is the last
        const auto push = [&](const std::vector<std::size_t>& moves, bool variations) {
            const std::size_t from = variations ? 0 : 1;
            if (!variations && !moves.empty()) {
                steps.push_back({Step::Kind::replies, moves.front()});
            }
            for (std::size_t i = moves.size(); i > from; --i) {
                steps.push_back({Step::Kind::close, 0});
                steps.push_back({Step::Kind::replies, moves[i - 1]});
                steps.push_back({Step::Kind::move, moves[i - 1]});
                steps.push_back({Step::Kind::open, 0});
            }
            if (!variations && !moves.empty()) {
                steps.push_back({Step::Kind::move, moves.front()});
            }
        };
        push(first, all_variations);
        while (!steps.empty()) {
            const Step step = steps.back();
            steps.pop_back();
            switch (step.kind) {
            case Step::Kind::open: tokens.emplace_back(VariationStart{}); break;
            case Step::Kind::close: tokens.emplace_back(VariationEnd{}); break;
            case Step::Kind::replies: push(added_[step.added].children, false); break;
            case Step::Kind::move:
                tokens.emplace_back(added_[step.added].move);
                add_to(tokens, added_[step.added].said);
                break;
            }
        }
    }

    const GameTree& tree_;
    std::vector<Tokens> said_; // of the tree, grown by what the other says
    const GameTree& other_;
    std::vector<Added> added_;
    std::map<Node, std::vector<std::size_t>> children_; // added ones
    std::map<Node, Tokens> annotations_;                // added ones
};

} // namespace

EditResult merge(const GameTree& tree, const AnnotatedGame& other) {
    if (!(tree.game().start == other.start)) {
        return std::unexpected("the games begin in different positions: " +
                               tree.game().start.fen() + " and " + other.start.fen());
    }
    const GameTree other_tree{other};
    return edit_to(tree.game(), Merging{tree, other_tree}.merged());
}

} // namespace adjourn::chess
