// What changed, as it is told.
#include "api/views/changes.hpp"

namespace adjourn::server {

using nlohmann::json;

namespace {

constexpr std::size_t swings_most = 20;
constexpr std::size_t new_lines_most = 20;
constexpr std::size_t new_best_most = 20;

json first_of(const json& pv) {
    return pv.empty() ? json(nullptr) : pv.front();
}

json root_moves(const RootThen& before, const RootThen& after, const chess::Position& root) {
    json out = json::array();
    for (const auto& [move, alpha] : after.moves) {
        json entry = move_json(root, move);
        entry["after"] = score_json(alpha, root.turn());
        entry["before"] = nullptr;
        for (const auto& [old, was] : before.moves) {
            if (old == move) {
                entry["before"] = score_json(was, root.turn());
            }
        }
        if (entry["before"] != entry["after"]) {
            out.push_back(std::move(entry));
        }
    }
    return out;
}

} // namespace

json changes_told(const Changes& changes, const chess::Position& root) {
    const RootThen& before = changes.before;
    const RootThen& after = changes.after;
    const Differences& found = changes.found;
    json swings = json::array();
    for (const Swing& swing : found.swings) {
        if (swings.size() == swings_most) {
            break;
        }
        swings.push_back({{"line", line_json(root, swing.line)},
                          {"before", score_json(swing.before)},
                          {"after", score_json(swing.after)},
                          {"delta", chart_value(swing.after) - chart_value(swing.before)}});
    }
    json lines = json::array();
    for (const NewLine& line : found.lines) {
        if (lines.size() == new_lines_most) {
            break;
        }
        lines.push_back({{"line", line_json(root, line.line)}, {"alpha", score_json(line.alpha)}});
    }
    json best = json::array();
    for (const NewBest& change : found.best) {
        if (best.size() == new_best_most) {
            break;
        }
        const chess::Position position = root.after(change.line);
        best.push_back({{"line", line_json(root, change.line)},
                        {"before", move_json(position, change.before)},
                        {"after", move_json(position, change.after)}});
    }
    return {{"since", changes.since},
            {"now", changes.now},
            {"evaluations", changes.evaluations},
            {"best", {{"before", first_of(before.pv)}, {"after", first_of(after.pv)}}},
            {"alpha",
             {{"before", score_json(before.alpha, root.turn())},
              {"after", score_json(after.alpha, root.turn())}}},
            {"pv", {{"before", before.pv}, {"after", after.pv}}},
            {"moves", root_moves(before, after, root)},
            {"new_best", std::move(best)},
            {"swings", std::move(swings)},
            {"new_lines", std::move(lines)}};
}

} // namespace adjourn::server
