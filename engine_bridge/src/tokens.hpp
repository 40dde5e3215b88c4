// Tokens: a line cut at blanks, keeping where each token stood.
#pragma once

#include <cstddef>
#include <string_view>

namespace adjourn::engine_bridge::uci {

class Tokens {
public:
    explicit Tokens(std::string_view line) : line_{line} {}

    // The next token; empty at the end of the line.
    std::string_view next() {
        const std::string_view token = peek();
        at_ = start_of_next() + token.size();
        return token;
    }
    std::string_view peek() const {
        const std::size_t start = start_of_next();
        std::size_t end = start;
        while (end < line_.size() && !is_blank(line_[end])) {
            ++end;
        }
        return line_.substr(start, end - start);
    }
    // Everything not yet taken, without blanks at its ends.
    std::string_view rest() const {
        std::string_view rest = line_.substr(start_of_next());
        while (!rest.empty() && is_blank(rest.back())) {
            rest.remove_suffix(1);
        }
        return rest;
    }

    static constexpr bool is_blank(char c) {
        return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\v' || c == '\f';
    }

private:
    std::size_t start_of_next() const {
        std::size_t start = at_;
        while (start < line_.size() && is_blank(line_[start])) {
            ++start;
        }
        return start;
    }

    std::string_view line_;
    std::size_t at_ = 0;
};

} // namespace adjourn::engine_bridge::uci
