#include "engine_bridge/process/uci.hpp"

#include "base/number.hpp"
#include "engine_bridge/process/text.hpp"

#include <algorithm>
#include <array>
#include <concepts>
#include <limits>

namespace adjourn::engine_bridge::uci {
namespace {

// Takes the next word only if it is a number, so that a keyword after a missing value is not
// swallowed.
template <std::integral Number>
std::optional<Number> take_number(base::Words& words) {
    const std::optional<Number> value = base::parse_number_after_plus<Number>(words.peek());
    if (value) {
        words.next();
    }
    return value;
}

constexpr std::array<std::string_view, 21> info_keywords{
    "depth",      "seldepth",   "time",   "nodes",          "pv",       "multipv", "score",
    "currmove",   "hashfull",   "nps",    "currmovenumber", "tbhits",   "sbhits",  "cpuload",
    "refutation", "lowerbound", "string", "upperbound",     "currline", "wdl",     "cp"};

bool is_info_keyword(std::string_view word) {
    return word == "mate" || std::ranges::find(info_keywords, word) != info_keywords.end();
}

std::vector<std::string_view> take_moves(base::Words& words) {
    std::vector<std::string_view> moves;
    while (!words.peek().empty() && !is_info_keyword(words.peek())) {
        moves.push_back(words.next());
    }
    return moves;
}

bool is_whole_number(std::string_view text) {
    if (text.starts_with('+') || text.starts_with('-')) {
        text.remove_prefix(1);
    }
    return !text.empty() &&
           std::ranges::all_of(text, [](const char c) { return c >= '0' && c <= '9'; });
}

// From the first character of one word to the last of another behind it.
std::string_view span_of(std::string_view first, std::string_view last) {
    return {first.data(), static_cast<std::size_t>(last.data() + last.size() - first.data())};
}

// As take_number(). The first whole number outside `least` to `most` is noted in `beyond`.
template <std::integral Number>
std::optional<Number> take_within(base::Words& words, std::string_view field, Number least,
                                  Number most, std::string_view& beyond) {
    const std::string_view text = words.peek();
    if (!is_whole_number(text)) {
        return std::nullopt;
    }
    words.next();
    const std::optional<Number> value = base::parse_number_after_plus<Number>(text);
    if (value && *value >= least && *value <= most) {
        return value;
    }
    if (beyond.empty()) {
        beyond = span_of(field, text);
    }
    return std::nullopt;
}

std::optional<chess::WinDrawLoss> take_wdl(base::Words& words) {
    const auto win = take_number<int>(words), draw = take_number<int>(words),
               loss = take_number<int>(words);
    return win && draw && loss ? chess::WinDrawLoss::of(*win, *draw, *loss) : std::nullopt;
}

Info parse_info(base::Words words) {
    using Ints = std::numeric_limits<int>;
    Info info;
    std::string_view score;    // as written
    bool hits_unknown = false; // it has table hits, and nobody knows how many
    const auto count = [&](std::string_view field) {
        return take_within<std::uint64_t>(words, field, 0, ranges::most_nodes, info.odd_counter);
    };
    while (!words.peek().empty()) {
        const std::string_view word = words.next();
        if (word == "string") {
            break; // the rest is free text
        }
        info.progress = true;
        if (word == "depth") {
            info.depth = take_within(words, word, 0, ranges::most_depth, info.out_of_range);
        } else if (word == "seldepth") {
            info.seldepth = take_within(words, word, 0, ranges::most_depth, info.odd_counter);
        } else if (word == "multipv") {
            info.multipv = take_number<int>(words).value_or(1);
        } else if (word == "nodes") {
            info.nodes = count(word);
        } else if (word == "time") { // ours is measured here
            take_within<std::uint32_t>(words, word, 0, ranges::most_time_ms, info.odd_counter);
        } else if (word == "nps") { // for people only; some engines divide by no time
            info.nps = count(word);
        } else if (word == "hashfull") {
            take_within(words, word, 0, ranges::most_hashfull, info.odd_counter);
        } else if (word == "tbhits") {
            const bool told = is_whole_number(words.peek());
            info.tbhits = count(word);
            hits_unknown = told && !info.tbhits;
        } else if (word == "score") {
            info.names_score = true;
        } else if (word == "cp") {
            const std::string_view text = words.peek();
            const auto value =
                take_within(words, word, Ints::min(), Ints::max(), info.out_of_range);
            const bool mate = info.score && std::holds_alternative<Mate>(*info.score);
            if (value && !mate) {
                info.score = Centipawns{*value};
                score = span_of(word, text);
            }
        } else if (word == "mate") {
            if (const auto moves = take_within(words, word, -ranges::most_mate, ranges::most_mate,
                                               info.out_of_range)) {
                info.score = Mate{*moves};
            }
        } else if (word == "wdl") {
            info.wdl = take_wdl(words);
        } else if (word == "lowerbound") {
            info.bound = chess::Bound::lower;
        } else if (word == "upperbound") {
            info.bound = chess::Bound::upper;
        } else if (word == "pv") {
            info.pv = take_moves(words);
        } else if (word == "refutation" || word == "currline" || word == "currmove") {
            take_moves(words);
        }
    }
    if (info.out_of_range.empty() && info.score) {
        const auto meant = to_score(*info.score, info.tbhits.value_or(0) > 0);
        if (!meant || (hits_unknown && meant != to_score(*info.score, true))) {
            info.out_of_range = score;
        }
    }
    return info;
}

std::optional<Option::Type> option_type(std::string_view word) {
    using enum Option::Type;
    static constexpr std::array<std::pair<std::string_view, Option::Type>, 6> types{
        {{"check", check},
         {"spin", spin},
         {"combo", combo},
         {"button", button},
         {"string", string},
         {"file", string}}}; // "file" and "path" are extensions of a few engines
    const auto* const found =
        std::ranges::find(types, word, &std::pair<std::string_view, Option::Type>::first);
    return found == types.end() ? std::nullopt : std::optional{found->second};
}

std::string without_empty(std::string_view value) {
    return std::string{value == "<empty>" ? std::string_view{} : value};
}

// Text up to the next of the given keywords, with its inner spacing.
template <typename... Keywords>
std::string_view take_until(base::Words& words, Keywords... keywords) {
    const std::string_view rest = words.rest();
    const char* end = rest.data();
    while (!words.peek().empty() && ((words.peek() != keywords) && ...)) {
        const std::string_view word = words.next();
        end = word.data() + word.size();
    }
    return rest.substr(0, static_cast<std::size_t>(end - rest.data()));
}

// Names may contain any word, keywords too ("Clear Hash", "type"): the name ends before the first
// "type" that a type follows.
std::optional<Option> parse_option(base::Words words) {
    if (words.next() != "name") {
        return std::nullopt;
    }
    Option option;
    const std::string_view rest = words.rest();
    const char* end = rest.data();
    std::optional<Option::Type> type;
    while (!type) {
        const std::string_view word = words.next();
        if (word.empty()) {
            return std::nullopt;
        }
        type = word == "type" ? option_type(words.peek()) : std::nullopt;
        if (!type) {
            end = word.data() + word.size();
        }
    }
    option.name = rest.substr(0, static_cast<std::size_t>(end - rest.data()));
    option.type = *type;
    words.next();
    if (option.name.empty()) {
        return std::nullopt;
    }
    if (option.type == Option::Type::string) {
        if (words.next() == "default") {
            option.initial = without_empty(words.rest());
        }
        return option;
    }
    while (!words.peek().empty()) {
        const std::string_view word = words.next();
        if (word == "default") {
            option.initial = without_empty(take_until(words, "min", "max", "var"));
        } else if (word == "min") {
            option.min = take_number<std::int64_t>(words);
        } else if (word == "max") {
            option.max = take_number<std::int64_t>(words);
        } else if (word == "var") {
            option.values.emplace_back(take_until(words, "var"));
        }
    }
    return option;
}

// "(none)", "0000", "NULL" and lc0's "a1a1" (python-chess issue 1119) all mean that there is no
// move.
BestMove parse_best_move(base::Words words) {
    const std::string_view move = words.next();
    const bool none = move.empty() || move == "ponder" || move == "(none)" || move == "0000" ||
                      equal_ignoring_case(move, "none") || equal_ignoring_case(move, "null") ||
                      (move.size() == 4 && move.substr(0, 2) == move.substr(2));
    return BestMove{none ? std::nullopt : std::optional{move}};
}

bool holds_control_character(std::string_view text) {
    return std::ranges::any_of(text, [](char c) {
        return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7F;
    });
}

std::string_view word(chess::Limit::Kind kind) {
    constexpr std::array<std::string_view, 3> words{"depth", "nodes", "movetime"};
    return words.at(static_cast<std::size_t>(kind));
}

} // namespace

Line parse(std::string_view line) {
    base::Words words{line};
    const std::string_view verb = words.next();
    if (verb == "info") {
        return parse_info(words);
    }
    if (verb == "bestmove") {
        return parse_best_move(words);
    }
    if (verb == "readyok") {
        return ReadyOk{};
    }
    if (verb == "uciok") {
        return UciOk{};
    }
    if (verb == "option") {
        if (std::optional<Option> option = parse_option(words)) {
            return std::move(*option);
        }
    }
    if (verb == "id") {
        const std::string_view field = words.next();
        if (field == "name") {
            return Id{Id::Field::name, words.rest()};
        }
        if (field == "author") {
            return Id{Id::Field::author, words.rest()};
        }
    }
    return Other{};
}

std::optional<chess::Score> to_score(RawScore raw, bool tables) {
    using chess::Score;
    constexpr int table_win = 20'000; // Stockfish, uci.cpp: format_score
    constexpr int most_plies = 246;   // its longest line
    constexpr std::array mates{30'000, 32'000, 100'000};
    static_assert(ranges::most_cp < mates.front() - most_plies);
    if (const Mate* const mate = std::get_if<Mate>(&raw)) {
        return chess::told_mate(mate->moves);
    }
    const std::int64_t cp = std::get<Centipawns>(raw).value;
    const std::int64_t size = cp < 0 ? -cp : cp;
    if (size <= ranges::most_cp) {
        if (tables && size >= table_win - most_plies && size <= table_win) {
            return Score::tablebase(cp > 0 ? chess::Wdl::win : chess::Wdl::loss,
                                    table_win - static_cast<int>(size));
        }
        return Score::cp(static_cast<int>(cp));
    }
    for (const int mate : mates) {
        const std::int64_t plies = mate - size;
        const bool fits = plies > 0 && plies <= most_plies && (plies % 2 == 1) == (cp > 0);
        if (fits && !tables) {
            return cp > 0 ? Score::mate_in(static_cast<int>(plies))
                          : Score::mated_in(static_cast<int>(plies));
        }
    }
    return std::nullopt;
}

std::string position_command(const chess::Position& position) {
    return "position fen " + position.engine_fen();
}

std::string go_command(const chess::Limit& limit, const chess::Position& position,
                       const std::vector<chess::Move>& searchmoves, chess::CastlingStyle castling) {
    std::string command = "go ";
    command += word(limit.kind);
    command += ' ' + std::to_string(std::max<std::uint64_t>(limit.amount, 1));
    if (!searchmoves.empty()) {
        command += " searchmoves";
        for (const chess::Move move : searchmoves) {
            command += ' ' + to_uci(position, move, castling);
        }
    }
    return command;
}

std::optional<std::string> setoption_command(const Option& option, std::string_view value) {
    if (holds_control_character(option.name) || holds_control_character(value)) {
        return std::nullopt;
    }
    std::string command = "setoption name " + option.name;
    if (option.type != Option::Type::button) {
        command += " value ";
        command += value.empty() ? std::string_view{"<empty>"} : value;
    }
    return command;
}

} // namespace adjourn::engine_bridge::uci
