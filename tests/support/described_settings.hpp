// The settings of an analysis, by the table and as the description of the API has them.
#pragma once

#include "core/records/settings.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <string>

namespace adjourn::server {

using nlohmann::json;

inline json::json_pointer pointer_to(const std::string& place) {
    std::string pointer = "/" + place;
    std::replace(pointer.begin(), pointer.end(), '.', '/');
    return json::json_pointer{pointer};
}

// As JSON has it in a request; of a flag 0 is no.
inline json value_for(const Setting& setting, double value) {
    return setting.kind == Setting::Kind::flag    ? json(value != 0)
           : setting.kind == Setting::Kind::whole ? json(static_cast<std::int64_t>(value))
                                                  : json(value);
}

// A strategy that has the setting.
inline const char* kind_with(const std::string& place) {
    return place == "strategy.side" || place == "strategy.draw" ? "prove"
           : place == "strategy.court"                          ? "anchored"
                                                                : "dropout";
}

// Another value than the one that is shown. A new setting with a form of its own gets its row here.
inline json other_value(const Setting& setting, const json& shown) {
    static const std::map<std::string, json> particular{
        {"engine", "simulated"},
        {"second_engine", "simulated"},
        {"window", "21:00-06:30"},
        {"accept", json::array({"lichess"})},
        {"accept_also", json::array({"lichess"})},
        {"tags", json::array({"one", "two"})},
        {"strategy.kind", "halving"},
        {"strategy.plan", json::array({{{"window", 40}}})},
        {"game.move_by", "2026-12-03"},
        {"my_side", "black"},
    };
    if (const auto found = particular.find(setting.place); found != particular.end()) {
        return found->second;
    }
    switch (setting.kind) {
    case Setting::Kind::flag: return shown != true;
    case Setting::Kind::whole:
    case Setting::Kind::number:
        return value_for(setting,
                         shown == value_for(setting, setting.most) ? setting.least : setting.most);
    case Setting::Kind::text: return "a text";
    case Setting::Kind::other: FAIL("no value of " << setting.place);
    }
    return nullptr;
}

// What a body of the schema may hold, by its places: "strategy.floor".
using Leaves = std::map<std::string, json>;

inline void add_leaves(const json& document, const json& schema, const std::string& place,
                       Leaves& to) {
    if (schema.contains("$ref")) {
        const auto target = schema["$ref"].get<std::string>().substr(1);
        add_leaves(document, document[json::json_pointer{target}], place, to);
    } else if (schema.contains("properties") && place != "position") {
        for (const auto& [name, inner] : schema["properties"].items()) {
            add_leaves(document, inner, place.empty() ? name : place + "." + name, to);
        }
    } else {
        to[place] = schema;
    }
}

inline Leaves leaves_of(const json& document, const std::string& schema) {
    Leaves all;
    add_leaves(document, document["components"]["schemas"][schema], "", all);
    return all;
}

} // namespace adjourn::server
