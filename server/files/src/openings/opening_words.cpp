#include "opening_words.hpp"
#include "folded.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>

extern const char adjourn_opening_words_tsv[];

namespace adjourn::server {

namespace {

bool is_vowel(char c) {
    return std::string_view{"aeiou"}.find(c) != std::string_view::npos;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
    for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
        text.replace(at, from.size(), to);
    }
}

std::string stem(std::string word) {
    for (std::size_t at = 0; at + 1 < word.size(); ++at) { // ae, oe, ue: how umlauts are typed
        const bool umlaut = word[at + 1] == 'e' &&
                            (word[at] == 'a' || word[at] == 'o' || word[at] == 'u') &&
                            (at == 0 || word[at - 1] != 'q');
        if (umlaut) {
            word.erase(at + 1, 1);
        }
    }
    replace_all(word, "nce", "nse");
    if (word.size() > 3 && word.ends_with("nc")) {
        word.back() = 's';
    }
    if (word.size() > 3 && word.ends_with('s') && !word.ends_with("ss")) {
        word.pop_back();
    }
    return word;
}

struct Translation {
    std::vector<std::string> from; // the last one may end in '*': any ending
    std::vector<std::string> to;
};

struct Vocabulary {
    std::vector<Translation> languages; // to English
    std::vector<Translation> names;     // to the book's name
    std::vector<std::string> tails;     // second parts of compounds

    Vocabulary() {
        std::string_view rest{adjourn_opening_words_tsv};
        while (!rest.empty()) {
            const std::size_t end = std::min(rest.find('\n'), rest.size());
            add(rest.substr(0, end));
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
        const auto longer = [](const Translation& a, const Translation& b) {
            return a.from.size() > b.from.size();
        };
        std::ranges::stable_sort(languages, longer);
        std::ranges::stable_sort(names, longer);
    }

private:
    void add(std::string_view line) {
        const std::size_t first = line.find('\t');
        const std::size_t second = line.find('\t', first + 1);
        if (line.starts_with('#') || first == std::string_view::npos) {
            return;
        }
        const std::string_view kind = line.substr(0, first);
        std::string_view from = line.substr(first + 1, second - first - 1);
        if (kind == "tail") {
            tails.push_back(opening_words(from).front());
            return;
        }
        const bool open = from.ends_with('*');
        Translation translation{opening_words(from), second == std::string_view::npos
                                                         ? std::vector<std::string>{}
                                                         : opening_words(line.substr(second + 1))};
        if (open) {
            translation.from.back() += '*';
        }
        (kind == "name" ? names : languages).push_back(std::move(translation));
    }
};

const Vocabulary& vocabulary() {
    static const Vocabulary the_vocabulary;
    return the_vocabulary;
}

enum class Fit : std::uint8_t { none, begun, whole };

Fit word_fit(std::string_view word, std::string_view wanted, bool last) {
    if (wanted.ends_with('*')) {
        wanted.remove_suffix(1);
        if (word.starts_with(wanted)) {
            return Fit::whole;
        }
    }
    if (word == wanted) {
        return Fit::whole;
    }
    return last && word.size() >= 3 && wanted.starts_with(word) ? Fit::begun : Fit::none;
}

// How `words` from `at` on are the phrase. Only the last word of all may be begun.
Fit phrase_fit(const std::vector<std::string>& words, std::size_t at,
               const std::vector<std::string>& phrase) {
    if (at + phrase.size() > words.size()) {
        return Fit::none;
    }
    Fit fit = Fit::whole;
    for (std::size_t i = 0; i < phrase.size(); ++i) {
        const bool last = at + i + 1 == words.size() && i + 1 == phrase.size();
        fit = std::min(fit, word_fit(words[at + i], phrase[i], last));
    }
    return fit;
}

const Translation* whole_at(const std::vector<Translation>& table,
                            const std::vector<std::string>& words, std::size_t at) {
    const auto found = std::ranges::find_if(table, [&](const Translation& entry) {
        return phrase_fit(words, at, entry.from) == Fit::whole;
    });
    return found == table.end() ? nullptr : &*found;
}

// German and Dutch write in one word what English writes in two.
std::optional<std::pair<std::string, std::string>> split_compound(const std::string& word) {
    for (const std::string& tail : vocabulary().tails) {
        const bool inflected = tail.ends_with("isch");
        const std::size_t at = inflected ? word.rfind(tail) : word.size() - tail.size();
        const bool fits = word.size() > tail.size() + 2 && at != std::string::npos && at >= 3 &&
                          word.compare(at, tail.size(), tail) == 0 &&
                          at + tail.size() + 2 >= word.size();
        if (fits) {
            return std::pair{stem(word.substr(0, at)), word.substr(at)};
        }
    }
    return std::nullopt;
}

std::vector<std::string> translated(const std::vector<std::string>& words,
                                    const std::vector<Translation>& table, bool compounds) {
    std::vector<std::string> out;
    for (std::size_t at = 0; at < words.size();) {
        const auto append = [&](const Translation& found) {
            out.insert(out.end(), found.to.begin(), found.to.end());
        };
        if (const Translation* found = whole_at(table, words, at)) {
            append(*found);
            at += found->from.size();
            continue;
        }
        const auto split = compounds ? split_compound(words[at]) : std::nullopt;
        if (split) {
            const auto inner = translated({split->first, split->second}, table, false);
            out.insert(out.end(), inner.begin(), inner.end());
        } else {
            out.push_back(words[at]);
        }
        ++at;
    }
    return out;
}

// "konigsind" begins "konigsindisch": a known word, and how a second part begins.
std::optional<std::vector<std::string>> completed_compound(std::vector<std::string> words) {
    const std::string last = words.back();
    for (const std::string& tail : vocabulary().tails) {
        for (std::size_t length = std::min(tail.size(), last.size()) - 1; length >= 3; --length) {
            const std::string head =
                stem(last.substr(0, last.size() - std::min(last.size(), length)));
            if (head.size() >= 3 && last.ends_with(std::string_view{tail}.substr(0, length)) &&
                whole_at(vocabulary().languages, {head}, 0) != nullptr) {
                words.back() = head;
                words.push_back(tail);
                return words;
            }
        }
    }
    return std::nullopt;
}

// With the phrase that the last words begin completed.
std::vector<std::vector<std::string>> completed(const std::vector<std::string>& words,
                                                const std::vector<Translation>& table) {
    std::vector<std::vector<std::string>> out;
    for (const Translation& entry : table) {
        if (entry.from.size() > words.size() || out.size() >= 5) {
            continue;
        }
        const std::size_t at = words.size() - entry.from.size();
        if (phrase_fit(words, at, entry.from) == Fit::begun) {
            std::vector<std::string> whole{words.begin(),
                                           words.begin() + static_cast<std::ptrdiff_t>(at)};
            whole.insert(whole.end(), entry.to.begin(), entry.to.end());
            out.push_back(std::move(whole));
        }
    }
    return out;
}

} // namespace

std::vector<std::string> opening_words(std::string_view text) {
    std::vector<std::string> words;
    const std::string letters = folded(text);
    for (std::size_t at = 0; at < letters.size();) {
        const std::size_t end = std::min(letters.find(' ', at), letters.size());
        if (end > at) {
            words.push_back(stem(letters.substr(at, end - at)));
        }
        at = end + 1;
    }
    return words;
}

std::string opening_sound(std::string_view word) {
    std::string text{word};
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 20> rules{
        {{"tzsch", "C"}, {"tsch", "C"}, {"tch", "C"}, {"sch", "S"}, {"cz", "C"},
         {"ch", "C"},    {"sh", "S"},   {"ph", "f"},  {"th", "t"},  {"kh", "k"},
         {"ck", "k"},    {"qu", "kv"},  {"ie", "i"},  {"ts", "z"},  {"tz", "z"},
         {"w", "v"},     {"y", "i"},    {"j", "i"},   {"x", "ks"},  {"zh", "S"}}};
    for (const auto& [from, to] : rules) {
        replace_all(text, from, to);
    }
    std::string out;
    for (std::size_t at = 0; at < text.size(); ++at) {
        char c = text[at];
        const char next = at + 1 < text.size() ? text[at + 1] : '\0';
        if (c == 'c') {
            c = next == 'e' || next == 'i' ? 's' : 'k';
        }
        const bool silent = c == 'h' && !is_vowel(next);
        if (!silent && (out.empty() || out.back() != c)) {
            out += c;
        }
    }
    if (out.size() > 3 && out.ends_with("of")) {
        out.back() = 'v';
    }
    return out;
}

bool within_edits(std::string_view a, std::string_view b, int edits) {
    const std::size_t difference = a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
    constexpr std::size_t longest = 40;
    if (difference > static_cast<std::size_t>(edits) || a.size() > longest || b.size() > longest) {
        return false;
    }
    using Row = std::array<int, longest + 1>;
    Row before_last{};
    Row last{};
    Row row{};
    for (std::size_t j = 0; j <= b.size(); ++j) {
        last[j] = static_cast<int>(j);
    }
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = static_cast<int>(i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const int other = a[i - 1] == b[j - 1] ? 0 : 1;
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + other});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                row[j] = std::min(row[j], before_last[j - 2] + 1);
            }
        }
        before_last = last;
        last = row;
    }
    return last[b.size()] <= edits;
}

