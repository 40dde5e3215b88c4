#include "files/export/export.hpp"

#include "chess/epd.hpp"
#include "chess/notation.hpp"
#include "chess/polyglot.hpp"
#include "core/records/analysis_spec.hpp"
#include "core/records/strategy_json.hpp"
#include "files/export/export_tree.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace adjourn::server {

using nlohmann::json;

namespace {

class JsonTree {
public:
    JsonTree(const storage::Store& store, const chess::Position& from)
        : facts_{store}, from_{from} {}

    json make(const std::vector<ExportMove>& moves, const chess::Position& position) {
        json list = json::array();
        for (const ExportMove& move : moves) {
            list.push_back(entry(move, position));
        }
        for (std::size_t i = 0; i < moves.size(); ++i) {
            if (!moves[i].replies.empty()) {
                list[i]["moves"] = make(moves[i].replies, position.after(moves[i].move.move));
            }
        }
        return list;
    }

private:
    json entry(const ExportMove& move, const chess::Position& position) {
        const chess::Color mover = position.turn();
        json out = move_json(position, move.move.move);
        out["alpha"] = score_json(move.alpha, mover);
        out["idea"] = score_json(move.idea, mover);
        const analysis::Evaluation* fact = facts_.of(move, position);
        out["engine"] = nullptr;
        if (!move.solved) {
            out["engine"] = {{"score", score_json(move.move.engine_score, mover)},
                             {"depth", fact == nullptr ? json{} : json(fact->depth)},
                             {"nodes", fact == nullptr ? json{} : json(fact->nodes)},
                             {"at", static_cast<analysis::UnixMs>(move.move.at)}};
            if (fact != nullptr && fact->wdl) {
                out["engine"]["wdl"] = wdl_json(*fact->wdl, mover);
            }
            if (fact != nullptr && !fact->machine.empty()) {
                out["engine"]["machine"] = fact->machine;
            }
        }
        out["repetition"] = move.repetition;
        out["transposes"] = nullptr;
        if (move.transposes) {
            out["transposes"] = json::array();
            for (const json& step : line_json(from_, *move.transposes)) {
                out["transposes"].push_back(step["uci"]);
            }
        }
        out["moves"] = json::array();
        return out;
    }

    ExportFacts facts_;
    chess::Position from_;
};

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

std::string write_json(const ExportOrder& order, const ExportTree& tree) {
    const auto& [store, now, run, line, limits, own, sure] = order;
    json out;
    out["format"] = "adjourn-tree";
    out["version"] = 1;
    out["at"] = now;
    json& analysis = out["analysis"];
    analysis = definition_json(run.record, run.spec, run.start, run.moves_before());
    analysis["settled"] = settled_level(run);
    analysis["engine_name"] = run.slot->engine().name;
    out["line"] = line_json(run.root, line);
    out["sure"] = sure;
    out["bounds"] = {
        {"margin", limits.margin}, {"plies", limits.plies}, {"max_moves", limits.max_moves}};
    out["fen"] = tree.start.fen();
    out["turn"] = tree.start.turn() == chess::Color::white ? "white" : "black";
    out["count"] = tree.count;
    out["truncated"] = tree.truncated;
    out["moves"] = JsonTree{store, tree.start}.make(tree.moves, tree.start);
    return out.dump();
}

// Exports position by position: EPD and Polyglot.

std::string write_epd(const ExportOrder& order, const ExportTree& tree) {
    ExportFacts facts{order.store};
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
    return text;
}

std::uint16_t book_weight(chess::Score best, chess::Score score) {
    constexpr double heaviest = 10'000;
    constexpr double halving = 10; // cp
    const double gap = std::max(0, best.rank() - score.rank());
    return static_cast<std::uint16_t>(
        std::max(1.0, std::round(heaviest * std::exp2(-gap / halving))));
}

std::string write_polyglot(const ExportOrder&, const ExportTree& tree) {
    std::vector<chess::BookEntry> entries;
    for_each_position(tree.moves, tree.start,
                      [&](const chess::Position& position, const std::vector<ExportMove>& moves) {
                          const std::uint64_t key = chess::polyglot_key(position);
                          for (const ExportMove& move : moves) {
                              entries.push_back({key, chess::book_move(move.move.move),
                                                 book_weight(moves.front().alpha, move.alpha), 0});
                          }
                      });
    return chess::write_book(std::move(entries));
}

} // namespace adjourn::server
