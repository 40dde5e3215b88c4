#include "chess/game_edit.hpp"

#include "chess/game_reader.hpp"
#include "chess/notation.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>

namespace adjourn::chess {

namespace {

using Node = GameTree::Node;
using Range = GameTree::Range;
using Tokens = std::vector<GameToken>;

// Tokens, most of them copied from a game.
class TokenList {
public:
    explicit TokenList(const Tokens& from) : from_{from} { tokens_.reserve(from.size() + 2); }
    TokenList& copy(std::size_t first, std::size_t end) {
        tokens_.insert(tokens_.end(), from_.begin() + static_cast<std::ptrdiff_t>(first),
                       from_.begin() + static_cast<std::ptrdiff_t>(end));
        return *this;
    }
    TokenList& add(GameToken token) {
        tokens_.push_back(std::move(token));
        return *this;
    }
    TokenList& add(const Tokens& tokens) {
        tokens_.insert(tokens_.end(), tokens.begin(), tokens.end());
        return *this;
    }
    TokenList& rest(std::size_t first) { return copy(first, from_.size()); }
    Tokens take() { return std::move(tokens_); }

private:
    const Tokens& from_;
    Tokens tokens_;
};

std::size_t text_bytes(const GameToken& token) {
    const std::string* comment = comment_in(token);
    const auto* escape = std::get_if<PgnEscape>(&token);
    return comment != nullptr ? comment->size() : escape != nullptr ? escape->text.size() : 0;
}

// The tokens, if a game can have them.
EditResult within_bounds(Tokens tokens) {
    const auto beyond = [](const std::string& what) {
        return std::unexpected("the game would have " + what);
    };
    std::vector<std::size_t> plies{0}; // of the line and of those around it
    std::size_t bytes = 0;
    for (const GameToken& token : tokens) {
        if (std::holds_alternative<Move>(token) && ++plies.back() > most_plies) {
            return beyond("a line of more than " + std::to_string(most_plies) + " plies");
        }
        if (std::holds_alternative<VariationStart>(token)) {
            plies.push_back(plies.back() - 1);
        } else if (std::holds_alternative<VariationEnd>(token)) {
            plies.pop_back();
        }
        if (plies.size() > most_nested + 1) {
            return beyond("variations nested more than " + std::to_string(most_nested) + " deep");
        }
        const std::size_t size = text_bytes(token);
        bytes += size;
        if (size > GameReader::longest_comment || bytes > GameReader::most_text) {
            return beyond("a comment of more than 768 KiB, or comments of more than 8 MiB");
        }
    }
    if (tokens.size() > GameReader::most_tokens) {
        return beyond("more than " + std::to_string(GameReader::most_tokens) +
                      " moves, signs and comments");
    }
    return tokens;
}

// Tokens of a variation's first move.
struct FirstMove {
    Range before;    // annotations between the bracket and it
    std::size_t end; // behind it, its annotations and its variations
};

Node first_of_line(const GameTree& tree, Node node) {
    const std::size_t open = tree.line(node).open;
    while (tree.parent(node) != GameTree::start && tree.line(tree.parent(node)).open == open) {
        node = tree.parent(node);
    }
    return node;
}

FirstMove first_move(const GameTree& tree, Node first) {
    return {{tree.line(first).open + 1, tree.token(first)}, tree.end_of_variations(first)};
}

// The first variation that stands behind a move.
std::optional<Node> first_variation(const GameTree& tree, Node node) {
    const Node next = node + 1;
    const bool found = next < tree.size() && tree.line(next).replaced == node;
    return found ? std::optional{next} : std::nullopt;
}

// Where promote() puts a move: it changes the order of tokens, not their number.
std::size_t token_when_promoted(const GameTree& tree, Node node) {
    const GameTree::Line& line = tree.line(node);
    const FirstMove first = first_move(tree, first_of_line(tree, node));
    const std::size_t token = tree.token(node);
    return token < first.end ? tree.token(line.replaced) + token - first.before.first
                             : tree.line(line.replaced).end - (line.end - token);
}

EditResult with_annotations(const GameTree& tree, Range range, const Tokens& annotations) {
    TokenList list{tree.game().moves};
    return within_bounds(list.copy(0, range.first).add(annotations).rest(range.end).take());
}

Tokens tokens_of(const GameTree& tree, Range range) {
    return TokenList{tree.game().moves}.copy(range.first, range.end).take();
}

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
        for (const auto& [node, added] : added_) {
            const Node next = tree_.first_child(node);
            const bool ends = next == GameTree::none;
            inserts[{tree_.behind(node).end, 0}] = added.said(GameDraft::start);
            inserts[ends ? Place{tree_.line(node).end, 2}
                         : Place{tree_.end_of_variations(next), 1}] = added.moves(!ends);
        }
        TokenList list{tree_.game().moves};
        std::size_t at = 0;
        for (const auto& [place, tokens] : inserts) {
            list.copy(at, place.token).add(tokens);
            at = place.token;
        }
        return list.rest(at).take();
    }

private:
    struct Place {
        std::size_t token;
        int order; // annotations, then variations, then what goes on

