// Requests made from the API's own description: right ones, nearly right ones, and nonsense.
#pragma once

#include "described_calls.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace adjourn::server {

// Decisions, taken from bytes; always the first possibility when they are used up.
class Choices {
public:
    explicit Choices(std::span<const std::uint8_t> bytes) : bytes_{bytes} {}
    bool used_up() const { return bytes_.empty(); }
    std::size_t below(std::size_t count) {
        std::size_t number = 0;
        for (int i = 0; i < (count > 256 ? 2 : 1) && !bytes_.empty(); ++i) {
            number = number << 8U | bytes_.front();
            bytes_ = bytes_.subspan(1);
        }
        return count == 0 ? 0 : number % count;
    }
    bool one_in(std::size_t count) { return below(count) == count - 1; }
    template <class Range>
    const auto& of(const Range& range) {
        return *std::next(std::begin(range), static_cast<std::ptrdiff_t>(below(std::size(range))));
    }

private:
    std::span<const std::uint8_t> bytes_;
};

class DescribedRequests {
public:
    using json = nlohmann::json;

    struct Made {
        http::Request request;
        std::string call;       // "post /analyses"
        std::set<int> statuses; // that the description names
    };

    explicit DescribedRequests(json description)
        : description_(std::move(description)), calls_{described_calls(description_)} {}

    // `ids`: of the analyses there are; not empty.
    Made make(Choices& choices, const std::vector<std::int64_t>& ids) const {
        const DescribedCall& call = choices.of(calls_);
        const json& operation = call.operation;
        Made made{{call.method, call.pattern, {}, {}, ""}, call.name, {}};
        for (const auto& [status, response] : operation["responses"].items()) {
            made.statuses.insert(std::stoi(status));
        }
        for (const json* owner : {&call.item, &operation}) {
            if (owner->contains("parameters")) {
                for (const json& parameter : (*owner)["parameters"]) {
                    add(made.request, resolved(parameter), choices, ids);
                }
            }
        }
        if (choices.one_in(32)) {
            made.request.query.emplace_back(choices.of(texts), choices.of(texts));
        }
        if (operation.contains("requestBody")) {
            made.request.body = body(resolved(operation["requestBody"]), choices);
        } else if (choices.one_in(32)) {
            made.request.body = "{}";
        }
        return made;
    }

private:
    static constexpr std::array<const char*, 24> texts{
        "e4",
        "e2e4,c7c5",
        "1. e4 c5 2. Nf3",
        "",
        "Najdorf",
        "1. Nf3 Nf6 2. Ng1 Ng8",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "8/8/8/8/8/k1K5/8/7R w - - 0 1",
        "8/8/8/8/8/8/8/8 w - - 0 1",
        "e2e5",
        "1. e4 e5 *",
        "[Event \"?\"]\n\n1. e4 {x} (1. d4) *\n",
        "simulated",
        "include",
        "note",
        "0",
        "-1",
        "1e999",
        "99999999999999999999",
        "\xff\xfe",
        "\0x",
        "../../etc/passwd",
        "22:00-06:00",
        "Grünfeld ♘f3"};
    static constexpr int deepest = 6;

    const json& resolved(const json& schema) const {
        const json* at = &schema;
        while (at->is_object() && at->contains("$ref")) {
            at = &description_.at(json::json_pointer{(*at)["$ref"].get<std::string>().substr(1)});
        }
        return *at;
    }

    void add(http::Request& request, const json& parameter, Choices& choices,
             const std::vector<std::int64_t>& ids) const {
        const std::string name = parameter["name"];
        const bool wild = choices.one_in(12);
        const json made = wild ? json(choices.of(texts)) : value(parameter["schema"], choices, 0);
        const std::string text = made.is_string() ? made.get<std::string>() : made.dump();
        if (parameter["in"] == "path") {
            const std::string place = "{" + name + "}";
            const auto at = request.path.find(place);
            // Mostly one that is there.
            const std::string given =
                wild || choices.one_in(8) ? text : std::to_string(choices.of(ids));
            request.path.replace(at, place.size(), given);
        } else if (parameter.value("required", false) ? !choices.one_in(12) : choices.one_in(3)) {
            request.query.emplace_back(name, text);
            if (choices.one_in(24)) {
                request.query.emplace_back(name, text);
            }
        }
    }

