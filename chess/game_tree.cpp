#include "chess/game_tree.hpp"

#include "base/text.hpp"
#include "chess/pgn_text.hpp"
#include "chess/text.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

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

using namespace detail;

namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 7> roster{
    {{"Event", "?"},
     {"Site", "?"},
     {"Date", "????.??.??"},
     {"Round", "?"},
     {"White", "?"},
     {"Black", "?"},
     {"Result", "*"}}};

} // namespace

bool is_annotation(const GameToken& token) {
    return !std::holds_alternative<Move>(token) && !std::holds_alternative<VariationStart>(token) &&
           !std::holds_alternative<VariationEnd>(token);
}

const std::string* comment_in(const GameToken& token) {
    if (const auto* comment = std::get_if<PgnComment>(&token)) {
        return &comment->text;
    }
    const auto* line = std::get_if<PgnLineComment>(&token);
    return line == nullptr ? nullptr : &line->text;
}

PgnComment PgnComment::of(std::string_view text) {
    return {comment_text(base::to_utf8(text)).text};
}

AnnotatedGame new_game(const Position& start, const std::vector<PgnTag>& tags,
                       const std::string& result) {
    AnnotatedGame game{{}, start, {}, result, {}};
    for (const auto& [name, unknown] : roster) {
        const std::string_view given = name == "Result" ? result : tag_value(tags, name);
        game.tags.push_back({std::string{name}, std::string{given.empty() ? unknown : given}});
    }
    std::vector<PgnTag> others;
    for (const PgnTag& tag : tags) {
        const auto is_this = [&](const auto& item) { return item.first == tag.name; };
        if (std::ranges::none_of(roster, is_this) && tag.name != "FEN" && tag.name != "SetUp") {
            others.push_back(tag);
        }
    }
    if (start.fen() != Position::initial().fen()) {
        if (start.chess960() && tag_value(tags, "Variant").empty()) {
            others.push_back({"Variant", "Chess960"});
        }
        others.push_back({"SetUp", "1"});
        others.push_back({"FEN", start.fen()});
    }
    // The export format wants them in the order of ASCII.
    std::ranges::stable_sort(others, {}, &PgnTag::name);
    std::ranges::move(others, std::back_inserter(game.tags));
    return game;
}

std::string_view tag_value(const std::vector<PgnTag>& tags, std::string_view name) {
    const auto found = std::ranges::find(tags, name, &PgnTag::name);
    return found == tags.end() ? std::string_view{} : std::string_view{found->value};
}

namespace detail {

CommentText comment_text(std::string_view text) {
    CommentText made;
    std::size_t blanks = 0;
    std::size_t line_ends = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '\r' && i + 1 < text.size() && text[i + 1] == '\n') {
            continue;
        }
        if (c == '\n' || c == '\r') {
            ++line_ends;
            continue;
        }
        if (c == ' ' || is_control(c)) {
            made.changed = made.changed || (c != ' ' && c != '\t');
            ++blanks;
            continue;
        }
        if (!made.text.empty() && line_ends > 1) {
            made.text.append(line_ends, '\n');
        } else if (!made.text.empty()) {
            made.text.append(line_ends == 1 ? 1 : blanks, ' ');
        }
        blanks = 0;
        line_ends = 0;
        made.changed = made.changed || c == '{' || c == '}';
        made.text += c == '{' ? '(' : c == '}' ? ')' : c;
    }
    return made;
}

CommentText line_comment_text(std::string_view text) {
    CommentText made{std::string{trimmed(text)}};
    for (char& c : made.text) {
        made.changed = made.changed || (is_control(c) && c != '\t');
        c = is_control(c) ? ' ' : c;
    }
    made.text = std::string{trimmed(made.text)};
    return made;
}

} // namespace detail

} // namespace adjourn::chess
