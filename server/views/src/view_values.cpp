#include "views/view.hpp"

#include <algorithm>

namespace adjourn::server {

using nlohmann::json;

int chart_value(chess::Score white) {
    return std::clamp(white.rank(), -1000, 1000);
}

json tables_json(const tables::Inventory& inventory) {
    return {{"men", inventory.men},
            {"wdl", inventory.wdl.size()},
            {"dtz", inventory.dtz.size()},
            {"own", inventory.own.size()},
            {"problems", inventory.problems}};
}

Standing stand(const AnalysisRun& run, const std::vector<chess::Move>& line) {
    Standing standing{run.root, {}, {}};
    const auto note = [&] {
        standing.node = run.shown() == nullptr
                            ? std::nullopt
                            : run.shown()->graph().find(standing.position.packed());
        if (standing.node) {
            standing.nodes.push_back(*standing.node);
        }
    };
    if (run.shown() != nullptr) {
        standing.nodes = line_to_root(run);
        standing.node = run.root_node;
    }
    for (const chess::Move move : line) {
        standing.position.play(move);
        note();
    }
    return standing;
}

} // namespace adjourn::server
