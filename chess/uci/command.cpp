#include "chess/uci/command.hpp"

#include "base/number.hpp"
#include "base/text.hpp"
#include "chess/notation.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

namespace adjourn::chess::uci {

struct LenientFen {
    Position position;
    std::vector<std::string> notes; // what was overlooked, for people
};

// The error says which field is wrong, and why.
std::expected<LenientFen, std::string> read_lenient_fen(std::string_view text);

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

class GoReader {
public:
    Go read(Words& words) {
        constexpr std::int64_t most = std::numeric_limits<int>::max();
        std::optional<milliseconds> white_left, black_left, white_increment, black_increment;
        for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
            if (word == "searchmoves") {
                while (!words.peek().empty() && !opens_a_part(words.peek())) {
                    go_.searchmoves.emplace_back(words.next());
                }
            } else if (word == "wtime") {
                number(words, word, 0, longest_ms, white_left);
            } else if (word == "btime") {
                number(words, word, 0, longest_ms, black_left);
            } else if (word == "winc") {
                number(words, word, 0, longest_ms, white_increment);
            } else if (word == "binc") {
                number(words, word, 0, longest_ms, black_increment);
            } else if (word == "movestogo") {
                number(words, word, 1, most, go_.moves_to_go);
            } else if (word == "movetime") {
                number(words, word, 0, longest_ms, go_.movetime);
            } else if (word == "depth") {
                number(words, word, 1, most, go_.depth);
            } else if (word == "nodes") {
                number(words, word, 1, std::numeric_limits<std::int64_t>::max(), go_.nodes);
            } else if (word == "mate") {
                number(words, word, 1, most, go_.mate);
            } else if (word == "infinite") {
                go_.infinite = true;
            } else if (word == "ponder") {
                go_.ponder = true;
            } else {
                tell(quoted(word) + " is not known and is left out");
            }
        }
        go_.white = clock("w", white_left, white_increment);
        go_.black = clock("b", black_left, black_increment);
        if (go_.moves_to_go && !go_.white && !go_.black) {
            tell("movestogo without wtime or btime is left out");
        }
        if (!go_.problems.empty() && !go_.infinite && !limited(go_)) {
            tell("no limit is left; it is depth 1");
            go_.depth = 1;
        }
        return std::move(go_);
    }

private:
    void tell(const std::string& problem) { go_.problems.push_back("go: " + problem); }

    // The number of `name`, which comes next.
    template <class Number>
    void number(Words& words, std::string_view name, std::int64_t least, std::int64_t most,
                std::optional<Number>& into) {
        const std::string_view word =
            opens_a_part(words.peek()) ? std::string_view{} : words.next();
        std::int64_t value = 0;
        const char* const end = word.data() + word.size();
        const auto [stopped, error] = std::from_chars(word.data(), end, value);
        const std::string of{name};
        const std::string range =
            "a number from " + std::to_string(least) + " to " + std::to_string(most);
        if (word.empty()) {
            tell(of + " needs " + range + "; without one it is left out");
            return;
        }
        if (stopped != end || error == std::errc::invalid_argument) {
            tell(of + " needs " + range + ", not " + quoted(word) + "; it is left out");
            return;
        }
        const bool beyond = error == std::errc::result_out_of_range;
        const bool low = beyond ? word.front() == '-' : value < least;
        if (!low && (beyond || value > most)) {
            tell(of + " " + quoted(word) + " is too much for " + range + "; it is left out");
            return;
        }
        if (low) {
            tell(of + " " + quoted(word) + " is less than " + std::to_string(least) +
                 "; it counts as that");
        }
        into = static_cast<Number>(low ? least : value);
    }

    std::optional<Clock> clock(const std::string& side, std::optional<milliseconds> left,
                               std::optional<milliseconds> increment) {
        if (left) {
            return Clock{*left, increment.value_or(milliseconds{0})};
        }
        if (increment) {
            tell(side + "inc without " + side + "time is left out");
        }
        return std::nullopt;
    }

    Go go_;
};

constexpr std::size_t castling = 2;
constexpr std::size_t en_passant = 3;
constexpr std::size_t halfmove = 4;
constexpr std::size_t fullmove = 5;
constexpr std::size_t most_rights = 16; // letters; what is longer says no rights

