#include "records/strategy_json.hpp"

#include "records/stored_json.hpp"

#include <nlohmann/json.hpp>

namespace adjourn::server {

using analysis::PlyPlan;
using analysis::StrategyKind;
using analysis::StrategyParameters;
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

// Entries count from the root, so a plan that is not understood in one place is none.
std::vector<PlyPlan> parse_plan(const json& in, const std::string& path, Findings& findings) {
    const std::size_t before = findings.size();
    std::vector<PlyPlan> plan;
    if (!in.is_array() || in.size() > strategy_range::longest_plan) {
        findings.push_back(path + ": must be a list of at most 100 plies");
        return {};
    }
    for (const json& entry : in) {
        StoredObject reader{entry, path + "[" + std::to_string(plan.size()) + "]", findings};
        const auto window = reader.integer("window", 0, strategy_range::widest);
        const auto width = reader.integer("width", 1, strategy_range::most_moves);
        if (!window) {
            reader.find("window", "is missing");
        }
        if (width && plan.size() < 2) {
            reader.find("width", "plies 0 and 1 take a window only");
        }
        plan.push_back({static_cast<int>(window.value_or(0)), static_cast<int>(width.value_or(0))});
    }
    return findings.size() == before ? plan : std::vector<PlyPlan>{};
}

} // namespace

json strategy_json(const StrategyParameters& parameters) {
    json out{{"kind", analysis::to_text(parameters.kind)}};
    for (const StrategyInteger& field : strategy_integers) {
        out[field.name] = parameters.*field.value;
    }
    if (parameters.floor_sigma != 0) {
        out["floor_sigma"] = parameters.floor_sigma;
    }
    if (!analysis::windowed(parameters.kind)) {
        for (const analysis::CostParameter& parameter : analysis::cost_parameters()) {
            out[std::string{parameter.name}] = parameters.costs.*parameter.value;
        }
        out["level_budget"] = analysis::to_text(parameters.level_budget);
    }
    const auto& [white, black] = parameters.plan;
    if (!white.empty() || !black.empty()) {
        out["plan"] = white == black ? plan_json(white)
                                     : json{{plan_sides[0], plan_json(white)},
                                            {plan_sides[1], plan_json(black)}};
    }
    return out;
}

StrategyParameters parse_strategy_json(const json& in, const std::string& path,
                                       Findings& findings) {
    StoredObject reader{in, path, findings};
    const auto name = reader.text("kind");
    const auto kind = analysis::parse_strategy(name.value_or("halving"));
    if (!kind) {
        reader.find("kind", "there is no such strategy");
    }
    StrategyParameters out = analysis::default_parameters(kind.value_or(StrategyKind::halving));
    for (const StrategyInteger& field : strategy_integers) {
        out.*field.value =
            static_cast<int>(reader.integer(field.name, 0, field.most).value_or(out.*field.value));
    }
    out.floor_sigma = reader.number("floor_sigma", 0, strategy_range::most_sigmas).value_or(0.0);
    if (!analysis::windowed(out.kind)) {
        for (const analysis::CostParameter& parameter : analysis::cost_parameters()) {
            double& value = out.costs.*parameter.value;
            value = reader.number(parameter.name, parameter.least, parameter.most).value_or(value);
        }
        // "purse" was its name until 2026; analyses of that time keep it in the store.
        for (const char* name : {"purse", "level_budget"}) {
            if (const auto text = reader.text(name)) {
                const auto parsed = analysis::parse_level_budget(*text);
                out.level_budget = parsed.value_or(out.level_budget);
                if (!parsed) {
                    reader.find(name, "there is no such budget of a level");
                }
            }
        }
        return out;
    }
    const json* plan = reader.value("plan");
    if (plan != nullptr && plan->is_object()) {
        StoredObject by_side{*plan, reader.path_of("plan"), findings};
        for (std::size_t side = 0; side < plan_sides.size(); ++side) {
            if (const json* list = by_side.array(plan_sides[side])) {
                out.plan[side] = parse_plan(*list, by_side.path_of(plan_sides[side]), findings);
            }
        }
    } else if (plan != nullptr) {
        out.plan[0] = parse_plan(*plan, reader.path_of("plan"), findings);
        out.plan[1] = out.plan[0];
    }
    return out;
}

} // namespace adjourn::server
