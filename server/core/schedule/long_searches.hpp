// LongSearches: the one owner of searches that somebody follows while they last, above the
// dispatcher. On the core's thread; nothing here blocks.
//   board searches   of the position on a person's board, deeper and deeper (decision 082)
//   standing search  the one long search of a root beside its tree (decision 131), and in its
//   process
//                    the courts; one of an engine at a time, and only where an analysis has the
//                    engine to itself
//   checkpoints      what these, and searches of the plan, have found and cost so far
// The first two have processes reserved at the dispatcher. A search of the plan is the scheduler's;
// what is known of it so far is kept in its JobInfo.
#pragma once

#include "core/guards/reads.hpp"
#include "core/schedule/scheduler.hpp"

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

enum class BoardSearchId : std::int64_t {}; // 0 is never one

// What a person wants; absent fields stay as they are, at first as BoardSearch has them.
struct BoardSearchPatch {
    std::optional<std::vector<chess::Move>> line = std::nullopt;
    std::optional<std::size_t> lines = std::nullopt;
    std::optional<std::size_t> from_queue = std::nullopt;
    std::optional<bool> until_stopped = std::nullopt;
};

// The K-th best move is found with the better ones excluded, one search after the other at each
// depth; every finished one is recorded as an ordinary evaluation. Nobody pays.
struct BoardSearch {
    // The question that is out.
    struct Question {
        engine_bridge::JobId job = 0;
        int depth = 0;          // plies, its limit
        std::size_t number = 0; // of the best move that it looks for, from 0
    };

    BoardSearchId id{};
    analysis::AnalysisId analysis{};
    std::vector<chess::Move> line; // from the root of the analysis
    std::size_t lines = 1;         // best moves, each with its line of play
    std::size_t from_queue = 1;    // processes of its engine that the queue gives nothing new
    bool until_stopped = false;    // else it ends when nobody has renewed it for a while
    chess::Position position = chess::Position::initial();
    std::string engine; // name of the profile
    std::string ended;  // why it is over, for people; "" while it goes on
    int depth = 0;      // plies that each of the lines has reached; 0: none yet
    // Best first, as finished searches of this position said. Moves are distinct.
    std::vector<analysis::Evaluation> found;
    std::optional<Question> question;

