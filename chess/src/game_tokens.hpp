// Movetext as a list of tokens that is put together from others.
#pragma once

#include "chess/game_edit.hpp"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace adjourn::chess::detail {

// Tokens, most of them copied from a game.
class TokenList {
public:
    explicit TokenList(const std::vector<GameToken>& from) : from_{from} {
        tokens_.reserve(from.size() + 2);
    }
    TokenList& copy(std::size_t first, std::size_t end) {
        tokens_.insert(tokens_.end(), from_.begin() + static_cast<std::ptrdiff_t>(first),
                       from_.begin() + static_cast<std::ptrdiff_t>(end));
        return *this;
    }
    TokenList& add(GameToken token) {
        tokens_.push_back(std::move(token));
        return *this;
    }
    TokenList& rest(std::size_t first) { return copy(first, from_.size()); }
    std::vector<GameToken> take() { return std::move(tokens_); }

private:
    const std::vector<GameToken>& from_;
    std::vector<GameToken> tokens_;
};

// From the game's tokens to these, if they are within the bounds of a game.
EditResult edit_to(const AnnotatedGame& game, const std::vector<GameToken>& tokens);

} // namespace adjourn::chess::detail
