// StandingSearches: of an analysis with a long search of its root (strategies with an anchor), that
// search as one: uninterrupted, in a process of its own with several threads, beside the tree, from
// start to end. What it finds is stored as it comes (checkpoints.hpp). It takes the place of as
// many processes of the queue as it has threads. On the core's thread; nothing here blocks.
//
// An engine has one at a time, and only where an analysis has the engine to itself: beside others
// the root is searched again with growing limits, as with one process, or a reproducible engine.
#pragma once

#include "core/schedule/checkpoints.hpp"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace adjourn::server {

class StandingSearches {
public:
    // After one that had no answer the root is searched as without for so long.
    static constexpr analysis::UnixMs pause = 300'000;

    struct Parts {
        const Queue& queue;
        const Engines& engines;
        Scheduler& scheduler;
        const Checkpoints& checkpoints;
        Health& health;
        Recorder recorder;
        Queue::Clock steady;
        // What one has found when it ended by itself, and who has asked for it.
        std::function<void(const analysis::Evaluation&, std::optional<analysis::AnalysisId>)>
            stored;
        // When a question has come back (may be empty).
        std::function<void()> ended;
    };
    // They must outlive it.
    explicit StandingSearches(Parts parts) : parts_{std::move(parts)} {}

    // Begins, keeps and ends them. To be called a few times a second.
    void look_after();
    // Ends all, each with what it has; none begins any more.
    void stop();
    bool all_back() const { return out_ == 0; }

    // What people are shown of it.
    struct Shown {
        std::size_t threads = 1;
        analysis::UnixMs lasted = 0;
        int depth = 0;
        std::uint64_t nodes = 0;
        std::uint64_t nodes_per_second = 0;
        std::optional<engine_bridge::BestLine> line;
    };
    std::optional<Shown> shown(analysis::AnalysisId analysis) const;

private:
    struct Search {
        analysis::AnalysisId analysis{};
        std::weak_ptr<EngineSlot> engine;
        engine_bridge::PlaceId place = 0;
        engine_bridge::JobId job = 0;
        analysis::Question question;
        Checkpoints::Trail trail; // with the threads
        int next_step = 0;        // of the anchor, that is to be stored when it is reached
        std::size_t lent = 0;     // processes of the queue that rest meanwhile
        std::optional<engine_bridge::ProcessStatus> status = {}; // the latest
    };

    AnalysisRun* wanted(const EngineSlot& engine) const;
    std::size_t threads_of(const EngineSlot& engine, const AnalysisRun& run) const;
    void begin(EngineSlot& engine, AnalysisRun& run, std::size_t threads);
    void look_at(EngineSlot& engine, AnalysisRun& run, Search& search);
    void keep(const AnalysisRun& run, Search& search, const engine_bridge::ProcessStatus& found);
    void end(const std::string& profile);
    void leave(const Search& search, AnalysisRun* run);
    void came_back(const std::string& profile, engine_bridge::JobId job,
                   analysis::AnalysisId analysis, const Recorder::Ending& ending);

    Parts parts_;
    std::map<std::string, Search> searches_;                  // by name of the profile
    std::map<analysis::AnalysisId, analysis::UnixMs> paused_; // until then
    std::size_t out_ = 0;                                     // questions
    bool stopping_ = false;
};

} // namespace adjourn::server
