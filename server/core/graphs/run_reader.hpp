// RunReader: an analysis as it was when somebody asked, with its graph, to be read on another
// thread.
#pragma once

#include "core/graphs/analysis_run.hpp"
#include "core/graphs/graph_lock.hpp"

#include <memory>

namespace adjourn::server {

class RunReader {
public:
    // On the core's thread. `here`: it is read on this thread, too.
    RunReader(const AnalysisRun& run, bool here)
        : run_{run}, slot_{run.slot == nullptr ? nullptr : run.slot->weak_from_this().lock()},
          lock_{here || run.slot == nullptr ? nullptr : &run.slot->lock()} {}

    const RunView& run() const { return run_; }
    // Any thread; the graph may be looked at as long as the result lives.
    GraphReading read() const { return GraphReading{lock_}; }

private:
    RunView run_;
    std::shared_ptr<const GraphSlot> slot_; // the graph lives as long
    GraphLock* lock_;
};

} // namespace adjourn::server
