#include "move_text.hpp"

#include "text.hpp"
#include "utf8.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace adjourn::chess::detail {

namespace {

bool looks_like_uci(std::string_view word) {
    const bool promotes = word.size() == 5 && is_letter(word.back());
    return (word.size() == 4 || promotes) && Square::parse(word.substr(0, 2)) &&
           Square::parse(word.substr(2, 2));
}

} // namespace

std::optional<std::string_view> result_of(std::string_view word) {
    if (word.empty() || is_letter(word.front())) {
        return std::nullopt; // nearly every move
    }
    if (word == "*" || word == "1-0" || word == "0-1" || word == "1/2-1/2") {
        return word;
    }
    if (word == "1/2" || word == "½-½" || word == "½" || word == "\xbd-\xbd" || word == "\xbd") {
        return "1/2-1/2";
    }
    if (word == "+--") { // by default: one of them was absent
        return "1-0";
    }
    if (word == "--+") {
        return "0-1";
    }
    return word == "---" ? std::optional<std::string_view>{"*"} : std::nullopt;
}

std::string_view without_move_number(std::string_view word) {
    std::size_t at = 0;
    while (at < word.size() && is_digit(word[at])) {
        ++at;
    }
    if (at == word.size()) {
        return {};
    }
    constexpr std::string_view ellipsis = "…";
    const std::size_t digits = at;
    for (;;) {
        if (at < word.size() && word[at] == '.') {
            ++at;
        } else if (word.substr(at).starts_with(ellipsis)) {
            at += ellipsis.size();
        } else {
            break;
        }
    }
    return at == digits ? word : word.substr(at);
}

std::optional<int> glyph(std::string_view word) {
    static constexpr std::array<std::pair<std::string_view, int>, 24> signs{
        {{"!", 1},   {"?", 2},    {"!!", 3},  {"??", 4},   {"!?", 5},   {"?!", 6},
         {"□", 7},   {"=", 10},   {"∞", 13},  {"+=", 14},  {"+/=", 14}, {"⩲", 14},
         {"=+", 15}, {"=/+", 15}, {"⩱", 15},  {"+/-", 16}, {"±", 16},   {"-/+", 17},
         {"∓", 17},  {"+-", 18},  {"-+", 19}, {"+", 0},    {"++", 0},   {"#", 0}}};
    static constexpr std::array<std::pair<std::string_view, int>, 7> words{
        {{"N", 146}, {"D", 220}, {"e.p.", 0}, {"ep", 0}, {"mate", 0}, {"ch", 0}, {"dis", 0}}};
    const auto look_up = [&](const auto& table) -> std::optional<int> {
        const auto found = std::find_if(table.begin(), table.end(),
                                        [&](const auto& entry) { return entry.first == word; });
        return found == table.end() ? std::nullopt : std::optional{found->second};
    };
    if (word.empty() || is_digit(word.back())) {
        return std::nullopt; // nearly every move
    }
    return is_letter(word.front()) ? look_up(words) : look_up(signs);
}

std::vector<std::string> mended(std::string_view word) {
    const auto is_number = [](std::string_view text) {
        return std::ranges::all_of(text, [](char c) { return is_digit(c) || c == '.'; });
    };
    const auto without_punctuation = [&](std::string_view text) {
        while (!text.empty() && std::string_view{".,:"}.contains(text.back()) && !is_number(text) &&
               !text.ends_with("e.p.")) {
            text.remove_suffix(1);
        }
        return text;
    };
    const std::string plain = in_ascii(word);
    std::vector<std::string> words;
    for (std::size_t at = 0; at < plain.size();) {
        const std::size_t end = std::min(plain.find(' ', at), plain.size());
        std::string_view token = std::string_view{plain}.substr(at, end - at);
        at = end + 1;
        token = without_punctuation(token);
        while (token.starts_with(',')) {
            token.remove_prefix(1);
        }
        std::string_view result;
        for (const std::string_view ending : {"1/2-1/2", "1-0", "0-1"}) {
            if (token.size() > ending.size() && token.ends_with(ending)) {
                result = ending;
                token = without_punctuation(token.substr(0, token.size() - ending.size()));
                break;
            }
        }
        if (!token.empty()) {
            words.emplace_back(token);
        }
        if (!result.empty()) {
            words.emplace_back(result);
        }
    }
    return words;
}

bool is_null_move(std::string_view word) {
    static constexpr std::array<std::string_view, 7> words{"--",   "Z0",   "0000", "null",
                                                           "NULL", "pass", "@@@@"};
    return std::find(words.begin(), words.end(), word) != words.end();
}

std::expected<Move, MoveError> parse_move(const Position& position, std::string_view word) {
    if (looks_like_uci(word)) {
        return parse_uci(position, word);
    }
    auto move = parse_san(position, word);
    if (!move) {
        std::string bare{word};
        std::erase_if(bare, [](char c) { return std::string_view{"-x:=+#"}.contains(c); });
        if (bare.size() != word.size() && looks_like_uci(bare)) {
            if (const auto found = parse_uci(position, bare)) {
                return *found;
            }
        }
    }
    return move;
}

} // namespace adjourn::chess::detail