using Fields = std::vector<std::string>;

Fields split(std::string_view text) {
    Fields fields;
    base::Words words{text};
    while (!words.peek().empty()) {
        fields.emplace_back(words.next());
    }
    return fields;
}

std::expected<Position, FenError> read(const Fields& fields) {
    std::string text;
    for (const std::string& field : fields) {
        text += (text.empty() ? "" : " ") + field;
    }
    return Position::from_fen(text);
}

// The rights that king and rooks allow: each letter is tried beside those before it.
std::string possible_rights(Fields fields) {
    std::string kept;
    for (const char letter : std::string{fields[castling]}) {
        fields[castling] = kept + letter;
        const auto position = read(fields);
        if (position || position.error().field != "castling") {
            kept += letter;
        }
    }
    return kept.empty() ? "-" : kept;
}

// A clock within its range: the nearest number, `least` for what is none.
std::string clamped(std::string_view text, int least) {
    const bool digits =
        !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
    // Of digits, only a number that is too large cannot be parsed.
    const int number = base::parse_number<int>(text).value_or(Position::max_clock);
    return std::to_string(digits ? std::clamp(number, least, Position::max_clock) : least);
}

constexpr int moves_ahead = 30;          // that a game without time control still lasts
constexpr double increment_share = 0.75; // the rest is saved
constexpr double patience = 2.5;         // maximum ÷ optimum
constexpr double largest_share = 0.35;   // of the clock, for one move of several
constexpr double last_share = 0.8;       // for the last move before the control

constexpr milliseconds least{1};

milliseconds rounded(double ms) {
    return milliseconds{static_cast<std::int64_t>(ms)};
}

constexpr int table_win_cp = 20'000;

const char* bound_text(Bound bound) {
    switch (bound) {
    case Bound::lower: return " lowerbound";
    case Bound::upper: return " upperbound";
    case Bound::exact: break;
    }
    return "";
}

std::string wdl_text(const WinDrawLoss& wdl) {
    return " wdl " + std::to_string(wdl.win) + ' ' + std::to_string(wdl.draw) + ' ' +
           std::to_string(wdl.loss);
}

std::string numbers(const Report& report) {
    const auto ms = static_cast<std::uint64_t>(report.time.count());
    return " nodes " + std::to_string(report.nodes) + " nps " +
           std::to_string(report.nodes * 1'000 / std::max<std::uint64_t>(1, ms)) +
           (report.hashfull ? " hashfull " + std::to_string(*report.hashfull) : "") + " time " +
           std::to_string(ms);
}

} // namespace

bool limited(const Go& go) {
    return go.white || go.black || go.movetime || go.depth || go.nodes || go.mate;
}

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
            return GoReader{}.read(words);
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

std::expected<LenientFen, std::string> read_lenient_fen(std::string_view text) {
    static constexpr std::array<const char*, 4> otherwise{"-", "-", "0", "1"};
    std::vector<std::string> notes;
    Fields fields = split(text);
    if (fields.size() > fullmove + 1) {
        notes.push_back("what follows the move number is not read");
        fields.resize(fullmove + 1);
    }
    // Placement and side to move cannot be guessed; the rest has a usual value.
    while (fields.size() >= castling && fields.size() <= fullmove) {
        fields.emplace_back(otherwise[fields.size() - castling]);
    }
    // Each turn mends one field for good, so there are not many.
    while (true) {
        auto position = read(fields);
        if (position) {
            return LenientFen{std::move(*position), std::move(notes)};
        }
        const std::string& field = position.error().field;
        const std::string why = field + ": " + position.error().message;
        std::size_t at = 0;
        std::string mended;
        if (fields.size() <= fullmove) {
            return std::unexpected(why);
        }
        if (field == "castling" && fields[castling].size() <= most_rights) {
            at = castling;
            mended = possible_rights(fields);
        } else if (field == "en_passant") {
            at = en_passant;
            mended = "-";
        } else if (field == "position") { // a check that no double push gives may be another's
            at = en_passant;
            mended = "-";
            Fields without = fields;
            without[at] = mended;
            if (!read(without)) {
                return std::unexpected(why);
            }
        } else if (field == "halfmove") {
            at = halfmove;
            mended = clamped(fields[at], 0);
        } else if (field == "fullmove") {
            at = fullmove;
            mended = clamped(fields[at], 1);
        } else {
            return std::unexpected(why);
        }
        if (mended == fields[at]) {
            return std::unexpected(why);
        }
        notes.push_back(why + "; read as " + mended);
        fields[at] = std::move(mended);
    }
}

