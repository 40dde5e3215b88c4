#include "files/openings/openings.hpp"

#include "files/openings/opening_book.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace adjourn::server {

using nlohmann::json;

json opening_json(const RunView& run, const std::vector<chess::Move>& line) {
    chess::Position position = run.start;
    const Opening* named = opening_book().at(position);
    const auto walk = [&](const std::vector<chess::Move>& moves) {
        for (const chess::Move move : moves) {
            position.play(move);
            if (const Opening* found = opening_book().at(position)) {
                named = found;
            }
        }
    };
    walk(run.moves_before());
    walk(line);
    if (named == nullptr) {
        return nullptr;
    }
    return {{"eco", named->eco}, {"name", named->name}};
}

std::size_t book_moves(const chess::Position& start, const std::vector<chess::Move>& line) {
    std::size_t known = 0;
    chess::Position position = start;
    for (std::size_t i = 0; i < line.size(); ++i) {
        position.play(line[i]);
        known = opening_book().at(position) != nullptr ? i + 1 : known;
    }
    return known;
}

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
