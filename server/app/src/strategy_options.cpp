#include "strategy_options.hpp"

#include "common.hpp"

#include "analysis/strategy_parameters.hpp"
#include "base/number.hpp"

namespace adjourn::server {

using nlohmann::json;

namespace {

// "20" or "3:20": the best 3 moves within 20 cp.
struct PlyText {
    int width = 0;
    int window = 0;
};

bool parse_int(std::string_view text, int& out) {
    const auto value = base::parse_number<int>(text);
    out = value.value_or(0);
    return value && *value >= 0;
}

bool parse_ply(const std::string& text, PlyText& out) {
    const std::size_t colon = text.find(':');
    if (colon == std::string::npos) {
        return parse_int(text, out.window);
    }
    return parse_int(std::string_view{text}.substr(0, colon), out.width) && out.width > 0 &&
           parse_int(std::string_view{text}.substr(colon + 1), out.window);
}

std::string check_ply(const std::string& text) {
    PlyText ignored;
    return parse_ply(text, ignored) ? "" : "'" + text + "' is neither WINDOW nor WIDTH:WINDOW";
}

json plan_json(const std::vector<std::string>& plan) {
    json out = json::array();
    for (const std::string& text : plan) {
        PlyText ply;
        parse_ply(text, ply);
        out.push_back({{"window", ply.window}});
        if (ply.width > 0) {
            out.back()["width"] = ply.width;
        }
    }
    return out;
}

std::string check_cost(const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) {
        return "'" + text + "' is not NAME=VALUE";
    }
    const std::string name = text.substr(0, equals);
    const std::string value = text.substr(equals + 1);
    if (name == "purse") {
        return "purse is called level_budget";
    }
    if (name == "level_budget") {
        return analysis::parse_level_budget(value) ? ""
                                                   : "there is no level_budget '" + value +
                                                         "'; there are: per_side, joint, in_turn";
    }
    std::string names;
    for (const analysis::CostParameter& known : analysis::cost_parameters()) {
        if (known.name == name) {
            const auto number = base::parse_number<double>(value);
            return number && *number >= known.least && *number <= known.most
                       ? ""
                       : name + " is from " + json(known.least).dump() + " to " +
                             json(known.most).dump() + ", not '" + value + "'";
        }
        names += std::string{known.name} + ", ";
    }
    return "there is no cost '" + name + "'; there are: " + names +
           "level_budget (docs/internals/strategies.md)";
}

json value_json(const std::string& text) {
    const auto number = base::parse_number<double>(text);
    return number ? json(*number) : json(text);
}

} // namespace

void StrategyOptions::add_to(CLI::App& command) {
    std::vector<std::string> kinds;
    for (const analysis::StrategyKind known : analysis::strategy_kinds()) {
        kinds.emplace_back(analysis::to_text(known));
    }
    command
        .add_option("--strategy", kind,
                    "how the tree grows (default halving; docs/internals/strategies.md)")
        ->check(CLI::IsMember(kinds));
    command.add_option("--floor", floor, "no window is narrower, in centipawns (default 5)")
        ->check(whole_number(0, 10'000));
    command
        .add_option("--floor-sigma", floor_sigma,
                    "nor than so many sigma of the engine's noise (default 0)")
        ->check(CLI::Range(0.0, 10.0));
    const auto plan_option = [&](const char* name, std::vector<std::string>& out,
                                 const char* text) {
        return command.add_option(name, out, text)
            ->delimiter(',')
            ->type_name("[WIDTH:]WINDOW,...")
            ->check(CLI::Validator{check_ply, "", "plan"});
    };
    CLI::Option* both =
        plan_option("--plan", plan, "what each ply follows, the last entry for all deeper ones");
    plan_option("--plan-white", plan_white, "the same where White moves")->excludes(both);
    plan_option("--plan-black", plan_black, "the same where Black moves")->excludes(both);
    command
        .add_option("--set", set,
                    "a cost of the strategy, e.g. per_cp=0.1 (docs/internals/strategies.md)")
        ->type_name("NAME=VALUE")
        ->check(CLI::Validator{check_cost, "", "NAME=VALUE"});
}

json StrategyOptions::wanted() const {
    json out{{"kind", kind}};
    if (floor >= 0) {
        out["floor"] = floor;
    }
    if (floor_sigma >= 0) {
        out["floor_sigma"] = floor_sigma;
    }
    if (!plan.empty()) {
        out["plan"] = plan_json(plan);
    } else if (!plan_white.empty() || !plan_black.empty()) {
        out["plan"] = {{"white", plan_json(plan_white)}, {"black", plan_json(plan_black)}};
    }
    for (const std::string& text : set) {
        const std::size_t equals = text.find('=');
        out[text.substr(0, equals)] = value_json(text.substr(equals + 1));
    }
    return out;
}

} // namespace adjourn::server
