// Strategy: what an analysis asks next. Each is one class in one file of strategies, which
// registers it; nothing else knows it by name, but who begins with it where nobody chooses.
// docs/internals/strategies.md explains them. Pure.
#pragma once

#include "analysis/growth.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace adjourn::analysis {

// A number that one strategy alone has, in StrategyParameters::own.
struct OwnNumber {
    std::string_view name;
    double least;
    double most;
    double usual;
    std::string_view meaning; // for people, unit included
};

class Strategy {
public:
    virtual ~Strategy() = default;
    virtual std::string_view name() const = 0;
    virtual std::string_view meaning() const = 0; // for people: what it does, without its name
    virtual std::span<const OwnNumber> numbers() const { return {}; }
    // Whether moves are followed inside a window, by the ply, and levels are plies.
    virtual bool windowed() const { return true; }
    // Whether one search of the root grows beside the tree, which checks it.
    virtual bool has_anchor() const { return false; }
    // The same facts give the same plan; the level that it is of is settled when nothing is
    // missing.
    virtual Plan plan(const PlanRequest& request) const = 0;
};

// Where nobody names one: API, command line, page, UCI and ./run.
inline constexpr std::string_view default_strategy = "anchored";

// All of them, by name.
std::span<const Strategy* const> strategies();
std::vector<std::string> strategy_names();
const Strategy* find_strategy(std::string_view name); // null: there is none
// Precondition: it is there.
const Strategy& strategy_of(std::string_view name);

// With what the strategy is usually given. Precondition: it is there.
StrategyParameters default_parameters(std::string_view kind);

} // namespace adjourn::analysis
