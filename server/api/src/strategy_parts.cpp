#include "request_parts.hpp"

#include "records/strategy_json.hpp"

namespace adjourn::server {

using analysis::PlyPlan;
using analysis::StrategyKind;
using analysis::StrategyParameters;
using http::Error;
using http::ErrorCode;
using http::ObjectReader;
using http::ValueReader;

namespace {

StrategyParameters with_kind(const StrategyParameters& base, StrategyKind kind) {
    if (kind == base.kind) {
        return base;
    }
    StrategyParameters result = analysis::default_parameters(kind);
    for (const StrategyInteger& field : strategy_integers) {
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

std::expected<std::vector<PlyPlan>, Error> read_plan(const ValueReader& value) {
    auto list = value.array(strategy_range::longest_plan);
    if (!list) {
        return std::unexpected(list.error());
    }
    std::vector<PlyPlan> plan;
    for (const ValueReader& item : *list) {
        ObjectReader entry = item.object();
        auto window = entry.integer("window", 0, strategy_range::widest);
        auto width = entry.optional_integer("width", 1, strategy_range::most_moves);
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
    for (std::size_t side = 0; side < plan_sides.size(); ++side) {
        auto list = by_side.value(plan_sides[side]);
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
    if (const auto old = reader.optional_value("purse")) {
        return std::unexpected(
            old->error(ErrorCode::bad_value, old->path() + " is called level_budget"));
    }
    auto budget = reader.optional_text("level_budget");
    if (!budget) {
        return std::unexpected(budget.error());
    }
    if (*budget && analysis::windowed(out.kind)) {
        return refuse("level_budget");
    }
    if (*budget) {
        const auto parsed = analysis::parse_level_budget(**budget);
        if (!parsed) {
            return std::unexpected(Error{ErrorCode::bad_value,
                                         "there is no level_budget '" + **budget +
                                             "'; there are: per_side, joint, in_turn",
                                         reader.path() + ".level_budget"});
        }
        out.level_budget = *parsed;
    }
    return {};
}

} // namespace

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
    for (const StrategyInteger& field : strategy_integers) {
        auto value = reader.optional_integer(field.name, 0, field.most);
        if (!value) {
            return std::unexpected(value.error());
        }
        if (*value) {
            out.*field.value = static_cast<int>(**value);
        }
    }
    auto sigmas = reader.optional_number("floor_sigma", 0, strategy_range::most_sigmas);
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
