#include "chess/uci/report.hpp"

#include <algorithm>

namespace adjourn::chess::uci {

namespace {

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
