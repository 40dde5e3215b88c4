// Looks: what people look at is searched deeper and deeper, beside the queue's plan. Each look
// has a process of its own, reserved at the dispatcher: started when it is needed, and kept for a
// while after. The
// K-th best move is found with the better ones excluded, one search after the other at each depth;
// every finished search is recorded as an ordinary evaluation. Nothing is charged to an analysis's
// budget. Lives on the core's thread, and never blocks for the disk.
#pragma once

#include "analysis/records.hpp"
#include "chess/position.hpp"
#include "core/engines/engines.hpp"
#include "core/engines/recorder.hpp"
#include "core/graphs/queue.hpp"
#include "core/guards/reads.hpp"
#include "engine_bridge/dispatch/dispatcher.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace adjourn::server {

enum class LookId : std::int64_t {}; // 0 is never one

// What somebody wants to look at, and how.
struct LookWish {
    std::vector<chess::Move> line; // from the root of the analysis
    std::size_t lines = 1;         // best moves, each with its line of play
    // Processes of its engine that the queue gives nothing new meanwhile.
    std::size_t from_queue = 1;
    bool until_stopped = false; // else it ends when nobody has renewed it for a while
};

// Of a look that is under way; absent fields stay as they are.
struct LookPatch {
    std::optional<std::vector<chess::Move>> line = std::nullopt;
    std::optional<std::size_t> lines = std::nullopt;
    std::optional<std::size_t> from_queue = std::nullopt;
    std::optional<bool> until_stopped = std::nullopt;
};

struct Look {
    // The question that is out.
    struct Search {
        engine_bridge::JobId job = 0;
        int depth = 0;          // plies, its limit
        std::size_t number = 0; // of the best move that it looks for, from 0
    };

    LookId id{};
    analysis::AnalysisId analysis{};
    LookWish wish;
    chess::Position position = chess::Position::initial();
    std::string engine; // name of the profile
    std::string ended;  // why it is over, for people; "" while it goes on
    int depth = 0;      // plies that each of the lines has reached; 0: none yet
    // Best first, as finished searches of this position said. Moves are distinct.
    std::vector<analysis::Evaluation> lines;
    std::optional<Search> search;

    // ---- for Looks only ----
    engine_bridge::ProfileId profile = 0;        // of the engine, as the dispatcher has it
    std::optional<engine_bridge::PlaceId> place; // that is reserved for it
    std::vector<analysis::Evaluation> known;     // of the position, by its engine, exact
    std::uint64_t reading = 0; // number of the read of these; 0: none is under way
    int deepest = 0;           // that the engine has told
    int no_deeper = 0;         // answers since
    analysis::UnixMs renewed_at = 0;
    analysis::UnixMs ended_at = 0;
    analysis::UnixMs told_at = 0;
    bool untold = false; // it changed since it was told
};

class Looks {
public:
    static constexpr std::size_t most_lines = 8;
    // Looks that are not over, each with its process.
    static constexpr std::size_t most_at_once = engine_bridge::Dispatcher::most_reserved;
    static constexpr analysis::UnixMs patience = 30'000; // ms until one that nobody renews ends
    static constexpr analysis::UnixMs warm = 60'000;     // ms that a process waits for another look
    static constexpr analysis::UnixMs kept = 600'000;    // ms that one that is over can be seen
    // Plies. Every engine answers the first one at once; the last is the largest limit there is.
    static constexpr int first_depth = 8;
    static constexpr int last_depth = 245;

    struct Listener {
        std::function<void(const analysis::Evaluation&)> answered; // stored just now, or before
        std::function<void(const Look&)> changed;                  // a few times a second at most
    };

    // All references must outlive it. `now`: by the wall clock, from which looks get their numbers.
    Looks(storage::Store& store, const Queue& queue, Engines& engines, Health& health, Reads& reads,
          const base::TaskScope& scope, Recorder recorder, Queue::Clock steady,
          analysis::UnixMs now, Listener listener);
    Looks(const Looks&) = delete;
    Looks& operator=(const Looks&) = delete;

    // ---- what people want ----
    // The position must be one of `run`'s; the look is valid until it is stopped or forgotten.
    std::expected<const Look*, WorkError> begin(const AnalysisRun& run, LookWish wish);
    // Renews it, too. One that is over begins again where a line or more lines than before are
    // wanted.
    std::expected<const Look*, WorkError> change(const AnalysisRun& run, LookId id,
                                                 const LookPatch& patch);
    std::expected<void, WorkError> stop(const AnalysisRun& run, LookId id);
    // Some are not at work any more: what they search ends.
    void engines_changed();
    // The game went on: `before` are the moves that had been played until now.
    void root_moved(const AnalysisRun& run, const std::vector<chess::Move>& before);
    // The analysis goes.
    void forget(analysis::AnalysisId analysis);

    // ---- looking ----
    const Look* find(analysis::AnalysisId analysis, LookId id) const; // null if there is none
    std::vector<const Look*> of(analysis::AnalysisId analysis) const;
    // What the process does, while it searches the look's question.
    std::optional<engine_bridge::ProcessStatus> live(const Look& look) const;
    // Whether its process has said who it is, and can be asked.
    bool ready(const Look& look) const;

    // A process of those that are reserved at the engine has news.
    void process_changed(engine_bridge::ProfileId profile);
    // What the clock drives, a few times a second.
    void look_after();
    // Ends everything; `stopped` is called once, when nothing is out.
    void end_all(std::function<void()> stopped);

private:
    Look* find(LookId id);
    std::size_t under_way() const;
    std::optional<WorkError> impossible(const AnalysisRun& run,
                                        const std::vector<chess::Move>& line) const;
    void set_going(Look& look, const AnalysisRun& run);

    void leave_place(Look& look);
    void lend(const Look& look);
    void finish_stop();
    engine_bridge::Dispatcher::Time now() const;

    void begin_at(Look& look, const AnalysisRun& run);
    void read_known(Look& look, analysis::EngineId engine);
    void call_off(Look& look);
    void go_on(Look& look);
    bool reach(Look& look, int depth, const std::vector<chess::Move>& left_out, std::size_t count);
    void ask(Look& look, int depth, std::size_t number, std::vector<chess::Move> excluded);
    void ended(LookId id, engine_bridge::JobId job, const Recorder::Ending& ending);
    void take(Look& look, const Recorder::Ending& ending);

    void end(Look& look, std::string why);
    void tell(Look& look);
    void tell_soon(Look& look);

    storage::Store& store_;
    const Queue& queue_;
    Engines& engines_;
    Health& health_;
    Reads& reads_;
    const base::TaskScope& scope_;
    const Recorder recorder_;
    Queue::Clock steady_;
    Listener listener_;
    std::map<LookId, Look> looks_;
    std::size_t out_ = 0;    // questions
    std::int64_t last_look_; // numbers are not given again after a restart
    std::uint64_t last_read_ = 0;
    std::function<void()> stopped_;
    bool stopping_ = false;
};

} // namespace adjourn::server
