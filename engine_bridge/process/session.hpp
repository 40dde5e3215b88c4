// Session: the UCI conversation with one process as a state machine. No I/O and no clock of its
// own: lines and times come in, lines to send, a deadline and reports come out. After every call
// the owner takes commands() and report(), and calls time() when deadline() has come.
//
//   created ─start→ handshake ─uciok→ configuring ─readyok→ idle ─go→ (preparing ─readyok→)
//   searching ─bestmove→ confirming ─readyok→ idle
//   searching ─stop()/limit/deadline→ stopping ─bestmove→ confirming ─readyok→ idle
//   confirming ─readyok, but the answer is doubtful→ clearing ─silence→ idle
//   any ─deadline/bad option/a second misstep→ lost
//
// An answer counts only when the readyok of an isready sent after it has come and nothing in
// between says that the engine is out of step: a late line of an earlier search is never taken for
// the answer to this one.
#pragma once

#include "engine_bridge/process/job.hpp"
#include "engine_bridge/process/profile.hpp"
#include "engine_bridge/process/uci.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace adjourn::engine_bridge {

// SearchRecord: what an engine says between one go and the readyok after its bestmove, and what
// that makes as an answer. Pure.
// One question to an engine.
struct Search {
    chess::Position position;
    chess::Limit limit;
    std::vector<chess::Move> searchmoves; // empty = all legal moves
    std::uint64_t game = 0;
};

struct Progress {
    int depth = 0;
    std::uint64_t nodes = 0;
    std::uint64_t nps = 0;
};

class SearchRecord {
public:
    explicit SearchRecord(Search search) : search_{std::move(search)} {}

    const Search& search() const { return search_; }
    const Progress& progress() const { return progress_; }

    void info(const uci::Info& info);
    // The first one is the answer; a further one, if it says something else, makes the record
    // doubtful.
    void best_move(const uci::BestMove& best);

    // More than one answer came for one go, or the search went on after its answer: some of these
    // lines belong to another question, and nobody can say which.
    bool out_of_step() const { return out_of_step_; }
    // Whether the answer could have been given by the rules: a legal move, of those asked for.
    bool legal() const;
    // The score line is that of `earlier`, word by word, though the question is another one: most
    // likely an old line that came late. Without score lines it is none.
    bool repeats(const SearchRecord& earlier) const;

    // REQUIRES: a best move. `engine` is named in failures; `time_ms` from go to bestmove. An
    // answer without exact score is a failure, and one whose lines are about other moves than its
    // bestmove, or whose last line has a depth or score outside its range. attempts and process are
    // left to the pool.
    Result answer(const std::string& engine, std::uint32_t time_ms) const;
    // What it has told so far: the last exact line for the first PV, else the last bound, else the
    // bestmove alone. nullopt: nothing yet. After the bestmove nothing that contradicts it.
    std::optional<BestLine> best_line() const;

private:
    // The score line that the answer will be made of.
    struct ScoreLine {
        chess::Move move; // the first of the PV
        chess::Score score;
        chess::Bound bound;
        int depth;
        int seldepth;
        std::vector<std::string> pv; // of bounded length; the first move is legal
        std::optional<chess::WinDrawLoss> wdl;

        friend bool operator==(const ScoreLine&, const ScoreLine&) = default;
    };
    using Lines = std::map<chess::Move, ScoreLine>; // by their first move

    std::optional<ScoreLine> score_line(const uci::Info& info) const;
    const std::optional<ScoreLine>& line() const { return exact_ ? exact_ : bound_; }
    // The exact line that `best` may stand on; nullptr: there is none.
    const ScoreLine* exact_line_of(chess::Move best) const;
    BestLine told(const ScoreLine& line) const;
    bool asked(chess::Move move) const;
    bool ignored_node_limit(const Answer& answer) const;

    Search search_;
    Progress progress_;
    std::optional<ScoreLine> exact_; // the last one for the first PV
    std::optional<ScoreLine> bound_; // so
    Lines exact_lines_;              // the last one of each move, for any PV
    Lines later_bounds_;             // behind exact_, for the first PV
    std::string out_of_range_;       // in the last line; "" if all was well
    std::string odd_counter_;        // the last one that was set aside
    std::string gave_;               // of the last score of the first PV that says nothing
    bool answered_ = false;
    std::optional<std::string> best_; // nullopt: no move, or no answer yet
    bool out_of_step_ = false;
};

