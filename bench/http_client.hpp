// A caller of a server on this machine, on one connection that stays open.
#pragma once

#include "http/client/http_link.hpp"

#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace adjourn::bench {

class HttpClient {
public:
    using Reply = server::HttpLink::Reply;

    // The token, if any, goes with all requests.
    HttpClient(const std::string& host, std::uint16_t port, const std::string& token = "")
        : link_{{false, host, std::to_string(port), host + ":" + std::to_string(port), ""},
                token,
                1U << 30} {}

    // Block until the answer is here; throw std::runtime_error if there is none.
    Reply get(const std::string& target) { return send("GET", target, "", ""); }
    Reply send(const std::string& method, const std::string& target, const std::string& body,
               const std::string& content_type) {
        server::HttpLink::Headers headers;
        if (!content_type.empty()) {
            headers.emplace_back("Content-Type", content_type);
        }
        auto reply = link_.send(method, target, body, std::chrono::hours{1}, headers);
        return reply ? *reply : throw std::runtime_error{reply.error().message};
    }

private:
    server::HttpLink link_;
};

} // namespace adjourn::bench
