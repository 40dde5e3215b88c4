// All settings of an analysis that are numbers, or a yes or no, by their places in a request:
// "limit.depth", "strategy.floor", "budget.nodes", "stop.lead", "priority". Collected
// from the tables of fields.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace adjourn::server {

struct Setting {
    std::string place;
    enum class Kind { flag, whole, number } kind;
    double least; // of numbers
    double most;
    std::optional<double> initial; // of a new analysis; none where it is absent, or by the strategy
    std::string_view meaning;
};

const std::vector<Setting>& all_settings();
// Null if there is none.
const Setting* find_setting(std::string_view place);

} // namespace adjourn::server
