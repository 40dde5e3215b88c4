// What the answer at a position rests on, and how likely it is to stand.
#include "api/views/graph_views.hpp"
#include "chess/notation.hpp"
#include "core/schedule/answer.hpp"

#include <algorithm>
#include <cmath>

namespace adjourn::server {

using analysis::Carrier;
using nlohmann::json;

namespace {

double rounded(double cost) {
    return std::round(cost * 100) / 100;
}

json uci_of(const json& line) {
    json moves = json::array();
    for (const json& step : line) {
        moves.push_back(step["uci"]);
    }
    return moves;
}

json carrier_json(const Carrier& carrier, const chess::Position& from) {
    const chess::Position at = from.after(carrier.line);
    const json line = line_json(from, carrier.line);
    const json evaluation = static_cast<std::int64_t>(carrier.evaluation);
    return {{"moves", uci_of(line)},
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

std::optional<analysis::Verdict> found_verdict(const RunView& run, const GraphReading& reading,
                                               const std::vector<chess::Move>& line) {
    const auto search = verdict_search(run, line);
    while (search != nullptr && search->go_on()) {
        reading.breathe();
    }
    return search == nullptr ? std::nullopt : search->take();
}

// Adds it to `second` and `second_opinions`.
void add_second(json& out, const RunView& run, const GraphReading& reading,
                const std::vector<chess::Move>& line, const analysis::Verdict& verdict,
                const Second& second, const storage::Store& store, analysis::UnixMs since = 0) {
    const chess::Position from = run.root.after(line);
    const auto asked = second_questions(run, *line_end(run, line).node, verdict);
    const double noise = analysis::reckoned_sigma(run.slot->noise().value_or(analysis::Noise{}));
    std::vector<std::optional<analysis::Evaluation>> answers;
    reading.without_graph([&] {
        for (const SecondQuestion& each : asked) {
            answers.push_back(second_answer(store, second.engine, each));
        }
    });
    for (std::size_t i = 0; i < asked.size(); ++i) {
        const auto& answer = answers[i];
        const auto apart =
            answer ? disagreement(asked[i], *answer, noise + second.noise) : std::nullopt;
        if (!apart || std::max(answer->at, asked[i].at) <= since) {
            continue;
        }
        const json steps = line_json(from, asked[i].question.line);
        out["second_opinions"].push_back({{"moves", uci_of(steps)},
                                          {"line", steps},
                                          {"fen", from.after(asked[i].question.line).fen()},
                                          {"rest", !asked[i].about.move},
                                          {"score", score_json(apart->own)},
                                          {"second", score_json(apart->second)},
                                          {"noise", rounded(noise)},
                                          {"second_noise", rounded(second.noise)},
                                          {"chances", std::round(apart->chances * 10) / 10}});
    }
    out["second"] = {{"engine", second.name},
                     {"questions", asked.size()},
                     {"answered", std::ranges::count_if(answers, [](const auto& answer) {
                          return answer.has_value();
                      })}};
}

} // namespace

json second_says_json(const RunView& run, const GraphReading& reading,
                      const std::optional<Second>& second, const storage::Store& store,
                      analysis::UnixMs since) {
    json out{{"second_opinions", json::array()}};
    const auto verdict = second ? found_verdict(run, reading, {}) : std::nullopt;
    if (verdict) {
        add_second(out, run, reading, {}, *verdict, *second, store, since);
    }
    return out["second_opinions"];
}

json verdict_json(const RunView& run, const GraphReading& reading,
                  const std::vector<chess::Move>& line, const Surety& surety,
                  const std::optional<Second>& second, const storage::Store& store) {
    const chess::Position at = run.root.after(line);
    json out{{"fen", at.fen()},          {"best", nullptr},    {"rival", nullptr},
             {"stands", nullptr},        {"meeting", nullptr}, {"bound", false},
             {"carries", json::array()}, {"second", nullptr},  {"second_opinions", json::array()}};
    const auto verdict = found_verdict(run, reading, line);
    if (!verdict) {
        return out;
    }
    const Sure sure = sure_of(run, surety, line, *verdict);
    const analysis::LikeThis& like = sure.like;
    const auto percent = [&](double share) {
        return like.answers > 0 ? json(std::lround(100 * share)) : json(nullptr);
    };
    out["best"] = move_json(at, verdict->best);
    if (verdict->rival) {
        out["rival"] = move_json(at, *verdict->rival);
    }
    out["stands"] = {{"percent", std::lround(100 * sure.confidence.chance)},
                     {"letter", std::string(1, sure.confidence.letter)},
                     {"tested", sure.tested},
                     {"like_this",
                      {{"answers", like.answers},
                       {"said", percent(like.said)},
                       {"stood", percent(like.stood)},
                       {"low", percent(like.low)},
                       {"high", percent(like.high)},
                       {"text", sure.known}}}};
    out["bound"] = verdict->bound;
    out["text"] = verdict_text(*verdict, sure, at);
    if (std::isfinite(verdict->cost)) {
        out["cost"] = rounded(verdict->cost);
        out["meeting"] = score_json(verdict->meeting, at.turn());
        for (const Carrier& carrier : verdict->carriers) {
            out["carries"].push_back(carrier_json(carrier, at));
        }
    }
    if (second) { // last: the graph may grow meanwhile
        add_second(out, run, reading, line, *verdict, *second, store);
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
