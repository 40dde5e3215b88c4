#include "analysis/tables.hpp"

#include <algorithm>
#include <tuple>

namespace adjourn::analysis {

namespace {

using chess::Score;
using chess::Wdl;

Wdl result_of(Score score) {
    if (score.kind() == Score::Kind::tablebase) {
        return score.wdl();
    }
    return score.is_win() ? Wdl::win : score.is_loss() ? Wdl::loss : Wdl::draw;
}

std::optional<TableMove> judge(const Tables& tables, const chess::Position& position,
                               chess::Move move, bool restarts_count) {
    const chess::Position after = position.after(move);
    switch (after.terminal()) {
    case chess::Terminal::checkmate: return TableMove{move, Score::mate_in(1), 0};
    case chess::Terminal::stalemate:
    case chess::Terminal::dead: return TableMove{move, Score::cp(0), 0};
    case chess::Terminal::no: break;
    }
    const std::optional<Score> child = tables.value(after);
    if (!child) {
        return std::nullopt;
    }
    const Score value = restarts_count ? Score::tablebase((-*child).wdl(), 1) : child->backed_up();
    return TableMove{move, value, child->plies()};
}

bool comes_first(const TableMove& a, const TableMove& b) {
    const auto key = [](const TableMove& at) {
        const Wdl result = result_of(at.value);
        // Sooner for the winner, later for the loser; for draws it says nothing.
        const int sign = result == Wdl::win ? 1 : result == Wdl::loss ? -1 : 0;
        return std::tuple{-static_cast<int>(result), -at.value.rank(), sign * at.next_plies,
                          at.move};
    };
    return key(a) < key(b);
}

} // namespace

void sort_best_first(std::vector<TableMove>& moves) {
    std::sort(moves.begin(), moves.end(), comes_first);
}

std::vector<TableMove>
moves_by_values(const Tables& tables, const chess::Position& position,
                const std::function<bool(const chess::Position&, chess::Move)>& restarts_count) {
    std::vector<TableMove> moves;
    if (position.terminal() != chess::Terminal::no) {
        return moves;
    }
    const std::optional<Score> value = tables.value(position);
    if (!value) {
        return moves;
    }
    for (const chess::Move move : position.legal_moves()) {
        if (const auto judged = judge(tables, position, move, restarts_count(position, move))) {
            moves.push_back(*judged);
        }
    }
    sort_best_first(moves);
    if (!moves.empty() && result_of(moves.front().value) != value->wdl()) {
        moves.clear(); // the best move leads to what is not covered
    }
    return moves;
}

std::vector<chess::Move> table_line(const Tables& tables, chess::Position position,
                                    std::size_t max_plies) {
    std::vector<chess::Move> line;
    while (line.size() < max_plies) {
        const std::vector<TableMove> moves = tables.moves(position);
        if (moves.empty() || (!line.empty() && moves.front().value.rank() == 0)) {
            break;
        }
        line.push_back(moves.front().move);
        position.play(moves.front().move);
    }
    return line;
}

} // namespace adjourn::analysis
