#include "core/schedule/answer.hpp"

#include "core/engines/engines.hpp"

#include <vector>

namespace adjourn::server {

namespace {

bool anchored(const AnalysisRun& run) {
    return run.spec.strategy.kind == analysis::StrategyKind::anchored;
}

std::vector<chess::Move> excluded_at_root(const AnalysisRun& run) {
    const auto said = run.node_directives.find(run.root_node);
    return said == run.node_directives.end() ? std::vector<chess::Move>{} : said->second.excluded;
}

// Several processes do not share what they have found, and reproducible ones forget it.
int margin_of(const EngineSlot* engine) {
    const bool one_hash =
        engine != nullptr && engine->profile.count == 1 && !engine->profile.reproducible;
    return one_hash ? analysis::margin_one_hash : analysis::margin_many_hashes;
}

} // namespace

std::optional<analysis::RootAnswer> answer_of(const AnalysisRun& run, const EngineSlot* engine,
                                              std::span<const analysis::NodeId> line) {
    const analysis::Graph& graph = run.slot->graph();
    std::vector<analysis::NodeId> own;
    if (line.empty()) {
        own = line_to_root(run);
        line = own;
    }
    return anchored(run)
               ? analysis::anchored_answer(graph, line, run.plan.verified, run.record.limit,
                                           margin_of(engine), excluded_at_root(run))
               : analysis::root_answer(graph, line, run.plan.verified);
}

std::optional<Disagreement> disagreement_of(const AnalysisRun& run) {
    if (!anchored(run) || run.slot == nullptr) {
        return std::nullopt;
    }
    const analysis::Graph& graph = run.slot->graph();
    const auto anchor =
        analysis::anchor_of(graph, run.root_node, run.record.limit, excluded_at_root(run));
    const auto tree = analysis::root_answer(graph, line_to_root(run), run.plan.verified);
    return anchor && tree && anchor->move != tree->move
               ? std::optional{Disagreement{*anchor, *tree}}
               : std::nullopt;
}

} // namespace adjourn::server
