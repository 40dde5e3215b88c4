#include "chess/move_text.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace adjourn::chess::detail {

namespace {

bool looks_like_uci(std::string_view word) {
    const bool promotes = word.size() == 5 && is_letter(word.back());
    return (word.size() == 4 || promotes) && Square::parse(word.substr(0, 2)) &&
           Square::parse(word.substr(2, 2));
}

// A word of several that nothing parts, read from its front.
class Glued {
public:
    explicit Glued(std::string_view word) : rest_{word} {}

    // Moves, move numbers and signs, if the word is nothing else.
    std::vector<std::string> parts() {
        std::vector<std::string> found;
        bool any_move = false;
        while (!rest_.empty()) {
            if (const std::size_t length = move_length(); length != 0) {
                found.emplace_back(take(length));
                any_move = true;
            } else if (any_move && glyph_length() != 0) {
                found.emplace_back(take(glyph_length()));
            } else if (number_length() != 0) {
                take(number_length());
            } else if (any_move && std::string_view{",;/|:x"}.contains(rest_.front())) {
                take(1);
            } else {
                return {};
            }
        }
        return any_move ? found : std::vector<std::string>{};
    }

private:
    std::string_view take(std::size_t length) {
        const std::string_view text = rest_.substr(0, length);
        rest_.remove_prefix(length);
        return text;
    }
    char at(std::size_t i) const { return i < rest_.size() ? rest_[i] : '\0'; }
    bool square_at(std::size_t i) const { return is_file(at(i)) && is_rank(at(i + 1)); }

    std::size_t castling_length() const {
        std::size_t letters = 0;
        while (letters < 3 && std::string_view{"Oo0"}.contains(at(2 * letters)) &&
               (letters == 0 || at(2 * letters - 1) == '-')) {
            ++letters;
        }
        return letters < 2 ? 0 : 2 * letters - 1;
    }

    // What a pawn becomes: "=Q", "/Q", "(Q)", "Q".
    std::size_t promotion_length(std::size_t i) const {
        const auto piece = [&](std::size_t j) { return std::string_view{"QRBN"}.contains(at(j)); };
        if (at(i) == '=' || at(i) == '/') {
            return piece(i + 1) ? 2 : 0;
        }
        if (at(i) == '(') {
            return piece(i + 1) && at(i + 2) == ')' ? 3 : 0;
        }
        const bool another = is_file(at(i + 1)) || is_rank(at(i + 1)) || at(i + 1) == 'x';
        return at(i) != '\0' && piece(i) && !another ? 1 : 0;
    }

    // Check marks and "!?", where no sign such as "+-" begins.
    std::size_t marks_end(std::size_t i) const {
        while (
            std::string_view{"+#!?"}.contains(at(i)) && at(i) != '\0' &&
            !(at(i) == '+' && std::string_view{"-/="}.contains(at(i + 1)) && at(i + 1) != '\0')) {
            ++i;
        }
        return i;
    }

    // Of SAN or long notation with its marks.
    std::size_t move_length() const {
        if (const std::size_t castling = castling_length()) {
            return marks_end(castling);
        }
        const bool piece = !rest_.empty() && std::string_view{"KQRBNP"}.contains(at(0));
        const std::size_t start = piece ? 1 : 0;
        const std::array<std::size_t, 4> origins{square_at(start) ? 2U : 0U,
                                                 is_file(at(start)) ? 1U : 0U,
                                                 is_rank(at(start)) ? 1U : 0U, 0U};
        for (const std::size_t origin : origins) {
            std::size_t end = start + origin;
            end += at(end) == 'x' || at(end) == ':' || at(end) == '-' ? 1 : 0;
            if (!square_at(end)) {
                continue;
            }
            const bool last_rank = at(end + 1) == '1' || at(end + 1) == '8';
            end += 2;
            end += last_rank && !piece ? promotion_length(end) : 0;
            return marks_end(end);
        }
        return 0;
    }

    std::size_t glyph_length() const {
        for (std::size_t length = std::min<std::size_t>(rest_.size(), 6); length > 0; --length) {
            if (glyph(rest_.substr(0, length))) {
                return length;
            }
        }
        return 0;
    }

