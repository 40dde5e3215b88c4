#include "base/json_text.hpp"

#include "base/text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace adjourn::base {

namespace {

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