    std::string body(const json& described, Choices& choices) const {
        const json& content = described["content"];
        if (!content.contains("application/json")) {
            return choices.of(texts);
        }
        const json& of_json = content["application/json"];
        json made = value(of_json["schema"], choices, 0);
        if (of_json.contains("examples") && choices.one_in(3)) {
            made = resolved(choices.of(of_json["examples"]))["value"];
        }
        std::string text = made.dump(-1, ' ', false, json::error_handler_t::replace);
        if (choices.one_in(24)) {
            text.resize(choices.below(text.size() + 1));
        }
        return text;
    }

    static json wild(Choices& choices) {
        switch (choices.below(9)) {
        case 0: return nullptr;
        case 1: return std::numeric_limits<std::int64_t>::min();
        case 2: return std::numeric_limits<std::uint64_t>::max();
        case 3: return 1e300;
        case 4: return json::array({json::array({json::object()})});
        case 5: return {{"x", nullptr}};
        case 6: return std::string(5000, 'e');
        case 7: return true;
        default: return choices.of(texts);
        }
    }

    static json number(const json& schema, Choices& choices) {
        const double least = schema.value("minimum", -3.0);
        const double most = schema.value("maximum", 1e9);
        const double small = std::min(most, least + static_cast<double>(choices.below(12)));
        const double all = choices.one_in(6) ? choices.one_in(2) ? most : least : small;
        const double past = choices.one_in(16) ? choices.one_in(2) ? most + 1 : least - 1 : all;
        return schema["type"] == "integer" ? json(static_cast<std::int64_t>(past)) : json(past);
    }

    json object(const json& schema, Choices& choices, int depth) const {
        json made = json::object();
        const json required = schema.value("required", json::array());
        const json properties = schema.value("properties", json::object());
        for (const auto& [name, property] : properties.items()) {
            const bool needed = std::find(required.begin(), required.end(), name) != required.end();
            if (needed ? !choices.one_in(24) : choices.one_in(depth < 2 ? 3 : 5)) {
                made[name] = value(property, choices, depth + 1);
            }
        }
        if (choices.one_in(24)) {
            made[choices.of(texts)[0] == '\0' ? "nonsense" : "Nonsense"] = 1;
        }
        return made;
    }

    json value(const json& given, Choices& choices, int depth) const {
        const json& schema = resolved(given);
        if (depth > deepest || choices.one_in(24)) {
            return wild(choices);
        }
        for (const char* either : {"oneOf", "anyOf"}) {
            if (schema.contains(either)) {
                return value(choices.of(schema[either]), choices, depth);
            }
        }
        if (schema.contains("allOf")) {
            json all = json::object();
            for (const json& part : schema["allOf"]) {
                const json made = value(part, choices, depth);
                if (made.is_object()) {
                    all.update(made);
                }
            }
            return all;
        }
        if (schema.contains("enum")) {
            return choices.of(schema["enum"]);
        }
        if (schema.contains("const")) {
            return schema["const"];
        }
        if (schema.contains("example") && choices.one_in(3)) {
            return schema["example"];
        }
        const json type = schema.value("type", json("object"));
        if (type.is_array()) {
            json one = schema;
            one["type"] = choices.of(type);
            return value(one, choices, depth);
        }
        if (type == "integer" || type == "number") {
            return number(schema, choices);
        }
        if (type == "boolean") {
            return choices.one_in(2);
        }
        if (type == "null") {
            return nullptr;
        }
        if (type == "string") {
            return choices.of(texts);
        }
        if (type == "array") {
            json made = json::array();
            for (std::size_t i = choices.below(4); i > 0 && schema.contains("items"); --i) {
                made.push_back(value(schema["items"], choices, depth + 1));
            }
            return made;
        }
        return object(schema, choices, depth);
    }

    const json description_;
    const std::vector<DescribedCall> calls_;
};

} // namespace adjourn::server
