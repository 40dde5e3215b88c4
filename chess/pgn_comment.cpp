#include "chess/pgn_comment.hpp"

#include "base/number.hpp"
#include "base/text.hpp"
#include "chess/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace adjourn::chess {

using namespace detail;

namespace {

std::optional<PgnCommand> next_command(std::string_view comment, std::size_t from) {
    const std::size_t at = comment.find("[%", from);
    const std::size_t end = at == std::string_view::npos ? at : comment.find(']', at);
    if (end == std::string_view::npos) {
        return std::nullopt;
    }
    const std::string_view inside = comment.substr(at + 2, end - at - 2);
    const std::size_t name = std::min(inside.find_first_of(" \t\r\n"), inside.size());
    return PgnCommand{comment.substr(at, end + 1 - at), inside.substr(0, name),
                      trimmed(inside.substr(name)), at};
}

std::optional<PgnCommand> command(std::string_view comment, std::string_view name) {
    for (auto found = next_command(comment, 0); found;
         found = next_command(comment, found->at + 2)) {
        if (found->name == name) {
            return found;
        }
    }
    return std::nullopt;
}

// Digits with a point or without: no exponents, no names of numbers.
std::optional<double> decimal(std::string_view text) {
    const bool plain = std::ranges::all_of(
        text, [](char c) { return is_digit(c) || c == '.' || c == '+' || c == '-'; });
    return plain ? base::parse_number_after_plus<double>(text) : std::nullopt;
}

Score centipawns(double value) {
    constexpr double most = Score::max_cp;
    return Score::cp(static_cast<int>(std::lround(std::clamp(value, -most, most))));
}

// "#3", "#-3", "-#3", "+#3": moves, from White's side.
std::optional<Score> mate(std::string_view text, Color turn) {
    bool black_mates = text.starts_with('-');
    const bool sign_first = black_mates || text.starts_with('+');
    text.remove_prefix(sign_first ? 2 : 1);
    if (!sign_first) {
        black_mates = text.starts_with('-');
        text.remove_prefix(black_mates || text.starts_with('+') ? 1 : 0);
    }
    const auto moves = base::parse_number<unsigned>(text);
    if (!moves || *moves > Score::max_plies / 2) {
        return std::nullopt;
    }
    const bool mating_side_moves = (turn == Color::black) == black_mates;
    const int plies = *moves == 0 ? 0 : 2 * static_cast<int>(*moves) - (mating_side_moves ? 1 : 0);
    return black_mates ? Score::mated_in(plies) : Score::mate_in(plies);
}

bool is_mate(std::string_view text) {
    const std::size_t sign = text.starts_with('-') || text.starts_with('+') ? 1 : 0;
    return text.substr(sign).starts_with('#');
}

// "M5": plies to the mate that the mover gives or suffers.
std::optional<Score> mate_in_plies(std::string_view digits, bool mover_mates) {
    const auto number = base::parse_number<unsigned>(digits);
    if (!number || *number == 0) {
        return std::nullopt;
    }
    const int count = static_cast<int>(std::min<unsigned>(*number, Score::max_plies));
    if (mover_mates) {
        return Score::mate_in(count % 2 == 1 ? count : 2 * count - 1);
    }
    return Score::mated_in(count % 2 == 0 ? count : 2 * count);
}

// "+0.93", "-M4", from the mover's side if `sign` is 1, from the opponent's if it is -1.
std::optional<Score> engine_score(std::string_view text, int sign) {
    const bool negative = text.starts_with('-');
    const std::string_view bare = text.substr(negative || text.starts_with('+') ? 1 : 0);
    if (bare.starts_with('M')) {
        return mate_in_plies(bare.substr(1), negative == (sign < 0));
    }
    const auto pawns = bare.empty() || !is_digit(bare.front()) ? std::nullopt : decimal(bare);
    if (!pawns) {
        return std::nullopt;
    }
    return centipawns(*pawns * 100 * (negative ? -sign : sign));
}

// The number behind "name=" in a list with commas; nullopt if it is not there.
std::optional<std::string_view> field(std::string_view list, std::string_view name) {
    while (!list.empty()) {
        const std::size_t comma = std::min(list.find(','), list.size());
        const std::string_view entry = trimmed(list.substr(0, comma));
        list.remove_prefix(std::min(comma + 1, list.size()));
        if (entry.size() > name.size() && entry.starts_with(name) && entry[name.size()] == '=') {
            return entry.substr(name.size() + 1);
        }
    }
    return std::nullopt;
}

std::uint64_t nodes_in(std::string_view list) {
    const auto text = field(list, "n");
    return text ? base::parse_number<std::uint64_t>(*text).value_or(0) : 0;
}

// From 1; more than a number can be is the largest one.
std::optional<int> depth_of(std::string_view text) {
    constexpr std::size_t digits = 9;
    if (!is_number(text)) {
        return std::nullopt;
    }
    const auto depth = base::parse_number<int>(text.substr(0, digits));
    return depth > 0 ? depth : std::nullopt;
}

std::optional<PgnVerdict> tcec_verdict(std::string_view comment, Color mover) {
    const auto white = field(comment, "wv");
    const auto depth_text = field(comment, "d");
    if (!white || !depth_text) {
        return std::nullopt;
    }
    const auto score = engine_score(*white, mover == Color::white ? 1 : -1);
    const auto depth = depth_of(*depth_text);
    if (!score || !depth) {
        return std::nullopt;
    }
    return PgnVerdict{PgnEngine::tcec, *score, *depth, nodes_in(comment)};
}

std::optional<PgnVerdict> score_and_depth(std::string_view comment) {
    if (comment.starts_with('(')) { // the line or the move that the engine expected
        const std::size_t end = comment.find(')');
        if (end == std::string_view::npos) {
            return std::nullopt;
        }
        comment = trimmed(comment.substr(end + 1));
    }
    const std::size_t slash = comment.find('/');
    if (slash == std::string_view::npos || slash < 3 || slash > 12) {
        return std::nullopt;
    }
    const std::string_view value = comment.substr(0, slash);
    const bool has_sign = value.front() == '+' || value.front() == '-';
    const bool mates = has_sign && value[1] == 'M';
    // "1/2-1/2", and scores whose side nobody knows, are none of these.
    if (!mates && (value.find('.') == std::string_view::npos ||
                   (!has_sign && value.find_first_not_of("0.") != std::string_view::npos))) {
        return std::nullopt;
    }
    std::string_view rest = comment.substr(slash + 1);
    const std::size_t end = std::min(rest.find_first_not_of("0123456789"), rest.size());
    if (end < rest.size() && !is_blank(rest[end]) && rest[end] != ',') {
        return std::nullopt;
    }
    const auto score = engine_score(value, 1);
    const auto depth = depth_of(rest.substr(0, end));
    if (!score || !depth) {
        return std::nullopt;
    }
    return PgnVerdict{PgnEngine::cutechess, *score, *depth, nodes_in(rest.substr(end))};
}

constexpr std::array<std::string_view, 2> mark_commands{"csl", "cal"}; // circles, arrows

std::optional<BoardMark> mark_of(std::string_view text, bool arrow) {
    if (text.size() != (arrow ? 5 : 3) || !std::string_view{"GRYB"}.contains(text[0])) {
        return std::nullopt;
    }
    const auto from = Square::parse(text.substr(1, 2));
    const auto to = arrow ? Square::parse(text.substr(3)) : std::nullopt;
    if (!from || (arrow && !to)) {
        return std::nullopt;
    }
    return BoardMark{text[0], *from, to};
}

} // namespace

