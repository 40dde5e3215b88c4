#include "uci/report.hpp"

#include <algorithm>

namespace adjourn::server::uci {

namespace {

constexpr int table_win_cp = 20'000;

const char* bound_text(analysis::Bound bound) {
    switch (bound) {
    case analysis::Bound::lower: return " lowerbound";
    case analysis::Bound::upper: return " upperbound";
    case analysis::Bound::exact: break;
    }
    return "";
}

std::string numbers(const Report& report) {
    const auto ms = static_cast<std::uint64_t>(report.time.count());
    return " nodes " + std::to_string(report.nodes) + " nps " +
           std::to_string(report.nodes * 1'000 / std::max<std::uint64_t>(1, ms)) + " time " +
           std::to_string(ms);
}

} // namespace

std::string score_text(chess::Score score) {
    using Kind = chess::Score::Kind;
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

std::vector<std::string> info_lines(const Report& report, const chess::Position& position,
                                    chess::CastlingStyle castling) {
    std::vector<std::string> lines;
    std::size_t longest = static_cast<std::size_t>(report.depth);
    for (const RankedLine& line : report.lines) {
        longest = std::max(longest, line.pv.size());
    }
    const std::string depths =
        "info depth " + std::to_string(report.depth) + " seldepth " + std::to_string(longest);
    for (std::size_t i = 0; i < report.lines.size(); ++i) {
        std::string text = depths + " multipv " + std::to_string(i + 1) + " score " +
                           score_text(report.lines[i].score) + bound_text(report.lines[i].bound) +
                           numbers(report) + " pv";
        chess::Position at = position;
        for (const chess::Move move : report.lines[i].pv) {
            text += ' ' + chess::to_uci(at, move, castling);
            at.play(move);
        }
        lines.push_back(std::move(text));
    }
    if (lines.empty()) {
        lines.push_back(depths + numbers(report));
    }
    return lines;
}

std::string bestmove_line(const chess::Position& position, const std::vector<chess::Move>& pv,
                          chess::CastlingStyle castling) {
    if (pv.empty()) {
        return "bestmove (none)";
    }
    std::string text = "bestmove " + chess::to_uci(position, pv.front(), castling);
    if (pv.size() > 1) {
        text += " ponder " + chess::to_uci(position.after(pv.front()), pv[1], castling);
    }
    return text;
}

std::string info_string(const std::string& text) {
    std::string line = "info string " + text;
    std::ranges::replace_if(
        line, [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
    return line;
}

} // namespace adjourn::server::uci
