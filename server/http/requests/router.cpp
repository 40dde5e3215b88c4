#include "http/requests/router.hpp"

#include "base/number.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <cassert>

namespace adjourn::http {

namespace {

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
