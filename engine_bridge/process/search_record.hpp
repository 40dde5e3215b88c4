// SearchRecord: what an engine says between one go and the readyok after its bestmove, and what
// that makes as an answer. Pure.
#pragma once

#include "engine_bridge/process/job.hpp"
#include "engine_bridge/process/profile.hpp"
#include "engine_bridge/process/uci.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace adjourn::engine_bridge {

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

} // namespace adjourn::engine_bridge
