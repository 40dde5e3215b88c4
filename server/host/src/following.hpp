// Following: carries what another server has stored to the core of one that only reads. It has a
// thread; the store is asked there, the core on its own thread.
#pragma once

#include "core/schedule/core.hpp"
#include "storage/follower.hpp"

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>

namespace adjourn::server {

class Following {
public:
    // Runs a task on the core's thread and waits for it.
    using OnCore = std::function<void(const std::function<void(Core&)>&)>;

    // The store outlives it; `on_core` works until stop() has returned.
    Following(std::unique_ptr<storage::Follower> follower, const storage::Store& store,
              OnCore on_core);
    ~Following();

    void start();
    // Waits until the thread is gone.
    void stop();
    // Whether any server works on the store, as far as is known. Any thread.
    bool has_writer() const { return writer_; }

private:
    void run();
    // Whether there is more.
    bool carry();
    void read_all();
    void read_analyses(const std::vector<analysis::AnalysisId>& ids,
                       const std::vector<analysis::AnalysisId>& seeded, bool whole);
    void hand_over_facts(const storage::News& news);

    std::unique_ptr<storage::Follower> follower_;
    const storage::Store& store_;
    OnCore on_core_;
    std::optional<storage::News> pending_; // until all of it has taken effect
    std::set<analysis::AnalysisId> known_; // analyses that the core has
    std::atomic<bool> writer_ = true;
    bool stopping_ = false;
    std::mutex mutex_;
    std::condition_variable stop_;
    std::thread thread_;
};

} // namespace adjourn::server
