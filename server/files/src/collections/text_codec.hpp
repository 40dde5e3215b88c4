// The texts in the file of a collection: best games and sources.
#pragma once

#include "files/collections/collection.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace adjourn::collections {

inline constexpr std::size_t longest_game_text = 256; // bytes

// Names are cut so that it fits.
std::string game_text(const KnownGame& game);
// Of what begins with a game's text. Empty names where it is none.
KnownGame game_of(std::string_view text);

std::string sources_text(const std::vector<Source>& sources);
// What can be read of it. `say_whole`: whether they say so (Header::sources_say_whole).
std::vector<Source> sources_of(std::string_view text, bool say_whole);

} // namespace adjourn::collections
