#include "files/openings/openings.hpp"

#include "base/text.hpp"
#include "chess/notation.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cctype>
#include <compare>
#include <cstdint>
#include <map>

extern const char adjourn_openings_tsv[];
extern const char adjourn_opening_words_tsv[];

namespace adjourn::server {

using nlohmann::json;

std::vector<std::string> opening_words(std::string_view text) {
    std::vector<std::string> words;
    base::for_each_element(folded(text), ' ', [&](std::string_view word) {
        if (word.size() > 3 && word.ends_with('s') && !word.ends_with("ss")) {
            word.remove_suffix(1);
        }
        if (!word.empty()) {
            words.emplace_back(word);
        }
    });
    return words;
}

OpeningBook::OpeningBook() {
    base::for_each_element(adjourn_openings_tsv, '\n', [&](std::string_view line) { add(line); });
    std::map<std::string_view, std::size_t> lines; // by how their names begin
    for (Opening& opening : openings_) {
        for (std::size_t at = 0; at < opening.name.size();) {
            const auto end = std::min(opening.name.find_first_of(":,", at), opening.name.size());
            opening.parts.push_back(opening_words(opening.name.substr(at, end - at)));
            ++lines[opening.name.substr(0, end)];
            at = end + 1;
        }
    }
    for (Opening& opening : openings_) {
        opening.lines = lines[opening.name];
    }
}

const Opening* OpeningBook::at(const chess::Position& position) const {
    const auto found = by_position_.find(position.packed());
    return found == by_position_.end() ? nullptr : &openings_[found->second];
}

std::expected<Opening, std::string> parse_opening(std::string_view line) {
    const std::size_t first = line.find('\t');
    const std::size_t second = line.find('\t', first + 1);
    if (first == std::string_view::npos || second == std::string_view::npos) {
        return std::unexpected("three columns are wanted");
    }
    Opening opening;
    opening.eco = line.substr(0, first);
    opening.name = line.substr(first + 1, second - first - 1);
    opening.pgn = line.substr(second + 1);
    const chess::Position start = chess::Position::initial();
    auto moves = chess::parse_line(start, opening.pgn);
    if (!moves) {
        return std::unexpected(to_text(start, moves.error()));
    }
    opening.moves = std::move(*moves);
    return opening;
}

void OpeningBook::add(std::string_view line) {
    auto read = parse_opening(line);
    assert(read && "the table is part of the program");
    Opening opening = std::move(*read);
    by_position_.emplace(chess::Position::initial().after(opening.moves).packed(),
                         openings_.size());
    openings_.push_back(std::move(opening));
}

const OpeningBook& opening_book() {
    static const OpeningBook the_book;
    return the_book;
}

namespace {

// U+00C0 to U+017F in their base letters; '-': no letter.
constexpr std::string_view latin =
    "aaaaaaaceeeeiiiidnooooo-ouuuuyts"
    "aaaaaaaceeeeiiiidnooooo-ouuuuyty"
    "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiiiiijjkkklllllll"
    "lllnnnnnnnnnoooooooorrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs";
static_assert(latin.size() == 192);

bool is_alphanumeric(unsigned code) {
    return (code >= 'a' && code <= 'z') || (code >= '0' && code <= '9') || code >= 0x80;
}

// The lower-case letter without marks; 0: nothing stands for it, ' ': it ends a word.
unsigned folded_letter(unsigned code) {
    if (code >= 'A' && code <= 'Z') {
        return code + ('a' - 'A');
    }
    if (code >= 0xc0 && code < 0x180) {
        const char base = latin[code - 0xc0];
        return base == '-' ? ' ' : static_cast<unsigned char>(base);
    }
    if (code >= 0x300 && code < 0x370) { // combining marks
        return 0;
    }
    if (code >= 0x410 && code < 0x430) { // Cyrillic capitals
        return code + 0x20;
    }
    if (code == 0x401 || code == 0x451) { // Ё
        return 0x435;
    }
    const bool apostrophe = code == '\'' || code == '`' || code == 0xb4 || code == 0x2bc ||
                            code == 0x2018 || code == 0x2019 || code == 0x201b || code == 0x2032;
    if (apostrophe) {
        return 0;
    }
    const bool letter = is_alphanumeric(code) && !(code >= 0x80 && code < 0xc0) &&
                        !(code >= 0x2000 && code < 0x2c00); // punctuation, signs, arrows
    return letter ? code : ' ';
}

using Words = std::vector<std::string>;

// What is written, and what it means in the book. A last word that ends in '*' has any ending.
struct OtherName {
    Words written;
    Words meant;
};

// The longest first.
std::vector<OtherName> read_other_names() {
    std::vector<OtherName> names;
    const auto read = [&](std::string_view line) {
        if (line.starts_with('#')) {
            return;
        }
        const auto tab = std::min(line.find('\t'), line.size());
        OtherName name{opening_words(line.substr(0, tab)), opening_words(line.substr(tab))};
        if (line[tab - 1] == '*') {
            name.written.back() += '*';
        }
        names.push_back(std::move(name));
    };
    base::for_each_element(adjourn_opening_words_tsv, '\n', read);
    std::ranges::stable_sort(
        names, [](const auto& a, const auto& b) { return a.written.size() > b.written.size(); });
    return names;
}

bool fits(std::string_view word, std::string_view written) {
    return word == written ||
           (written.ends_with('*') && word.starts_with(written.substr(0, written.size() - 1)));
}

// How the last word is typed: whole, or perhaps only how it begins.
enum class Last : std::uint8_t { whole, begun };

bool is_there(const OtherName& name, const Words& words, std::size_t at, Last last) {
    const std::size_t end = at + name.written.size();
    const bool begun = last == Last::begun && end == words.size() && words.back().size() > 3;
    if (end > words.size() || (last == Last::begun && !begun)) {
        return false;
    }
    for (std::size_t i = at; i < end; ++i) {
        const std::string& written = name.written[i - at];
        if (!fits(words[i], written) && !(begun && i + 1 == end && written.starts_with(words[i]))) {
            return false;
        }
    }
    return true;
}

// The other name that begins at `at`: a whole one, else one that is begun.
const OtherName* other_name_at(const Words& words, std::size_t at, Last last) {
    static const std::vector<OtherName> table = read_other_names();
    for (const Last as : {Last::whole, last}) {
        const auto found = std::ranges::find_if(
            table, [&](const OtherName& name) { return is_there(name, words, at, as); });
        if (found != table.end()) {
            return &*found;
        }
    }
    return nullptr;
}

Words in_the_books_words(const Words& words, Last last) {
    Words out;
    for (std::size_t at = 0; at < words.size();) {
        if (const OtherName* name = other_name_at(words, at, last)) {
            out.insert(out.end(), name->meant.begin(), name->meant.end());
            at += name->written.size();
        } else {
            out.push_back(words[at++]);
        }
    }
    return out;
}

// Says what kind of thing has a name, not which.
bool is_kind(std::string_view word) {
    static constexpr std::array<std::string_view, 7> kinds{
        "defense", "opening", "game", "variation", "system", "attack", "line"};
    return std::ranges::find(kinds, word) != kinds.end();
}

// How a name is what was typed; the less, the closer.
struct Distance {
    std::size_t begun = 0;   // typed words that only begin one of the name
    std::size_t strange = 0; // typed kinds that are not in it
    std::size_t unsaid =
        0; // other words of the name in a part of it that was typed; 1 for another part
    std::size_t rare = 0; // the smaller, the more lines of the book begin with the name
    std::size_t plies = 0;

