#include "base/json_reader.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <deque>
#include <limits>
#include <set>

namespace adjourn::base {

using Kind = JsonProblem::Kind;
using Json = nlohmann::json;

// One object that is being read.
struct JsonValue::Opened {
    const Json* object;
    std::string path;
    std::set<std::string, std::less<>> read;
};

// What all readers of one text share.
struct JsonValue::Reading {
    JsonPolicy policy;
    std::vector<JsonProblem> problems;
    std::deque<Opened> opened; // a deque, since readers point into it
};

namespace {

const Json no_fields = Json::object();

std::string inside(const std::string& path, std::string_view name) {
    return path + (path.empty() || name.empty() ? "" : ".") + std::string{name};
}

template <class Number>
std::string between(Number least, Number most) {
    return " between " + Json(least).dump() + " and " + Json(most).dump();
}

using nlohmann::json;

std::string place(std::string_view text, std::size_t bytes_read) {
    const auto before = text.substr(0, std::min(bytes_read == 0 ? 0 : bytes_read - 1, text.size()));
    const auto line = 1 + std::ranges::count(before, '\n');
    const auto line_start = before.rfind('\n') + 1; // npos + 1 == 0
    return "line " + std::to_string(line) + ", column " +
           std::to_string(before.size() - line_start + 1);
}

// The parser's text without its own prefix and place.
std::string_view reason(std::string_view what) {
    const auto column = what.find("column ");
    const auto colon = what.find(": ", column == std::string_view::npos ? 0 : column);
    return colon == std::string_view::npos ? what : what.substr(colon + 2);
}

// Builds the value from the parser's events, and refuses what the parser itself lets pass: depth,
// number of values, repeated names. Each event takes its own bytes' time: names are looked up in
// the object that is being built, and nothing is ever walked over again. Its functions' names are
// the library's.
class Builder {
public:
    Builder(std::string_view text, std::size_t most_values)
        : text_{text}, most_values_{most_values} {}

    bool null() { return add(nullptr) != nullptr; }
    bool boolean(bool value) { return add(value) != nullptr; }
    bool number_integer(json::number_integer_t value) { return add(value) != nullptr; }
    bool number_unsigned(json::number_unsigned_t value) { return add(value) != nullptr; }
    bool number_float(json::number_float_t value, const std::string&) {
        return add(value) != nullptr;
    }
    bool string(std::string& value) { return add(std::move(value)) != nullptr; }
    bool binary(json::binary_t&) { return false; } // JSON has none
    bool start_object(std::size_t) { return open(json::value_t::object); }
    bool start_array(std::size_t) { return open(json::value_t::array); }
    bool end_object() { return close(); }
    bool end_array() { return close(); }

    bool key(std::string& name) {
        auto& members = open_.back()->get_ref<json::object_t&>();
        const auto [member, is_new] = members.try_emplace(std::move(name), nullptr);
        if (!is_new) {
            return refuse("has the name \"" + shortened(member->first, 64) +
                          "\" twice in one object");
        }
        member_ = &member->second;
        return true;
    }

    bool parse_error(std::size_t bytes_read, const std::string&, const json::exception& error) {
        if (dynamic_cast<const json::out_of_range*>(&error) != nullptr) {
            return refuse("holds a number out of range: " + shortened(error.what(), 200));
        }
        return refuse("is not JSON at " + place(text_, bytes_read) + ": " +
                      shortened(reason(error.what()), 200));
    }

    json take() { return std::move(root_); }
    std::string& refusal() { return refusal_; }

private:
    bool refuse(std::string why) {
        refusal_ = std::move(why);
        return false;
    }

    // Puts it where the text has it; null if there are too many.
    json* add(json value) {
        if (++values_ > most_values_) {
            refuse("has more than " + std::to_string(most_values_) + " values");
            return nullptr;
        }
        if (open_.empty()) {
            root_ = std::move(value);
            return &root_;
        }
        if (open_.back()->is_object()) {
            *member_ = std::move(value);
            return member_;
        }
        auto& items = open_.back()->get_ref<json::array_t&>();
        items.push_back(std::move(value));
        return &items.back();
    }

