// JsonValue and JsonObject: values of JSON with their places. Pure.
//
//     JsonObject reader{json, JsonPolicy::strict};
//     const auto name = reader.find("name").text();   // may be absent
//     const auto limit = reader.at("limit").object(); // must be there
//     const auto depth = limit.find("depth").integer(1, 245);
//     // if reader.finish() is empty, everything was right
//
// What is absent or wrong is nothing to a getter. What is wrong is remembered by all readers of one
// text together, with the path of the value: "position.moves[3]".
#pragma once

#include <nlohmann/json.hpp>
#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace adjourn::base {

enum class JsonPolicy : std::uint8_t {
    strict, // a request, which is refused if anything is wrong
    // What stands in the store, so that something comes of whatever stands there: of a number
    // beyond its range its end, of a list that is too long its beginning; both are told.
    lenient,
};

struct JsonProblem {
    enum class Kind : std::uint8_t { wrong, missing, unknown };
    Kind kind;
    std::string message; // one sentence for people, which names the place
    std::string where;   // "" for the whole

    friend bool operator==(const JsonProblem&, const JsonProblem&) = default;
};

class JsonObject;

// Bytes that a text of a request may have where nothing else is said: a name, a move, a FEN.
inline constexpr std::size_t usual_text = 200;

// Cheap to copy; the JSON it came from must outlive it.
class JsonValue {
public:
    bool there() const { return value_ != nullptr; }
    const nlohmann::json& json() const { return *value_; } // of what is there
    const std::string& path() const { return path_; }
    bool is_text() const { return there() && value_->is_string(); }
    bool is_array() const { return there() && value_->is_array(); }
    bool is_object() const { return there() && value_->is_object(); }

    // Of a request: of at most so many bytes. What stands in the store may be longer.
    std::optional<std::string> text(std::size_t most = usual_text) const;
    // Written without a fraction or exponent.
    std::optional<std::int64_t> integer(std::int64_t least, std::int64_t most) const;
    std::optional<double> number(double least, double most) const;
    std::optional<bool> boolean() const;
    // Index of the word in `words`.
    std::optional<std::size_t> choice(std::span<const std::string_view> words) const;
    std::optional<std::size_t> choice(std::initializer_list<std::string_view> words) const;
    // Empty of what is absent or wrong.
    std::vector<JsonValue> items(std::size_t most) const;
    // Those that are texts, of usual length.
    std::optional<std::vector<std::string>> texts(std::size_t most) const;
    // What is absent or wrong acts as an empty object.
    JsonObject object() const;

    // A problem that the caller found; the message should begin with the path.
    void wrong(std::string message) const;
    const std::vector<JsonProblem>& problems() const; // so far, of the whole text

private:
    friend class JsonObject;
    struct Opened;
    struct Reading;
    JsonValue(std::shared_ptr<Reading> reading, const nlohmann::json* value, std::string path);
    void must(const std::string& what) const;
    template <class Number>
    std::optional<Number> within(Number value, Number least, Number most,
                                 const std::string& what) const;

    std::shared_ptr<Reading> reading_;
    const nlohmann::json* value_;
    std::string path_;
};

// An object whose fields are marked as they are read.
class JsonObject {
public:
    // The whole, which must outlive the reader and its children.
    JsonObject(const nlohmann::json& whole, JsonPolicy policy);

    bool empty() const;
    bool has(std::string_view name) const;     // null counts as present
    bool is_null(std::string_view name) const; // present and null; marks it as read

    JsonValue at(std::string_view name) const;   // its absence is a problem
    JsonValue find(std::string_view name) const; // it may be absent; null is not, but a wrong type

    JsonPolicy policy() const;
    const std::string& path() const;
    std::string path_of(std::string_view name) const; // of the object itself: ""

    // A problem that the caller found, at that field ("": at this object).
    void wrong(std::string_view name, std::string message) const;
    const std::vector<JsonProblem>& problems() const; // so far, of the whole text
    // All problems of the whole text, and the fields that nobody has read of an object that
    // somebody opened.
    std::vector<JsonProblem> finish() const;

private:
    friend class JsonValue;
    JsonObject(std::shared_ptr<JsonValue::Reading> reading, JsonValue::Opened* opened);

    std::shared_ptr<JsonValue::Reading> reading_;
    JsonValue::Opened* opened_; // owned by reading_
};

// Strict reading of JSON text. Pure.

inline constexpr std::size_t max_json_depth = 64;

// One JSON value and nothing after it. Or what is wrong, as the rest of a sentence about the text,
// with line and column: broken syntax, text that is not UTF-8, numbers out of range, a repeated
// name in an object, nesting deeper than max_json_depth, and more than `most_values` values. The
// time it takes is proportional to the text.
std::expected<nlohmann::json, std::string> parse_json(std::string_view text,
                                                      std::size_t most_values = 1'000'000);

} // namespace adjourn::base
