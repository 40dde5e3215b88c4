// Small pure text helpers. Letters are those of ASCII, as in HTTP and UCI.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace adjourn::base {

// Bytes of the sequence that begins at `at`; 0 if it is none. REQUIRES: at < text.size().
inline std::size_t utf8_length(std::string_view text, std::size_t at) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
    const unsigned char first = byte(0);
    if (first < 0x80) {
        return 1;
    }
    const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || text.size() - at < length) {
        return 0;
    }
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xc0) != 0x80) {
            return 0;
        }
    }
    const bool overlong = (first == 0xe0 && byte(1) < 0xa0) || (first == 0xf0 && byte(1) < 0x90);
    const bool surrogate = first == 0xed && byte(1) >= 0xa0;
    const bool too_large = first == 0xf4 && byte(1) >= 0x90;
    return overlong || surrogate || too_large ? 0 : length;
}

inline bool is_utf8(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = utf8_length(text, at);
        if (length == 0) {
            return false;
        }
        at += length;
    }
    return true;
}

struct Utf8Character {
    unsigned code;
    std::size_t length; // bytes
};

// REQUIRES: a sequence that utf8_length() takes begins at `at`.
Utf8Character utf8_at(std::string_view text, std::size_t at);

void append_utf8(std::string& text, unsigned code); // REQUIRES: not above U+FFFF

// `text` itself if it is UTF-8, else read as Windows-1252; `storage` keeps a converted one.
std::string_view as_utf8(std::string_view text, std::string& storage);
// The same as a copy.
std::string to_utf8(std::string_view text);

std::string lower_case(std::string_view text);
bool equal_ignoring_case(std::string_view left, std::string_view right);
std::string_view trimmed(std::string_view text); // spaces and tabs at both ends

bool has_control_characters(std::string_view text); // below 0x20, and 0x7f

// At most `most` bytes (three or more), cut between code points, with "…" at its end where
// something was cut.
std::string shortened(std::string_view text, std::size_t most);

// Every `from`, which is not empty, as `to`; linear in the length.
std::string replaced(std::string_view text, std::string_view from, std::string_view to);

// Two digits a byte: "00ff".
std::string hex(std::span<const unsigned char> bytes);

// 128 bits, in hexadecimal digits. Throws std::system_error where there are no random numbers.
std::string random_secret();

// Calls `use` with each trimmed, non-empty element of an HTTP list ("a, b;q=0, c").
void for_each_element(std::string_view list, char separator,
                      const std::function<void(std::string_view)>& use);

// Whether a player's name, as PGN has it, is one of those that stand in `names` with semicolons
// between them: the same, or with a comma or a blank behind it ("Lasker" is "Lasker, Emanuel").
bool is_one_of_names(std::string_view player, std::string_view names);

// Words: a text taken word by word, cut at the blanks of ASCII.

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

// std::ranges::contains, which g++ 12 does not have yet.

template <class Range, class Value>
constexpr bool contains(const Range& range, const Value& value) {
    return std::find(range.begin(), range.end(), value) != range.end();
}

// Counted: one of a number, for as long as it lives.

template <class Number>
class Counted {
public:
    explicit Counted(Number& number) : number_{number}, count_{++number} {}
    ~Counted() { --number_; }
    Counted(const Counted&) = delete;
    Counted& operator=(const Counted&) = delete;

    std::size_t count() const { return count_; } // when it began, itself included

private:
    Number& number_;
    std::size_t count_;
};

// Text of others as a terminal or a log may get it.

// `text` without what a terminal would obey or what would hide its order: control characters but
// '\n' (C0, DEL, C1) and marks that turn the direction of text (U+202A–202E, U+2066–2069) become
// "\u001b", bytes that are no UTF-8 "\x9b". The former is how JSON writes them, so that a JSON
// text keeps its meaning.
std::string readable(std::string_view text);

// The same on one line: '\n', too, is escaped.
std::string readable_line(std::string_view text);

// From now on the functions above write "…" where `secret` stands, whatever others quote of it. Of
// less than eight bytes it is none. Any thread.
void keep_secret(std::string_view secret);
// `text` so. To be called before a text of others is cut.
std::string without_secrets(std::string_view text);

} // namespace adjourn::base
