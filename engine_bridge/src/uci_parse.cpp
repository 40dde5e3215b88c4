#include "engine_bridge/uci.hpp"

#include "base/number.hpp"
#include "base/words.hpp"

#include <algorithm>
#include <array>
#include <concepts>

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

// 0 and negative depths occur ("depth 0 score mate 0") or are nonsense, respectively.
std::optional<int> take_depth(base::Words& words) {
    const std::optional<int> depth = take_number<int>(words);
    return depth && *depth >= 0 ? depth : std::nullopt;
}

Info parse_info(base::Words words) {
    Info info;
    while (!words.peek().empty()) {
        const std::string_view word = words.next();
        if (word == "string") {
            return info; // the rest is free text
        }
        info.progress = true;
        if (word == "depth") {
            info.depth = take_depth(words);
        } else if (word == "seldepth") {
            info.seldepth = take_depth(words);
        } else if (word == "multipv") {
            info.multipv = take_number<int>(words).value_or(1);
        } else if (word == "nodes") {
            info.nodes = take_number<std::uint64_t>(words);
        } else if (word == "nps") {
            info.nps = take_number<std::uint64_t>(words);
        } else if (word == "tbhits") {
            info.tbhits = take_number<std::uint64_t>(words);
        } else if (word == "cp") {
            const std::optional<int> value = take_number<int>(words);
            const bool mate = info.score && std::holds_alternative<Mate>(*info.score);
            if (value && !mate) {
                info.score = Centipawns{*value};
            }
        } else if (word == "mate") {
            if (const std::optional<int> moves = take_number<int>(words)) {
                info.score = Mate{*moves};
            }
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

chess::Score to_score(RawScore raw, bool tables) {
    constexpr int most_moves = 246;
    constexpr int table_win = 20'000;     // Stockfish, uci.cpp: format_score
    constexpr int most_table_plies = 246; // its longest line
    if (const Mate* const mate = std::get_if<Mate>(&raw)) {
        const int moves = std::clamp(mate->moves, -most_moves, most_moves);
        return moves > 0 ? chess::Score::mate_in(2 * moves - 1)
                         : chess::Score::mated_in(-2 * moves);
    }
    const int cp =
        std::clamp(std::get<Centipawns>(raw).value, -chess::Score::max_cp, chess::Score::max_cp);
    if (tables && cp >= table_win - most_table_plies && cp <= table_win) {
        return chess::Score::tablebase(chess::Wdl::win, table_win - cp);
    }
    if (tables && cp <= most_table_plies - table_win && cp >= -table_win) {
        return chess::Score::tablebase(chess::Wdl::loss, table_win + cp);
    }
    return chess::Score::cp(cp);
}

} // namespace adjourn::engine_bridge::uci
