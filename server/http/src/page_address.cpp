#include "page_address.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

namespace adjourn::http {

namespace {

bool is_number(std::string_view text) {
    return !text.empty() && text.size() <= 15 &&
           std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

bool is_plain(std::string_view text) { // as lines of moves are, and the page's parameters
    return !text.empty() && std::ranges::all_of(text, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == ',';
    });
}

// Of "/a/b/" a and b; nullopt where two slashes stand together.
std::optional<std::vector<std::string_view>> parts_of(std::string_view path) {
    std::vector<std::string_view> parts;
    path.remove_prefix(1);
    while (!path.empty()) {
        const std::size_t end = std::min(path.find('/'), path.size());
        if (end == 0) {
            return std::nullopt;
        }
        parts.push_back(path.substr(0, end));
        path.remove_prefix(std::min(end + 1, path.size()));
    }
    return parts;
}

// As web/src/router.ts reads them; the API calls an analysis's folder "analyses".
std::optional<std::string> route_of(const std::vector<std::string_view>& parts) {
    if (parts.empty() || parts.size() > 3) {
        return std::nullopt;
    }
    const bool tree = parts[0] == "analyses" || parts[0] == "analysis";
    const bool review = parts[0] == "review";
    if (parts.size() == 1) {
        if (parts[0] == "analyses") {
            return "";
        }
        return review || parts[0] == "new" ? std::optional{std::string{parts[0]}} : std::nullopt;
    }
    const bool line = parts.size() == 3;
    if ((!tree && !review) || !is_number(parts[1]) || (review && !line) ||
        (line && !is_plain(parts[2]))) {
        return std::nullopt;
    }
    return std::string{tree ? "analysis" : "review"} + "/" + std::string{parts[1]} +
           (line ? "/" + std::string{parts[2]} : "");
}

} // namespace

std::optional<std::string> page_address(const Request& request) {
    const std::string& path = request.path;
    if (!path.starts_with('/')) {
        return std::nullopt;
    }
    const auto parts = parts_of(path);
    const auto route = parts ? route_of(*parts) : std::nullopt;
    if (!route) {
        return std::nullopt;
    }
    std::string address;
    for (auto depth = std::ranges::count(path, '/'); depth > 1; --depth) {
        address += "../";
    }
    address += (address.empty() ? "./#/" : "#/") + *route;
    char separator = '?';
    for (const auto& [name, value] : request.query) {
        if (is_plain(name) && is_plain(value)) {
            address += separator + name + "=" + value;
            separator = '&';
        }
    }
    return address;
}

} // namespace adjourn::http