    friend auto operator<=>(const Distance&, const Distance&) = default;
};

// A code (b90) or how one begins.
bool begins_code(std::string_view word, std::string_view eco) {
    return word.size() >= 2 && word.size() <= eco.size() &&
           std::tolower(static_cast<unsigned char>(eco[0])) == word[0] &&
           eco.substr(1).starts_with(word.substr(1));
}

std::optional<Distance> distance(const Words& typed, const Opening& opening) {
    Distance result{0, 0, 0, ~opening.lines, opening.moves.size()};
    std::vector<bool> begun(typed.size(), false);
    std::vector<bool> whole(typed.size(), false);
    for (std::size_t i = 0; i < typed.size(); ++i) {
        begun[i] = begins_code(typed[i], opening.eco);
        whole[i] = begun[i] && typed[i].size() == opening.eco.size();
    }
    for (const Words& part : opening.parts) {
        std::size_t unsaid = 0;
        bool any = false;
        for (const std::string& word : part) {
            bool said = false;
            for (std::size_t i = 0; i < typed.size(); ++i) {
                if (word.starts_with(typed[i])) {
                    begun[i] = said = any = true;
                    whole[i] = whole[i] || word == typed[i];
                }
            }
            unsaid += said || is_kind(word) ? 0 : 1;
        }
        result.unsaid += any ? unsaid : 1;
    }
    for (std::size_t i = 0; i < typed.size(); ++i) {
        if (!begun[i] && !is_kind(typed[i])) {
            return std::nullopt;
        }
        result.begun += begun[i] && !whole[i] ? 1 : 0;
        result.strange += begun[i] ? 0 : 1;
    }
    return result;
}

struct Hit {
    Distance distance;
    const Opening* opening;
};

// As typed, in the book's words, and those as other names once more (spanisch, spanish, ruy lopez).
std::vector<Hit> hits_by_words(std::string_view text, Last last) {
    std::array<Words, 3> readings{opening_words(text)};
    readings[1] = in_the_books_words(readings[0], last);
    readings[2] = in_the_books_words(readings[1], last);
    std::vector<Hit> hits;
    for (const Opening& opening : opening_book().all()) {
        std::optional<Distance> least;
        for (const Words& reading : readings) {
            const auto found =
                std::ranges::all_of(reading, is_kind) ? std::nullopt : distance(reading, opening);
            if (found && (!least || *found < *least)) {
                least = found;
            }
        }
        if (least) {
            hits.push_back({*least, &opening});
        }
    }
    return hits;
}

// Lines that begin with the moves typed, which may stop in the middle of one ("1. e4 c").
std::vector<Hit> hits_by_moves(std::string_view text) {
    std::vector<Hit> hits;
    std::vector<chess::Move> moves;
    if (const auto parsed = chess::parse_position_text(text);
        parsed && parsed->start == chess::Position::initial()) {
        moves = parsed->moves;
    }
    for (const Opening& opening : opening_book().all()) {
        const bool begins = !moves.empty() && opening.moves.size() >= moves.size() &&
                            std::equal(moves.begin(), moves.end(), opening.moves.begin());
        if (begins || (moves.empty() && text.size() != 1 && opening.pgn.starts_with(text))) {
            hits.push_back({{0, 0, 0, 0, opening.moves.size()}, &opening});
        }
    }
    return hits;
}

json line_of(const Opening& opening) {
    json uci = json::array();
    chess::Position position = chess::Position::initial();
    for (const chess::Move move : opening.moves) {
        uci.push_back(chess::to_uci(position, move));
        position.play(move);
    }
    return {{"eco", opening.eco},
            {"name", opening.name},
            {"pgn", opening.pgn},
            {"uci", std::move(uci)}};
}

// A name has a word of letters and nothing that only positions and games have.
bool may_be_a_name(std::string_view text) {
    const bool has_word = std::ranges::any_of(
        text, [](char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c < 0; });
    constexpr std::size_t longest_name = 100; // bytes
    return has_word && text.size() <= longest_name &&
           text.find_first_of("/[{\n=") == std::string_view::npos;
}

} // namespace

std::string folded(std::string_view text) {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = base::utf8_length(text, at);
        const unsigned code = length == 0 || length > 3 ? 0 : base::utf8_at(text, at).code;
        at += length == 0 ? 1 : length;
        const unsigned letter = folded_letter(code);
        if (code == 0xdf) {
            out += "ss";
        } else if (code == 0xe6 || code == 0xc6) {
            out += 'a'; // as "ae"
        } else if (letter != 0) {
            base::append_utf8(out, letter);
        }
    }
    return out;
}