std::optional<std::string_view> eval_command(std::string_view comment) {
    const auto found = command(comment, "eval");
    return found ? std::optional{found->whole} : std::nullopt;
}

std::optional<PgnEval> eval_in_comment(std::string_view comment, Color turn) {
    const auto found = command(comment, "eval");
    if (!found) {
        return std::nullopt;
    }
    std::string_view value = found->body;
    std::optional<int> depth;
    if (const auto comma = value.find(','); comma != std::string_view::npos) {
        depth = base::parse_number_after_plus<int>(trimmed(value.substr(comma + 1)));
        if (!depth || *depth < 0) {
            return std::nullopt;
        }
        value = trimmed(value.substr(0, comma));
    }
    if (is_mate(value)) {
        const auto score = mate(value, turn);
        return score ? std::optional{PgnEval{*score, depth}} : std::nullopt;
    }
    const auto number = decimal(value);
    if (!number) {
        return std::nullopt;
    }
    const bool pawns = !depth || value.find('.') != std::string_view::npos;
    return PgnEval{centipawns(pawns ? *number * 100 : *number), depth};
}

std::optional<PgnVerdict> verdict_in_comment(std::string_view comment, Color mover) {
    comment = trimmed(comment);
    return comment.find("wv=") != std::string_view::npos ? tcec_verdict(comment, mover)
                                                         : score_and_depth(comment);
}

