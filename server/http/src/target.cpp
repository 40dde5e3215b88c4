#include "http/target.hpp"

#include "base/text.hpp"

#include <algorithm>

namespace adjourn::http {

namespace {

std::optional<unsigned> hex_digit(char c) {
    if (c >= '0' && c <= '9') {
        return static_cast<unsigned>(c - '0');
    }
    if (c >= 'a' && c <= 'f') {
        return static_cast<unsigned>(c - 'a' + 10);
    }
    if (c >= 'A' && c <= 'F') {
        return static_cast<unsigned>(c - 'A' + 10);
    }
    return std::nullopt;
}

std::unexpected<Error> bad_target(std::string message, std::string where) {
    return std::unexpected(Error{ErrorCode::bad_request, std::move(message), std::move(where)});
}

bool is_clean(std::string_view text) {
    return base::is_utf8(text) && !base::has_control_characters(text);
}

std::expected<std::string, Error> parse_path(std::string_view raw) {
    std::string path;
    while (!raw.empty()) { // raw = "/segment/…"
        raw.remove_prefix(1);
        const auto end = std::min(raw.find('/'), raw.size());
        const auto segment = percent_decoded(raw.substr(0, end), Plus::literal);
        if (!segment) {
            return bad_target("the path has a broken percent-escape", "path");
        }
        if (!is_clean(*segment)) {
            return bad_target("the path is not UTF-8 text", "path");
        }
        if (segment->find('/') != std::string::npos || *segment == "." || *segment == "..") {
            return bad_target("the path must not hold an encoded slash, '.' or '..'", "path");
        }
        path += '/';
        path += *segment;
        raw.remove_prefix(end);
    }
    return path;
}

} // namespace

std::optional<std::string> percent_decoded(std::string_view text, Plus plus) {
    std::string result;
    result.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '+' && plus == Plus::space) {
            result += ' ';
        } else if (text[i] != '%') {
            result += text[i];
        } else {
            if (text.size() - i < 3) {
                return std::nullopt;
            }
            const auto high = hex_digit(text[i + 1]);
            const auto low = hex_digit(text[i + 2]);
            if (!high || !low) {
                return std::nullopt;
            }
            result += static_cast<char>(*high * 16 + *low);
            i += 2;
        }
    }
    return result;
}

std::string percent_encoded(std::string_view text) {
    constexpr char digits[] = "0123456789ABCDEF";
    std::string out;
    for (const char c : text) {
        const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
                           (c >= 'A' && c <= 'Z') || c == '-' || c == '_' || c == '.';
        if (plain) {
            out += c;
        } else {
            out += '%';
            out += digits[static_cast<unsigned char>(c) >> 4];
            out += digits[static_cast<unsigned char>(c) & 15];
        }
    }
    return out;
}

std::expected<Target, Error> parse_target(std::string_view text) {
    if (!text.starts_with('/')) {
        return bad_target("the request target must start with '/'", "path");
    }
    if (text.find('#') != std::string_view::npos) {
        return bad_target("the request target must not hold a fragment", "path");
    }
    const auto question = text.find('?');
    auto path = parse_path(text.substr(0, question));
    if (!path) {
        return std::unexpected(path.error());
    }
    Target target{std::move(*path), {}};
    if (question == std::string_view::npos) {
        return target;
    }

    std::string_view rest = text.substr(question + 1);
    while (!rest.empty()) {
        const auto end = std::min(rest.find('&'), rest.size());
        const auto pair = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (pair.empty()) {
            continue;
        }
        const auto equals = std::min(pair.find('='), pair.size());
        auto name = percent_decoded(pair.substr(0, equals), Plus::space);
        auto value = percent_decoded(pair.substr(std::min(equals + 1, pair.size())), Plus::space);
        if (!name || !value) {
            return bad_target("the query has a broken percent-escape", "query");
        }
        // A value may hold line breaks (pasted moves), a name may not.
        if (!is_clean(*name) || !base::is_utf8(*value) || value->find('\0') != std::string::npos) {
            return bad_target("the query is not UTF-8 text", "query");
        }
        target.query.emplace_back(std::move(*name), std::move(*value));
    }
    return target;
}

} // namespace adjourn::http
