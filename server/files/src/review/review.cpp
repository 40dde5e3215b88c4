#include "files/review/review.hpp"

#include "chess/notation.hpp"
#include "core/records/value_json.hpp"

#include <nlohmann/json.hpp>

#include <array>

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

} // namespace adjourn::server
