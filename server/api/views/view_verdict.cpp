// What the answer at a position rests on, and how likely it is to stand.
#include "api/views/graph_views.hpp"
#include "chess/notation.hpp"
#include "core/schedule/answer.hpp"

#include <cmath>

namespace adjourn::server {

using analysis::Carrier;
using nlohmann::json;

namespace {

double rounded(double cost) {
    return std::round(cost * 100) / 100;
}

json carrier_json(const Carrier& carrier, const chess::Position& from) {
    const chess::Position at = from.after(carrier.line);
    const json line = line_json(from, carrier.line);
    json moves = json::array();
    for (const json& step : line) {
        moves.push_back(step["uci"]);
    }
    const json evaluation = static_cast<std::int64_t>(carrier.evaluation);
    return {{"moves", std::move(moves)},
            {"line", line},
            {"fen", at.fen()},
            {"move", carrier.move ? move_json(at, *carrier.move) : json(nullptr)},
            {"evaluation", carrier.move ? evaluation : json(nullptr)},
            {"score", score_json(carrier.score, at.turn())},
            {"needed", score_json(carrier.needed, at.turn())},
            {"cost", rounded(carrier.cost)},
            {"effort", std::llround(std::exp2(carrier.effort))},
            {"lifts_rival", carrier.lifts_rival}};
}

} // namespace

json verdict_json(const RunView& run, const GraphReading& reading,
                  const std::vector<chess::Move>& line) {
    const chess::Position at = run.root.after(line);
    json out{{"fen", at.fen()},         {"best", nullptr},    {"rival", nullptr},
             {"stands", nullptr},       {"meeting", nullptr}, {"bound", false},
             {"carries", json::array()}};
    const auto search = verdict_search(run, line);
    while (search != nullptr && search->go_on()) {
        reading.breathe();
    }
    const auto verdict = search == nullptr ? std::nullopt : search->take();
    if (!verdict) {
        return out;
    }
    const bool tested = is_tested(run);
    const analysis::Confidence sure = analysis::confidence_of(verdict->cost);
    out["best"] = move_json(at, verdict->best);
    if (verdict->rival) {
        out["rival"] = move_json(at, *verdict->rival);
    }
    out["stands"] = {{"percent", std::lround(100 * sure.chance)},
                     {"letter", std::string(1, sure.letter)},
                     {"tested", tested}};
    out["bound"] = verdict->bound;
    out["text"] = verdict_text(*verdict, tested, at);
    if (std::isfinite(verdict->cost)) {
        out["cost"] = rounded(verdict->cost);
        out["meeting"] = score_json(verdict->meeting, at.turn());
        for (const Carrier& carrier : verdict->carriers) {
            out["carries"].push_back(carrier_json(carrier, at));
        }
    }
    return out;
}

json verifying_json(const Verify& work) {
    const auto number = [](const std::optional<std::uint64_t>& left) {
        return left ? json(*left) : json(nullptr);
    };
    return {{"evaluations", number(work.evaluations)}, {"nodes", number(work.nodes)}};
}

} // namespace adjourn::server
