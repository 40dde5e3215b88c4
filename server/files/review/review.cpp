#include "files/review/review.hpp"

#include "core/graphs/line_end.hpp"

#include "analysis/graph.hpp"
#include "chess/game_edit.hpp"
#include "chess/notation.hpp"
#include "chess/pgn_comment.hpp"
#include "chess/pgn_writer.hpp"
#include "core/records/strategy_json.hpp"
#include "files/export/export.hpp"
#include "files/openings/openings.hpp"

#include <nlohmann/json.hpp>
#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <array>
#include <utility>

namespace adjourn::server {

using nlohmann::json;

int blame(const ReviewedMove& move) {
    constexpr int blunder = 4;
    const int nag = chess::nag_of_loss(move.loss.value_or(0));
    return move.book && nag != blunder ? 0 : nag;
}

const char* judgement_of(const ReviewedMove& move) {
    switch (blame(move)) {
    case 6: return "inaccuracy";
    case 2: return "mistake";
    case 4: return "blunder";
    default: return nullptr;
    }
}

json side_json(const Review& review, chess::Color side) {
    const auto& accuracy =
        side == chess::Color::white ? review.accuracy.white : review.accuracy.black;
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
        const char* word = judgement_of(move);
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
            {"white", side_json(review, chess::Color::white)},
            {"black", side_json(review, chess::Color::black)}};
}

// A game with what a review found.

namespace {

using Node = chess::GameTree::Node;

constexpr std::uint8_t only_move = 7;

chess::Score for_white(chess::Score score, chess::Color side) {
    return side == chess::Color::white ? score : -score;
}

std::string eval_command(chess::Score white) {
    return "[%eval " + chess::to_eval_text(white) + "]";
}

// The reviewed moves from where they begin, with the better lines.
chess::AnnotatedGame with_better_lines(const Review& review, const chess::AnnotatedGame& game,
                                       const std::vector<chess::Move>& before) {
    chess::GameDraft draft;
    chess::GameDraft::Node at = draft.add_line(chess::GameDraft::start, before);
    for (const ReviewedMove& move : review.moves) {
        const chess::GameDraft::Node next = draft.add(at, move.move);
        if (blame(move) != 0 && !move.line.empty() && move.line.front() != move.move) {
            draft.add_line(at, move.line);
        }
        at = next;
    }
    return {{}, game.start, draft.tokens(), "*", {}};
}

std::string accuracy_text(const Review& review) {
    const auto text = [](const std::optional<double>& value) {
        return value ? fmt::format("{:.0f} %", *value) : std::string{"?"};
    };
    return "Accuracy: White " + text(review.accuracy.white) + ", Black " +
           text(review.accuracy.black);
}

std::optional<std::uint8_t> nag_of(const ReviewedMove& move) {
    const int blamed = blame(move);
    return blamed != 0 ? std::optional{static_cast<std::uint8_t>(blamed)}
           : move.only ? std::optional{only_move}
                       : std::nullopt;
}

struct Said {
    std::optional<std::uint8_t> nag;
    std::string text;
};

// By node of the tree.
std::vector<Said> said_of(const Review& review, const chess::GameTree& tree, Node at) {
    std::vector<Said> said(tree.size());
    said[chess::GameTree::start].text = accuracy_text(review);
    chess::Position position = review.start;
    for (std::size_t ply = 0; ply < review.moves.size(); ++ply) {
        const ReviewedMove& move = review.moves[ply];
        if (blame(move) != 0 && !move.line.empty() && move.line.front() != move.move) {
            if (const auto better = tree.child(at, move.line.front())) {
                said[*better].text = eval_command(for_white(*move.best, position.turn()));
            }
        }
        at = *tree.child(at, move.move);
        position.play(move.move);
        Said& here = said[at];
        here.nag = nag_of(move);
        if (review.scores[ply + 1] && position.terminal() == chess::Terminal::no) {
            here.text = eval_command(*review.scores[ply + 1]);
        }
        const std::string words = review_words(review, ply);
        here.text += (here.text.empty() || words.empty() ? "" : " ") + words;
    }
    return said;
}

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

// Adds the position that is reached.
void look(const RunView& run, const LineEnd& at, const std::vector<chess::Move>& line,
          std::size_t book, std::size_t better_plies, Review& made) {
    const std::size_t ply = made.scores.size();
    const analysis::Graph& graph = run.slot->graph();
    std::optional<BestMoves> here;
    std::optional<chess::Score> exact;
    std::vector<chess::Move> better;
    if (at.node) {
        here = best_moves(graph, analysis::LineValues{graph, at.nodes});
        exact = graph.exact(*at.node);
        if (better_plies > 0) {
            better = analysis::alpha_pv(graph, at.nodes, better_plies);
        }
    }
    const auto score = score_of(at.position, here, exact);
    made.searched += score ? 1 : 0;
    made.scores.push_back(score ? std::optional{for_white(*score, at.position.turn())}
                                : std::nullopt);
    if (ply > 0 && score) {
        made.moves.back().played = -*score;
    }
    if (ply < line.size()) {
        ReviewedMove move{line[ply], score, std::nullopt, std::move(better), {}, {}};
        move.book = ply < book;
        move.only =
            here && here->move == line[ply] && here->second &&
            chess::winning_chances(here->best) - chess::winning_chances(*here->second) >= swing &&
            !is_recapture(run.root, line, ply); // nobody misses one
        made.moves.push_back(std::move(move));
    }
}

const char* judgement(int nag) {
    switch (nag) {
    case 6: return "Inaccuracy.";
    case 2: return "Mistake.";
    case 4: return "Blunder.";
    default: return "";
    }
}

// In pawns, of the side.
int material(const chess::Position& position, chess::Color side) {
    constexpr int pawn = 1, minor = 3, rook = 5, queen = 9;
    int sum = 0;
    for (const char piece : position.fen()) {
        if (piece == ' ') {
            break;
        }
        const bool white = piece >= 'A' && piece <= 'Z';
        const int sign = white == (side == chess::Color::white) ? 1 : -1;
        switch (piece | 0x20) {
        case 'p': sum += sign * pawn; break;
        case 'n':
        case 'b': sum += sign * minor; break;
        case 'r': sum += sign * rook; break;
        case 'q': sum += sign * queen; break;
        default: break;
        }
    }
    return sum;
}

// Of the side at the end of a line; nothing where it ends amid captures or in check.
std::optional<int> material_behind(const chess::Position& start, std::span<const chess::Move> line,
                                   chess::Color side) {
    chess::Position position = start;
    bool quiet = false;
    for (const chess::Move move : line) {
        quiet = !position.is_capture(move);
        position.play(move);
    }
    return quiet && !position.in_check() ? std::optional{material(position, side)} : std::nullopt;
}

// A move, and where it is played.
struct MoveOfReview {
    const Review& review;
    std::size_t ply;
    chess::Position before;
    int fair; // the mover's material: before the opponent's move where that took something