        auto operator<=>(const Place&) const = default;
    };
    // A node of the tree, or a move that was added to one.
    struct Target {
        Node node;
        GameDraft::Node added = GameDraft::start;
    };

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
        if (parent.added == GameDraft::start) {
            if (const auto child = tree_.child(parent.node, move)) {
                return {*child};
            }
        }
        return {parent.node, added_[parent.node].add(parent.added, move)};
    }

    void say(const Target& target, const Tokens& tokens) {
        for (const GameToken& token : tokens) {
            const auto is_same = [&](const GameToken& other) {
                return says_the_same(token, other);
            };
            GameDraft& draft = added_[target.node];
            const bool there = target.added == GameDraft::start &&
                               std::ranges::any_of(said_[target.node], is_same);
            if (!there && std::ranges::none_of(draft.said(target.added), is_same)) {
                draft.say(target.added, token);
            }
        }
    }

    const GameTree& tree_;
    const std::vector<Tokens> said_; // of the tree
    const GameTree& other_;
    std::map<Node, GameDraft> added_; // to a node of the tree
};

} // namespace

EditResult add_move(const GameTree& tree, Node node, Move move) {
    const Position position = tree.position(node);
    if (!position.is_legal(move)) {
        return std::unexpected("the move is illegal in " + position.fen());
    }
    if (tree.child(node, move)) {
        return std::unexpected(to_san(position, move) + " is there already");
    }
    const Node next = tree.first_child(node);
    const std::size_t at =
        next == GameTree::none ? tree.line(node).end : tree.end_of_variations(next);
    TokenList list{tree.game().moves};
    list.copy(0, at);
    if (next == GameTree::none) {
        list.add(move);
    } else {
        list.add(VariationStart{}).add(move).add(VariationEnd{});
    }
    return within_bounds(list.rest(at).take());
}

EditResult delete_move(const GameTree& tree, Node node) {
    if (node == GameTree::start) {
        return std::unexpected("the start of a game cannot be deleted");
    }
    const GameTree::Line& line = tree.line(node);
    TokenList list{tree.game().moves};
    if (const auto heir = first_variation(tree, node)) {
        const GameTree::Line& its = tree.line(*heir);
        list.copy(0, tree.token(node));
        list.copy(its.open + 1, tree.end_of_variations(*heir));
        list.copy(its.end + 1, tree.end_of_variations(node));
        list.copy(tree.end_of_variations(*heir), its.end).rest(line.end);
    } else if (line.replaced != GameTree::none && first_of_line(tree, node) == node) {
        list.copy(0, line.open).rest(line.end + 1);
    } else {
        list.copy(0, tree.token(node)).rest(line.end);
    }
    return within_bounds(list.take());
}

EditResult promote(const GameTree& tree, Node node) {
    if (tree.in_main_line(node)) {
        return std::unexpected("the move is in the main line");
    }
    const GameTree::Line& line = tree.line(node);
    const FirstMove first = first_move(tree, first_of_line(tree, node));
    const Node old = line.replaced;
    const std::size_t old_end = tree.behind(old).end;
    const std::size_t variations_end = tree.end_of_variations(old);
    const GameTree::Line& around = tree.line(old);
    TokenList list{tree.game().moves};
    list.copy(0, tree.token(old)).copy(first.before.first, first.end);
    list.copy(old_end, line.open).add(VariationStart{});
    list.copy(tree.token(old), old_end).copy(variations_end, around.end).add(VariationEnd{});
    list.copy(line.end + 1, variations_end).copy(first.end, line.end).rest(around.end);
    return within_bounds(list.take());
}

EditResult make_main_line(const GameTree& tree, Node node) {
    if (node == GameTree::start) {
        return tree.game().moves;
    }
    AnnotatedGame game = tree.game();
    std::size_t token = tree.token(node);
    for (;;) { // each turn takes the move out of one pair of brackets
        const GameTree now{game};
        Node at = 1;
        while (now.token(at) != token) {
            ++at;
        }
        if (now.in_main_line(at)) {
            return within_bounds(std::move(game.moves));
        }
        auto promoted = promote(now, at);
        if (!promoted) {
            return promoted;
        }
        token = token_when_promoted(now, at);
        game.moves = std::move(*promoted);
    }
}

EditResult set_nag(const GameTree& tree, Node node, std::uint8_t number) {
    if (node == GameTree::start) {
        return std::unexpected("there is no move");
    }
    const Range range = tree.behind(node);
    Tokens tokens = tokens_of(tree, range);
    const PgnNag nag{number, number >= 1 && number <= 6};
    std::size_t at = 0; // behind the NAGs
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const auto* other = std::get_if<PgnNag>(&tokens[i]);
        if (other == nullptr) {
            continue;
        }
        const NagKind kind = nag_kind(number);
        if (other->number == number ||
            (kind != NagKind::other && nag_kind(other->number) == kind)) {
            tokens[i] = nag;
            return with_annotations(tree, range, tokens);
        }
        at = at == i ? i + 1 : at;
    }
    tokens.insert(tokens.begin() + static_cast<std::ptrdiff_t>(at), nag);
    return with_annotations(tree, range, tokens);
}

