// Positions as people paste them.
#include "chess/position_text.hpp"

#include "base/line_reader.hpp"
#include "base/text.hpp"
#include "chess/move_text.hpp"
#include "chess/pgn_text.hpp"
#include "chess/text.hpp"

#include "chess/epd.hpp"
#include "chess/pgn.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace adjourn::chess {

using namespace detail;

namespace {

using Parsed = std::expected<PositionText, std::string>;

// Without the quotes that a copied argument brings along, and with plain blanks.
std::string unwrapped(std::string_view given) {
    constexpr std::array<std::string_view, 3> unseen{"\xef\xbb\xbf", "\xe2\x80\x8b", "\xc2\xa0"};
    constexpr std::array<std::string_view, 5> quotes{"\u201c", "\u201d", "\u201e", "\u00ab",
                                                     "\u00bb"};
    std::string converted;
    std::string text{base::as_utf8(given, converted)};
    for (const std::string_view mark : unseen) {
        text = base::replaced(text, mark, " ");
    }
    for (const std::string_view mark : quotes) {
        text = base::replaced(text, mark, "\"");
    }
    std::replace_if(
        text.begin(), text.end(),
        [](char c) { return static_cast<unsigned char>(c) < 0x20 && c != '\n'; }, ' ');
    std::string_view inside = trimmed(text);
    while (inside.size() >= 2 && inside.front() == inside.back() &&
           (inside.front() == '"' || inside.front() == '\'' || inside.front() == '`')) {
        inside = trimmed(inside.substr(1, inside.size() - 2));
    }
    return std::string{inside};
}

bool is_address(std::string_view text) {
    constexpr std::size_t longest = 2'000;
    return text.size() <= longest && (text.starts_with("https://") || text.starts_with("http://"));
}

// The FEN in the address of a page, with its blanks and slashes; nothing if there is none.
std::optional<std::string> fen_of_address(std::string_view address) {
    std::string text{address};
    for (const auto& [code, plain] :
         {std::pair{"%2F", "/"}, {"%2f", "/"}, {"%20", " "}, {"_", " "}, {"+", " "}}) {
        text = base::replaced(text, code, plain);
    }
    constexpr std::size_t longest_fen = 200;
    for (auto at = text.find_first_of("/="); at != std::string::npos;
         at = text.find_first_of("/=", at + 1)) {
        const std::string_view rest = std::string_view{text}.substr(at + 1, longest_fen);
        const std::string_view fen = rest.substr(0, rest.find_first_of("?&#"));
        if (Position::from_fen(fen)) {
            return std::string{fen};
        }
    }
    return std::nullopt;
}

// The first word; `text` becomes what follows it. Semicolons end words, too, and stay.
std::string_view take_word(std::string_view& text) {
    std::size_t begin = 0;
    while (begin < text.size() && is_blank(text[begin])) {
        ++begin;
    }
    std::size_t end = begin;
    while (end < text.size() && !is_blank(text[end]) && text[end] != ';') {
        ++end;
    }
    const std::string_view word = text.substr(begin, end - begin);
    text.remove_prefix(end);
    return word;
}

std::string_view first_word(std::string_view text) {
    return take_word(text);
}

// Takes `word` from the front of the text if it stands there, in any case, with a colon or without.
bool take_keyword(std::string_view& text, std::string_view word) {
    std::string_view rest = text;
    std::string found = base::lower_case(take_word(rest));
    if (found.ends_with(':')) {
        found.pop_back();
    }
    if (found != word) {
        return false;
    }
    text = rest;
    return true;
}

// A piece placement, though perhaps a wrong one. No move has a '/', and a result is known as such.
bool is_placement(std::string_view word) {
    return word.find('/') != std::string_view::npos && !result_of(word);
}

std::string_view last_word(std::string_view text) {
    const std::size_t blank = text.find_last_of(" \t\r\n,;");
    return text.substr(blank == std::string_view::npos ? 0 : blank + 1);
}

// Movetext without comments and variations. `line_comments`: a semicolon begins one that ends with
// the line; else it stands between moves.
std::expected<std::string, std::string> bare_moves(std::string_view text, bool line_comments) {
    std::string bare;
    std::vector<std::size_t> open; // where the variations began
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (c == '{') {
            const std::size_t end = text.find('}', at);
            if (end == std::string_view::npos) {
                return std::unexpected(quoted(text.substr(at)) +
                                       " begins a comment that has no end");
            }
            at = end;
            bare += ' ';
        } else if (c == ';' && line_comments) {
            at = std::min(text.find('\n', at), text.size());
            bare += ' ';
        } else if (c == '(') {
            open.push_back(at);
        } else if (c == ')' && open.empty() && is_number(last_word(bare))) {
            bare += '.'; // "1) e4"
        } else if (c == ')') {
            if (open.empty()) {
                return std::unexpected(quoted(text.substr(at)) + " ends no variation");
            }
            open.pop_back();
            bare += ' ';
        } else if (open.empty()) {
            bare += c;
        }
    }
    if (!open.empty()) {
        return std::unexpected(quoted(text.substr(open.front())) +
                               " begins a variation that has no end");
    }
    return bare;
}

Parsed with_moves(const Position& start, std::string_view text, bool line_comments) {
    const auto bare = bare_moves(text, line_comments);
    if (!bare) {
        return std::unexpected(bare.error());
    }
    auto moves = parse_line(start, *bare);
    if (!moves) {
        return std::unexpected(to_text(start, moves.error()));
    }
    return PositionText{start, std::move(*moves)};
}

Parsed with_moves(const Position& start, std::string_view text) {
    auto parsed = with_moves(start, text, false);
    if (!parsed && text.find(';') != std::string_view::npos) {
        if (auto again = with_moves(start, text, true)) {
            return again;
        }
    }
    return parsed;
}