std::string marks_in_comment(std::string_view comment) {
    return to_text(marks_of(comment));
}

std::vector<PgnCommand> commands_in_comment(std::string_view comment) {
    std::vector<PgnCommand> commands;
    for (auto found = next_command(comment, 0); found;
         found = next_command(comment, found->at + found->whole.size())) {
        commands.push_back(*found);
    }
    return commands;
}

std::string without_command(std::string_view comment, std::string_view name) {
    std::string text{comment};
    for (auto found = command(text, name); found; found = command(text, name)) {
        std::size_t end = found->at + found->whole.size();
        if (found->at == 0 || is_blank(text[found->at - 1])) {
            end = std::min(text.find_first_not_of(' ', end), text.size());
        }
        text.erase(found->at, end - found->at);
    }
    return std::string{trimmed(text)};
}

std::string text_of_comment(std::string_view comment) {
    std::string text;
    for (std::size_t at = 0; at < comment.size();) {
        const std::size_t start = comment.find("[%", at);
        const std::size_t end = start == std::string_view::npos ? start : comment.find(']', start);
        if (end == std::string_view::npos) {
            text += comment.substr(at);
            break;
        }
        text += comment.substr(at, start - at);
        at = end + 1;
        if (text.empty() || is_blank(text.back())) {
            while (at < comment.size() && is_blank(comment[at])) {
                ++at;
            }
        }
    }
    return std::string{trimmed(text)};
}

std::string said_in_comment(std::string_view comment) {
    const std::string drawn = marks_in_comment(comment);
    const std::string text = text_of_comment(comment);
    return drawn + (drawn.empty() || text.empty() ? "" : " ") + text;
}

std::vector<BoardMark> marks_of(std::string_view comment) {
    std::vector<BoardMark> marks;
    const auto commands = commands_in_comment(comment);
    for (const std::string_view name : mark_commands) {
        const bool arrow = name == "cal";
        for (const PgnCommand& command : commands) {
            if (command.name == name) {
                base::for_each_element(command.body, ',', [&](std::string_view element) {
                    if (const auto mark = mark_of(element, arrow)) {
                        marks.push_back(*mark);
                    }
                });
            }
        }
    }
    return marks;
}

std::string to_text(const std::vector<BoardMark>& marks) {
    constexpr std::size_t most_in_command = 8;
    std::string text;
    for (const bool arrows : {false, true}) {
        std::size_t count = 0;
        for (const BoardMark& mark : marks) {
            if (mark.to.has_value() != arrows) {
                continue;
            }
            if (count % most_in_command == 0) {
                text += count > 0 ? "]" : "";
                text += text.empty() ? "" : " ";
                text += "[%" + std::string{mark_commands[arrows ? 1 : 0]} + " ";
            } else {
                text += ',';
            }
            const auto add = [&](Square square) { text += {square.name()[0], square.name()[1]}; };
            text += mark.color;
            add(mark.from);
            if (mark.to) {
                add(*mark.to);
            }
            ++count;
        }
        text += count > 0 ? "]" : "";
    }
    return text;
}

NagKind nag_kind(int number) {
    return number < 10 ? NagKind::move : number < 22 ? NagKind::assessment : NagKind::other;
}

} // namespace adjourn::chess
