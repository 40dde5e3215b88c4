#include "piece_letters.hpp"

#include "move_text.hpp"
#include "text.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace adjourn::chess::detail {

namespace {

// King, queen, rook, bishop, knight.
using Letters = std::array<std::string_view, 5>;

constexpr std::string_view english = "KQRBN";
constexpr std::array<Letters, 14> languages{{
    {"K", "D", "T", "L", "S"},                                // German, Danish, Norwegian, Swedish
    {"R", "D", "T", "F", "C"},                                // French
    {"R", "D", "T", "A", "C"},                                // Spanish, Italian, Catalan
    {"R", "D", "T", "B", "C"},                                // Portuguese
    {"K", "D", "T", "L", "P"},                                // Dutch
    {"K", "H", "W", "G", "S"},                                // Polish
    {"K", "D", "V", "S", "J"},                                // Czech, Slovak
    {"K", "V", "B", "F", "H"},                                // Hungarian
    {"R", "D", "T", "N", "C"},                                // Romanian
    {"K", "D", "T", "L", "R"},                                // Finnish
    {"K", "D", "H", "B", "R"},                                // Icelandic
    {"K", "D", "T", "L", "J"},                                // Slovene and Croatian write these
    {"\u041a\u0440", "\u0424", "\u041b", "\u0421", "\u041a"}, // Russian
    {"\u0426", "\u0414", "\u0422", "\u041b", "\u0421"},       // Serbian, Bulgarian
}};

bool ends_word(char c) {
    return is_blank(c) || c == ',' || c == ';';
}

// The piece that stands for `text` at its front; the longest letter counts.
struct Found {
    char letter = 0;
    std::size_t length = 0;
};
Found piece_at(std::string_view text, const Letters& letters) {
    Found found;
    for (std::size_t i = 0; i < letters.size(); ++i) {
        if (text.starts_with(letters[i]) && letters[i].size() > found.length) {
            found = {english[i], letters[i].size()};
        }
    }
    return found;
}

// Whether `piece` and what follows can be a move: "Sf3", "Sxe4", "S1c3", "Sbd2".
bool moves_behind(std::string_view rest) {
    return !rest.empty() &&
           (rest[0] == 'x' || rest[0] == ':' || rest[0] == '-' ||
            (rest[0] >= 'a' && rest[0] <= 'h') || (rest[0] >= '1' && rest[0] <= '8'));
}

// Nothing if the word has a piece that the language has not.
std::optional<std::string> word_in_english(std::string_view word, const Letters& letters) {
    const std::string_view bare = without_move_number(word);
    const bool piece = !bare.empty() && bare[0] >= 'A' && bare[0] <= 'Z' && bare[0] != 'O';
    if (piece && piece_at(bare, letters).length == 0) {
        return std::nullopt;
    }
    std::string out{word.substr(0, word.size() - bare.size())};
    for (std::size_t at = 0; at < bare.size();) {
        const Found found = piece_at(bare.substr(at), letters);
        const bool first = at == 0 && moves_behind(bare.substr(found.length));
        const bool promotes = at > 0 && (bare[at - 1] == '=' || bare[at - 1] == '(' ||
                                         bare[at - 1] == '8' || bare[at - 1] == '1');
        if (found.length != 0 && (first || promotes)) {
            out += found.letter;
            at += found.length;
        } else {
            out += bare[at++];
        }
    }
    return out;
}

bool has_foreign_letter(std::string_view movetext) {
    for (std::size_t at = 0; at < movetext.size();) {
        std::size_t end = at;
        while (end < movetext.size() && !ends_word(movetext[end])) {
            ++end;
        }
        const std::string_view word = without_move_number(movetext.substr(at, end - at));
        const auto foreign = [](char c) {
            return c >= 'A' && c <= 'Z' && c != 'O' && english.find(c) == std::string_view::npos;
        };
        const bool piece = std::ranges::any_of(word, foreign) ||
                           (!word.empty() && static_cast<unsigned char>(word[0]) >= 0xd0);
        if (piece) {
            return true;
        }
        at = end + 1;
    }
    return false;
}

} // namespace

std::vector<std::string> from_other_letters(std::string_view movetext) {
    std::vector<std::string> texts;
    if (!has_foreign_letter(movetext)) {
        return texts;
    }
    for (const Letters& letters : languages) {
        std::string text;
        bool possible = true;
        for (std::size_t at = 0; at < movetext.size() && possible;) {
            std::size_t end = at;
            while (end < movetext.size() && !ends_word(movetext[end])) {
                ++end;
            }
            const auto word = word_in_english(movetext.substr(at, end - at), letters);
            possible = word.has_value();
            text += word.value_or("");
            if (end < movetext.size()) {
                text += movetext[end];
            }
            at = end + 1;
        }
        if (possible && text != movetext && std::ranges::find(texts, text) == texts.end()) {
            texts.push_back(std::move(text));
        }
    }
    return texts;
}

} // namespace adjourn::chess::detail
