#include "core/records/strategy_json.hpp"

namespace adjourn::server {

using analysis::PlyPlan;
using analysis::StrategyKind;
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

StrategyParameters with_kind(const StrategyParameters& base, StrategyKind kind) {
    if (kind == base.kind) {
        return base;
    }
    StrategyParameters result = analysis::default_parameters(kind);
    for (const Field<StrategyParameters>& field : analysis::strategy_fields()) {
        assign(field, result, value_of(field, base).value_or(0));
    }
    return result;
}

// Of strategies that are gone: how many analyses of before go on.
constexpr StrategyKind instead = StrategyKind::uniform;

void read_kind(const base::JsonObject& reader, StrategyParameters& out) {
    const auto text = reader.find("kind").text();
    const auto kind = text ? analysis::parse_strategy(*text) : std::nullopt;
    if (kind) {
        out = with_kind(out, *kind);
        return;
    }
    if (!text) {
        return;
    }
    if (reader.policy() == base::JsonPolicy::lenient) {
        out = with_kind(out, instead);
        reader.wrong("kind", "there is no strategy '" + *text + "' any more; " +
                                 std::string{analysis::to_text(instead)} +
                                 " goes on with its facts and its window");
        return;
    }
    std::string known;
    for (const StrategyKind each : analysis::strategy_kinds()) {
        known += (known.empty() ? "" : ", ") + std::string{analysis::to_text(each)};
    }
    reader.wrong("kind", "there is no strategy '" + *text + "'; there are: " + known);
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
    const auto kind = reader.find("kind").text();
    const bool gone = kind && !analysis::parse_strategy(*kind);
    for (const auto& [name, now] : former) {
        const auto given = reader.find(name);
        if (given.there() && !gone && given.json() != now) {
            reader.wrong(name, given.path() + " is no number of a strategy any more");
        }
    }
}

void read_costs(const base::JsonObject& reader, StrategyParameters& out) {
    if (!analysis::windowed(out.kind)) {
        read_fields(reader, analysis::cost_fields(), out.costs);
        return;
    }
    for (const Field<analysis::Costs>& field : analysis::cost_fields()) {
        if (reader.find(field.name).there() && reader.policy() == base::JsonPolicy::strict) {
            reader.wrong(field.name, std::string{analysis::to_text(out.kind)} +
                                         " follows windows and has no costs");
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
    if (!analysis::windowed(out.kind)) {
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
    json out{{"kind", analysis::to_text(parameters.kind)}};
    write_fields(out, analysis::strategy_fields(), parameters);
    if (!analysis::windowed(parameters.kind)) {
        write_fields(out, analysis::cost_fields(), parameters.costs);
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
    read_costs(reader, out);
    read_former(reader);
    read_plans(reader, out);
    return out;
}

} // namespace adjourn::server
