#include "core/schedule/answer.hpp"

#include "analysis/root_answer.hpp"
#include "analysis/strategy.hpp"
#include "chess/notation.hpp"
#include "core/graphs/line_end.hpp"
#include "core/graphs/node_directives.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace adjourn::server {

namespace {

bool anchored(const RunView& run) {
    return analysis::strategy_of(run.spec.strategy.kind).has_anchor();
}

} // namespace

std::optional<analysis::RootAnswer> answer_of(const RunView& run,
                                              std::span<const analysis::NodeId> line) {
    const analysis::Graph& graph = run.slot->graph();
    std::vector<analysis::NodeId> own;
    if (line.empty()) {
        own = line_to_root(run);
        line = own;
    }
    return anchored(run)
               ? analysis::anchored_answer(graph, line, run.plan.verified, run.record.limit,
                                           excluded_moves(run, run.root_node))
               : analysis::root_answer(graph, line, run.plan.verified);
}

std::unique_ptr<analysis::VerdictSearch> verdict_search(const RunView& run,
                                                        const std::vector<chess::Move>& line) {
    const LineEnd end = line_end(run, line);
    if (!end.node) {
        return nullptr;
    }
    const analysis::Graph& graph = run.slot->graph();
    const bool decided = line.empty() && anchored(run); // by searches of the root
    if (decided && court_of(run) == nullptr && settled_level(run) == 0) {
        return nullptr; // nothing was compared with the long search's move yet
    }
    const auto answer = line.empty() ? answer_of(run) : analysis::root_answer(graph, end.nodes, {});
    if (!answer) {
        return nullptr;
    }
    int lead = 0;
    if (decided) { // more than what the tree said when it was not followed
        const auto tree = analysis::root_answer(graph, end.nodes, run.plan.verified);
        const analysis::LineValues values{graph, end.nodes};
        lead = analysis::overruling_lead +
               std::max(0, tree->alpha.rank() - values.alpha_of(answer->index).value.rank());
    }
    return std::make_unique<analysis::VerdictSearch>(
        graph, end.nodes, answer->move, lead,
        analysis::leaf_noise(run.slot->noise(), run.record.limit), excluded_moves(run, *end.node));
}

bool is_tested(const RunView& run) {
    return analysis::confidence_is_tested(run.slot->engine().name, run.record.limit,
                                          run.plan.evaluations_used);
}

std::optional<chess::Move> overruled(const RunView& run, const analysis::JointSearch& court) {
    const auto tree =
        analysis::root_answer(run.slot->graph(), line_to_root(run), run.plan.verified);
    return tree && tree->move != court.move ? std::optional{tree->move} : std::nullopt;
}

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
