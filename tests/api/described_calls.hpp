// The calls that the API's own description names.
#pragma once

#include "http/requests/message.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace adjourn::server {

// The address with a value in place of each {parameter}.
inline std::string filled(std::string address, const std::string& id = "1",
                          const std::string& other = "1") {
    for (std::size_t begin = address.find('{'); begin != std::string::npos;
         begin = address.find('{')) {
        const std::size_t end = address.find('}', begin) + 1;
        const bool of_analysis = address.substr(begin, end - begin) == "{id}";
        address.replace(begin, end - begin, of_analysis ? id : other);
    }
    return address;
}

struct DescribedCall {
    http::Method method;
    std::string name;    // "post /analyses"
    std::string pattern; // "/api/v1/analyses/{id}"
    nlohmann::json item; // of the path
    nlohmann::json operation;
};

inline std::vector<DescribedCall> described_calls(const nlohmann::json& description) {
    constexpr std::array methods{
        std::pair{"get", http::Method::get}, std::pair{"post", http::Method::post},
        std::pair{"put", http::Method::put}, std::pair{"patch", http::Method::patch},
        std::pair{"delete", http::Method::del}};
    std::vector<DescribedCall> all;
    for (const auto& [path, item] : description["paths"].items()) {
        for (const auto& [name, method] : methods) {
            // Without the listener's own, which are no calls.
            if (item.contains(name) && path != "/events" && path != "/tickets") {
                const std::string base = item.contains("servers") ? "" : "/api/v1";
                all.push_back(
                    {method, std::string{name} + " " + path, base + path, item, item[name]});
            }
        }
    }
    return all;
}

} // namespace adjourn::server
