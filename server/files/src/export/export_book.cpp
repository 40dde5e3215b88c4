// Exports position by position: EPD and Polyglot.
#include "chess/epd.hpp"
#include "chess/polyglot.hpp"
#include "chess/polyglot_book.hpp"
#include "files/export/export_tree.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace adjourn::server {

namespace {

// Visits every position that has moves, main lines first.
void for_each_position(
    const std::vector<ExportMove>& moves, const chess::Position& position,
    const std::function<void(const chess::Position&, const std::vector<ExportMove>&)>& visit) {
    if (moves.empty()) {
        return;
    }
    visit(position, moves);
    for (const ExportMove& move : moves) {
        for_each_position(move.replies, position.after(move.move.move), visit);
    }
}

std::vector<chess::Move> main_line(const std::vector<ExportMove>& moves) {
    std::vector<chess::Move> line;
    for (const std::vector<ExportMove>* at = &moves; !at->empty(); at = &at->front().replies) {
        line.push_back(at->front().move.move);
    }
    return line;
}

constexpr std::uint32_t half_a_second = 500;

} // namespace

ExportWriter epd_writer(const ExportOrder& order) {
    return [&store = order.core.store()](const ExportTree& tree) {
        ExportFacts facts{store};
        std::string text;
        for_each_position(
            tree.moves, tree.start,
            [&](const chess::Position& position, const std::vector<ExportMove>& moves) {
                const ExportMove& best = moves.front();
                chess::EpdVerdict verdict;
                verdict.score = best.alpha;
                verdict.best = {best.move.move};
                verdict.pv = main_line(moves);
                if (const analysis::Evaluation* fact = facts.of(best, position)) {
                    verdict.depth = fact->depth;
                    verdict.nodes = fact->nodes;
                    verdict.seconds = (fact->time_ms + half_a_second) / 1000;
                }
                text += chess::to_epd({position, chess::operations_of(position, verdict)}) + "\n";
            });
        return ExportText{text};
    };
}

std::uint16_t book_weight(chess::Score best, chess::Score score) {
    constexpr double heaviest = 10'000;
    constexpr double halving = 10; // cp
    const double gap = std::max(0, best.rank() - score.rank());
    return static_cast<std::uint16_t>(
        std::max(1.0, std::round(heaviest * std::exp2(-gap / halving))));
}

ExportWriter polyglot_writer(const ExportOrder&) {
    return [](const ExportTree& tree) {
        std::vector<chess::BookEntry> entries;
        for_each_position(
            tree.moves, tree.start,
            [&](const chess::Position& position, const std::vector<ExportMove>& moves) {
                const std::uint64_t key = chess::polyglot_key(position);
                for (const ExportMove& move : moves) {
                    entries.push_back({key, chess::book_move(move.move.move),
                                       book_weight(moves.front().alpha, move.alpha), 0});
                }
            });
        return ExportText{chess::write_book(std::move(entries))};
    };
}

} // namespace adjourn::server
