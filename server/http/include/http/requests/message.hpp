// Request and Response: HTTP without sockets. Handlers are functions Request → Response and are
// tested as such; http/listener.hpp carries them over Beast.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace adjourn::http {

// `other` is whatever the API never uses (TRACE, CONNECT, …); the listener answers it with
// 405.
enum class Method : std::uint8_t { get, head, post, put, patch, del, options, other };

// "GET", "DELETE", …; "" for `other`.
std::string_view name_of(Method method);
Method method_named(std::string_view name);

struct ParsedJson; // http/json.hpp

struct Request {
    Method method = Method::get;
    std::string path; // decoded, without query: "/api/v1/analyses/1/node"
    std::vector<std::pair<std::string, std::string>> query; // decoded, in order
    std::map<std::string, std::string> headers; // names in lower case; repeated ones joined by ", "
    std::string body;
    // What parse_json() made of the body, where somebody has called it already.
    std::shared_ptr<const ParsedJson> json = nullptr;
    // Asked by a link: what tells of other analyses is left out of the answer.
    bool by_link = false;
    // Asked to stop once nobody waits for the answer: the client is gone, or has another one.
    std::stop_source unwanted{};

    // First value of a query parameter.
    std::optional<std::string> parameter(std::string_view name) const;
    std::optional<std::string> header(std::string_view lower_case_name) const;
};

struct Response {
    int status = 200;
    std::string content_type = "application/json";
    std::string body;
    std::map<std::string, std::string> headers; // besides Content-Type and Content-Length
};

} // namespace adjourn::http
