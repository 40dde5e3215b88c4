#include "http/requests/message.hpp"

#include <array>

namespace adjourn::http {

namespace {

struct Name {
    Method method;
    std::string_view text;
};

constexpr std::array names{
    Name{Method::get, "GET"},         Name{Method::head, "HEAD"},   Name{Method::post, "POST"},
    Name{Method::put, "PUT"},         Name{Method::patch, "PATCH"}, Name{Method::del, "DELETE"},
    Name{Method::options, "OPTIONS"},
};

} // namespace

std::string_view name_of(Method method) {
    for (const auto& name : names) {
        if (name.method == method) {
            return name.text;
        }
    }
    return {};
}

Method method_named(std::string_view text) {
    for (const auto& name : names) {
        if (name.text == text) {
            return name.method;
        }
    }
    return Method::other;
}

std::optional<std::string> Request::parameter(std::string_view name) const {
    for (const auto& [key, value] : query) {
        if (key == name) {
            return value;
        }
    }
    return std::nullopt;
}

std::optional<std::string> Request::header(std::string_view lower_case_name) const {
    const auto found = headers.find(std::string(lower_case_name));
    if (found == headers.end()) {
        return std::nullopt;
    }
    return found->second;
}

} // namespace adjourn::http
