#include "chess/notation.hpp"
#include "server/view.hpp"

#include <algorithm>

namespace adjourn::server {

using nlohmann::json;

namespace {

const char* word(chess::Wdl wdl) {
    switch (wdl) {
    case chess::Wdl::loss: return "loss";
    case chess::Wdl::blessed_loss: return "blessed_loss";
    case chess::Wdl::draw: return "draw";
    case chess::Wdl::cursed_win: return "cursed_win";
    case chess::Wdl::win: return "win";
    }
    return "draw";
}

} // namespace

json score_json(chess::Score white) {
    switch (white.kind()) {
    case chess::Score::Kind::cp: return {{"cp", white.centipawns()}};
    case chess::Score::Kind::mate: {
        const int moves = (white.plies() + 1) / 2;
        if (moves == 0) {
            return {{"mate", 0}, {"side", white.is_win() ? "black" : "white"}};
        }
        return {{"mate", white.is_win() ? moves : -moves}};
    }
    case chess::Score::Kind::tablebase: return {{"tb", word(white.wdl())}, {"dtz", white.plies()}};
    }
    return nullptr;
}

json score_json(std::optional<chess::Score> score, chess::Color mover) {
    if (!score) {
        return nullptr;
    }
    return score_json(mover == chess::Color::white ? *score : -*score);
}

json move_json(const chess::Position& position, chess::Move move) {
    return {{"uci", chess::to_uci(position, move)}, {"san", chess::to_san(position, move)}};
}

json line_json(chess::Position from, const std::vector<chess::Move>& line) {
    json out = json::array();
    for (const chess::Move move : line) {
        out.push_back(move_json(from, move));
        from.play(move);
    }
    return out;
}

json limit_json(const analysis::Limit& limit) {
    switch (limit.kind) {
    case analysis::Limit::Kind::depth: return {{"depth", limit.amount}};
    case analysis::Limit::Kind::nodes: return {{"nodes", limit.amount}};
    case analysis::Limit::Kind::movetime: return {{"movetime_ms", limit.amount}};
    }
    return nullptr;
}

int chart_value(chess::Score white) {
    return std::clamp(white.rank(), -1000, 1000);
}

json tables_json(const tables::Inventory& inventory) {
    return {{"men", inventory.men},
            {"wdl", inventory.wdl.size()},
            {"dtz", inventory.dtz.size()},
            {"own", inventory.own.size()},
            {"problems", inventory.problems}};
}

Standing stand(const AnalysisRun& run, const std::vector<chess::Move>& line) {
    Standing standing{run.root, {}, {}};
    const auto note = [&] {
        standing.node =
            run.slot == nullptr ? std::nullopt : run.slot->graph().find(standing.position.packed());
        if (standing.node) {
            standing.nodes.push_back(*standing.node);
        }
    };
    if (run.slot != nullptr) {
        standing.nodes = line_to_root(run);
        standing.node = run.root_node;
    }
    for (const chess::Move move : line) {
        standing.position.play(move);
        note();
    }
    return standing;
}

} // namespace adjourn::server