    bool open(json::value_t kind) {
        json* const value = add(kind);
        if (value == nullptr) {
            return false;
        }
        open_.push_back(value); // stays there: only the innermost array grows
        return open_.size() <= max_json_depth ||
               refuse("is nested deeper than " + std::to_string(max_json_depth) + " levels");
    }

    bool close() {
        open_.pop_back();
        return true;
    }

    std::string_view text_;
    std::size_t most_values_;
    std::size_t values_ = 0;
    json root_;
    std::vector<json*> open_; // arrays and objects, the innermost last
    json* member_ = nullptr;  // of the innermost object, by the last key
    std::string refusal_;
};

} // namespace

JsonValue::JsonValue(std::shared_ptr<Reading> reading, const Json* value, std::string path)
    : reading_{std::move(reading)}, value_{value}, path_{std::move(path)} {}

void JsonValue::wrong(std::string message) const {
    reading_->problems.push_back({Kind::wrong, std::move(message), path_});
}

void JsonValue::must(const std::string& what) const {
    const char* whole = reading_->policy == JsonPolicy::strict ? "the body" : "it";
    wrong((path_.empty() ? whole : path_) + " must be " + what);
}

const std::vector<JsonProblem>& JsonValue::problems() const {
    return reading_->problems;
}

std::optional<std::string> JsonValue::text(std::size_t most) const {
    if (!is_text()) {
        if (there()) {
            must("text");
        }
        return std::nullopt;
    }
    const auto& text = value_->get_ref<const std::string&>();
    if (text.size() > most && reading_->policy == JsonPolicy::strict) {
        wrong(path_ + " must have at most " + std::to_string(most) + " bytes");
        return std::nullopt;
    }
    return text;
}

template <class Number>
std::optional<Number> JsonValue::within(Number value, Number least, Number most,
                                        const std::string& what) const {
    if (value >= least && value <= most) {
        return value;
    }
    must(what + between(least, most));
    const bool beyond = value < least || value > most; // or it is no number at all
    return reading_->policy == JsonPolicy::lenient && beyond
               ? std::optional{std::clamp(value, least, most)}
               : std::nullopt;
}

std::optional<std::int64_t> JsonValue::integer(std::int64_t least, std::int64_t most) const {
    const std::string what = "an integer";
    if (!there()) {
        return std::nullopt;
    }
    constexpr auto largest = std::numeric_limits<std::int64_t>::max();
    const bool too_big = value_->is_number_unsigned() &&
                         value_->get<std::uint64_t>() > static_cast<std::uint64_t>(largest);
    if (!value_->is_number_integer() || (too_big && reading_->policy == JsonPolicy::strict)) {
        must(what + between(least, most));
        return std::nullopt;
    }
    return within(too_big ? largest : value_->get<std::int64_t>(), least, most, what);
}

std::optional<double> JsonValue::number(double least, double most) const {
    const std::string what = "a number";
    if (there() && value_->is_number()) {
        return within(value_->get<double>(), least, most, what);
    }
    if (there()) {
        must(what + between(least, most));
    }
    return std::nullopt;
}

std::optional<bool> JsonValue::boolean() const {
    if (there() && value_->is_boolean()) {
        return value_->get<bool>();
    }
    if (there()) {
        must("true or false");
    }
    return std::nullopt;
}

std::optional<std::size_t> JsonValue::choice(std::span<const std::string_view> words) const {
    std::string list;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (is_text() && value_->get_ref<const std::string&>() == words[i]) {
            return i;
        }
        list += (i == 0 ? "" : ", ") + std::string{words[i]};
    }
    if (there()) {
        must("one of " + list);
    }
    return std::nullopt;
}

std::optional<std::size_t> JsonValue::choice(std::initializer_list<std::string_view> words) const {
    return choice(std::span{words.begin(), words.size()});
}