class Session {
public:
    using Time = std::chrono::steady_clock::time_point;

    enum class State : std::uint8_t {
        created,
        handshake,   // uci sent
        configuring, // options, ucinewgame and isready sent
        idle,
        preparing, // isready sent before a go
        searching,
        stopping,   // stop sent, bestmove owed
        confirming, // bestmove came, isready sent
        clearing,   // the answer was doubtful; waits for late lines
        lost,       // of no more use
    };

    // The process is of no more use: to be killed. A search that was running has no other answer.
    struct Lost {
        Failure::Kind
            kind; // crashed: it broke the protocol; hung; unavailable: the handshake failed
        std::string reason;
    };
    // Identity: the handshake is complete. Result: the search is over (attempts and process unset).
    using Report = std::variant<Identity, Result, Lost>;

    Session(const Profile& profile, const Timeouts& timeouts);

    void start(Time now);
    // REQUIRES: state() == idle. A question that must not reach an engine is answered at once.
    void go(Search search, Time now);
    // The search, if any, ends with Failure::cancelled.
    void cancel(Time now);
    void line(std::string_view text, Time now);
    // The process is dead and all its lines are read. The answer to the last search, if it came
    // and nothing speaks against it.
    std::optional<Result> last_words() const;
    // The engine broke the protocol beyond what a line can show (an overlong line).
    void broken(std::string reason);
    void time(Time now);

    // Lines to send, without line ends. Empties them.
    std::vector<std::string> take_commands();
    // At most one report arises from one call. Empties it.
    std::optional<Report> take_report();
    std::optional<Time> deadline() const { return deadline_; }

    State state() const { return state_; }
    // Of the present or last search.
    Progress progress() const { return record_ ? record_->progress() : Progress{}; }
    // Of the present search; nullopt where none runs, or it told none yet.
    std::optional<BestLine> best_line() const {
        const bool runs = state_ == State::searching || state_ == State::stopping;
        return runs && record_ ? record_->best_line() : std::nullopt;
    }
    // For people: the engine's own name once it is known, else the profile's.
    const std::string& name() const { return name_; }

private:
    enum class StopReason : std::uint8_t { none, enough_nodes, movetime_over, silent, cancelled };

    void on(const uci::Other&, Time) {}
    void on(const uci::Id& id, Time now);
    void on(const uci::UciOk&, Time now);
    void on(const uci::ReadyOk&, Time now);
    void on(const uci::Option& option, Time now);
    void on(const uci::Info& info, Time now);
    void on(const uci::BestMove& best, Time now);

    void send(std::string command) { commands_.push_back(std::move(command)); }
    void send_isready(Time now);
    void send_go(Time now);
    void send_stop(StopReason reason, Time now);
    void lose(Failure::Kind kind, std::string reason);
    void finish(Result result);
    void fail(Failure::Kind kind, const std::string& what);
    std::optional<std::string> unfit(const Search& search) const;
    // The readyok after a bestmove came: is it the answer?
    void conclude(Time now);
    Result outcome() const;
    void clear(Result result, Time now);
    // Something that no engine in step does. The second time the process has to go.
    void misstep(const std::string& what);

    const Timeouts timeouts_;
    const std::map<std::string, std::string> wanted_;
    const std::map<std::string, std::string> wishes_;
    const bool reproducible_;
    std::optional<std::uint64_t> game_; // of the last search

    State state_ = State::created;
    std::optional<Time> deadline_;
    std::vector<std::string> commands_;
    std::optional<Report> report_;

    std::string name_;
    Identity identity_;
    std::vector<uci::Option> declared_;
    bool chess960_ = false;
    int ready_owed_ = 0; // isready sent and not answered
    int best_owed_ = 0;  // go sent and not answered
    int missteps_ = 0;
    bool counted_ = false; // the present search among them

    bool pinged_ = false; // isready sent because the search says nothing
    int pings_ = 0;       // answered so, since the last progress

    bool busy_ = false; // with a search, from go to its report
    Time started_{};
    std::chrono::milliseconds took_{};  // the present search, from go to bestmove
    std::chrono::milliseconds usual_{}; // what the last good one took
    StopReason stop_reason_ = StopReason::none;
    std::optional<SearchRecord> record_;
    std::optional<SearchRecord> last_good_;
    std::optional<Result> held_; // while clearing
    Time clearing_until_{};      // at the latest
};

} // namespace adjourn::engine_bridge
