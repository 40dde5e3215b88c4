// Words: a text taken word by word, cut at the blanks of ASCII.
#pragma once

#include <cstddef>
#include <string_view>

namespace adjourn::base {

// Views into the text, which must outlive it.
class Words {
public:
    explicit Words(std::string_view text) : text_{text} {}

    // The next word; "" at the end.
    std::string_view next() {
        const std::string_view word = peek();
        at_ = start_of_next() + word.size();
        return word;
    }
    std::string_view peek() const {
        const std::size_t start = start_of_next();
        std::size_t end = start;
        while (end < text_.size() && !is_blank(text_[end])) {
            ++end;
        }
        return text_.substr(start, end - start);
    }
    // All that is not yet taken, without blanks at its ends.
    std::string_view rest() const {
        std::string_view rest = text_.substr(start_of_next());
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
        while (start < text_.size() && is_blank(text_[start])) {
            ++start;
        }
        return start;
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

} // namespace adjourn::base
