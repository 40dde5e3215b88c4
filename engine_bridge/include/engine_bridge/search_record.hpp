// SearchRecord: what an engine says between one go and the readyok after its bestmove, and what
// that makes as an answer. Pure.
#pragma once

#include "engine_bridge/pool.hpp"
#include "engine_bridge/uci.hpp"

#include <cstdint>
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
    // answer without exact score is a failure. attempts and process are left to the pool.
    Result answer(const std::string& engine, std::uint32_t time_ms) const;
    // What it has told so far: the last exact line for the first PV, else the last bound, else the
    // bestmove alone. nullopt: nothing yet.
    std::optional<BestLine> best_line() const;

private:
    // The score line that the answer will be made of.
    struct ScoreLine {
        chess::Score score;
        chess::Bound bound;
        int depth;
        int seldepth;
        std::vector<std::string> pv; // the first move is legal

        friend bool operator==(const ScoreLine&, const ScoreLine&) = default;
    };

    std::optional<ScoreLine> score_line(const uci::Info& info) const;
    const std::optional<ScoreLine>& line() const { return exact_ ? exact_ : bound_; }
    bool asked(chess::Move move) const;
    bool ignored_node_limit(const Answer& answer) const;

    Search search_;
    Progress progress_;
    std::optional<ScoreLine> exact_;
    std::optional<ScoreLine> bound_;
    bool answered_ = false;
    std::optional<std::string> best_; // nullopt: no move, or no answer yet
    bool out_of_step_ = false;
};

} // namespace adjourn::engine_bridge
