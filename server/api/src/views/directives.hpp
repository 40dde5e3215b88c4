// DirectivesList: what people asked for in an analysis and did not take back, and what has come of
// it.
#pragma once

#include "api/views/view.hpp"
#include "core/graphs/graph_walk.hpp"
#include "core/graphs/node_directives.hpp"

#include <cstddef>
#include <vector>

namespace adjourn::server {

class DirectivesList {
public:
    // Those that are there now; of an analysis without a graph nothing has come yet.
    DirectivesList(const Core& core, const AnalysisRun& run);

    // The core's thread; `run` as it is now. True when all were looked at.
    bool go_on(const AnalysisRun& run, const TimeUp& time_up);
    // Once, then; any thread. Reads from the store what is known of moves that are excluded.
    // Shape: docs/api/reference.md, GET directives.
    nlohmann::json result(const storage::Store& store);

private:
    struct Entry {
        Directive said;
        Hold hold;
        nlohmann::json out;
        // Of an exclusion that the graph has no word of its own on.
        bool word_wanted = false;
        std::optional<chess::Score> best; // of what is left, mover's side
    };
    nlohmann::json shown(const AnalysisRun& run, const Entry& entry) const;
    nlohmann::json effect(const AnalysisRun& run, Entry& entry) const;

    const Core& core_;
    GraphKey key_; // whose engines' words count
    std::vector<Entry> entries_;
    std::size_t next_ = 0; // the first that was not looked at
};

} // namespace adjourn::server