    std::size_t number_length() const {
        std::size_t end = 0;
        while (is_digit(at(end))) {
            ++end;
        }
        const std::size_t digits = end;
        while (at(end) == '.') {
            ++end;
        }
        return digits != 0 && end != digits ? end : 0;
    }

    std::string_view rest_;
};

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

std::optional<std::string_view> result_of(std::string_view word) {
    if (word.empty() || is_letter(word.front()) || word.back() == '.') {
        return std::nullopt; // nearly every move, and its number
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
    if (word == "1:0" || word == "0:1") {
        return word == "1:0" ? "1-0" : "0-1";
    }
    if (word == "1/2:1/2" || word == "½:½" || word == "0.5-0.5") {
        return "1/2-1/2";
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
    static constexpr std::array<std::pair<std::string_view, int>, 38> signs{
        {{"!", 1},    {"?", 2},    {"!!", 3},  {"??", 4},   {"!?", 5},  {"?!", 6},  {"□", 7},
         {"=", 10},   {"∞", 13},   {"+=", 14}, {"+/=", 14}, {"⩲", 14},  {"=+", 15}, {"=/+", 15},
         {"⩱", 15},   {"+/-", 16}, {"±", 16},  {"-/+", 17}, {"∓", 17},  {"+-", 18}, {"-+", 19},
         {"⨀", 22},   {"⊙", 22},   {"○", 26},  {"⟳", 32},   {"→", 36},  {"↑", 40},  {"=∞", 44},
         {"⯹", 44}, {"⇆", 132},  {"⇄", 132}, {"⊕", 138},  {"∆", 140}, {"△", 140}, {"⌓", 142},
         {"+", 0},    {"++", 0},   {"#", 0}}};
    static constexpr std::array<std::pair<std::string_view, int>, 15> words{{{"RR", 145},
                                                                             {"inf", 13},
                                                                             {"N", 146},
                                                                             {"TN", 146},
                                                                             {"D", 220},
                                                                             {"e.p.", 0},
                                                                             {"e.p", 0},
                                                                             {"ep", 0},
                                                                             {"mate", 0},
                                                                             {"ch", 0},
                                                                             {"dis", 0},
                                                                             {"dbl", 0},
                                                                             {"dis.ch", 0},
                                                                             {"disch", 0},
                                                                             {"dbl.ch", 0}}};
    const auto look_up = [&](const auto& table) -> std::optional<int> {
        const auto found = std::find_if(table.begin(), table.end(),
                                        [&](const auto& entry) { return entry.first == word; });
        return found == table.end() ? std::nullopt : std::optional{found->second};
    };
    if (word.empty() || is_digit(word.back())) {
        return std::nullopt; // nearly every move
    }
    if (!is_letter(word.front())) {
        return look_up(signs);
    }
    const std::size_t end = word.find_last_not_of("+#") + 1; // "e.p.+"
    return look_up(words)      ? look_up(words)
           : end < word.size() ? glyph(word.substr(0, end))
                               : std::nullopt;
}

bool is_symbol(std::string_view word) {
    for (std::size_t at = 0; at < word.size();) {
        const base::Utf8Character character = base::utf8_at(word, at);
        const unsigned code = character.code;
        const bool ascii = code < 0x80 && !is_letter(word[at]) && !is_digit(word[at]);
        const bool chessman = code >= 0x2654 && code <= 0x265f; // of a move in two words
        if (chessman || (code < 0x80 && !ascii)) {
            return false;
        }
        at += character.length;
    }
    return true;
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
    if (plain.size() == 1 && is_letter(plain.front())) {
        return {std::string{word}}; // a figurine apart from its square is no sign
    }
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
        std::vector<std::string> parts = Glued{token}.parts();
        if (parts.empty() && !token.empty()) {
            parts.emplace_back(token);
        }
        std::ranges::move(parts, std::back_inserter(words));
        if (!result.empty()) {
            words.emplace_back(result);
        }
    }
    return words;
}

bool is_null_move(std::string_view word) {
    static constexpr std::array<std::string_view, 7> words{"--",   "Z0",   "0000", "null",
                                                           "NULL", "pass", "@@@@"};
    if (word.empty() || is_rank(word.back())) {
        return false; // most moves
    }
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
