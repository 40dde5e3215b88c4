#include "api/api.hpp"

#include <array>
#include <string>

namespace adjourn::server {

using http::Method;

namespace {

struct Ruled {
    Method method;
    const char* pattern; // behind the base path
    CallRules rules;
};

constexpr std::size_t usual = CallRules{}.most_bytes;

constexpr std::array ruled{
    Ruled{Method::post, "/analyses", {usual, true, false, false}},
    Ruled{Method::patch, "/analyses/{id}", {usual, true, false, false}},
    Ruled{Method::post, "/analyses/{id}/directives", {usual, true, false, false}},
    Ruled{Method::post, "/positions", {usual, true, false, false}},
    Ruled{Method::post, "/import", {most_import_bytes, false, true, true}},
    Ruled{Method::get, "/analyses/{id}/tree", {usual, false, true, false}},
    Ruled{Method::get, "/analyses/{id}/disagreements", {usual, false, true, false}},
    Ruled{Method::get, "/analyses/{id}/export", {usual, false, true, true}},
    Ruled{Method::get, "/analyses/{id}/changes", {usual, false, true, true}},
};

http::Routes routes_of_rules() {
    http::Routes routes;
    for (const Ruled& each : ruled) {
        routes.add(each.method, std::string{api_base} + each.pattern);
    }
    return routes;
}

} // namespace

CallRules rules_for(Method method, std::string_view path) {
    static const http::Routes routes = routes_of_rules();
    const auto match = routes.match(method, path);
    return match ? ruled.at(match->index).rules : CallRules{};
}

} // namespace adjourn::server
