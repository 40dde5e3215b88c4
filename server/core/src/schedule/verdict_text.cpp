#include "core/schedule/verdict_text.hpp"

#include "analysis/confidence.hpp"
#include "chess/notation.hpp"

#include <spdlog/fmt/fmt.h>

#include <cmath>

namespace adjourn::server {

namespace {

constexpr std::size_t most_named = 2; // evaluations

std::string named(const analysis::Carrier& carrier, const chess::Position& from) {
    const chess::Position at = from.after(carrier.line);
    const bool white = at.turn() == chess::Color::white;
    const std::string what =
        carrier.move
            ? chess::to_numbered_san(at, *carrier.move)
            : "the other moves at " + std::to_string(at.fullmove_number()) + (white ? "." : "...");
    return what + " " + chess::to_text(white ? carrier.score : -carrier.score);
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