EditResult clear_nag(const GameTree& tree, Node node, std::uint8_t number) {
    if (node == GameTree::start) {
        return std::unexpected("there is no move");
    }
    const Range range = tree.behind(node);
    Tokens tokens = tokens_of(tree, range);
    std::erase_if(tokens, [&](const GameToken& token) {
        const auto* nag = std::get_if<PgnNag>(&token);
        return nag != nullptr && nag->number == number;
    });
    return with_annotations(tree, range, tokens);
}

EditResult set_comment(const GameTree& tree, Node node, CommentPlace place, std::string_view text) {
    std::optional<Range> range = tree.behind(node);
    if (place == CommentPlace::before && node != GameTree::start) {
        range = tree.before(node);
        if (!range) {
            return std::unexpected("a comment here is the comment behind the move before");
        }
    }
    std::string kept; // commands
    Tokens tokens;
    std::optional<std::size_t> at; // where the first comment was
    for (GameToken& token : tokens_of(tree, *range)) {
        if (const std::string* comment = comment_in(token)) {
            for (const PgnCommand& command : commands_in_comment(*comment)) {
                kept += (kept.empty() ? "" : " ") + std::string{command.whole};
            }
            at = at.value_or(tokens.size());
        } else {
            tokens.push_back(std::move(token));
        }
    }
    kept += kept.empty() || text.empty() ? "" : " ";
    PgnComment comment = PgnComment::of(kept + std::string{text});
    if (!comment.text.empty()) {
        tokens.insert(tokens.begin() + static_cast<std::ptrdiff_t>(at.value_or(tokens.size())),
                      std::move(comment));
    }
    return with_annotations(tree, *range, tokens);
}

EditResult set_marks(const GameTree& tree, Node node, const std::vector<BoardMark>& marks) {
    const Range range = tree.behind(node);
    std::string drawn = to_text(marks);
    Tokens tokens;
    for (GameToken& token : tokens_of(tree, range)) {
        const std::string* comment = comment_in(token);
        if (comment == nullptr) {
            tokens.push_back(std::move(token));
            continue;
        }
        const std::string rest = without_command(without_command(*comment, "csl"), "cal");
        const std::string whole = drawn + (drawn.empty() || rest.empty() ? "" : " ") + rest;
        if (rest == *comment && drawn.empty()) {
            tokens.push_back(std::move(token));
        } else if (!whole.empty()) {
            tokens.emplace_back(PgnComment::of(whole));
        }
        drawn.clear();
    }
    if (!drawn.empty()) {
        tokens.emplace_back(PgnComment{std::move(drawn)});
    }
    return with_annotations(tree, range, tokens);
}

// Two games as one.

EditResult merge(const GameTree& tree, const AnnotatedGame& other) {
    if (!(tree.game().start == other.start)) {
        return std::unexpected("the games begin in different positions: " +
                               tree.game().start.fen() + " and " + other.start.fen());
    }
    const GameTree other_tree{other};
    return within_bounds(Merging{tree, other_tree}.merged());
}

GameDraft::Node GameDraft::add(Node at, Move move) {
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

GameDraft::Node GameDraft::add_line(Node at, std::span<const Move> moves) {
    for (const Move move : moves) {
        at = add(at, move);
    }
    return at;
}

std::vector<GameToken> GameDraft::tokens() const {
    Tokens tokens = said(start);
    std::ranges::move(moves(false), std::back_inserter(tokens));
    return tokens;
}

std::vector<GameToken> GameDraft::moves(bool all_variations) const {
    struct Step {
        enum class Kind : std::uint8_t { variation, replies, close } kind;
        Node node;
    };
    Tokens tokens;
    std::vector<Step> steps; // the next one is the last
    const auto play = [&](Node node) {
        tokens.emplace_back(nodes_[node].move);
        tokens.insert(tokens.end(), said(node).begin(), said(node).end());
        steps.push_back({Step::Kind::replies, node});
    };
    const auto add_variations = [&](const std::vector<Node>& replies, std::size_t first) {
        for (std::size_t i = replies.size(); i > first; --i) {
            steps.push_back({Step::Kind::variation, replies[i - 1]});
        }
    };
    all_variations ? add_variations(nodes_[start].replies, 0)
                   : steps.push_back({Step::Kind::replies, start});
    while (!steps.empty()) {
        const Step step = steps.back();
        steps.pop_back();
        const auto& replies = nodes_[step.node].replies;
        switch (step.kind) {
        case Step::Kind::close: tokens.emplace_back(VariationEnd{}); break;
        case Step::Kind::variation:
            tokens.emplace_back(VariationStart{});
            steps.push_back({Step::Kind::close, start});
            play(step.node);
            break;
        case Step::Kind::replies:
            if (!replies.empty()) {
                play(replies.front());
                add_variations(replies, 1);
            }
            break;
        }
    }
    return tokens;
}

} // namespace adjourn::chess
