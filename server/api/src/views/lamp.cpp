#include "api/views/lamp.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace adjourn::server {

using analysis::Evaluation;
using analysis::Fortress;
using analysis::FortressReason;
using nlohmann::json;

namespace {

bool speaks_of(const Evaluation& fact, const GraphKey& key,
               const std::optional<chess::Move>& move) {
    return usable(fact) && key.holds(fact.question.engine) &&
           (move ? fact.move == move : fact.question.excluded.empty());
}

auto rank_of(const Evaluation& fact) {
    return std::tuple{analysis::effort(fact.question.limit), fact.at, fact.id};
}

const Evaluation* largest_fact(std::span<const Evaluation> facts, const GraphKey& key,
                               const std::optional<chess::Move>& move) {
    const Evaluation* best = nullptr;
    for (const Evaluation& fact : facts) {
        if (speaks_of(fact, key, move) && (best == nullptr || rank_of(*best) < rank_of(fact))) {
            best = &fact;
        }
    }
    return best;
}

std::string words_of(const Fortress::Why& why) {
    switch (why.reason) {
    case FortressReason::flat:
        return fmt::format("{:.0f} times the work found {}", std::exp2(why.over),
                           why.figure > 0 ? fmt::format("{:.2f} more", why.figure / 100.0)
                                          : "nothing more");
    case FortressReason::repeats:
        return fmt::format(
            "the tree finds nothing better than a repetition, against {:.2f} without",
            why.figure / 100.0);
    case FortressReason::around:
        return fmt::format("{} positions of the tree lead to each other, and nothing is given up "
                           "between them",
                           why.figure);
    case FortressReason::quiet:
        return fmt::format("the line of {} half-moves has no capture and no pawn move", why.figure);
    case FortressReason::clock:
        return fmt::format("at its end {} of 100 half-moves without either are over", why.figure);
    }
    return "";
}

} // namespace

std::vector<analysis::SearchedScore> course_of(std::span<const Evaluation> facts,
                                               const GraphKey& key,
                                               const std::optional<chess::Move>& move) {
    std::vector<const Evaluation*> told;
    for (const Evaluation& fact : facts) {
        if (speaks_of(fact, key, move)) {
            told.push_back(&fact);
        }
    }
    std::ranges::sort(told, {}, [](const Evaluation* fact) { return rank_of(*fact); });
    std::vector<analysis::SearchedScore> course;
    for (const Evaluation* fact : told) {
        const double effort = analysis::effort(fact->question.limit);
        if (!course.empty() && course.back().effort == effort) {
            course.pop_back();
        }
        course.push_back({effort, *fact->score});
    }
    return course;
}

json lamp_json(const Fortress& lamp, chess::Color mover) {
    const bool white = lamp.mover == (mover == chess::Color::white);
    json reasons = json::array();
    std::string text = white ? "White" : "Black";
    text += "'s advantage may not be convertible";
    for (std::size_t i = 0; i < lamp.why.size(); ++i) {
        const Fortress::Why& why = lamp.why[i];
        json reason{{"reason", analysis::to_text(why.reason)}, {"figure", why.figure}};
        if (why.reason == FortressReason::flat) {
            reason["doublings"] = why.over;
        }
        reasons.push_back(std::move(reason));
        text += (i == 0 ? ": " : "; ") + words_of(why);
    }
    return {{"side", white ? "white" : "black"},
            {"reasons", std::move(reasons)},
            {"text", std::move(text)}};
}

void add_lamps(json& node, const NodeDraft& draft, std::span<const Evaluation> facts) {
    const auto here = chess::Position::unpack(draft.position);
    if (!here) {
        return;
    }
    const auto add = [&](json& to, const std::optional<chess::Move>& move,
                         const NodeDraft::Values& values, std::size_t around) {
        analysis::FortressSigns signs;
        signs.course = course_of(facts, draft.key, move);
        signs.idea = values.idea;
        signs.alpha = values.alpha;
        signs.around = around;
        signs.clock = draft.clock;
        if (const Evaluation* fact = largest_fact(facts, draft.key, move)) {
            signs.quiet = analysis::quiet_plies(*here, fact->pv);
            signs.line = fact->pv.size();
        }
        if (const Fortress lamp = analysis::fortress_of(signs); lamp.lit) {
            to["fortress"] = lamp_json(lamp, here->turn());
        }
    };
    add(node, std::nullopt, draft.values, draft.around);
    for (const auto& [place, move] : draft.moves) {
        add(node["moves"][place], move.move, move.values,
            here->is_irreversible(move.move) ? 0 : draft.around);
    }
}

} // namespace adjourn::server
