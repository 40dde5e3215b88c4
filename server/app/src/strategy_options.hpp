// The options of a command that choose a strategy and its parameters.
#pragma once

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace adjourn::server {

struct StrategyOptions {
    std::string kind = "halving";
    int floor = -1;          // not given
    double floor_sigma = -1; // not given
    std::vector<std::string> plan;
    std::vector<std::string> plan_white;
    std::vector<std::string> plan_black;
    std::vector<std::string> set; // NAME=VALUE

    // `command` may outlive nothing of this.
    void add_to(CLI::App& command);
    // In the words of POST analyses; the API checks it.
    nlohmann::json wanted() const;
};

} // namespace adjourn::server
