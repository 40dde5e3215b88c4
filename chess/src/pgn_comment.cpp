#include "chess/pgn_comment.hpp"

#include "chess/number.hpp"
#include "text.hpp"

#include <cmath>

namespace adjourn::chess {

using namespace detail;

namespace {

// What stands between "[%name " and "]".
std::optional<std::string_view> command(std::string_view comment, std::string_view name) {
    for (std::size_t at = comment.find("[%"); at != std::string_view::npos;
         at = comment.find("[%", at + 2)) {
        const std::string_view rest = comment.substr(at + 2);
        const std::size_t end = rest.find(']');
        if (end == std::string_view::npos) {
            return std::nullopt;
        }
        std::string_view body = rest.substr(0, end);
        if (body.starts_with(name) && body.size() > name.size() && is_blank(body[name.size()])) {
            body.remove_prefix(name.size());
            while (!body.empty() && is_blank(body.front())) {
                body.remove_prefix(1);
            }
            while (!body.empty() && is_blank(body.back())) {
                body.remove_suffix(1);
            }
            return body;
        }
    }
    return std::nullopt;
}

// "3", "-3": moves, from White's side.
std::optional<Score> mate(std::string_view text, Color turn) {
    const bool black_mates = text.starts_with('-');
    const auto moves = parse_number_after_plus<int>(black_mates ? text.substr(1) : text);
    if (!moves || *moves < 0 || *moves > Score::max_plies / 2) {
        return std::nullopt;
    }
    const bool mating_side_moves = (turn == Color::black) == black_mates;
    const int plies = *moves == 0 ? 0 : 2 * *moves - (mating_side_moves ? 1 : 0);
    return black_mates ? Score::mated_in(plies) : Score::mate_in(plies);
}

} // namespace

std::optional<PgnEval> eval_in_comment(std::string_view comment, Color turn) {
    auto body = command(comment, "eval");
    if (!body) {
        return std::nullopt;
    }
    std::optional<int> depth;
    if (const auto comma = body->find(','); comma != std::string_view::npos) {
        depth = parse_number_after_plus<int>(body->substr(comma + 1));
        body = body->substr(0, comma);
    }
    if (body->starts_with('#')) {
        const auto score = mate(body->substr(1), turn);
        return score ? std::optional{PgnEval{*score, depth}} : std::nullopt;
    }
    const auto pawns = parse_number_after_plus<double>(*body);
    if (!pawns || !std::isfinite(*pawns) || std::abs(*pawns) * 100 > Score::max_cp) {
        return std::nullopt;
    }
    return PgnEval{Score::cp(static_cast<int>(std::lround(*pawns * 100))), depth};
}

std::optional<double> clock_in_comment(std::string_view comment) {
    auto rest = command(comment, "clk");
    if (!rest) {
        return std::nullopt;
    }
    // Hours:minutes:seconds, the last with a fraction; the first may be missing.
    double seconds = 0;
    for (auto colon = rest->find(':'); colon != std::string_view::npos; colon = rest->find(':')) {
        const auto part = parse_number_after_plus<int>(rest->substr(0, colon));
        if (!part || *part < 0) {
            return std::nullopt;
        }
        seconds = (seconds + *part) * 60;
        rest = rest->substr(colon + 1);
    }
    const auto last = parse_number_after_plus<double>(*rest);
    if (!last || !std::isfinite(*last) || *last < 0) {
        return std::nullopt;
    }
    return seconds + *last;
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
    const auto first = text.find_first_not_of(" \t\r\n");
    const auto last = text.find_last_not_of(" \t\r\n");
    return first == std::string::npos ? std::string{} : text.substr(first, last - first + 1);
}

} // namespace adjourn::chess
