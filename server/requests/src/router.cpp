#include "requests/router.hpp"

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

// Whether `left` is literal where the two first differ in kind.
bool more_literal(const std::vector<std::string>& left, const std::vector<std::string>& right) {
    return std::ranges::lexicographical_compare(left, right, {}, is_parameter, is_parameter);
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
    const Route* best = nullptr;
    std::vector<Method> allowed;
    for (const auto& route : routes_) {
        if (!fits(route.segments, segments)) {
            continue;
        }
        allowed.push_back(route.method);
        if (route.method != method && !(method == Method::head && route.method == Method::get)) {
            continue;
        }
        const bool better = best == nullptr || more_literal(route.segments, best->segments) ||
                            (!more_literal(best->segments, route.segments) &&
                             route.method == method && best->method != method);
        if (better) {
            best = &route;
        }
    }
    if (best != nullptr) {
        std::map<std::string, std::string, std::less<>> values;
        for (std::size_t i = 0; i < segments.size(); ++i) {
            if (is_parameter(best->segments[i])) {
                values.emplace(parameter_name(best->segments[i]), segments[i]);
            }
        }
        return Match{static_cast<std::size_t>(best - routes_.data()),
                     PathParameters(std::move(values))};
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
