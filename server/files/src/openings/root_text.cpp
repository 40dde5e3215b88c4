#include "files/openings/root_text.hpp"

#include "files/openings/openings.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace adjourn::server {

namespace {

// A name has a word of letters and nothing that only positions and games have.
bool may_be_a_name(std::string_view text) {
    const bool has_word = std::ranges::any_of(
        text, [](char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c < 0; });
    constexpr std::size_t longest_name = 100; // bytes
    return has_word && text.size() <= longest_name &&
           text.find_first_of("/[{\n=") == std::string_view::npos;
}

} // namespace

std::expected<chess::PositionText, std::string> parse_root_text(std::string_view text) {
    auto position = chess::parse_position_text(text);
    if (position || !may_be_a_name(text)) {
        return position;
    }
    if (auto opening = opening_called(text)) {
        return chess::PositionText{chess::Position::initial(), std::move(opening->moves)};
    }
    const bool begins_as_moves = text.find_first_of("0123456789") != std::string_view::npos;
    const nlohmann::json near =
        begins_as_moves ? nlohmann::json::array() : search_openings(text, 3);
    if (near.empty()) {
        return position;
    }
    std::string names;
    for (const nlohmann::json& line : near) {
        names += (names.empty() ? "" : "; ") + line["name"].get<std::string>();
    }
    return std::unexpected(position.error() +
                           ", and no opening has just that name; near it: " + names);
}

} // namespace adjourn::server
