#include "core/graphs/standing.hpp"

namespace adjourn::server {

Standing stand(const AnalysisRun& run, const std::vector<chess::Move>& line) {
    Standing standing{run.root, {}, {}};
    if (run.shown() != nullptr) {
        standing.nodes = line_to_root(run);
        standing.node = run.root_node;
    }
    for (const chess::Move move : line) {
        step(run, standing, move);
    }
    return standing;
}

void step(const AnalysisRun& run, Standing& standing, chess::Move move) {
    standing.position.play(move);
    standing.node = run.shown() == nullptr ? std::nullopt
                                           : run.shown()->graph().find(standing.position.packed());
    if (standing.node) {
        standing.nodes.push_back(*standing.node);
    }
}

} // namespace adjourn::server