std::vector<JsonValue> JsonValue::items(std::size_t most) const {
    std::vector<JsonValue> items;
    if (there() && !is_array()) {
        must("an array");
    }
    if (!is_array()) {
        return items;
    }
    if (value_->size() > most) {
        must("an array of at most " + std::to_string(most) + " items");
        if (reading_->policy == JsonPolicy::strict) {
            return items;
        }
    }
    items.reserve(std::min(value_->size(), most));
    for (const Json& item : *value_) {
        if (items.size() == most) {
            break;
        }
        items.push_back({reading_, &item, path_ + "[" + std::to_string(items.size()) + "]"});
    }
    return items;
}

std::optional<std::vector<std::string>> JsonValue::texts(std::size_t most) const {
    const std::vector<JsonValue> all = items(most);
    if (!is_array()) {
        return std::nullopt;
    }
    std::vector<std::string> texts;
    for (const JsonValue& item : all) {
        if (auto text = item.text()) {
            texts.push_back(std::move(*text));
        }
    }
    return texts;
}

JsonObject JsonValue::object() const {
    if (there() && !is_object()) {
        must("an object");
    }
    for (auto& opened : reading_->opened) {
        if (opened.object == value_) {
            return {reading_, &opened};
        }
    }
    reading_->opened.push_back({is_object() ? value_ : &no_fields, path_, {}});
    return {reading_, &reading_->opened.back()};
}

JsonObject::JsonObject(const Json& whole, JsonPolicy policy)
    : JsonObject{JsonValue{std::make_shared<JsonValue::Reading>(JsonValue::Reading{policy, {}, {}}),
                           &whole, ""}
                     .object()} {}

JsonObject::JsonObject(std::shared_ptr<JsonValue::Reading> reading, JsonValue::Opened* opened)
    : reading_{std::move(reading)}, opened_{opened} {}

bool JsonObject::empty() const {
    return opened_->object->empty();
}

bool JsonObject::has(std::string_view name) const {
    return opened_->object->contains(name);
}

bool JsonObject::is_null(std::string_view name) const {
    const auto value = opened_->object->find(name);
    if (value == opened_->object->end() || !value->is_null()) {
        return false;
    }
    opened_->read.emplace(name);
    return true;
}

JsonValue JsonObject::find(std::string_view name) const {
    opened_->read.emplace(name);
    const auto value = opened_->object->find(name);
    return {reading_, value == opened_->object->end() ? nullptr : &*value, path_of(name)};
}

JsonValue JsonObject::at(std::string_view name) const {
    JsonValue value = find(name);
    if (!value.there()) {
        reading_->problems.push_back({Kind::missing, value.path() + " is missing", value.path()});
    }
    return value;
}

JsonPolicy JsonObject::policy() const {
    return reading_->policy;
}

const std::string& JsonObject::path() const {
    return opened_->path;
}

std::string JsonObject::path_of(std::string_view name) const {
    return inside(opened_->path, name);
}

void JsonObject::wrong(std::string_view name, std::string message) const {
    reading_->problems.push_back({Kind::wrong, std::move(message), path_of(name)});
}

const std::vector<JsonProblem>& JsonObject::problems() const {
    return reading_->problems;
}

std::vector<JsonProblem> JsonObject::finish() const {
    std::vector<JsonProblem> all = reading_->problems;
    for (const auto& opened : reading_->opened) {
        for (const auto& [name, value] : opened.object->items()) {
            if (!opened.read.contains(name)) {
                const std::string path = inside(opened.path, shortened(name, 64));
                all.push_back({Kind::unknown, "there is no field " + path, path});
            }
        }
    }
    return all;
}

std::expected<json, std::string> parse_json(std::string_view text, std::size_t most_values) {
    if (text.empty()) {
        return std::unexpected("is empty where JSON is expected");
    }
    Builder builder{text, most_values};
    if (!json::sax_parse(text.begin(), text.end(), &builder)) {
        return std::unexpected(std::move(builder.refusal()));
    }
    return builder.take();
}

} // namespace adjourn::base
