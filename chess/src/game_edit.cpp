#include "chess/game_edit.hpp"

#include "game_tokens.hpp"

#include "chess/nag.hpp"
#include "chess/notation.hpp"
#include "chess/pgn_comment.hpp"

#include <algorithm>
#include <optional>

namespace adjourn::chess {

using namespace detail;

namespace {

using Node = GameTree::Node;
using Range = GameTree::Range;
using Tokens = std::vector<GameToken>;

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
    list.copy(0, range.first);
    for (const GameToken& token : annotations) {
        list.add(token);
    }
    return edit_to(tree.game(), list.rest(range.end).take());
}

Tokens tokens_of(const GameTree& tree, Range range) {
    return TokenList{tree.game().moves}.copy(range.first, range.end).take();
}

const std::string* comment_in(const GameToken& token) {
    if (const auto* comment = std::get_if<PgnComment>(&token)) {
        return &comment->text;
    }
    const auto* line = std::get_if<PgnLineComment>(&token);
    return line == nullptr ? nullptr : &line->text;
}

} // namespace

bool apply(AnnotatedGame& game, const GameEdit& edit) {
    Tokens& tokens = game.moves;
    if (edit.at > tokens.size() || edit.removed.size() > tokens.size() - edit.at ||
        !std::equal(edit.removed.begin(), edit.removed.end(),
                    tokens.begin() + static_cast<std::ptrdiff_t>(edit.at))) {
        return false;
    }
    const auto first = tokens.begin() + static_cast<std::ptrdiff_t>(edit.at);
    const auto behind =
        tokens.erase(first, first + static_cast<std::ptrdiff_t>(edit.removed.size()));
    tokens.insert(behind, edit.added.begin(), edit.added.end());
    return true;
}

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
    return edit_to(tree.game(), list.rest(at).take());
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
    return edit_to(tree.game(), list.take());
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
    return edit_to(tree.game(), list.take());
}

EditResult make_main_line(const GameTree& tree, Node node) {
    if (node == GameTree::start) {
        return GameEdit{};
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
            return edit_to(tree.game(), game.moves);
        }
        const auto edit = promote(now, at);
        if (!edit) {
            return edit;
        }
        token = token_when_promoted(now, at);
        apply(game, *edit);
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

} // namespace adjourn::chess
