#include "server/strategy_json.hpp"

#include "stored_json.hpp"

#include <nlohmann/json.hpp>

#include <array>

namespace adjourn::server {

using analysis::PlyPlan;
using analysis::StrategyKind;
using analysis::StrategyParameters;
using http::Error;
using http::ErrorCode;
using http::ObjectReader;
using http::ValueReader;
using nlohmann::json;

namespace {

constexpr int widest = 10'000;            // cp
constexpr int most_moves = 218;           // of a position
constexpr double most_sigmas = 10;        // of floor_sigma
constexpr std::size_t longest_plan = 100; // plies
constexpr std::array<const char*, 2> sides{"white", "black"};

struct IntegerField {
    const char* name;
    int StrategyParameters::*value;
    int most;
};
constexpr std::array<IntegerField, 3> integers{
    {{"move_distance", &StrategyParameters::move_distance, widest},
     {"floor", &StrategyParameters::floor, widest},
     {"refine", &StrategyParameters::refine, 200}}};

StrategyParameters with_kind(const StrategyParameters& base, StrategyKind kind) {
    if (kind == base.kind) {
        return base;
    }
    StrategyParameters result = analysis::default_parameters(kind);
    for (const IntegerField& field : integers) {
        result.*field.value = base.*field.value;
    }
    result.floor_sigma = base.floor_sigma;
    return result;
}

std::string kinds_text() {
    std::string text;
    for (const StrategyKind kind : analysis::strategy_kinds()) {
        text += (text.empty() ? "" : ", ") + std::string{analysis::to_text(kind)};
    }
    return text;
}

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
    if (!in.is_array() || in.size() > longest_plan) {
        findings.push_back(path + ": must be a list of at most 100 plies");
        return {};
    }
    for (const json& entry : in) {
        StoredObject reader{entry, path + "[" + std::to_string(plan.size()) + "]", findings};
        const auto window = reader.integer("window", 0, widest);
        const auto width = reader.integer("width", 1, most_moves);
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

std::expected<std::vector<PlyPlan>, Error> read_plan(const ValueReader& value) {
    auto list = value.array(longest_plan);
    if (!list) {
        return std::unexpected(list.error());
    }
    std::vector<PlyPlan> plan;
    for (const ValueReader& item : *list) {
        ObjectReader entry = item.object();
        auto window = entry.integer("window", 0, widest);
        auto width = entry.optional_integer("width", 1, most_moves);
        if (!window) {
            return std::unexpected(window.error());
        }
        if (!width) {
            return std::unexpected(width.error());
        }
        if (*width && plan.size() < 2) {
            return std::unexpected(item.error(ErrorCode::bad_value,
                                              item.path() + ": plies 0 and 1 take a window only; "
                                                            "nothing inside it is left out there"));
        }
        plan.push_back({static_cast<int>(*window), static_cast<int>(width->value_or(0))});
    }
    return plan;
}

std::expected<void, Error> read_plans(ObjectReader& reader, StrategyParameters& out) {
    const auto value = reader.optional_value("plan");
    if (!value) {
        return {};
    }
    if (!analysis::windowed(out.kind)) {
        return std::unexpected(value->error(ErrorCode::bad_value, value->path() +
                                                                      ": only halving, uniform and "
                                                                      "anchored follow a plan"));
    }
    if (!value->is_object()) {
        auto plan = read_plan(*value);
        if (!plan) {
            return std::unexpected(plan.error());
        }
        out.plan = {*plan, *plan};
        return {};
    }
    ObjectReader by_side = value->object();
    for (std::size_t side = 0; side < sides.size(); ++side) {
        auto list = by_side.value(sides[side]);
        if (!list) {
            return std::unexpected(list.error());
        }
        auto plan = read_plan(*list);
        if (!plan) {
            return std::unexpected(plan.error());
        }
        out.plan[side] = std::move(*plan);
    }
    return {};
}

std::expected<void, Error> read_costs(ObjectReader& reader, StrategyParameters& out) {
    const auto refuse = [&](std::string_view name) {
        return std::unexpected(
            Error{ErrorCode::bad_value,
                  std::string{analysis::to_text(out.kind)} + " follows windows and has no costs",
                  reader.path() + "." + std::string{name}});
    };
    for (const analysis::CostParameter& parameter : analysis::cost_parameters()) {
        auto value = reader.optional_number(parameter.name, parameter.least, parameter.most);
        if (!value) {
            return std::unexpected(value.error());
        }
        if (*value && analysis::windowed(out.kind)) {
            return refuse(parameter.name);
        }
        if (*value) {
            out.costs.*parameter.value = **value;
        }
    }
    auto purse = reader.optional_text("purse");
    if (!purse) {
        return std::unexpected(purse.error());
    }
    if (*purse && analysis::windowed(out.kind)) {
        return refuse("purse");
    }
    if (*purse) {
        const auto parsed = analysis::parse_purse(**purse);
        if (!parsed) {
            return std::unexpected(
                Error{ErrorCode::bad_value,
                      "there is no purse '" + **purse + "'; there are: per_side, joint, in_turn",
                      reader.path() + ".purse"});
        }
        out.purse = *parsed;
    }
    return {};
}

} // namespace

json strategy_json(const StrategyParameters& parameters) {
    json out{{"kind", analysis::to_text(parameters.kind)}};
    for (const IntegerField& field : integers) {
        out[field.name] = parameters.*field.value;
    }
    if (parameters.floor_sigma != 0) {
        out["floor_sigma"] = parameters.floor_sigma;
    }
    if (!analysis::windowed(parameters.kind)) {
        for (const analysis::CostParameter& parameter : analysis::cost_parameters()) {
            out[std::string{parameter.name}] = parameters.costs.*parameter.value;
        }
        out["purse"] = analysis::to_text(parameters.purse);
    }
    const auto& [white, black] = parameters.plan;
    if (!white.empty() || !black.empty()) {
        out["plan"] = white == black
                          ? plan_json(white)
                          : json{{sides[0], plan_json(white)}, {sides[1], plan_json(black)}};
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
    for (const IntegerField& field : integers) {
        out.*field.value =
            static_cast<int>(reader.integer(field.name, 0, field.most).value_or(out.*field.value));
    }
    out.floor_sigma = reader.number("floor_sigma", 0, most_sigmas).value_or(0.0);
    if (!analysis::windowed(out.kind)) {
        for (const analysis::CostParameter& parameter : analysis::cost_parameters()) {
            double& value = out.costs.*parameter.value;
            value = reader.number(parameter.name, parameter.least, parameter.most).value_or(value);
        }
        if (const auto purse = reader.text("purse")) {
            const auto parsed = analysis::parse_purse(*purse);
            out.purse = parsed.value_or(out.purse);
            if (!parsed) {
                reader.find("purse", "there is no such purse");
            }
        }
        return out;
    }
    const json* plan = reader.value("plan");
    if (plan != nullptr && plan->is_object()) {
        StoredObject by_side{*plan, reader.path_of("plan"), findings};
        for (std::size_t side = 0; side < sides.size(); ++side) {
            if (const json* list = by_side.array(sides[side])) {
                out.plan[side] = parse_plan(*list, by_side.path_of(sides[side]), findings);
            }
        }
    } else if (plan != nullptr) {
        out.plan[0] = parse_plan(*plan, reader.path_of("plan"), findings);
        out.plan[1] = out.plan[0];
    }
    return out;
}

std::expected<StrategyParameters, Error> read_strategy(ObjectReader reader,
                                                       const StrategyParameters& base) {
    auto kind = reader.optional_text("kind");
    if (!kind) {
        return std::unexpected(kind.error());
    }
    StrategyParameters out = base;
    if (*kind) {
        const auto parsed = analysis::parse_strategy(**kind);
        if (!parsed) {
            return std::unexpected(
                Error{ErrorCode::bad_value,
                      "there is no strategy '" + **kind + "'; there are: " + kinds_text(),
                      reader.path() + ".kind"});
        }
        out = with_kind(base, *parsed);
    }
    for (const IntegerField& field : integers) {
        auto value = reader.optional_integer(field.name, 0, field.most);
        if (!value) {
            return std::unexpected(value.error());
        }
        if (*value) {
            out.*field.value = static_cast<int>(**value);
        }
    }
    auto sigmas = reader.optional_number("floor_sigma", 0, most_sigmas);
    if (!sigmas) {
        return std::unexpected(sigmas.error());
    }
    out.floor_sigma = sigmas->value_or(out.floor_sigma);
    if (auto ok = read_costs(reader, out); !ok) {
        return std::unexpected(ok.error());
    }
    if (auto ok = read_plans(reader, out); !ok) {
        return std::unexpected(ok.error());
    }
    return out;
}

} // namespace adjourn::server
