// The settings of an analysis as the description of the API has them.
#pragma once

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