// Whether a move number or a comment comes first; no EPD operation begins like that.
bool begins_as_movetext(std::string_view text) {
    const std::string_view word = first_word(text);
    const bool numbered = without_move_number(word).size() != word.size() && !is_number(word);
    return numbered || word.starts_with('{') || word.starts_with('(');
}

// Whether there is anything that no line of moves has.
bool has_operations(std::string_view text) {
    bool found = text.find_first_of(";\"") != std::string_view::npos;
    for (auto word = take_word(text); !found && !word.empty(); word = take_word(text)) {
        found = is_epd_opcode(word);
    }
    return found;
}

// A FEN or an EPD record, and what follows.
Parsed from_record(std::string_view text) {
    std::string_view rest = text;
    for (int field = 0; field < 4 && base::lower_case(first_word(rest)) != "moves"; ++field) {
        take_word(rest);
    }
    for (int clock = 0; clock < 2 && is_number(first_word(rest)); ++clock) {
        take_word(rest);
    }
    const auto position = parse_epd(text.substr(0, text.size() - rest.size()));
    if (!position) {
        return std::unexpected(position.error());
    }
    if (take_keyword(rest, "moves") || begins_as_movetext(rest)) {
        return with_moves(position->position, rest);
    }
    auto moved = with_moves(position->position, rest, false);
    if (moved || !has_operations(rest)) {
        return moved;
    }
    const auto record = parse_epd(text);
    if (!record) {
        return std::unexpected(record.error());
    }
    return PositionText{record->position, {}};
}

class MainLine final : public PgnVisitor {
public:
    explicit MainLine(const PgnReader& reader) : reader_{reader} {}

    void tag(std::string_view name, std::string_view) override {
        set_up = set_up || base::lower_case(name) == "fen";
    }
    bool begin_moves(const Position& start) override {
        read.start = start;
        return true;
    }
    void move(const Position&, Move move) override {
        if (depth_ == 0) {
            read.moves.push_back(move);
        }
    }
    void null_move(const Position& before) override {
        error({1, reader_.line(), "the main line has a null move after '" + before.fen() + "'"});
    }
    void begin_variation() override { ++depth_; }
    void end_variation() override { --depth_; }
    void error(const PgnError& error) override {
        if (depth_ == 0 && !problem) {
            problem = error;
        }
    }

    PositionText read;
    bool set_up = false;
    std::optional<PgnError> problem; // why the main line is none

private:
    const PgnReader& reader_;
    int depth_ = 0;
};

// The first game's main line. `cut`: the text is only the beginning of a file.
Parsed from_game(std::string_view text, bool cut = false) {
    PgnReader reader{text};
    MainLine game{reader};
    if (!reader.read_game(game)) {
        game.problem = PgnError{1, 1, "no game"};
    } else if (!game.problem && cut && reader.at_end()) {
        game.problem = PgnError{1, reader.line(), "the game goes on for too long"};
    }
    if (game.problem) {
        return std::unexpected(to_text(*game.problem));
    }
    if (game.read.moves.empty() && !game.set_up && game.read.start == Position::initial()) {
        return std::unexpected("the game has no move and sets up no position");
    }
    return std::move(game.read);
}

} // namespace

Parsed parse_position_text(std::string_view given) {
    std::string text = unwrapped(given);
    if (text.empty()) {
        return std::unexpected("empty; give a FEN, startpos, moves or a PGN or EPD file");
    }
    if (text.front() == '[') {
        return from_game(text);
    }
    if (is_address(text)) {
        const auto fen = fen_of_address(text);
        return fen ? from_record(*fen)
                   : std::unexpected(
                         "this address holds no position; give the moves, the PGN or the "
                         "FEN that its page shows");
    }
    std::string_view rest = text;
    take_keyword(rest, "position");
    if (take_keyword(rest, "startpos")) {
        take_keyword(rest, "moves");
        return with_moves(Position::initial(), rest);
    }
    const bool named = take_keyword(rest, "fen");
    if (named || is_placement(first_word(rest))) {
        std::string fen = unwrapped(rest);
        if (first_word(fen).find('_') != std::string_view::npos) { // as in addresses of pages
            std::replace(fen.begin(), fen.end(), '_', ' ');
        }
        return from_record(fen);
    }
    take_keyword(rest, "moves");
    auto moves = with_moves(Position::initial(), rest);
    if (moves && moves->moves.empty()) {
        return std::unexpected(quoted(text) + " has no move");
    }
    return moves;
}

Parsed parse_position_file(std::string_view content, bool cut) {
    std::size_t number = 0;
    std::string_view left = content;
    while (!left.empty()) {
        ++number;
        const std::size_t end = std::min(left.find_first_of("\r\n"), left.size());
        const std::string_view line = left.substr(0, end);
        left.remove_prefix(
            std::min(end + (left.substr(end).starts_with("\r\n") ? 2 : 1), left.size()));
        if (is_epd_comment(line)) {
            continue;
        }
        const std::string text = unwrapped(line.substr(0, base::longest_text));
        std::string_view rest = text;
        const bool spoken = take_keyword(rest, "position") || take_keyword(rest, "startpos");
        if (!spoken && !take_keyword(rest, "fen") && !is_placement(first_word(rest))) {
            break;
        }
        auto record = line.size() > base::longest_text
                          ? Parsed{std::unexpected(base::LineReader::trouble())}
                          : parse_position_text(text);
        return record ? record
                      : Parsed{std::unexpected("line " + std::to_string(number) + ": " +
                                               record.error())};
    }
    return from_game(content, cut);
}

} // namespace adjourn::chess
