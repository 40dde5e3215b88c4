#include "files/review/review.hpp"

#include "analysis/move_order.hpp"
#include "chess/notation.hpp"
#include "chess/pgn_writer.hpp"
#include "core/graphs/standing.hpp"
#include "core/records/value_json.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <array>

namespace adjourn::server {

using nlohmann::json;

namespace {

constexpr double swing = 0.2;             // in winning chances: a mistake
constexpr std::size_t longest_shown = 12; // plies of a better line

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
    move.missed = before != nullptr && before->loss.value_or(0) >= swing && *move.loss >= swing;
}

const char* word_of(double loss) {
    switch (chess::nag_of_loss(loss)) {
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
        const int nag = chess::nag_of_loss(review.moves[i].loss.value_or(0));
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
    for (std::size_t ply = 0; ply <= line.size(); ++ply) {
        const std::vector<chess::Move> before{line.begin(),
                                              line.begin() + static_cast<std::ptrdiff_t>(ply)};
        const Standing standing = stand(run, before);
        std::optional<BestMoves> here;
        std::vector<chess::Move> best_line;
        if (standing.node) {
            here = best_moves(graph, analysis::LineValues{graph, standing.nodes});
            best_line = analysis::alpha_pv(graph, standing.nodes, longest_shown);
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

json review_json(const Review& review) {
    json moves = json::array();
    chess::Position position = review.start;
    for (std::size_t i = 0; i < review.moves.size(); ++i) {
        const ReviewedMove& move = review.moves[i];
        json out = move_json(position, move.move);
        const char* word = move.loss ? word_of(*move.loss) : nullptr;
        out["score"] = review.scores[i + 1] ? score_json(*review.scores[i + 1]) : json{};
        out["best"] = score_json(move.best, position.turn());
        out["line"] = line_json(position, move.line);
        out["loss"] = move.loss ? json(*move.loss) : json{};
        out["accuracy"] = move.accuracy ? json(*move.accuracy) : json{};
        out["judgement"] = word != nullptr ? json(word) : json{};
        out["only"] = move.only;
        out["missed"] = move.missed;
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

std::string review_pgn(const Review& review, const std::string& engine) {
    chess::PgnTree tree;
    tree.start = review.start;
    tree.tags = {{"Annotator", fmt::format("Adjourn {}", ADJOURN_VERSION)}, {"Engine", engine}};
    const auto accuracy = [](const std::optional<double>& value) {
        return value ? fmt::format("{:.0f} %", *value) : std::string{"?"};
    };
    tree.comment = "Accuracy: White " + accuracy(review.accuracy.white) + ", Black " +
                   accuracy(review.accuracy.black);
    chess::Position end = review.start;
    std::vector<chess::Position> positions{end};
    for (const ReviewedMove& move : review.moves) {
        end.play(move.move);
        positions.push_back(end);
    }
    for (std::size_t i = review.moves.size(); i-- > 0;) {
        const ReviewedMove& move = review.moves[i];
        const int nag = chess::nag_of_loss(move.loss.value_or(0));
        chess::PgnNode node{move.move, {}, "", std::move(tree.moves)};
        tree.moves.clear();
        if (nag != 0 || move.only) {
            node.nags.push_back(nag != 0 ? nag : 7); // 7: the only move
        }
        if (review.scores[i + 1] && positions[i + 1].terminal() == chess::Terminal::no) {
            node.comment = "[%eval " + chess::to_eval_text(*review.scores[i + 1]) + "]";
        }
        if (move.missed) {
            node.comment += std::string{node.comment.empty() ? "" : " "} + "missed chance";
        }
        tree.moves.push_back(std::move(node));
        if (nag != 0 && !move.line.empty() && move.line.front() != move.move) {
            std::vector<chess::PgnNode> better;
            for (std::size_t ply = move.line.size(); ply-- > 0;) {
                chess::PgnNode step{move.line[ply], {}, "", std::move(better)};
                better.clear();
                better.push_back(std::move(step));
            }
            better.front().comment =
                "[%eval " + chess::to_eval_text(from_white(*move.best, positions[i].turn())) + "]";
            tree.moves.push_back(std::move(better.front()));
        }
    }
    switch (end.terminal()) {
    case chess::Terminal::checkmate:
        tree.result = end.turn() == chess::Color::white ? "0-1" : "1-0";
        break;
    case chess::Terminal::stalemate:
    case chess::Terminal::dead: tree.result = "1/2-1/2"; break;
    case chess::Terminal::no: break;
    }
    return chess::to_pgn(tree);
}

} // namespace adjourn::server
