#include "request_object.hpp"

namespace adjourn::server {

namespace {

template <class T>
std::optional<T> known(std::expected<std::optional<T>, http::Error> read) {
    return read ? std::move(*read) : std::nullopt;
}

} // namespace

bool RequestObject::has_object(std::string_view name) const {
    http::ObjectReader reader = reader_;
    const auto value = reader.optional_value(name);
    return value && value->is_object();
}

std::optional<std::int64_t> RequestObject::integer(std::string_view name, std::int64_t least,
                                                   std::int64_t most) {
    return known(reader_.optional_integer(name, least, most));
}

std::optional<double> RequestObject::number(std::string_view name, double least, double most) {
    return known(reader_.optional_number(name, least, most));
}

std::optional<bool> RequestObject::boolean(std::string_view name) {
    return known(reader_.optional_boolean(name));
}

std::optional<std::string> RequestObject::text(std::string_view name) {
    return known(reader_.optional_text(name));
}

std::optional<std::vector<std::string>> RequestObject::texts(std::string_view name,
                                                             std::size_t most) {
    const auto list = known(reader_.optional_array(name, most));
    if (!list) {
        return std::nullopt;
    }
    std::vector<std::string> texts;
    for (const http::ValueReader& value : *list) {
        texts.push_back(value.text().value_or(""));
    }
    return texts;
}

std::unique_ptr<SettingReader> RequestObject::object(std::string_view name) {
    auto object = reader_.optional_object(name);
    return object ? std::make_unique<RequestObject>(std::move(*object)) : nullptr;
}

std::optional<std::vector<std::unique_ptr<SettingReader>>>
RequestObject::objects(std::string_view name, std::size_t most) {
    const auto list = known(reader_.optional_array(name, most));
    if (!list) {
        return std::nullopt;
    }
    std::vector<std::unique_ptr<SettingReader>> entries;
    for (const http::ValueReader& value : *list) {
        entries.push_back(std::make_unique<RequestObject>(value.object()));
    }
    return entries;
}

void RequestObject::wrong(std::string_view name, const std::string& message) {
    (void)reader_.error(http::ErrorCode::bad_value, message, name);
}

} // namespace adjourn::server
