#include "game_tokens.hpp"

#include "chess/game_reader.hpp"

#include <algorithm>

namespace adjourn::chess::detail {

namespace {

std::size_t text_bytes(const GameToken& token) {
    if (const auto* comment = std::get_if<PgnComment>(&token)) {
        return comment->text.size();
    }
    if (const auto* comment = std::get_if<PgnLineComment>(&token)) {
        return comment->text.size();
    }
    const auto* escape = std::get_if<PgnEscape>(&token);
    return escape == nullptr ? 0 : escape->text.size();
}

// Why a game cannot have these tokens; "" if it can.
std::string beyond_bounds(const std::vector<GameToken>& tokens) {
    std::vector<std::size_t> plies{0}; // of the line and of those around it
    std::size_t bytes = 0;
    for (const GameToken& token : tokens) {
        if (std::holds_alternative<Move>(token) && ++plies.back() > most_plies) {
            return "a line of more than " + std::to_string(most_plies) + " plies";
        }
        if (std::holds_alternative<VariationStart>(token)) {
            plies.push_back(plies.back() - 1);
        } else if (std::holds_alternative<VariationEnd>(token)) {
            plies.pop_back();
        }
        if (plies.size() > most_nested + 1) {
            return "variations nested more than " + std::to_string(most_nested) + " deep";
        }
        const std::size_t size = text_bytes(token);
        bytes += size;
        if (size > GameReader::longest_comment || bytes > GameReader::most_text) {
            return "a comment of more than 768 KiB, or comments of more than 8 MiB";
        }
    }
    return tokens.size() > GameReader::most_tokens
               ? "more than " + std::to_string(GameReader::most_tokens) +
                     " moves, signs and comments"
               : "";
}

} // namespace

EditResult edit_to(const AnnotatedGame& game, const std::vector<GameToken>& tokens) {
    if (std::string why = beyond_bounds(tokens); !why.empty()) {
        return std::unexpected("the game would have " + why);
    }
    const std::vector<GameToken>& old = game.moves;
    const auto [first, new_first] = std::ranges::mismatch(old, tokens);
    auto end = old.end();
    auto new_end = tokens.end();
    while (end != first && new_end != new_first && *(end - 1) == *(new_end - 1)) {
        --end;
        --new_end;
    }
    return GameEdit{
        static_cast<std::size_t>(first - old.begin()), {first, end}, {new_first, new_end}};
}

} // namespace adjourn::chess::detail
