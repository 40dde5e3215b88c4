#include "core/records/value_json.hpp"

#include "chess/notation.hpp"

#include <nlohmann/json.hpp>

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

json wdl_json(const chess::WinDrawLoss& wdl, chess::Color mover) {
    const chess::WinDrawLoss white = mover == chess::Color::white ? wdl : -wdl;
    return {white.win, white.draw, white.loss};
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

std::optional<analysis::Limit> parse_limit_json(const json& in) {
    std::optional<analysis::Limit> limit;
    for (const LimitField& field : limit_fields) {
        const auto found = in.is_object() ? in.find(field.name) : in.end();
        if (found == in.end()) {
            continue;
        }
        if (limit || !found->is_number_integer() || *found < 1 || *found > field.most) {
            return std::nullopt;
        }
        limit = analysis::Limit{field.kind, found->get<std::uint64_t>()};
    }
    return limit;
}

} // namespace adjourn::server
