// Summary: what changed since a moment in all analyses, one after the other.
#pragma once

#include "api/views/view_walks.hpp"

#include <deque>
#include <functional>
#include <memory>
#include <vector>

namespace adjourn::server {

class Summary {
public:
    // `core` must outlive go_on(), and its store result().
    Summary(const Core& core, analysis::UnixMs since);

    // The core's thread; true when all were seen.
    bool go_on(const TimeUp& time_up);
    // As ChangesWalk::elsewhere().
    std::function<void()> elsewhere();
    // Once, then; any thread. Shape: docs/api/reference.md, GET summary.
    nlohmann::json result();

private:
    struct Entry {
        nlohmann::json head;
        std::unique_ptr<ChangesWalk> walk; // null: its tree cannot be looked at
        const GraphSlot* slot = nullptr;
    };
    void begin(const AnalysisRun& run);

    const Core& core_;
    analysis::UnixMs since_;
    analysis::UnixMs now_;
    std::deque<analysis::AnalysisId> left_; // the first one is looked at, if looking_
    bool looking_ = false;
    std::vector<Entry> entries_;
    std::size_t unchanged_ = 0;
};

} // namespace adjourn::server
