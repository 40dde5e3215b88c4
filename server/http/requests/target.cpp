#include "http/requests/target.hpp"

#include "base/number.hpp"
#include "base/text.hpp"

#include <boost/url/encode.hpp>
#include <boost/url/pct_string_view.hpp>
#include <boost/url/rfc/unreserved_chars.hpp>

#include <algorithm>
#include <cassert>

namespace adjourn::http {

namespace {

bool is_clean(std::string_view text) {
    return base::is_utf8(text) && !base::has_control_characters(text);
}

std::expected<std::string, Error> parse_path(std::string_view raw) {
    std::string path;
    while (!raw.empty()) { // raw = "/segment/…"
        raw.remove_prefix(1);
        const auto end = std::min(raw.find('/'), raw.size());
        const auto segment = percent_decoded(raw.substr(0, end), Plus::literal);
        if (!segment) {
            return refuse(ErrorCode::bad_request, "the path has a broken percent-escape", "path");
        }
        if (!is_clean(*segment)) {
            return refuse(ErrorCode::bad_request, "the path is not UTF-8 text", "path");
        }
        if (segment->find('/') != std::string::npos || *segment == "." || *segment == "..") {
            return refuse(ErrorCode::bad_request,
                          "the path must not hold an encoded slash, '.' or '..'", "path");
        }
        path += '/';
        path += *segment;
        raw.remove_prefix(end);
    }
    return path;
}

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

std::vector<std::string_view> split(std::string_view path) {
    std::vector<std::string_view> segments;
    while (path.starts_with('/')) {
        path.remove_prefix(1);
        const auto end = std::min(path.find('/'), path.size());
        segments.push_back(path.substr(0, end));
        path.remove_prefix(end);
    }
    return segments;
}

bool is_parameter(std::string_view segment) {
    return segment.size() > 2 && segment.front() == '{' && segment.back() == '}';
}

std::string_view parameter_name(std::string_view segment) {
    return segment.substr(1, segment.size() - 2);
}

bool fits(const std::vector<std::string>& pattern, const std::vector<std::string_view>& path) {
    return std::ranges::equal(pattern, path, [](std::string_view expected, std::string_view given) {
        return is_parameter(expected) ? !given.empty() : expected == given;
    });
}

} // namespace

std::optional<std::string> percent_decoded(std::string_view text, Plus plus) {
    const auto escaped = boost::urls::make_pct_string_view({text.data(), text.size()});
    if (!escaped) {
        return std::nullopt;
    }
    boost::urls::encoding_opts options;
    options.space_as_plus = plus == Plus::space;
    return escaped->decode(options);
}

std::string percent_encoded(std::string_view text) {
    return boost::urls::encode({text.data(), text.size()}, boost::urls::unreserved_chars);
}

std::expected<Target, Error> parse_target(std::string_view text) {
    if (!text.starts_with('/')) {
        return refuse(ErrorCode::bad_request, "the request target must start with '/' or http://",
                      "path");
    }
    if (text.find('#') != std::string_view::npos) {
        return refuse(ErrorCode::bad_request, "the request target must not hold a fragment",
                      "path");
    }
    const auto question = text.find('?');
    auto path = parse_path(text.substr(0, question));
    if (!path) {
        return std::unexpected(path.error());
    }
    Target target{std::move(*path), {}};
    if (question == std::string_view::npos) {
        return target;
    }

    std::string_view rest = text.substr(question + 1);
    while (!rest.empty()) {
        const auto end = std::min(rest.find('&'), rest.size());
        const auto pair = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (pair.empty()) {
            continue;
        }
        const auto equals = std::min(pair.find('='), pair.size());
        auto name = percent_decoded(pair.substr(0, equals), Plus::space);
        auto value = percent_decoded(pair.substr(std::min(equals + 1, pair.size())), Plus::space);
        if (!name || !value) {
            return refuse(ErrorCode::bad_request, "the query has a broken percent-escape", "query");
        }
        // A value may hold line breaks (pasted moves), a name may not.
        if (!is_clean(*name) || !base::is_utf8(*value) || value->find('\0') != std::string::npos) {
            return refuse(ErrorCode::bad_request, "the query is not UTF-8 text", "query");
        }
        target.query.emplace_back(std::move(*name), std::move(*value));
    }
    return target;
}

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
            return refuse(ErrorCode::unknown_field, "the query has an unknown parameter " + name,
                          "query." + name);
        }
        if (!seen.insert(raw_name).second) {
            return refuse(ErrorCode::bad_request, "the query has the parameter " + name + " twice",
                          "query." + name);
        }
    }
    return {};
}

const std::string& PathParameters::text(std::string_view name) const {
    const auto found = values_.find(name);
    assert(found != values_.end());
    return found->second;
}

std::optional<std::int64_t> PathParameters::integer(std::string_view name) const {
    const auto found = values_.find(name);
    return found == values_.end() ? std::nullopt : base::parse_number<std::int64_t>(found->second);
}

void Routes::add(Method method, std::string_view pattern) {
    assert(pattern.starts_with('/'));
    const auto segments = split(pattern);
    routes_.push_back({method, {segments.begin(), segments.end()}});
}

std::expected<Routes::Match, Routes::Miss> Routes::match(Method method,
                                                         std::string_view path) const {
    const auto segments = split(path);
    std::vector<Method> allowed;
    for (std::size_t i = 0; i < routes_.size(); ++i) {
        const Route& route = routes_[i];
        if (!fits(route.segments, segments)) {
            continue;
        }
        if (route.method == method || (method == Method::head && route.method == Method::get)) {
            std::map<std::string, std::string, std::less<>> values;
            for (std::size_t at = 0; at < segments.size(); ++at) {
                if (is_parameter(route.segments[at])) {
                    values.emplace(parameter_name(route.segments[at]), segments[at]);
                }
            }
            return Match{i, PathParameters(std::move(values))};
        }
        allowed.push_back(route.method);
    }
    if (allowed.empty()) {
        return std::unexpected(
            Miss{{ErrorCode::not_found, "there is nothing at this address", "path"}, {}});
    }
    if (std::ranges::find(allowed, Method::get) != allowed.end()) {
        allowed.push_back(Method::head);
    }
    std::ranges::sort(allowed);
    allowed.erase(std::unique(allowed.begin(), allowed.end()), allowed.end());
    std::string allow;
    for (const auto each : allowed) {
        allow.append(allow.empty() ? "" : ", ").append(name_of(each));
    }
    return std::unexpected(
        Miss{{ErrorCode::method_not_allowed, "this address answers " + allow + " only", "method"},
             std::move(allow)});
}

Response to_response(const Routes::Miss& miss, Method method) {
    Response response;
    if (method == Method::options && !miss.allow.empty()) {
        response.status = 204;
        response.content_type.clear();
    } else {
        response = to_response(miss.error);
    }
    if (!miss.allow.empty()) {
        response.headers["Allow"] = miss.allow;
    }
    return response;
}

} // namespace adjourn::http
