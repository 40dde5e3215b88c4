// A caller of a server on this machine, on one connection that stays open.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace adjourn::bench {

class HttpClient {
public:
    // Throws std::runtime_error if nobody listens. The token, if any, goes with all requests.
    HttpClient(const std::string& address, std::uint16_t port, std::string token = "");
    ~HttpClient();

    struct Reply {
        int status = 0;
        std::string body;
    };
    // Block until the answer is here; throw std::runtime_error if there is none.
    Reply get(const std::string& target);
    Reply send(const std::string& method, const std::string& target, const std::string& body,
               const std::string& content_type);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace adjourn::bench
