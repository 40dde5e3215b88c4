#include "core/records/strategy_json.hpp"

#include "analysis/strategy.hpp"
#include "chess/notation.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace adjourn::server {

using analysis::OwnNumber;
using analysis::PlyPlan;
using analysis::Strategy;
using analysis::StrategyParameters;
using base::Field;
using nlohmann::json;

namespace {

json plan_json(const std::vector<PlyPlan>& plan) {
    json out = json::array();
    for (const PlyPlan& ply : plan) {
        json entry{{"window", ply.window}};
        if (ply.width != 0) {
            entry["width"] = ply.width;
        }
        out.push_back(std::move(entry));
    }
    return out;
}

StrategyParameters with_kind(const StrategyParameters& base, std::string_view kind) {
    if (kind == base.kind) {
        return base;
    }
    StrategyParameters result = analysis::default_parameters(kind);
    for (const Field<StrategyParameters>& field : analysis::strategy_fields()) {
        assign(field, result, value_of(field, base).value_or(0));
    }
    return result;
}

// How analyses of strategies that are gone go on.
constexpr const char* instead = "uniform";

void read_kind(const base::JsonObject& reader, StrategyParameters& out) {
    const auto text = reader.find("kind").text();
    if (!text) {
        return;
    }
    if (analysis::find_strategy(*text) != nullptr) {
        out = with_kind(out, *text);
    } else if (reader.policy() == base::JsonPolicy::lenient) {
        out = with_kind(out, instead);
        reader.wrong("kind", "there is no strategy '" + *text + "' any more; " + instead +
                                 " goes on with its facts and its window");
    } else {
        std::string known;
        for (const std::string& name : analysis::strategy_names()) {
            known += (known.empty() ? "" : ", ") + name;
        }
        reader.wrong("kind", "there is no strategy '" + *text + "'; there are: " + known);
    }
}

// Numbers of before, which analyses in the store may have. Those that say what is done now are no
// news, and those of strategies that are gone have gone with them.
void read_former(const base::JsonObject& reader) {
    static const std::vector<std::pair<const char*, json>> former{
        {"growth", 1},       {"per_rank", 0}, {"spread", 0},     {"dullness", 0},
        {"carry", 0},        {"bonus", 0},    {"threshold", 20}, {"loosening", 0.125},
        {"shuffle", 1},      {"step", 1},     {"horizon", 4},    {"level_budget", "in_turn"},
        {"purse", "in_turn"}};
    if (reader.policy() != base::JsonPolicy::lenient) {
        return;
    }
    const auto kind = reader.find("kind");
    const bool gone = kind.is_text() &&
                      analysis::find_strategy(kind.json().get_ref<const std::string&>()) == nullptr;
    for (const auto& [name, now] : former) {
        const auto given = reader.find(name);
        if (given.there() && !gone && given.json() != now) {
            reader.wrong(name, given.path() + " is no number of a strategy any more");
        }
    }
}

// The strategy's own numbers. Those of others are refused in a request.
void read_own(const base::JsonObject& reader, StrategyParameters& out) {
    const auto own = analysis::strategy_of(out.kind).numbers();
    for (std::size_t i = 0; i < own.size(); ++i) {
        if (const auto value = reader.find(own[i].name).number(own[i].least, own[i].most)) {
            out.own[i] = *value;
        }
    }
    for (const Strategy* other : analysis::strategies()) {
        for (const OwnNumber& number : other->numbers()) {
            if (std::ranges::find(own, number.name, &OwnNumber::name) == own.end() &&
                reader.find(number.name).there() && reader.policy() == base::JsonPolicy::strict) {
                reader.wrong(number.name, out.kind + " has no " + std::string{number.name} +
                                              "; it is a number of " + std::string{other->name()});
            }
        }
    }
}

// Entries count from the root, so a plan that is not understood in one place is none.
std::vector<PlyPlan> read_plan(const base::JsonValue& given) {
    const std::size_t before = given.problems().size();
    std::vector<PlyPlan> plan;
    for (const base::JsonValue& item : given.items(analysis::plan_range::longest)) {
        const auto entry = item.object();
        const auto window = entry.at("window").integer(0, analysis::plan_range::widest);
        const auto width = entry.find("width").integer(1, analysis::plan_range::most_moves);
        if (width && plan.size() < 2) {
            entry.wrong("", entry.path() + ": plies 0 and 1 take a window only; nothing "
                                           "inside it is left out there");
        }
        plan.push_back({static_cast<int>(window.value_or(0)), static_cast<int>(width.value_or(0))});
    }
    return given.problems().size() == before ? plan : std::vector<PlyPlan>{};
}

void read_plans(const base::JsonObject& reader, StrategyParameters& out) {
    if (!reader.has("plan")) {
        return;
    }
    if (!analysis::strategy_of(out.kind).windowed()) {
        reader.wrong("plan", reader.path_of("plan") + ": there is no plan without windows");
    } else if (const auto plan = reader.find("plan"); plan.is_object()) {
        const auto by_side = plan.object();
        for (std::size_t side = 0; side < plan_sides.size(); ++side) {
            out.plan[side] = read_plan(by_side.at(plan_sides[side]));
        }
    } else {
        out.plan[0] = read_plan(plan);
        out.plan[1] = out.plan[0];
    }
}

} // namespace

json strategy_json(const StrategyParameters& parameters) {
    json out{{"kind", parameters.kind}};
    write_fields(out, analysis::strategy_fields(), parameters);
    const auto own = analysis::strategy_of(parameters.kind).numbers();
    for (std::size_t i = 0; i < own.size(); ++i) {
        out[std::string{own[i].name}] = parameters.own[i];
    }
    const auto& [white, black] = parameters.plan;
    if (!white.empty() || !black.empty()) {
        out["plan"] = white == black ? plan_json(white)
                                     : json{{plan_sides[0], plan_json(white)},
                                            {plan_sides[1], plan_json(black)}};
    }
    return out;
}

StrategyParameters read_strategy(const base::JsonObject& reader, const StrategyParameters& base) {
    StrategyParameters out = base;
    read_kind(reader, out);
    read_fields(reader, analysis::strategy_fields(), out);
    read_own(reader, out);
    read_former(reader);
    read_plans(reader, out);
    return out;
}

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

std::optional<analysis::Limit> read_limit(const base::JsonObject& reader) {
    const std::size_t before = reader.problems().size();
    std::optional<analysis::Limit> limit;
    for (const LimitField& field : limit_fields) {
        const auto amount = reader.find(field.name).integer(1, field.most);
        if (!amount) {
            continue;
        }
        if (limit) {
            reader.wrong("", reader.path() + " takes one of depth, nodes and movetime_ms");
        }
        limit = analysis::Limit{field.kind, static_cast<std::uint64_t>(*amount)};
    }
    if (!limit && reader.empty() && reader.problems().size() == before) { // others: unknown fields
        reader.wrong("", reader.path() + " needs depth, nodes or movetime_ms");
    }
    return limit;
}

std::optional<analysis::Limit> parse_limit_json(const json& in) {
    const base::JsonObject reader{in, base::JsonPolicy::strict};
    const auto limit = read_limit(reader);
    return reader.problems().empty() ? limit : std::nullopt;
}

} // namespace adjourn::server
