// Strict reading of JSON request bodies. Pure.
//
//     auto body = parse_json(request.body);
//     if (!body) return to_response(body.error());
//     ObjectReader reader(*body);
//     auto name = reader.optional_text("name");
//     auto limit = reader.object("limit");
//     auto depth = limit.optional_integer("depth", 1, 245);
//     if (auto ok = reader.finish(); !ok) return to_response(ok.error());
//     // here every getter has succeeded
//
// Getters return the problem at once, and the readers of one body remember the first, so that a
// handler may also read everything and ask finish() once. where = path of the value:
// "position.moves[3]". Codes: bad_value (wrong type or range), bad_request (missing),
// unknown_field.
#pragma once

#include "requests/error.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <expected>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace adjourn::http {

inline constexpr std::size_t max_json_values = 10'000; // in the body of a call

// As base::parse_json(); what is wrong with the text is bad_json.
std::expected<nlohmann::json, Error> parse_json(std::string_view text,
                                                std::size_t most_values = 1'000'000);

// The body of a call, parsed: with the limits of calls.
struct ParsedJson {
    std::expected<nlohmann::json, Error> value;
};
std::shared_ptr<const ParsedJson> parse_call(std::string_view body);

class ObjectReader;

// A value and its path. Cheap to copy; the JSON it came from must outlive it.
class ValueReader {
public:
    const nlohmann::json& json() const { return *value_; }
    const std::string& path() const { return path_; }
    bool is_null() const { return value_->is_null(); }
    bool is_text() const { return value_->is_string(); }
    bool is_array() const { return value_->is_array(); }
    bool is_object() const { return value_->is_object(); }

    std::expected<std::string, Error> text() const;
    // Written without a fraction or exponent.
    std::expected<std::int64_t, Error> integer(std::int64_t least, std::int64_t most) const;
    std::expected<double, Error> number(double least, double most) const;
    std::expected<bool, Error> boolean() const;
    std::expected<std::size_t, Error> choice(std::span<const std::string_view> words) const;
    std::expected<std::vector<ValueReader>, Error> array(std::size_t most) const;
    // Of a value that is no object: notes the problem and acts as an empty object.
    ObjectReader object() const;

    // A problem the handler found itself; the message should start with the path. Remembered.
    Error error(ErrorCode code, std::string message) const;

private:
    friend class ObjectReader;
    struct Body;
    ValueReader(std::shared_ptr<Body> body, const nlohmann::json& value, std::string path);
    std::unexpected<Error> must(const std::string& what) const;

    std::shared_ptr<Body> body_;
    const nlohmann::json* value_;
    std::string path_;
};

// An object whose fields are marked as they are read.
class ObjectReader {
public:
    // The root of a body, which must outlive the reader and its children.
    explicit ObjectReader(const nlohmann::json& body);

    bool empty() const;
    bool has(std::string_view name) const; // null counts as present
    bool is_null(std::string_view name);   // present and null; marks it as read

    std::expected<ValueReader, Error> value(std::string_view name);
    std::optional<ValueReader> optional_value(std::string_view name);

    std::expected<std::string, Error> text(std::string_view name);
    std::expected<std::int64_t, Error> integer(std::string_view name, std::int64_t least,
                                               std::int64_t most);
    std::expected<double, Error> number(std::string_view name, double least, double most);
    std::expected<bool, Error> boolean(std::string_view name);
    std::expected<std::size_t, Error> choice(std::string_view name,
                                             std::span<const std::string_view> words);
    std::expected<std::size_t, Error> choice(std::string_view name,
                                             std::initializer_list<std::string_view> words);
    std::expected<std::vector<ValueReader>, Error> array(std::string_view name, std::size_t most);
    // Missing or not an object: the problem is noted, and the result acts as an empty object.
    ObjectReader object(std::string_view name);

    // Absent fields are nullopt. null is not absent: it is a wrong type, see is_null().
    template <typename T>
    using Optional = std::expected<std::optional<T>, Error>;
    Optional<std::string> optional_text(std::string_view name);
    Optional<std::int64_t> optional_integer(std::string_view name, std::int64_t least,
                                            std::int64_t most);
    Optional<double> optional_number(std::string_view name, double least, double most);
    Optional<bool> optional_boolean(std::string_view name);
    Optional<std::vector<ValueReader>> optional_array(std::string_view name, std::size_t most);
    std::optional<ObjectReader> optional_object(std::string_view name);

    const std::string& path() const;
    std::string path_of(std::string_view name) const; // of the object itself: ""

    // A problem the handler found itself, at that field ("": at this object). Remembered.
    Error error(ErrorCode code, std::string message, std::string_view name = "") const;
    // Found so far in the whole body.
    std::size_t problems() const;

    // Of the whole body: the first problem; else unknown_field for a field that nobody read of an
    // object that somebody opened.
    std::expected<void, Error> finish() const;

private:
    friend class ValueReader;
    struct Opened;
    ObjectReader(std::shared_ptr<ValueReader::Body> body, Opened* opened);

    std::shared_ptr<ValueReader::Body> body_;
    Opened* opened_; // owned by body_
};

} // namespace adjourn::http
