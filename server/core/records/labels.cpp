#include "core/records/labels.hpp"

#include "base/number.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <chrono>

namespace adjourn::server {

namespace {

bool is_day(std::string_view text) {
    if (text.size() != 10 || text[4] != '-' || text[7] != '-') {
        return false;
    }
    const auto year = base::parse_number<int>(text.substr(0, 4));
    const auto month = base::parse_number<unsigned>(text.substr(5, 2));
    const auto day = base::parse_number<unsigned>(text.substr(8, 2));
    return year && month && day &&
           std::chrono::year_month_day{std::chrono::year{*year}, std::chrono::month{*month},
                                       std::chrono::day{*day}}
               .ok();
}

} // namespace

std::optional<std::vector<std::string>> read_tags(const base::JsonValue& given) {
    const auto texts = given.texts(most_tags);
    if (!texts) {
        return std::nullopt;
    }
    std::vector<std::string> tags;
    for (const std::string& text : *texts) {
        std::string tag{base::trimmed(text)};
        if (tag.empty() || tag.size() > longest_tag || base::has_control_characters(tag) ||
            tag.find(',') != std::string::npos) {
            given.wrong(given.path() + " must have 1 to " + std::to_string(longest_tag) +
                        " bytes each, without commas and control characters");
        } else if (std::ranges::find(tags, tag) == tags.end()) {
            tags.push_back(std::move(tag));
        }
    }
    return tags;
}

GameLabels read_game(const base::JsonObject& given, const GameLabels& now) {
    GameLabels game = now;
    read_fields<GameLabels>(given, game_fields, game);
    if (!game.move_by.empty() && !is_day(game.move_by)) {
        given.wrong("move_by", given.path_of("move_by") + " must be a day such as 2026-12-03");
        game.move_by = now.move_by;
    }
    return game;
}

} // namespace adjourn::server