Allotment allot(const Clock& clock, std::optional<int> moves_to_go, milliseconds overhead) {
    const int moves = std::clamp(moves_to_go.value_or(moves_ahead), 1, moves_ahead + 20);
    const auto left = static_cast<double>(clock.left.count());
    const auto increment = static_cast<double>(clock.increment.count());
    // Each move to come costs its overhead too, as far as increments don't pay for it.
    const double reserve = static_cast<double>(overhead.count());
    const double usable = std::max(0.0, left - reserve);
    const double spread = std::max(0.0, usable - std::max(0.0, reserve - increment) * (moves - 1));
    const double most = usable * (moves == 1 ? last_share : largest_share);
    const double optimum = std::min(spread / moves + increment_share * increment, most);
    return {std::max(least, rounded(optimum)),
            std::max(least, rounded(std::min(optimum * patience, most)))};
}

Allotment allot(milliseconds movetime, milliseconds overhead) {
    const milliseconds time = std::max({least, movetime - overhead, movetime / 2});
    return {time, time};
}

std::optional<Allotment> allot(const Go& go, Color mover, milliseconds overhead) {
    if (go.movetime) {
        return allot(*go.movetime, overhead);
    }
    if (!go.white && !go.black) {
        return std::nullopt;
    }
    return allot((mover == Color::white ? go.white : go.black).value_or(Clock{}), go.moves_to_go,
                 overhead);
}

bool enough(const Allotment& allotment, milliseconds elapsed, milliseconds stable_since) {
    return elapsed >= allotment.maximum ||
           (elapsed >= allotment.optimum && stable_since <= elapsed / 2);
}

std::string score_text(Score score) {
    using Kind = Score::Kind;
    switch (score.kind()) {
    case Kind::mate: {
        const int moves = (score.plies() + 1) / 2;
        return "mate " + std::to_string(score.is_win() ? moves : -moves);
    }
    case Kind::tablebase: {
        const int value = score.is_win() || score.is_loss() ? table_win_cp - score.plies() : 0;
        return "cp " + std::to_string(score.is_loss() ? -value : value);
    }
    default: return "cp " + std::to_string(score.centipawns());
    }
}

std::vector<std::string> info_lines(const Report& report, const Position& position,
                                    CastlingStyle castling) {
    std::vector<std::string> lines;
    std::size_t longest = static_cast<std::size_t>(std::max(report.depth, report.longest));
    for (const RankedLine& line : report.lines) {
        longest = std::max(longest, line.pv.size());
    }
    const auto depths = [&](int depth) {
        return "info depth " + std::to_string(depth) + " seldepth " + std::to_string(longest);
    };
    for (std::size_t i = 0; i < report.lines.size(); ++i) {
        const RankedLine& line = report.lines[i];
        std::string text = depths(line.depth > 0 ? line.depth : report.depth) + " multipv " +
                           std::to_string(i + 1) + " score " + score_text(line.score) +
                           bound_text(line.bound) + (line.wdl ? wdl_text(*line.wdl) : "") +
                           numbers(report) + " pv";
        Position at = position;
        for (const Move move : line.pv) {
            text += ' ' + to_uci(at, move, castling);
            at.play(move);
        }
        lines.push_back(std::move(text));
    }
    if (lines.empty()) {
        lines.push_back(depths(report.depth) + numbers(report));
    }
    return lines;
}

std::string bestmove_line(const Position& position, const std::vector<Move>& pv,
                          CastlingStyle castling) {
    if (pv.empty()) {
        return "bestmove (none)";
    }
    std::string text = "bestmove " + to_uci(position, pv.front(), castling);
    if (pv.size() > 1) {
        text += " ponder " + to_uci(position.after(pv.front()), pv[1], castling);
    }
    return text;
}

std::string info_string(const std::string& text) {
    std::string line = "info string " + text;
    std::ranges::replace_if(
        line, [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
    return line;
}

} // namespace adjourn::chess::uci