// Openings by what people type (docs/decisions/075-opening-search.md).

json search_openings(std::string_view text, std::size_t limit) {
    text = base::trimmed(text);
    std::vector<Hit> hits = hits_by_moves(text); // of "": all
    if (hits.empty()) {
        hits = hits_by_words(text, Last::begun);
    }
    std::ranges::stable_sort(hits, {}, &Hit::distance);
    json out = json::array();
    for (std::size_t i = 0; i < std::min(limit, hits.size()); ++i) {
        out.push_back(line_of(*hits[i].opening));
    }
    return out;
}

const Opening* opening_called(std::string_view text) {
    const std::vector<Hit> hits = hits_by_words(text, Last::whole);
    const auto best = std::ranges::min_element(hits, {}, &Hit::distance);
    return best == hits.end() || best->distance.begun > 0 ? nullptr : best->opening;
}

json opening_json(const RunView& run, const std::vector<chess::Move>& line) {
    chess::Position position = run.start;
    const Opening* named = opening_book().at(position);
    const auto walk = [&](const std::vector<chess::Move>& moves) {
        for (const chess::Move move : moves) {
            position.play(move);
            if (const Opening* found = opening_book().at(position)) {
                named = found;
            }
        }
    };
    walk(run.moves_before());
    walk(line);
    if (named == nullptr) {
        return nullptr;
    }
    return {{"eco", named->eco}, {"name", named->name}};
}

std::size_t book_moves(const chess::Position& start, const std::vector<chess::Move>& line) {
    std::size_t known = 0;
    chess::Position position = start;
    for (std::size_t i = 0; i < line.size(); ++i) {
        position.play(line[i]);
        known = opening_book().at(position) != nullptr ? i + 1 : known;
    }
    return known;
}

std::expected<chess::PositionText, std::string> parse_root_text(std::string_view text) {
    auto position = chess::parse_position_text(text);
    if (position || !may_be_a_name(text)) {
        return position;
    }
    if (const Opening* opening = opening_called(text)) {
        return chess::PositionText{chess::Position::initial(), opening->moves};
    }
    const bool begins_as_moves = text.find_first_of("0123456789") != std::string_view::npos;
    const json near = begins_as_moves ? json::array() : search_openings(text, 3);
    if (near.empty()) {
        return position;
    }
    std::string names;
    for (const json& line : near) {
        names += (names.empty() ? "" : "; ") + line["name"].get<std::string>();
    }
    return std::unexpected(position.error() +
                           ", and no opening has just that name; near it: " + names);
}

} // namespace adjourn::server
