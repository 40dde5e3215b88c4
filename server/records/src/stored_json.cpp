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
            wrong(name, "is not known");
        }
    }
}

bool StoredObject::has(std::string_view name) const {
    return in_->contains(name);
}

bool StoredObject::has_object(std::string_view name) const {
    const auto found = in_->find(name);
    return found != in_->end() && found->is_object();
}

std::string StoredObject::path_of(std::string_view name) const {
    return path_ + (path_.empty() || name.empty() ? "" : ".") + std::string{name};
}

void StoredObject::wrong(std::string_view name, const std::string& message) {
    const std::string path = path_of(name);
    std::string_view rest = message;
    if (rest.starts_with(path)) { // it stands before the colon
        rest.remove_prefix(std::min(rest.find_first_not_of(": ", path.size()), rest.size()));
    }
    findings_.push_back(path + ": " + std::string{rest});
}

const json* StoredObject::typed(std::string_view name, bool (*is)(const json&), const char* must) {
    const auto found = in_->find(name);
    if (found == in_->end()) {
        return nullptr;
    }
    read_.emplace(name);
    if (is(*found)) {
        return &*found;
    }
    wrong(name, std::string{"must be "} + must);
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
        wrong(name, range_text(least, most));
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
        wrong(name, "must be a finite number");
        return std::nullopt;
    }
    if (value < least || value > most) {
        wrong(name, range_text(least, most));
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

std::optional<std::vector<std::string>> StoredObject::texts(std::string_view name,
                                                            std::size_t most) {
    const json* found = typed(
        name, [](const json& in) { return in.is_array(); }, "a list");
    if (found == nullptr) {
        return std::nullopt;
    }
    std::vector<std::string> texts;
    for (const json& text : *found) {
        if (!text.is_string()) {
            wrong(name, "must be a list of texts");
        } else if (texts.size() == most) {
            wrong(name, "has more than " + std::to_string(most) + " entries");
            break;
        } else {
            texts.push_back(text.get<std::string>());
        }
    }
    return texts;
}

std::unique_ptr<SettingReader> StoredObject::object(std::string_view name) {
    const json* found = typed(
        name, [](const json& in) { return in.is_object(); }, "an object");
    return found == nullptr ? nullptr
                            : std::make_unique<StoredObject>(*found, path_of(name), findings_);
}

std::optional<std::vector<std::unique_ptr<SettingReader>>>
StoredObject::objects(std::string_view name, std::size_t most) {
    const json* found = typed(
        name, [](const json& in) { return in.is_array(); }, "a list");
    if (found == nullptr) {
        return std::nullopt;
    }
    if (found->size() > most) {
        wrong(name, "has more than " + std::to_string(most) + " entries");
        return std::nullopt;
    }
    std::vector<std::unique_ptr<SettingReader>> entries;
    for (const json& entry : *found) {
        entries.push_back(std::make_unique<StoredObject>(
            entry, path_of(name) + "[" + std::to_string(entries.size()) + "]", findings_));
    }
    return entries;
}

} // namespace adjourn::server