    MoveOfReview(const Review& all, std::size_t at)
        : review{all}, ply{at}, before{all.start}, fair{0} {
        for (std::size_t i = 0; i < ply; ++i) {
            const chess::Position earlier = before;
            before.play(review.moves[i].move);
            const bool last = i + 1 == ply;
            if (last && earlier.is_capture(review.moves[i].move)) {
                fair = material(earlier, before.turn());
                return;
            }
        }
        fair = material(before, before.turn());
    }
    const ReviewedMove& move() const { return review.moves[ply]; }
};

std::string amount(int pawns) {
    return pawns == 1 ? "a pawn" : "material";
}

bool mates(const chess::Score& score) {
    return score.kind() == chess::Score::Kind::mate && score.rank() > 0;
}

bool is_mated(const chess::Score& score) {
    return score.kind() == chess::Score::Kind::mate && score.rank() < 0;
}

std::string in_moves(const chess::Score& score) {
    return " in " + std::to_string((score.plies() + 1) / 2);
}

// What the better move does.
std::string better_does(const MoveOfReview& at) {
    const ReviewedMove& move = at.move();
    const chess::Score best = *move.best;
    if (mates(best)) {
        return best.plies() == 1 ? "mates" : "mates" + in_moves(best);
    }
    if (is_mated(*move.played) && !is_mated(best)) {
        return "prevents the mate";
    }
    constexpr int winning = 150;
    constexpr int better = 50;
    const auto held = material_behind(at.before, move.line, at.before.turn());
    if (held && *held > at.fair && best.rank() > -better) {
        return "wins " + amount(*held - at.fair);
    }
    return best.rank() >= winning   ? "is winning"
           : best.rank() >= better  ? "keeps the advantage"
           : best.rank() > -better  ? "keeps the balance"
           : best.rank() > -winning ? "loses less"
                                    : "resists longer";
}

// What the played move does: "" where there is nothing short to say.
std::string played_does(const MoveOfReview& at) {
    const ReviewedMove& move = at.move();
    if (is_mated(*move.played) && !is_mated(*move.best)) {
        return "It allows mate" + in_moves(*move.played) + ".";
    }
    if (at.ply + 1 < at.review.moves.size() && !mates(*move.best)) {
        const auto held = material_behind(at.before.after(move.move),
                                          at.review.moves[at.ply + 1].line, at.before.turn());
        if (held && *held < at.fair) {
            return "It loses " + amount(at.fair - *held) + ".";
        }
    }
    return "";
}

std::string clock_behind(const chess::GameTree& tree, chess::GameTree::Node node) {
    std::string clock;
    const auto range = tree.behind(node);
    for (std::size_t i = range.first; i < range.end; ++i) {
        if (const auto* comment = std::get_if<chess::PgnComment>(&tree.game().moves[i])) {
            for (const chess::PgnCommand& command : chess::commands_in_comment(comment->text)) {
                if (command.name == "clk") {
                    clock = command.body;
                }
            }
        }
    }
    return clock;
}

} // namespace

