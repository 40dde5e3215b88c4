#include "chess/uci/command.hpp"

#include "base/words.hpp"
#include "chess/notation.hpp"
#include "lenient_fen.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

namespace adjourn::chess::uci {

namespace {

using base::Words;
using std::chrono::milliseconds;

constexpr std::int64_t longest_ms = 1'000LL * 60 * 60 * 24 * 365;
constexpr std::size_t longest_echo = 100; // bytes of the GUI's text in a complaint

std::string quoted(std::string_view text) {
    std::string out = "'";
    for (const char c : text.substr(0, longest_echo)) {
        out += c >= ' ' && c < 0x7f ? c : '?';
    }
    return out + (text.size() > longest_echo ? "…'" : "'");
}

void append_word(std::string& text, std::string_view word) {
    text += (text.empty() ? "" : " ");
    text += word;
}

// The number that comes next, taken to the nearest limit; nullopt, and nothing consumed, where none
// does.
template <class Number>
std::optional<Number> number(Words& words, Number least, Number most) {
    const std::string_view word = words.peek();
    std::int64_t value = 0;
    const char* const end = word.data() + word.size();
    const auto [stopped, error] = std::from_chars(word.data(), end, value);
    if (word.empty() || stopped != end || error == std::errc::invalid_argument) {
        return std::nullopt;
    }
    words.next();
    if (error == std::errc::result_out_of_range) {
        return word.front() == '-' ? least : most;
    }
    return value < static_cast<std::int64_t>(least)  ? least
           : value > static_cast<std::int64_t>(most) ? most
                                                     : static_cast<Number>(value);
}

std::optional<milliseconds> time(Words& words) {
    const auto value = number<std::int64_t>(words, 0, longest_ms);
    return value ? std::optional{milliseconds{*value}} : std::nullopt;
}

SetOption parse_setoption(Words& words) {
    SetOption option;
    std::string* into = nullptr;
    for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
        if (word == "name" && into == nullptr) {
            into = &option.name;
        } else if (word == "value" && into == &option.name) {
            into = &option.value;
        } else if (into != nullptr) {
            append_word(*into, word);
        }
    }
    return option;
}

Game parse_position(Words& words) {
    Game game;
    const std::string_view kind = words.next();
    if (kind == "fen") {
        std::string fen;
        while (!words.peek().empty() && words.peek() != "moves") {
            append_word(fen, words.next());
        }
        auto read = read_lenient_fen(fen);
        if (!read) {
            game.problem = "position: " + read.error();
            return game;
        }
        game.start = read->position;
        for (const std::string& note : read->notes) {
            game.notes.push_back("position: " + note);
        }
    } else if (kind != "startpos") {
        game.problem = "position: " + quoted(kind) + " is neither startpos nor fen";
        return game;
    }
    game.position = game.start;
    if (words.peek() == "moves") {
        words.next();
    }
    for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
        const auto move = parse_uci(game.position, word);
        if (!move) {
            game.problem = "position: move " + std::to_string(game.moves.size() + 1) + ": " +
                           quoted(word) + " is not legal in " + game.position.fen();
            break;
        }
        game.moves.push_back(*move);
        game.position.play(*move);
    }
    return game;
}

bool opens_a_part(std::string_view word) {
    static constexpr std::array<std::string_view, 12> openers{
        "searchmoves", "ponder", "wtime", "btime", "winc",     "binc",
        "movestogo",   "depth",  "nodes", "mate",  "movetime", "infinite"};
    return std::ranges::find(openers, word) != openers.end();
}

Go parse_go(Words& words) {
    constexpr int most = std::numeric_limits<int>::max();
    Go go;
    const auto clock = [](std::optional<Clock>& side) -> Clock& {
        return side ? *side : side.emplace();
    };
    std::optional<milliseconds> white_increment;
    std::optional<milliseconds> black_increment;
    for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
        if (word == "searchmoves") {
            while (!words.peek().empty() && !opens_a_part(words.peek())) {
                go.searchmoves.emplace_back(words.next());
            }
        } else if (word == "wtime" || word == "btime") {
            if (const auto left = time(words)) {
                clock(word == "wtime" ? go.white : go.black).left = *left;
            }
        } else if (word == "winc") {
            white_increment = time(words);
        } else if (word == "binc") {
            black_increment = time(words);
        } else if (word == "movestogo") {
            go.moves_to_go = number(words, 1, most);
        } else if (word == "movetime") {
            go.movetime = time(words);
        } else if (word == "depth") {
            go.depth = number(words, 1, most);
        } else if (word == "nodes") {
            const auto nodes =
                number<std::int64_t>(words, 1, std::numeric_limits<std::int64_t>::max());
            go.nodes = nodes ? std::optional{static_cast<std::uint64_t>(*nodes)} : std::nullopt;
        } else if (word == "mate") {
            go.mate = number(words, 1, most);
        } else if (word == "infinite") {
            go.infinite = true;
        } else if (word == "ponder") {
            go.ponder = true;
        }
    }
    if (go.white && white_increment) {
        go.white->increment = *white_increment;
    }
    if (go.black && black_increment) {
        go.black->increment = *black_increment;
    }
    return go;
}

} // namespace

Command parse(std::string_view line) {
    Words words{line};
    const std::string_view first = words.peek();
    for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
        if (word == "uci") {
            return Uci{};
        }
        if (word == "isready") {
            return IsReady{};
        }
        if (word == "ucinewgame") {
            return NewGame{};
        }
        if (word == "setoption") {
            return parse_setoption(words);
        }
        if (word == "position") {
            return parse_position(words);
        }
        if (word == "go") {
            return parse_go(words);
        }
        if (word == "stop") {
            return Stop{};
        }
        if (word == "ponderhit") {
            return PonderHit{};
        }
        if (word == "quit") {
            return Quit{};
        }
        if (word == "debug" || word == "register") {
            return Nothing{};
        }
    }
    return Nothing{first.empty() ? "" : "unknown command " + quoted(first)};
}

} // namespace adjourn::chess::uci
