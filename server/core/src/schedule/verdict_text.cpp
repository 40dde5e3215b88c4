#include "core/schedule/verdict_text.hpp"

#include "analysis/confidence.hpp"
#include "chess/notation.hpp"

#include <spdlog/fmt/fmt.h>

#include <cmath>

namespace adjourn::server {

namespace {

constexpr std::size_t most_named = 2; // evaluations

std::string named(const analysis::Carrier& carrier, chess::Position at) {
    for (const chess::Move move : carrier.line) {
        at.play(move);
    }
    const bool white = at.turn() == chess::Color::white;
    const std::string score = chess::to_text(white ? carrier.score : -carrier.score);
    const std::string number = std::to_string(at.fullmove_number()) + (white ? "." : "...");
    return carrier.move ? number + chess::to_san(at, *carrier.move) + " " + score
                        : "the other moves at " + number + " " + score;
}

} // namespace

std::string verdict_text(const analysis::Verdict& verdict, bool tested,
                         const chess::Position& from) {
    const analysis::Confidence sure = analysis::confidence_of(verdict.cost);
    std::string text = fmt::format("stands: {} %, {}{}", std::lround(100 * sure.chance),
                                   sure.letter, tested ? "" : " (not tested here)");
    if (!std::isfinite(verdict.cost)) {
        return text;
    }
    const std::size_t all = verdict.carriers.size(), shown = std::min(all, most_named);
    for (std::size_t i = 0; i < shown; ++i) {
        text += (i == 0                         ? "; it rests on "
                 : i + 1 < shown || all > shown ? ", "
                                                : " and ") +
                named(verdict.carriers[i], from);
    }
    if (all > shown) {
        text += fmt::format(" and {} more", all - shown);
    }
    return text;
}

} // namespace adjourn::server
