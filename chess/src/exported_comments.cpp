#include "chess/exported_comments.hpp"

#include "chess/nag.hpp"
#include "chess/pgn_comment.hpp"

#include "base/number.hpp"

#include <algorithm>
#include <utility>

namespace adjourn::chess {

namespace {

using Tokens = std::vector<GameToken>;

constexpr std::string_view mark_name = "adj";
constexpr std::string_view mark_body = "engine";

std::optional<PgnCommand> mark_of(std::string_view comment) {
    if (!comment.starts_with("[%")) {
        return std::nullopt;
    }
    const auto commands = commands_in_comment(comment);
    const bool marked = !commands.empty() && commands.front().name == mark_name;
    return marked ? std::optional{commands.front()} : std::nullopt;
}

std::optional<std::uint8_t> nag_of(const PgnCommand& mark) {
    const auto sign = mark.body.find('$');
    return sign == std::string_view::npos
               ? std::nullopt
               : base::parse_number<std::uint8_t>(mark.body.substr(sign + 1));
}

void remove_from(Tokens& tokens) {
    Tokens kept;
    kept.reserve(tokens.size());
    std::size_t run = 0; // where the annotations begin among which the next one stands
    for (GameToken& token : tokens) {
        const auto* comment = std::get_if<PgnComment>(&token);
        const auto mark = comment == nullptr ? std::nullopt : mark_of(comment->text);
        if (!mark) {
            const bool annotation = is_annotation(token);
            kept.push_back(std::move(token));
            run = annotation ? run : kept.size();
            continue;
        }
        if (const auto nag = nag_of(*mark)) {
            const auto found = std::find(kept.begin() + static_cast<std::ptrdiff_t>(run),
                                         kept.end(), GameToken{PgnNag{*nag, false}});
            if (found != kept.end()) {
                kept.erase(found);
            }
        }
    }
    tokens = std::move(kept);
}

} // namespace

PgnComment exported_comment(std::optional<std::uint8_t> nag, std::string_view text) {
    std::string whole = "[%" + std::string{mark_name} + " " + std::string{mark_body};
    whole += nag ? ",$" + std::to_string(*nag) + "]" : "]";
    whole += text.empty() ? "" : " ";
    return PgnComment::of(whole + std::string{text});
}

bool is_exported(std::string_view comment) {
    return mark_of(comment).has_value();
}

void remove_exported(AnnotatedGame& game) {
    remove_from(game.moves);
    remove_from(game.behind);
}

void ExportedComments::say(GameTree::Node node, std::optional<std::uint8_t> nag,
                           std::string_view text, bool quiet) {
    const GameTree::Range range = tree_.behind(node);
    const std::vector<GameToken>& from = tree_.game().moves;
    std::size_t behind_nags = range.first;
    for (std::size_t i = range.first; i < range.end; ++i) {
        const auto* other = std::get_if<PgnNag>(&from[i]);
        behind_nags = other != nullptr && i == behind_nags ? i + 1 : behind_nags;
        if (other != nullptr && nag && nag_kind(other->number) == nag_kind(*nag)) {
            nag.reset();
        }
    }
    if (nag) {
        copy(behind_nags);
        tokens_.emplace_back(PgnNag{*nag, false});
    }
    if (!text.empty() || (nag && !quiet)) {
        copy(range.end);
        tokens_.emplace_back(exported_comment(nag, text));
    }
}

std::vector<GameToken> ExportedComments::take() {
    copy(tree_.game().moves.size());
    return std::move(tokens_);
}

void ExportedComments::copy(std::size_t end) {
    const std::vector<GameToken>& from = tree_.game().moves;
    tokens_.insert(tokens_.end(), from.begin() + static_cast<std::ptrdiff_t>(copied_),
                   from.begin() + static_cast<std::ptrdiff_t>(end));
    copied_ = end;
}

} // namespace adjourn::chess
