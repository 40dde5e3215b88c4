#include "requests/query.hpp"

#include "base/number.hpp"
#include "base/text.hpp"

namespace adjourn::http {

std::optional<std::string> QueryReader::text(std::string_view name) {
    read_.emplace(name);
    return request_.parameter(name);
}

std::expected<std::string, Error> QueryReader::required_text(std::string_view name) {
    if (auto value = text(name)) {
        return std::move(*value);
    }
    return std::unexpected(
        error(ErrorCode::bad_request, name, std::string(name) + " is missing from the query"));
}

std::expected<std::optional<std::int64_t>, Error>
QueryReader::integer(std::string_view name, std::int64_t least, std::int64_t most) {
    const auto value = text(name);
    if (!value) {
        return std::nullopt;
    }
    const auto number = base::parse_number<std::int64_t>(*value);
    if (!number || *number < least || *number > most) {
        return bad_value(name, "must be an integer between " + std::to_string(least) + " and " +
                                   std::to_string(most));
    }
    return number;
}

std::expected<std::optional<bool>, Error> QueryReader::boolean(std::string_view name) {
    const auto value = text(name);
    if (!value) {
        return std::nullopt;
    }
    if (*value != "true" && *value != "false") {
        return bad_value(name, "must be true or false");
    }
    return *value == "true";
}

std::expected<std::optional<std::size_t>, Error>
QueryReader::choice(std::string_view name, const std::vector<std::string_view>& words) {
    const auto value = text(name);
    if (!value) {
        return std::nullopt;
    }
    std::string list;
    std::size_t index = 0;
    for (const auto word : words) {
        if (word == *value) {
            return index;
        }
        list += (index++ == 0 ? "" : ", ");
        list += word;
    }
    return bad_value(name, "must be one of " + list);
}

Error QueryReader::error(ErrorCode code, std::string_view name, std::string message) {
    Error error{code, std::move(message), "query." + std::string(name)};
    if (!first_) {
        first_ = error;
    }
    return error;
}

std::unexpected<Error> QueryReader::bad_value(std::string_view name, std::string message) {
    return std::unexpected(
        error(ErrorCode::bad_value, name, std::string(name) + " " + std::move(message)));
}

std::expected<void, Error> QueryReader::finish() const {
    if (first_) {
        return std::unexpected(*first_);
    }
    std::set<std::string_view> seen;
    for (const auto& [raw_name, value] : request_.query) {
        const auto name = base::shortened(raw_name, 64);
        if (!read_.contains(raw_name)) {
            return std::unexpected(Error{ErrorCode::unknown_field,
                                         "the query has an unknown parameter " + name,
                                         "query." + name});
        }
        if (!seen.insert(raw_name).second) {
            return std::unexpected(Error{ErrorCode::bad_request,
                                         "the query has the parameter " + name + " twice",
                                         "query." + name});
        }
    }
    return {};
}

} // namespace adjourn::http
