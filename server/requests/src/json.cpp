#include "requests/json.hpp"

#include "base/json_text.hpp"
#include "base/text.hpp"

#include <deque>
#include <set>

namespace adjourn::http {

// One object that is being read.
struct ObjectReader::Opened {
    const nlohmann::json* object;
    std::string path;
    std::set<std::string, std::less<>> read;
};

// What all readers of one body share.
struct ValueReader::Body {
    std::optional<Error> first;
    std::deque<ObjectReader::Opened> opened; // a deque, since readers point into it

    std::size_t problems = 0;

    Error note(Error error) {
        ++problems;
        if (!first) {
            first = error;
        }
        return error;
    }
};

namespace {

const nlohmann::json no_fields = nlohmann::json::object();

std::string named(const std::string& path) {
    return path.empty() ? "the body" : path;
}

std::string between(const std::string& least, const std::string& most) {
    return " between " + least + " and " + most;
}

template <typename Get>
auto required(std::expected<ValueReader, Error> value, Get get) -> decltype(get(*value)) {
    if (!value) {
        return std::unexpected(std::move(value.error()));
    }
    return get(*value);
}

// Getters of optional fields: absent → nullopt, else what `get` finds.
template <typename Get>
auto optionally(std::optional<ValueReader> value, Get get)
    -> std::expected<std::optional<typename decltype(get(*value))::value_type>, Error> {
    if (!value) {
        return std::nullopt;
    }
    auto result = get(*value);
    if (!result) {
        return std::unexpected(std::move(result.error()));
    }
    return std::optional(std::move(*result));
}

} // namespace

std::expected<nlohmann::json, Error> parse_json(std::string_view text, std::size_t most_values) {
    auto value = base::parse_json(text, most_values);
    if (!value) {
        return std::unexpected(Error{ErrorCode::bad_json, "the body " + value.error(), "body"});
    }
    return std::move(*value);
}

std::shared_ptr<const ParsedJson> parse_call(std::string_view body) {
    return std::make_shared<const ParsedJson>(ParsedJson{parse_json(body, max_json_values)});
}

ValueReader::ValueReader(std::shared_ptr<Body> body, const nlohmann::json& value, std::string path)
    : body_(std::move(body)), value_(&value), path_(std::move(path)) {}

Error ValueReader::error(ErrorCode code, std::string message) const {
    return body_->note({code, std::move(message), path_.empty() ? "body" : path_});
}

std::unexpected<Error> ValueReader::must(const std::string& what) const {
    return std::unexpected(error(ErrorCode::bad_value, named(path_) + " must be " + what));
}

std::expected<std::string, Error> ValueReader::text() const {
    if (!value_->is_string()) {
        return must("text");
    }
    return value_->get<std::string>();
}

std::expected<std::int64_t, Error> ValueReader::integer(std::int64_t least,
                                                        std::int64_t most) const {
    const auto range = between(std::to_string(least), std::to_string(most));
    if (!value_->is_number_integer()) {
        return must("an integer" + range);
    }
    const bool too_big = value_->is_number_unsigned() &&
                         value_->get<std::uint64_t>() >
                             static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (too_big || value_->get<std::int64_t>() < least || value_->get<std::int64_t>() > most) {
        return must("an integer" + range);
    }
    return value_->get<std::int64_t>();
}

std::expected<double, Error> ValueReader::number(double least, double most) const {
    const auto range = between(nlohmann::json(least).dump(), nlohmann::json(most).dump());
    if (!value_->is_number()) {
        return must("a number" + range);
    }
    const auto number = value_->get<double>();
    if (!(number >= least && number <= most)) {
        return must("a number" + range);
    }
    return number;
}

std::expected<bool, Error> ValueReader::boolean() const {
    if (!value_->is_boolean()) {
        return must("true or false");
    }
    return value_->get<bool>();
}

std::expected<std::size_t, Error>
ValueReader::choice(std::span<const std::string_view> words) const {
    std::string list;
    std::size_t index = 0;
    for (const auto word : words) {
        if (value_->is_string() && value_->get_ref<const std::string&>() == word) {
            return index;
        }
        list += (index++ == 0 ? "" : ", ");
        list += word;
    }
    return must("one of " + list);
}

std::expected<std::vector<ValueReader>, Error> ValueReader::array(std::size_t most) const {
    if (!value_->is_array()) {
        return must("an array");
    }
    if (value_->size() > most) {
        return must("an array of at most " + std::to_string(most) + " items");
    }
    std::vector<ValueReader> items;
    items.reserve(value_->size());
    for (const auto& item : *value_) {
        items.push_back({body_, item, path_ + "[" + std::to_string(items.size()) + "]"});
    }
    return items;
}

ObjectReader ValueReader::object() const {
    const bool right = value_->is_object();
    if (!right) {
        static_cast<void>(must("an object"));
    }
    for (auto& opened : body_->opened) {
        if (opened.object == value_) {
            return {body_, &opened};
        }
    }
    body_->opened.push_back({right ? value_ : &no_fields, path_, {}});
    return {body_, &body_->opened.back()};
}

ObjectReader::ObjectReader(const nlohmann::json& body)
    : ObjectReader(ValueReader(std::make_shared<ValueReader::Body>(), body, "").object()) {}

ObjectReader::ObjectReader(std::shared_ptr<ValueReader::Body> body, Opened* opened)
    : body_(std::move(body)), opened_(opened) {}

const std::string& ObjectReader::path() const {
    return opened_->path;
}

std::string ObjectReader::path_of(std::string_view name) const {
    return opened_->path + (opened_->path.empty() || name.empty() ? "" : ".") + std::string(name);
}

bool ObjectReader::empty() const {
    return opened_->object->empty();
}

bool ObjectReader::has(std::string_view name) const {
    return opened_->object->contains(name);
}

bool ObjectReader::is_null(std::string_view name) {
    const auto value = opened_->object->find(name);
    if (value == opened_->object->end() || !value->is_null()) {
        return false;
    }
    opened_->read.emplace(name);
    return true;
}

std::optional<ValueReader> ObjectReader::optional_value(std::string_view name) {
    opened_->read.emplace(name);
    const auto value = opened_->object->find(name);
    if (value == opened_->object->end()) {
        return std::nullopt;
    }
    return ValueReader(body_, *value, path_of(name));
}

std::expected<ValueReader, Error> ObjectReader::value(std::string_view name) {
    if (auto value = optional_value(name)) {
        return std::move(*value);
    }
    const auto path = path_of(name);
    return std::unexpected(body_->note({ErrorCode::bad_request, path + " is missing", path}));
}

std::expected<std::string, Error> ObjectReader::text(std::string_view name) {
    return required(value(name), [](const ValueReader& it) { return it.text(); });
}

std::expected<std::int64_t, Error> ObjectReader::integer(std::string_view name, std::int64_t least,
                                                         std::int64_t most) {
    return required(value(name), [&](const ValueReader& it) { return it.integer(least, most); });
}

std::expected<double, Error> ObjectReader::number(std::string_view name, double least,
                                                  double most) {
    return required(value(name), [&](const ValueReader& it) { return it.number(least, most); });
}

std::expected<bool, Error> ObjectReader::boolean(std::string_view name) {
    return required(value(name), [](const ValueReader& it) { return it.boolean(); });
}

std::expected<std::size_t, Error>
ObjectReader::choice(std::string_view name, std::initializer_list<std::string_view> words) {
    return choice(name, std::span{words.begin(), words.size()});
}

std::expected<std::size_t, Error> ObjectReader::choice(std::string_view name,
                                                       std::span<const std::string_view> words) {
    return required(value(name), [&](const ValueReader& it) { return it.choice(words); });
}

std::expected<std::vector<ValueReader>, Error> ObjectReader::array(std::string_view name,
                                                                   std::size_t most) {
    return required(value(name), [&](const ValueReader& it) { return it.array(most); });
}

ObjectReader ObjectReader::object(std::string_view name) {
    if (const auto found = value(name)) {
        return found->object();
    }
    return ValueReader(body_, no_fields, path_of(name)).object();
}

ObjectReader::Optional<std::string> ObjectReader::optional_text(std::string_view name) {
    return optionally(optional_value(name), [](const ValueReader& it) { return it.text(); });
}

ObjectReader::Optional<std::int64_t>
ObjectReader::optional_integer(std::string_view name, std::int64_t least, std::int64_t most) {
    return optionally(optional_value(name),
                      [&](const ValueReader& it) { return it.integer(least, most); });
}

ObjectReader::Optional<double> ObjectReader::optional_number(std::string_view name, double least,
                                                             double most) {
    return optionally(optional_value(name),
                      [&](const ValueReader& it) { return it.number(least, most); });
}

ObjectReader::Optional<bool> ObjectReader::optional_boolean(std::string_view name) {
    return optionally(optional_value(name), [](const ValueReader& it) { return it.boolean(); });
}

ObjectReader::Optional<std::vector<ValueReader>> ObjectReader::optional_array(std::string_view name,
                                                                              std::size_t most) {
    return optionally(optional_value(name), [&](const ValueReader& it) { return it.array(most); });
}

std::optional<ObjectReader> ObjectReader::optional_object(std::string_view name) {
    if (const auto found = optional_value(name)) {
        return found->object();
    }
    return std::nullopt;
}

Error ObjectReader::error(ErrorCode code, std::string message, std::string_view name) const {
    const std::string path = path_of(name);
    return body_->note({code, std::move(message), path.empty() ? "body" : path});
}

std::size_t ObjectReader::problems() const {
    return body_->problems;
}

std::expected<void, Error> ObjectReader::finish() const {
    if (body_->first) {
        return std::unexpected(*body_->first);
    }
    for (const auto& opened : body_->opened) {
        for (const auto& [name, value] : opened.object->items()) {
            if (opened.read.contains(name)) {
                continue;
            }
            const auto path =
                opened.path + (opened.path.empty() ? "" : ".") + base::shortened(name, 64);
            return std::unexpected(Error{ErrorCode::unknown_field,
                                         "there is no field " + path + " in this request", path});
        }
    }
    return {};
}

} // namespace adjourn::http
