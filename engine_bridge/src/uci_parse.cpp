#include "engine_bridge/uci.hpp"

#include "base/number.hpp"
#include "tokens.hpp"

#include <algorithm>
#include <array>
#include <concepts>

namespace adjourn::engine_bridge::uci {
namespace {

// Takes the next token only if it is a number, so that a keyword after a missing value is not
// swallowed.
template <std::integral Number>
std::optional<Number> take_number(Tokens& tokens) {
    const std::optional<Number> value = base::parse_number_after_plus<Number>(tokens.peek());
    if (value) {
        tokens.next();
    }
    return value;
}

constexpr std::array<std::string_view, 21> info_keywords{
    "depth",      "seldepth",   "time",   "nodes",          "pv",       "multipv", "score",
    "currmove",   "hashfull",   "nps",    "currmovenumber", "tbhits",   "sbhits",  "cpuload",
    "refutation", "lowerbound", "string", "upperbound",     "currline", "wdl",     "cp"};

bool is_info_keyword(std::string_view token) {
    return token == "mate" || std::ranges::find(info_keywords, token) != info_keywords.end();
}

std::vector<std::string_view> take_moves(Tokens& tokens) {
    std::vector<std::string_view> moves;
    while (!tokens.peek().empty() && !is_info_keyword(tokens.peek())) {
        moves.push_back(tokens.next());
    }
    return moves;
}

// 0 and negative depths occur ("depth 0 score mate 0") or are nonsense, respectively.
std::optional<int> take_depth(Tokens& tokens) {
    const std::optional<int> depth = take_number<int>(tokens);
    return depth && *depth >= 0 ? depth : std::nullopt;
}

Info parse_info(Tokens tokens) {
    Info info;
    while (!tokens.peek().empty()) {
        const std::string_view token = tokens.next();
        if (token == "string") {
            return info; // the rest is free text
        }
        info.progress = true;
        if (token == "depth") {
            info.depth = take_depth(tokens);
        } else if (token == "seldepth") {
            info.seldepth = take_depth(tokens);
        } else if (token == "multipv") {
            info.multipv = take_number<int>(tokens).value_or(1);
        } else if (token == "nodes") {
            info.nodes = take_number<std::uint64_t>(tokens);
        } else if (token == "nps") {
            info.nps = take_number<std::uint64_t>(tokens);
        } else if (token == "tbhits") {
            info.tbhits = take_number<std::uint64_t>(tokens);
        } else if (token == "cp") {
            const std::optional<int> value = take_number<int>(tokens);
            const bool mate = info.score && std::holds_alternative<Mate>(*info.score);
            if (value && !mate) {
                info.score = Centipawns{*value};
            }
        } else if (token == "mate") {
            if (const std::optional<int> moves = take_number<int>(tokens)) {
                info.score = Mate{*moves};
            }
        } else if (token == "lowerbound") {
            info.bound = chess::Bound::lower;
        } else if (token == "upperbound") {
            info.bound = chess::Bound::upper;
        } else if (token == "pv") {
            info.pv = take_moves(tokens);
        } else if (token == "refutation" || token == "currline" || token == "currmove") {
            take_moves(tokens);
        }
    }
    return info;
}

std::optional<Option::Type> option_type(std::string_view token) {
    using enum Option::Type;
    static constexpr std::array<std::pair<std::string_view, Option::Type>, 6> types{
        {{"check", check},
         {"spin", spin},
         {"combo", combo},
         {"button", button},
         {"string", string},
         {"file", string}}}; // "file" and "path" are extensions of a few engines
    const auto* const found =
        std::ranges::find(types, token, &std::pair<std::string_view, Option::Type>::first);
    return found == types.end() ? std::nullopt : std::optional{found->second};
}

std::string without_empty(std::string_view value) {
    return std::string{value == "<empty>" ? std::string_view{} : value};
}

// Text up to the next of the given keywords, with its inner spacing.
template <typename... Keywords>
std::string_view take_until(Tokens& tokens, Keywords... keywords) {
    const std::string_view rest = tokens.rest();
    const char* end = rest.data();
    while (!tokens.peek().empty() && ((tokens.peek() != keywords) && ...)) {
        const std::string_view token = tokens.next();
        end = token.data() + token.size();
    }
    return rest.substr(0, static_cast<std::size_t>(end - rest.data()));
}

// Names may contain any word, keywords too ("Clear Hash", "type"): the name ends before the first
// "type" that a type follows.
std::optional<Option> parse_option(Tokens tokens) {
    if (tokens.next() != "name") {
        return std::nullopt;
    }
    Option option;
    const std::string_view rest = tokens.rest();
    const char* end = rest.data();
    std::optional<Option::Type> type;
    while (!type) {
        const std::string_view token = tokens.next();
        if (token.empty()) {
            return std::nullopt;
        }
        type = token == "type" ? option_type(tokens.peek()) : std::nullopt;
        if (!type) {
            end = token.data() + token.size();
        }
    }
    option.name = rest.substr(0, static_cast<std::size_t>(end - rest.data()));
    option.type = *type;
    tokens.next();
    if (option.name.empty()) {
        return std::nullopt;
    }
    if (option.type == Option::Type::string) {
        if (tokens.next() == "default") {
            option.initial = without_empty(tokens.rest());
        }
        return option;
    }
    while (!tokens.peek().empty()) {
        const std::string_view token = tokens.next();
        if (token == "default") {
            option.initial = without_empty(take_until(tokens, "min", "max", "var"));
        } else if (token == "min") {
            option.min = take_number<std::int64_t>(tokens);
        } else if (token == "max") {
            option.max = take_number<std::int64_t>(tokens);
        } else if (token == "var") {
            option.values.emplace_back(take_until(tokens, "var"));
        }
    }
    return option;
}

// "(none)", "0000", "NULL" and lc0's "a1a1" (python-chess issue 1119) all mean that there is no
// move.
BestMove parse_best_move(Tokens tokens) {
    const std::string_view move = tokens.next();
    const bool none = move.empty() || move == "ponder" || move == "(none)" || move == "0000" ||
                      equal_ignoring_case(move, "none") || equal_ignoring_case(move, "null") ||
                      (move.size() == 4 && move.substr(0, 2) == move.substr(2));
    return BestMove{none ? std::nullopt : std::optional{move}};
}

} // namespace

Line parse(std::string_view line) {
    Tokens tokens{line};
    const std::string_view verb = tokens.next();
    if (verb == "info") {
        return parse_info(tokens);
    }
    if (verb == "bestmove") {
        return parse_best_move(tokens);
    }
    if (verb == "readyok") {
        return ReadyOk{};
    }
    if (verb == "uciok") {
        return UciOk{};
    }
    if (verb == "option") {
        if (std::optional<Option> option = parse_option(tokens)) {
            return std::move(*option);
        }
    }
    if (verb == "id") {
        const std::string_view field = tokens.next();
        if (field == "name") {
            return Id{Id::Field::name, tokens.rest()};
        }
        if (field == "author") {
            return Id{Id::Field::author, tokens.rest()};
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