bool is_common_word(std::string_view word) {
    static constexpr std::array<std::string_view, 14> common{
        "defense", "opening", "game", "variation", "system", "attack", "line",
        "with",    "the",     "of",   "formation", "in",     "and",    "chess"};
    return std::ranges::find(common, word) != common.end();
}

std::vector<OpeningReading> opening_readings(std::string_view text) {
    const Vocabulary& known = vocabulary();
    std::vector<OpeningReading> readings;
    const auto add = [&](std::vector<std::string> words, double certainty) {
        const bool seen = std::ranges::any_of(
            readings, [&](const OpeningReading& reading) { return reading.words == words; });
        if (!words.empty() && !seen) {
            readings.push_back({std::move(words), certainty});
        }
    };
    constexpr double begun = 0.85;
    const std::vector<std::string> said = opening_words(text);
    const std::vector<std::string> english = translated(said, known.languages, true);
    add(said, 1);
    add(english, 1);
    add(translated(said, known.names, false), 1);
    add(translated(english, known.names, false), 1);
    if (const auto whole = said.empty() ? std::nullopt : completed_compound(said)) {
        add(translated(translated(*whole, known.languages, true), known.names, false), begun);
    }
    for (auto& words : completed(said, known.languages)) {
        auto whole = translated(words, known.languages, true);
        add(translated(whole, known.names, false), begun);
        add(std::move(whole), begun);
    }
    for (auto& words : completed(english, known.names)) {
        add(std::move(words), begun);
    }
    return readings;
}

} // namespace adjourn::server