chess::AnnotatedGame annotated(const Review& review, chess::AnnotatedGame game,
                               const std::string& engine) {
    chess::remove_exported(game);
    std::vector<chess::Move> before;
    {
        const chess::GameTree tree{game};
        before = tree.moves_to(node_at(tree, review.start).value_or(chess::GameTree::start));
        // Without room for more, scores and words remain.
        if (auto merged = chess::merge(tree, with_better_lines(review, game, before))) {
            game.moves = std::move(*merged);
        }
    }
    const chess::GameTree tree{game};
    const std::vector<Said> said = said_of(review, tree, *tree.find(before));
    chess::ExportedComments comments{tree};
    for (Node node = 0; node < tree.size(); ++node) {
        comments.say(node, said[node].nag, said[node].text);
    }
    game.moves = comments.take();
    add_tags(game.tags,
             {{"Annotator", fmt::format("Adjourn {}", ADJOURN_VERSION)}, {"Engine", engine}});
    return game;
}

chess::AnnotatedGame reviewed_game(const Review& review) {
    chess::Position end = review.start;
    std::vector<chess::GameToken> moves;
    for (const ReviewedMove& move : review.moves) {
        moves.emplace_back(move.move);
        end.play(move.move);
    }
    const bool drawn =
        end.terminal() == chess::Terminal::stalemate || end.terminal() == chess::Terminal::dead;
    const bool mated = end.terminal() == chess::Terminal::checkmate;
    chess::AnnotatedGame game = chess::new_game(review.start, {},
                                                drawn                               ? "1/2-1/2"
                                                : !mated                            ? "*"
                                                : end.turn() == chess::Color::white ? "0-1"
                                                                                    : "1-0");
    game.moves = std::move(moves);
    return game;
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

bool is_known(const RunView& run, const chess::Position& position) {
    if (position.terminal() != chess::Terminal::no) {
        return true;
    }
    const analysis::Graph& graph = run.slot->graph();
    const auto node = graph.find(position.packed());
    return node && (graph.exact(*node) || !graph.moves(*node).empty());
}

Review review(const RunView& run, const GraphReading& reading, const std::vector<chess::Move>& line,
              std::size_t better_plies) {
    Review made{run.root, {}, {}, {}, 0};
    if (run.slot != nullptr) {
        const std::size_t book = book_moves(run.root, line);
        LineEnd at = line_end(run, {});
        while (made.scores.size() <= line.size()) {
            if (!made.scores.empty()) {
                step(run, at, line[made.scores.size() - 1]);
            }
            look(run, at, line, book, better_plies, made);
            reading.breathe();
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

// What a review says of a move, in words.

std::string review_words(const Review& review, std::size_t ply) {
    const ReviewedMove& move = review.moves[ply];
    std::string words;
    const auto add = [&](const std::string& sentence) {
        words += (words.empty() || sentence.empty() ? "" : " ") + sentence;
    };
    if (const int nag = blame(move); nag != 0) {
        const MoveOfReview at{review, ply};
        add(judgement(nag));
        add(played_does(at));
        if (!move.line.empty() && move.line.front() != move.move) {
            add(chess::to_numbered_san(at.before, move.line.front()) + " " + better_does(at) + ".");
        }
    }
    add(move.missed ? "A missed chance." : "");
    add(move.only ? "The only move." : "");
    return words;
}

GameLine game_line(const chess::AnnotatedGame& game, const chess::Position& root) {
    GameLine line{game.tags, game.result, 0, {}, {}, {}};
    const chess::GameTree tree{game};
    const auto from = node_at(tree, root);
    bool reviewed = from && (*from == chess::GameTree::start || tree.in_main_line(*from));
    if (!reviewed) {
        line.reason = "the game does not lead to the root of the analysis, " + root.fen();
    }
    reviewed = reviewed && *from == chess::GameTree::start;
    for (auto node = tree.first_child(chess::GameTree::start); node != chess::GameTree::none;
         node = tree.first_child(node)) {
        ++line.plies;
        if (reviewed) {
            line.moves.push_back(tree.move(node));
            line.clocks.push_back(clock_behind(tree, node));
        }
        reviewed = reviewed || (from && line.reason.empty() && node == *from);
    }
    if (line.reason.empty() && line.moves.empty()) {
        line.reason =
            line.plies == 0 ? "the game has no moves" : "the game ends at the root of the analysis";
    }
    return line;
}

} // namespace adjourn::server
