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

std::string trouble_of(const GameField& field, const std::string& text) {
    if (text.size() > field.most) {
        return "must have at most " + std::to_string(field.most) + " bytes";
    }
    if (base::has_control_characters(text)) {
        return "must have no control characters";
    }
    if (field.member == &GameLabels::move_by && !text.empty() && !is_day(text)) {
        return "must be a day such as 2026-12-03";
    }
    return "";
}

} // namespace

nlohmann::json game_json(const GameLabels& game) {
    nlohmann::json out = nlohmann::json::object();
    for (const GameField& field : game_fields) {
        if (const std::string& text = game.*field.member; !text.empty()) {
            out[std::string{field.name}] = text;
        }
    }
    return out;
}

std::optional<std::vector<std::string>> read_tags(const base::JsonObject& reader) {
    const auto texts = reader.find("tags").texts(most_tags);
    if (!texts) {
        return std::nullopt;
    }
    std::vector<std::string> tags;
    for (const std::string& text : *texts) {
        std::string tag{base::trimmed(text)};
        if (tag.empty() || tag.size() > longest_tag || base::has_control_characters(tag) ||
            tag.find(',') != std::string::npos) {
            reader.wrong("tags", reader.path_of("tags") + " must have 1 to " +
                                     std::to_string(longest_tag) +
                                     " bytes each, without commas and control characters");
        } else if (std::ranges::find(tags, tag) == tags.end()) {
            tags.push_back(std::move(tag));
        }
    }
    return tags;
}

std::optional<GameLabels> read_game(const base::JsonObject& reader, const GameLabels& base) {
    const auto given = reader.find("game");
    if (!given.there()) {
        return std::nullopt;
    }
    const auto object = given.object();
    GameLabels game = base;
    for (const GameField& field : game_fields) {
        auto text = object.find(field.name).text();
        if (!text) {
            continue;
        }
        if (const std::string trouble = trouble_of(field, *text); !trouble.empty()) {
            object.wrong(field.name, object.path_of(field.name) + " " + trouble);
        } else {
            game.*field.member = std::move(*text);
        }
    }
    return game;
}

} // namespace adjourn::server
