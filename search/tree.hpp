// Tree: the chess that all selections share: the line on the board, the cut-off tests, the leaves,
// the memory. A Game of negamax.hpp but for which moves a line goes on with.
#pragma once

#include "search/negamax.hpp"
#include "search/search.hpp"
#include "search/table.hpp"

#include <array>
#include <vector>

namespace adjourn::search {

class OrderedMoves;

class Tree {
public:
    using Move = chess::Move;

    // All must outlive it.
    Tree(const Options& options, const Query& query, const Hooks& hooks, Table& table,
         MoveMemory& memory);

    std::optional<Value> known(int ply);
    Value leaf(Value alpha, Value beta, int ply);
    Value no_move(int ply) const {
        return ply == 0 || position(ply).in_check() ? mated_at(ply) : 0;
    }
    void play(Move move, int ply);
    void take_back(int) {}
    bool stopped() const { return stopped_; }
    void improved(int ply, Move move, Value value);

    const chess::Position& position(int ply) const { return frames_[at(ply)].position; }
    // What was played to come to this ply; nothing at the root.
    const Played& played(int ply) const { return ply > 0 ? frames_[at(ply)].by : nothing_; }
    const MoveMemory& memory() const { return memory_; }
    const Options& options() const { return options_; }
    Value value_of(int ply) const { return options_.evaluate(position(ply)); }
    std::uint64_t nodes() const { return nodes_; }
    int longest() const { return longest_; }
    std::int64_t elapsed() const { return hooks_.clock ? hooks_.clock() - started_ : 0; }

    // At the root: what the query allows, less what better lines begin with.
    bool is_open(int ply, Move move) const { return ply > 0 || may_begin(move); }
    void close(Move move) { closed_.push_back(move); }
    void open_all() { closed_.clear(); }
    // Root's line as found so far; empty moves: none yet.
    const Line& best() const { return best_; }
    // By what the table knows exactly: a line ends where it was found there. Not beyond `most`.
    void lengthen(Line& line, std::size_t most) const;
    // Forgets it, and tries this move first.
    void begin_line(std::optional<Move> first) {
        best_ = {};
        first_ = first;
    }

    // The move to try first: the table's, at the root that of the iteration before.
    std::optional<Move> first_move(int ply) const;

protected:
    const TableEntry* find(int ply) const;
    // What the table knows, if from a search of that size.
    std::optional<Value> recall(RestCode rest, Value alpha, Value beta, int ply) const;
    void keep(RestCode rest, Value alpha, Value beta, Value value, Move move, int ply);
    // The move that was tried last cut, those before it did not.
    void cut(const OrderedMoves& moves, int ply, int weight);

private:
    struct Frame {
        chess::Position position;
        Played by;
    };
    static std::size_t at(int ply) { return static_cast<std::size_t>(ply); }

    bool may_begin(Move move) const;
    bool repeats(int ply) const;
    void look_at_limits();
    Value captures(Value alpha, Value beta, int ply, int checks);
    Value evasions(Value alpha, Value beta, int ply, int checks);
    Value consistency(Value alpha, Value beta, int ply, int depth);

    const Options& options_;
    const Query& query_;
    const Hooks& hooks_;
    Table& table_;
    MoveMemory& memory_;

    std::vector<Frame> frames_;        // by ply; max_ply + 2
    std::vector<std::uint64_t> twice_; // what occurred twice before the root
    std::vector<std::array<Move, max_ply + 2>> lines_;
    std::vector<int> line_sizes_;
    std::vector<Move> closed_;
    std::optional<Move> first_;
    Line best_;
    Played nothing_;
    std::uint64_t nodes_ = 0;
    std::uint64_t leaf_nodes_end_ = 0; // of the consistency search of this leaf
    std::int64_t started_ = 0;
    int longest_ = 0;
    bool stopped_ = false;
};

// Neither side can mate: bare kings, or one knight or bishop beside them.
bool is_dead(const chess::Position& position);

// The moves of a position, best first. Order: the table's move, captures that lose nothing,
// killers, the reply that worked before, the others by history, captures that lose.
class OrderedMoves {
public:
    OrderedMoves(const Tree& tree, int ply);
    std::optional<chess::Move> next();
    // Of the move that next() gave last; 0 for the first.
    int rank() const { return static_cast<int>(done_) - 1; }
    chess::Move given(int rank) const { return moves_[static_cast<std::size_t>(rank)]; }
    // Of the quiet moves, at the second move or later.
    int most_history() const { return most_history_; }

private:
    void rate();

    chess::MoveList moves_;
    std::array<int, 256> ratings_;
    std::size_t done_ = 0;
    bool rated_ = false;
    int most_history_ = 0;
    std::optional<chess::Move> first_;
    const Tree& tree_;
    int ply_;
};

// Full width: every move, to the same depth.
class FullWidth : public Tree {
public:
    using Rest = int; // plies
    using Tree::Tree;

    class Moves {
    public:
        Moves(const FullWidth& tree, Rest rest, int ply) : ordered_{tree, ply}, rest_{rest} {}
        std::optional<Step<Move, Rest>> next() {
            const std::optional<Move> move = ordered_.next();
            return move ? std::optional{Step<Move, Rest>{*move, rest_ - 1}} : std::nullopt;
        }
        const OrderedMoves& ordered() const { return ordered_; }

    private:
        OrderedMoves ordered_;
        Rest rest_;
    };

    Rest rest_of_iteration(int iteration) const { return iteration; }
    bool spent(Rest rest, int ply) const { return rest <= 0 || ply >= max_ply; }
    std::optional<Value> recall(Rest rest, Value alpha, Value beta, int ply) const {
        return Tree::recall(static_cast<RestCode>(rest), alpha, beta, ply);
    }
    Moves moves(Rest rest, Value, int ply) const { return Moves{*this, rest, ply}; }
    void refuted(const Moves& moves, Rest rest, int ply) {
        cut(moves.ordered(), ply, std::min(rest * rest, 400));
    }
    void remember(Rest rest, Value alpha, Value beta, Value value, Move move, int ply) {
        keep(static_cast<RestCode>(rest), alpha, beta, value, move, ply);
    }
};

} // namespace adjourn::search
