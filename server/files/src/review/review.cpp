#include "files/review/review.hpp"

#include "analysis/move_order.hpp"
#include "chess/notation.hpp"
#include "core/graphs/standing.hpp"
#include "core/records/value_json.hpp"
#include "files/openings/openings.hpp"

#include <algorithm>
#include <array>

namespace adjourn::server {

using nlohmann::json;

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
                                     const std::optional<BestMoves>& known) {
    switch (position.terminal()) {
    case chess::Terminal::checkmate: return chess::Score::mated_in(0);
    case chess::Terminal::stalemate:
    case chess::Terminal::dead: return chess::Score::cp(0);
    case chess::Terminal::no: break;
    }
    return known ? std::optional{known->best} : std::nullopt;
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

const char* word_of(const ReviewedMove& move) {
    switch (blame(move)) {
    case 6: return "inaccuracy";
    case 2: return "mistake";
    case 4: return "blunder";
    default: return nullptr;
    }
}

json side_json(const Review& review, chess::Color side, const std::optional<double>& accuracy) {
    std::array<int, 3> counts{};
    const bool first_is_white = review.start.turn() == chess::Color::white;
    for (std::size_t i = 0; i < review.moves.size(); ++i) {
        const bool whites = (i % 2 == 0) == first_is_white;
        const int nag = blame(review.moves[i]);
        if (whites == (side == chess::Color::white) && nag != 0) {
            ++counts[nag == 6 ? 0 : nag == 2 ? 1 : 2];
        }
    }
    return {{"accuracy", accuracy ? json(*accuracy) : json{}},
            {"inaccuracies", counts[0]},
            {"mistakes", counts[1]},
            {"blunders", counts[2]}};
}

} // namespace

int blame(const ReviewedMove& move) {
    constexpr int blunder = 4;
    const int nag = chess::nag_of_loss(move.loss.value_or(0));
    return move.book && nag != blunder ? 0 : nag;
}

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

Review review(const AnalysisRun& run, const std::vector<chess::Move>& line) {
    Review made{run.root, {}, {}, {}, 0};
    if (run.slot == nullptr) {
        return made;
    }
    const analysis::Graph& graph = run.slot->graph();
    chess::Position position = run.root;
    const std::size_t book = book_moves(run.root, line);
    for (std::size_t ply = 0; ply <= line.size(); ++ply) {
        const std::vector<chess::Move> before{line.begin(),
                                              line.begin() + static_cast<std::ptrdiff_t>(ply)};
        const Standing standing = stand(run, before);
        std::optional<BestMoves> here;
        std::vector<chess::Move> best_line;
        if (standing.node) {
            here = best_moves(graph, analysis::LineValues{graph, standing.nodes});
            best_line = analysis::alpha_pv(graph, standing.nodes, longest_better_line);
        }
        const auto score = score_of(position, here);
        made.searched += score ? 1 : 0;
        made.scores.push_back(score ? std::optional{from_white(*score, position.turn())}
                                    : std::nullopt);
        if (ply > 0 && score) {
            made.moves.back().played = -*score;
        }
        if (ply < line.size()) {
            ReviewedMove move{line[ply], score, std::nullopt, std::move(best_line), {}, {}};
            move.book = ply < book;
            move.only =
                here && here->move == line[ply] && here->second &&
                chess::winning_chances(here->best) - chess::winning_chances(*here->second) >=
                    swing &&
                !is_recapture(run.root, line, ply); // nobody misses one
            made.moves.push_back(std::move(move));
            position.play(line[ply]);
        }
    }
    std::vector<double> percents;
    for (std::size_t i = 0; i < made.scores.size() && made.scores[i]; ++i) {
        percents.push_back(chess::win_percent(*made.scores[i]));
    }
    made.accuracy = chess::game_accuracy(percents, made.start.turn());
    for (std::size_t i = 0; i < made.moves.size(); ++i) {
        judge(made.moves[i], i == 0 ? nullptr : &made.moves[i - 1]);
    }
    return made;
}

void lengthen(Review& review, const storage::Store& store) {
    constexpr std::size_t short_line = 3;
    chess::Position position = review.start;
    for (ReviewedMove& move : review.moves) {
        const chess::Position before = position;
        position.play(move.move);
        if (blame(move) == 0 || move.line.empty() || move.line.size() > short_line) {
            continue;
        }
        for (const analysis::Evaluation& fact : store.evaluations(before.packed())) {
            if (fact.pv.size() <= move.line.size() || fact.pv.front() != move.line.front()) {
                continue;
            }
            std::vector<chess::Move> line;
            chess::Position at = before;
            for (const chess::Move step : fact.pv) { // what is stored is not trusted
                if (line.size() == longest_better_line || !at.is_legal(step)) {
                    break;
                }
                line.push_back(step);
                at.play(step);
            }
            if (line.size() > move.line.size()) {
                move.line = std::move(line);
            }
        }
    }
}

json review_json(const Review& review) {
    json moves = json::array();
    chess::Position position = review.start;
    for (std::size_t i = 0; i < review.moves.size(); ++i) {
        const ReviewedMove& move = review.moves[i];
        json out = move_json(position, move.move);
        const char* word = word_of(move);
        out["score"] = review.scores[i + 1] ? score_json(*review.scores[i + 1]) : json{};
        out["best"] = score_json(move.best, position.turn());
        out["line"] = line_json(position, move.line);
        out["loss"] = move.loss ? json(*move.loss) : json{};
        out["accuracy"] = move.accuracy ? json(*move.accuracy) : json{};
        out["judgement"] = word != nullptr ? json(word) : json{};
        out["only"] = move.only;
        out["missed"] = move.missed;
        out["book"] = move.book;
        moves.push_back(std::move(out));
        position.play(move.move);
    }
    return {{"start_fen", review.start.fen()},
            {"moves", std::move(moves)},
            {"positions", review.moves.size() + 1},
            {"searched", review.searched},
            {"white", side_json(review, chess::Color::white, review.accuracy.white)},
            {"black", side_json(review, chess::Color::black, review.accuracy.black)}};
}

} // namespace adjourn::server
