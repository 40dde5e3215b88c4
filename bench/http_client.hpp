// A caller of a server on this machine, on one connection that stays open, and how long its calls
// take.
#pragma once

#include "http/client/http_link.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iomanip>
#include <ostream>
#include <stdexcept>
#include <string>
#include <vector>

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

inline double milliseconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
        .count();
}

// How long calls took, as a line of a table.
class CallTimes {
public:
    void add(double ms) { all_.push_back(ms); }
    // Their number, the median, the 99th percentile and the longest, in ms.
    void print(std::ostream& out, const std::string& what) {
        std::ranges::sort(all_);
        out << std::left << std::setw(44) << what << std::right << std::setw(7) << all_.size()
            << " calls" << std::fixed << std::setprecision(2);
        for (const double share : {0.5, 0.99, 1.0}) {
            const auto at = static_cast<std::size_t>(share * static_cast<double>(all_.size()));
            out << std::setw(10) << (all_.empty() ? 0.0 : all_[std::min(at, all_.size() - 1)]);
        }
        out << '\n';
    }

private:
    std::vector<double> all_;
};

} // namespace adjourn::bench
