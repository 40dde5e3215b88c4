// Calibrator: how sure the answers of each engine are, by what became of those of before. When a
// level has settled it looks at what the answer rests on; the next level is recorded with what was
// told then. Where a recorded level has four times the work, that answer has stood or fallen, and
// the curve of its engine is fitted. On the core's thread, in pieces.
#pragma once

#include "core/graphs/queue.hpp"
#include "core/guards/guard.hpp"
#include "core/schedule/answer.hpp"

#include <chrono>
#include <map>
#include <memory>
#include <string>

namespace adjourn::server {

class Calibrator {
public:
    // All of them must outlive it.
    Calibrator(const Queue& queue, const Health& health) : queue_{queue}, health_{health} {}

    // Looks at answers, no longer than so, and at what is on record. To be called a few times a
    // second.
    void look_after(std::chrono::milliseconds most);
    Surety of(const AnalysisRun& run) const;

private:
    bool begin();
    void fit();

    const Queue& queue_;
    const Health& health_; // whose clock says how long it has worked
    // The answer that is looked at.
    std::unique_ptr<analysis::VerdictSearch> search_; // null: none
    analysis::AnalysisId id_{};
    const GraphSlot* slot_ = nullptr;
    AnalysisPlan::Tree tree_;

    std::map<std::string, std::shared_ptr<const analysis::Calibration>> curves_; // by engine's name
    std::size_t levels_ = 0; // on record when they were fitted
};

} // namespace adjourn::server
