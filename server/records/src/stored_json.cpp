#include "records/stored_json.hpp"

#include "base/json_text.hpp"

#include <algorithm>
#include <cmath>

namespace adjourn::server {

using nlohmann::json;

namespace {

const json nothing = json::object();

// For a number out of its range; the end of the range is taken.
template <class Number>
std::string range_text(Number least, Number most) {
    return "must be from " + json(least).dump() + " to " + json(most).dump();
}

} // namespace

json parse_stored_json(const std::string& text, Findings& findings) {
    auto parsed = base::parse_json(text);
    if (!parsed) {
        findings.push_back(std::move(parsed.error()));
        return nullptr;
    }
    return std::move(*parsed);
}

StoredObject::StoredObject(const json& in, std::string path, Findings& findings)
    : in_{in.is_object() ? &in : &nothing}, path_{std::move(path)}, findings_{findings} {
    if (!in.is_object()) {
        findings_.push_back((path_.empty() ? "" : path_ + ": ") + "is no object");
    }
}

StoredObject::~StoredObject() {
    for (const auto& [name, value] : in_->items()) {
        if (!read_.contains(name)) {
            find(name, "is not known");
        }
    }
}

std::string StoredObject::path_of(std::string_view name) const {
    return (path_.empty() ? "" : path_ + ".") + std::string{name};
}

void StoredObject::find(std::string_view name, const std::string& what) {
    findings_.push_back(path_of(name) + ": " + what);
}

const json* StoredObject::value(std::string_view name) {
    const auto found = in_->find(name);
    if (found == in_->end()) {
        return nullptr;
    }
    read_.emplace(name);
    return &*found;
}

const json* StoredObject::typed(std::string_view name, bool (*is)(const json&), const char* must) {
    const json* found = value(name);
    if (found == nullptr || is(*found)) {
        return found;
    }
    find(name, std::string{"must be "} + must);
    return nullptr;
}

std::optional<std::int64_t> StoredObject::integer(std::string_view name, std::int64_t least,
                                                  std::int64_t most) {
    const json* found = typed(
        name, [](const json& in) { return in.is_number_integer(); }, "a whole number");
    if (found == nullptr) {
        return std::nullopt;
    }
    // Unsigned numbers may be too large for an int64.
    const std::int64_t value =
        found->is_number_unsigned()
            ? static_cast<std::int64_t>(std::min<std::uint64_t>(
                  found->get<std::uint64_t>(), std::numeric_limits<std::int64_t>::max()))
            : found->get<std::int64_t>();
    if (value < least || value > most) {
        find(name, range_text(least, most));
    }
    return std::clamp(value, least, most);
}

std::optional<double> StoredObject::number(std::string_view name, double least, double most) {
    const json* found = typed(
        name, [](const json& in) { return in.is_number(); }, "a number");
    if (found == nullptr) {
        return std::nullopt;
    }
    const auto value = found->get<double>();
    if (!std::isfinite(value)) {
        find(name, "must be a finite number");
        return std::nullopt;
    }
    if (value < least || value > most) {
        find(name, range_text(least, most));
    }
    return std::clamp(value, least, most);
}

std::optional<bool> StoredObject::boolean(std::string_view name) {
    const json* found = typed(
        name, [](const json& in) { return in.is_boolean(); }, "true or false");
    return found == nullptr ? std::nullopt : std::optional{found->get<bool>()};
}

std::optional<std::string> StoredObject::text(std::string_view name) {
    const json* found = typed(
        name, [](const json& in) { return in.is_string(); }, "a text");
    return found == nullptr ? std::nullopt : std::optional{found->get<std::string>()};
}

const json* StoredObject::object(std::string_view name) {
    return typed(
        name, [](const json& in) { return in.is_object(); }, "an object");
}

const json* StoredObject::array(std::string_view name) {
    return typed(
        name, [](const json& in) { return in.is_array(); }, "a list");
}

} // namespace adjourn::server
