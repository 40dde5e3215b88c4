#include "files/review/review_walk.hpp"

#include "analysis/move_order.hpp"
#include "files/openings/openings.hpp"

#include <algorithm>
#include <utility>

namespace adjourn::server {

namespace {

constexpr double swing = 0.2; // in winning chances: a mistake

struct BestMoves {
    chess::Score best;
    chess::Move move;
    std::optional<chess::Score> second;
};

// What the tree knows of the position at the end of the line; nothing if no move has a score.
std::optional<BestMoves> best_moves(const analysis::Graph& graph,
                                    const analysis::LineValues& values) {
    const auto moves = graph.moves(values.node());
    std::vector<std::size_t> order(moves.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        order[i] = i;
    }
    std::ranges::sort(order, {}, [&](std::size_t i) {
        return analysis::move_order(graph, moves[i], values.alpha_of(i).value);
    });
    if (order.empty()) {
        return std::nullopt;
    }
    BestMoves found{values.alpha_of(order[0]).value, moves[order[0]].move, std::nullopt};
    if (order.size() > 1) {
        found.second = values.alpha_of(order[1]).value;
    }
    return found;
}

// Of the side to move; of a position where the game is over, too.
std::optional<chess::Score> score_of(const chess::Position& position,
                                     const std::optional<BestMoves>& known,
                                     const std::optional<chess::Score>& exact) {
    switch (position.terminal()) {
    case chess::Terminal::checkmate: return chess::Score::mated_in(0);
    case chess::Terminal::stalemate:
    case chess::Terminal::dead: return chess::Score::cp(0);
    case chess::Terminal::no: break;
    }
    return known ? std::optional{known->best} : exact;
}

chess::Score from_white(chess::Score score, chess::Color side) {
    return side == chess::Color::white ? score : -score;
}

void judge(ReviewedMove& move, const ReviewedMove* before) {
    if (!move.best || !move.played) {
        return;
    }
    move.loss =
        std::max(0.0, chess::winning_chances(*move.best) - chess::winning_chances(*move.played));
    move.accuracy =
        chess::move_accuracy(chess::win_percent(*move.best), chess::win_percent(*move.played));
    move.missed =
        !move.book && before != nullptr && before->loss.value_or(0) >= swing && *move.loss >= swing;
}

} // namespace

bool is_recapture(const chess::Position& start, std::span<const chess::Move> line,
                  std::size_t ply) {
    if (ply == 0 || line[ply].to() != line[ply - 1].to()) {
        return false;
    }
    chess::Position position = start;
    for (std::size_t i = 0; i + 1 < ply; ++i) {
        position.play(line[i]);
    }
    const bool took = position.is_capture(line[ply - 1]);
    position.play(line[ply - 1]);
    return took && position.is_capture(line[ply]);
}

bool is_known(const AnalysisRun& run, const chess::Position& position) {
    if (position.terminal() != chess::Terminal::no) {
        return true;
    }
    const analysis::Graph& graph = run.slot->graph();
    const auto node = graph.find(position.packed());
    return node && (graph.exact(*node) || !graph.moves(*node).empty());
}

ReviewWalk::ReviewWalk(const AnalysisRun& run, std::vector<chess::Move> line,
                       std::size_t better_plies)
    : run_{run}, line_{std::move(line)}, better_plies_{better_plies},
      book_{book_moves(run.root, line_)}, at_{stand(run, {})}, made_{run.root, {}, {}, {}, 0} {}

bool ReviewWalk::go_on(const TimeUp& time_up) {
    if (run_.slot == nullptr) {
        return true;
    }
    while (made_.scores.size() <= line_.size()) {
        if (!made_.scores.empty()) {
            step(run_, at_, line_[made_.scores.size() - 1]);
        }
        look();
        if (time_up()) {
            break;
        }
    }
    return made_.scores.size() > line_.size();
}

// At the position that is reached.
void ReviewWalk::look() {
    const std::size_t ply = made_.scores.size();
    const analysis::Graph& graph = run_.slot->graph();
    std::optional<BestMoves> here;
    std::optional<chess::Score> exact;
    std::vector<chess::Move> better;
    if (at_.node) {
        here = best_moves(graph, analysis::LineValues{graph, at_.nodes});
        exact = graph.exact(*at_.node);
        if (better_plies_ > 0) {
            better = analysis::alpha_pv(graph, at_.nodes, better_plies_);
        }
    }
    const auto score = score_of(at_.position, here, exact);
    made_.searched += score ? 1 : 0;
    made_.scores.push_back(score ? std::optional{from_white(*score, at_.position.turn())}
                                 : std::nullopt);
    if (ply > 0 && score) {
        made_.moves.back().played = -*score;
    }
    if (ply < line_.size()) {
        ReviewedMove move{line_[ply], score, std::nullopt, std::move(better), {}, {}};
        move.book = ply < book_;
        move.only =
            here && here->move == line_[ply] && here->second &&
            chess::winning_chances(here->best) - chess::winning_chances(*here->second) >= swing &&
            !is_recapture(run_.root, line_, ply); // nobody misses one
        made_.moves.push_back(std::move(move));
    }
}

Review ReviewWalk::take() {
    std::vector<double> percents;
    for (std::size_t i = 0; i < made_.scores.size() && made_.scores[i]; ++i) {
        percents.push_back(chess::win_percent(*made_.scores[i]));
    }
    made_.accuracy = chess::game_accuracy(percents, made_.start.turn());
    for (std::size_t i = 0; i < made_.moves.size(); ++i) {
        judge(made_.moves[i], i == 0 ? nullptr : &made_.moves[i - 1]);
    }
    return std::move(made_);
}

Review review(const AnalysisRun& run, const std::vector<chess::Move>& line) {
    ReviewWalk walk{run, line};
    walk.go_on(never_up);
    return walk.take();
}

} // namespace adjourn::server
