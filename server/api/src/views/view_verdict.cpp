// What the answer at a position rests on, and how likely it is to stand.
#include "api/views/view_walks.hpp"
#include "chess/notation.hpp"
#include "core/schedule/answer.hpp"

#include <cmath>

namespace adjourn::server {

using analysis::Carrier;
using nlohmann::json;

namespace {

class VerdictWalk : public JsonWalk {
public:
    VerdictWalk(const Core& core, const AnalysisRun& run, const std::vector<chess::Move>& line)
        : standing_{stand(run, line)}, search_{verdict_search(run, core.engines().of(run), line)},
          tested_{is_tested(run)} {
        if (const Verify* left = core.verifier().left(run.record.id)) {
            verifying_ = verifying_json(*left);
        }
    }

    bool go_on(const TimeUp& time_up) override {
        while (search_ != nullptr && search_->go_on()) {
            if (time_up()) {
                return false;
            }
        }
        if (search_ != nullptr) {
            verdict_ = search_->take();
        }
        return true;
    }

    json result() override {
        json out{{"fen", standing_.position.fen()},
                 {"best", nullptr},
                 {"rival", nullptr},
                 {"stands", nullptr},
                 {"meeting", nullptr},
                 {"bound", false},
                 {"carries", json::array()},
                 {"verifying", verifying_}};
        if (!verdict_) {
            return out;
        }
        const analysis::Confidence sure = analysis::confidence_of(verdict_->cost);
        out["best"] = move_json(standing_.position, verdict_->best);
        if (verdict_->rival) {
            out["rival"] = move_json(standing_.position, *verdict_->rival);
        }
        out["stands"] = {{"percent", std::lround(100 * sure.chance)},
                         {"letter", std::string(1, sure.letter)},
                         {"tested", tested_}};
        out["bound"] = verdict_->bound;
        out["text"] = verdict_text(*verdict_, tested_, standing_.position);
        if (std::isfinite(verdict_->cost)) {
            out["cost"] = rounded(verdict_->cost);
            out["meeting"] = score_json(verdict_->meeting, standing_.position.turn());
            for (const Carrier& carrier : verdict_->carriers) {
                out["carries"].push_back(carrier_json(carrier));
            }
        }
        return out;
    }

private:
    static double rounded(double cost) { return std::round(cost * 100) / 100; }

    json carrier_json(const Carrier& carrier) const {
        const chess::Position at = standing_.position.after(carrier.line);
        const json line = line_json(standing_.position, carrier.line);
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

    const Standing standing_;
    const std::unique_ptr<analysis::VerdictSearch> search_; // null: there is no answer
    const bool tested_;
    std::optional<analysis::Verdict> verdict_;
    json verifying_ = nullptr;
};

} // namespace

json verifying_json(const Verify& work) {
    const auto number = [](const std::optional<std::uint64_t>& left) {
        return left ? json(*left) : json(nullptr);
    };
    return {{"evaluations", number(work.evaluations)}, {"nodes", number(work.nodes)}};
}

std::unique_ptr<JsonWalk> walk_verdict(const Core& core, const AnalysisRun& run,
                                       const std::vector<chess::Move>& line) {
    return std::make_unique<VerdictWalk>(core, run, line);
}

} // namespace adjourn::server