    // ---- for LongSearches only ----
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

class LongSearches {
public:
    // A search is long from then on: what is shorter can be done again.
    static constexpr analysis::UnixMs long_search{20'000};
    // A checkpoint is due when the nodes have grown by so much, or the move is another.
    static constexpr double growth = 1.25;
    // After a standing search without an answer the root is searched as without one for so long.
    static constexpr analysis::UnixMs pause = 300'000;

    // Of board searches:
    static constexpr std::size_t most_lines = 8;
    // Those that are not over, each with its process.
    static constexpr std::size_t most_at_once = engine_bridge::Dispatcher::most_reserved;
    static constexpr analysis::UnixMs patience = 30'000; // ms until one that nobody renews ends
    static constexpr analysis::UnixMs warm = 60'000; // ms that a reserved process waits for another
    static constexpr analysis::UnixMs kept = 600'000; // ms that one that is over can be seen
    // Plies. Every engine answers the first one at once; the last is the largest limit there is.
    static constexpr int first_depth = 8;
    static constexpr int last_depth = 245;

    struct Parts {
        storage::Store& store; // must outlive what is written
        const Queue& queue;
        const Engines& engines;
        Scheduler& scheduler;
        Health& health;
        Reads& reads;
        Recorder recorder;
        base::TaskScope::Poster core;
        Queue::Clock steady;
        std::string machine;
        // A new evaluation, when it is durable, and who has asked for it.
        std::function<void(const analysis::Evaluation&, std::optional<analysis::AnalysisId>)>
            stored;
        std::function<void(const BoardSearch&)> changed; // a few times a second at most
        std::function<void()> came_back;                 // when a question has
    };
    // All references must outlive it. `now`: by the wall clock, from which board searches get their
    // numbers.
    LongSearches(Parts parts, analysis::UnixMs now)
        : parts_{std::move(parts)}, last_board_{now / 1000} {}
    LongSearches(const LongSearches&) = delete;
    LongSearches& operator=(const LongSearches&) = delete;

    // What the clock drives, a few times a second.
    void look_after();
    // Ends all, each with what it has; none begins any more.
    void stop();
    bool all_back() const { return out_ == 0; }
    // Some engines are not at work any more: what they search ends.
    void engines_changed();
    // A process of those that are reserved at the engine has news.
    void process_changed(engine_bridge::ProfileId profile);

    // ---- board searches ----
    // The position must be one of `run`'s; what is returned is valid until it is stopped or
    // forgotten.
    std::expected<const BoardSearch*, WorkError> begin(const AnalysisRun& run,
                                                       const BoardSearchPatch& wanted);
    // Renews it, too. One that is over begins again where a line or more lines than before are
    // wanted. REQUIRES, also of stop(): there is one of this id, of the run.
    std::expected<const BoardSearch*, WorkError> change(const AnalysisRun& run, BoardSearchId id,
                                                        const BoardSearchPatch& patch);
    void stop(BoardSearchId id);
    // The game went on: `before` are the moves that had been played until now.
    void root_moved(const AnalysisRun& run, const std::vector<chess::Move>& before);
    // The analysis goes.
    void forget(analysis::AnalysisId analysis);
    // Null if there is none.
    const BoardSearch* find(analysis::AnalysisId analysis, BoardSearchId id) const;
    std::vector<const BoardSearch*> of(analysis::AnalysisId analysis) const;
    // What the process does, while it searches the question.
    std::optional<engine_bridge::ProcessStatus> live(const BoardSearch& board) const;

    // ---- standing search ----
    const RunningSearch* standing_search(analysis::AnalysisId analysis) const; // null: none is out
    analysis::UnixMs lasted(const RunningSearch& search) const;

private:
    struct StandingSearch {
        std::weak_ptr<EngineSlot> engine;
        engine_bridge::PlaceId place = 0;
        engine_bridge::JobId job = 0;
        RunningSearch search;
        bool court = false;   // of the candidates together (AnalysisPlan::court)
        int next_step = 0;    // of the anchor, that is to be stored when it is reached
        std::size_t lent = 0; // processes of the queue that rest meanwhile
    };
    using StandingSearches = std::map<engine_bridge::ProfileId, StandingSearch>;
    using Ending = Recorder::Ending;

    // ---- of all ----
    engine_bridge::JobId ask(EngineSlot& engine, engine_bridge::Job job,
                             Recorder::Expected expected,
                             std::function<void(engine_bridge::JobId, const Ending&)> ended);
    engine_bridge::Dispatcher::Time now() const;

    // ---- checkpoints ----
    void look_at_plan();
    bool look_at(const EngineSlot& engine, const engine_bridge::ProcessStatus& process);
    void see(RunningSearch& search, const engine_bridge::ProcessStatus& process) const;
    bool is_due(const RunningSearch& search) const;
    std::optional<analysis::Evaluation> found(const RunningSearch& search) const;
    void keep(RunningSearch& search, std::optional<analysis::Evaluation> fact,
              bool ends = false) const;
    void keep_if_due(RunningSearch& search, std::optional<analysis::Evaluation> fact) const;
    storage::Cost cost(const RunningSearch& search) const;
    std::optional<storage::Cost> charge(RunningSearch& search) const;

    // ---- standing search ----
    void look_at_standing();
    AnalysisRun* wants_standing(const EngineSlot& engine) const;
    static std::vector<chess::Move> left_out(const AnalysisRun& run);
    bool begin_standing(EngineSlot& engine, AnalysisRun& run,
                        const StandingSearch* before = nullptr);
    void look_at(EngineSlot& engine, AnalysisRun& run, StandingSearch& standing);
    void keep_steps(const AnalysisRun& run, StandingSearch& standing) const;
    void end(StandingSearches::iterator standing);
    StandingSearch stop_search(StandingSearches::iterator standing);
    void leave(const StandingSearch& standing, AnalysisRun* run);
    void standing_ended(engine_bridge::ProfileId profile, engine_bridge::JobId job,
                        analysis::AnalysisId analysis, const Ending& ending);

    // ---- board searches ----
    void look_at_boards();
    std::optional<WorkError> too_many() const;
    std::optional<WorkError> impossible(const AnalysisRun& run,
                                        const std::vector<chess::Move>& line) const;
    void set_going(BoardSearch& board, const AnalysisRun& run);
    void read_known(BoardSearch& board, analysis::EngineId engine);
    void call_off(BoardSearch& board);
    void go_on(BoardSearch& board);
    bool reach(BoardSearch& board, int depth, const std::vector<chess::Move>& left_out,
               std::size_t count);
    void take(BoardSearch& board, const Ending& ending);
    void end(BoardSearch& board, std::string why);
    void tell(BoardSearch& board);
    void tell_soon(BoardSearch& board);

    const Parts parts_;
    std::map<BoardSearchId, BoardSearch> boards_;
    StandingSearches standing_;
    std::map<analysis::AnalysisId, analysis::UnixMs> paused_; // no standing search until then
    std::size_t out_ = 0;                                     // questions of both
    std::int64_t last_board_; // numbers are not given again after a restart
    std::uint64_t last_read_ = 0;
    bool stopping_ = false;
};

} // namespace adjourn::server
