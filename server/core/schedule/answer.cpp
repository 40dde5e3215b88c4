#include "core/schedule/answer.hpp"

#include "analysis/strategy.hpp"
#include "chess/notation.hpp"
#include "core/engines/engines.hpp"
#include "core/graphs/line_end.hpp"
#include "core/graphs/node_directives.hpp"

#include <spdlog/fmt/fmt.h>

#include <cmath>

namespace adjourn::server {

namespace {

constexpr int contested = 30;      // cp: one of the recorded trees has another move as near
constexpr std::size_t enough = 50; // answers tell as much as a test

long percent(double share) {
    return std::lround(100 * share);
}

bool anchored(const RunView& run) {
    return analysis::strategy_of(run.spec.strategy.kind).has_anchor();
}

} // namespace

// Several processes do not share what they have found, and reproducible ones forget it.
int answer_margin(const EngineSlot* engine) {
    const bool one_hash =
        engine != nullptr && engine->profile.count == 1 && !engine->profile.reproducible;
    return one_hash ? analysis::margin_one_hash : analysis::margin_many_hashes;
}

std::optional<analysis::RootAnswer> answer_of(const RunView& run, int margin,
                                              std::span<const analysis::NodeId> line) {
    const analysis::Graph& graph = run.slot->graph();
    std::vector<analysis::NodeId> own;
    if (line.empty()) {
        own = line_to_root(run);
        line = own;
    }
    return anchored(run)
               ? analysis::anchored_answer(graph, line, run.plan.verified, run.record.limit, margin,
                                           excluded_moves(run, run.root_node))
               : analysis::root_answer(graph, line, run.plan.verified);
}

std::unique_ptr<analysis::VerdictSearch> verdict_search(const RunView& run, int margin,
                                                        const std::vector<chess::Move>& line) {
    const LineEnd end = line_end(run, line);
    if (!end.node) {
        return nullptr;
    }
    const analysis::Graph& graph = run.slot->graph();
    const bool at_root = line.empty();
    const auto answer =
        at_root ? answer_of(run, margin) : analysis::root_answer(graph, end.nodes, {});
    if (!answer) {
        return nullptr;
    }
    return std::make_unique<analysis::VerdictSearch>(
        graph, end.nodes, answer->move, at_root && anchored(run) ? margin : 0,
        analysis::leaf_noise(run.slot->noise(), run.record.limit), excluded_moves(run, *end.node));
}

Sure sure_of(const RunView& run, const Surety& surety, const std::vector<chess::Move>& line,
             const analysis::Verdict& verdict) {
    using Group = analysis::AnswerGroup;
    const bool hard = line.empty() && !surety.before.empty() &&
                      surety.before != chess::to_uci(run.root, verdict.best);
    const Group group = hard                       ? Group::hard
                        : verdict.lead > contested ? Group::clear
                                                   : Group::contested;
    const analysis::Limit& limit = run.record.limit;
    const std::size_t evaluations = run.plan.evaluations_used;
    const analysis::AnswerKind kind{group, analysis::size_class(limit, evaluations)};
    const analysis::LikeThis like = surety.calibration->like(kind);
    const std::string& engine = run.slot->engine().name;
    const bool tested =
        like.answers >= enough || analysis::confidence_is_tested(engine, limit, evaluations);
    std::string known;
    if (like.answers > 0) {
        known = fmt::format("of {} answer{} like this of your {}, said {} %, {} % stood [{}, {}]",
                            like.answers, like.answers == 1 ? "" : "s", engine, percent(like.said),
                            percent(like.stood), percent(like.low), percent(like.high));
    } else if (!tested) {
        known = "no answer like this of your " + engine + " has had four times the work yet";
    }
    return {kind, surety.calibration->confidence(verdict.cost, kind), tested, like,
            std::move(known)};
}

std::optional<Disagreement> disagreement_of(const RunView& run) {
    if (!anchored(run) || run.slot == nullptr) {
        return std::nullopt;
    }
    const analysis::Graph& graph = run.slot->graph();
    const auto anchor = analysis::anchor_of(graph, run.root_node, run.record.limit,
                                            excluded_moves(run, run.root_node));
    const auto tree = analysis::root_answer(graph, line_to_root(run), run.plan.verified);
    return anchor && tree && anchor->move != tree->move
               ? std::optional{Disagreement{*anchor, *tree}}
               : std::nullopt;
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

std::string verdict_text(const analysis::Verdict& verdict, const Sure& sure,
                         const chess::Position& from) {
    std::string text =
        fmt::format("stands: {} %, {}{}", percent(sure.confidence.chance), sure.confidence.letter,
                    sure.known.empty() ? "" : " (" + sure.known + ")");
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
