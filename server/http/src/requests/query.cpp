#include "http/requests/query.hpp"

#include "base/number.hpp"
#include "base/text.hpp"

namespace adjourn::http {

namespace {

constexpr std::size_t most_words = 16; // of a search

std::size_t count_words(std::string_view text) {
    std::size_t words = 0;
    bool inside = false;
    for (const char c : text) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c < 0;
        const bool digit = c >= '0' && c <= '9';
        words += letter && !inside ? 1 : 0;
        inside = letter || (digit && inside);
    }
    return words;
}

} // namespace

std::optional<std::string> QueryReader::text(std::string_view name, std::size_t most) {
    read_.emplace(name);
    auto value = request_.parameter(name);
    if (value && value->size() > most) {
        wrong(ErrorCode::bad_value, name, "must have at most " + std::to_string(most) + " bytes");
        return std::nullopt;
    }
    return value;
}

std::optional<std::string> QueryReader::search(std::string_view name) {
    auto value = text(name);
    if (value && count_words(*value) > most_words) {
        wrong(ErrorCode::bad_value, name,
              "must have at most " + std::to_string(most_words) + " words");
        return std::nullopt;
    }
    return value;
}

std::optional<std::string> QueryReader::required_text(std::string_view name) {
    auto value = text(name);
    if (!value) {
        wrong(ErrorCode::bad_request, name, "is missing from the query");
    }
    return value;
}

std::optional<std::int64_t> QueryReader::integer(std::string_view name, std::int64_t least,
                                                 std::int64_t most) {
    const auto value = text(name);
    const auto number = value ? base::parse_number<std::int64_t>(*value) : std::nullopt;
    if (number && *number >= least && *number <= most) {
        return number;
    }
    if (value) {
        wrong(ErrorCode::bad_value, name,
              "must be an integer between " + std::to_string(least) + " and " +
                  std::to_string(most));
    }
    return std::nullopt;
}

std::optional<bool> QueryReader::boolean(std::string_view name) {
    const auto value = text(name);
    if (value == "true" || value == "false") {
        return value == "true";
    }
    if (value) {
        wrong(ErrorCode::bad_value, name, "must be true or false");
    }
    return std::nullopt;
}

std::optional<std::size_t> QueryReader::choice(std::string_view name,
                                               const std::vector<std::string_view>& words) {
    const auto value = text(name);
    if (!value) {
        return std::nullopt;
    }
    std::string list;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i] == *value) {
            return i;
        }
        list += (i == 0 ? "" : ", ") + std::string{words[i]};
    }
    wrong(ErrorCode::bad_value, name, "must be one of " + list);
    return std::nullopt;
}

void QueryReader::wrong(ErrorCode code, std::string_view name, const std::string& message) {
    if (!first_) {
        first_ = Error{code, std::string{name} + " " + message, "query." + std::string{name}};
    }
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
