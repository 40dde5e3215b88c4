// The options of a command that say how an analysis is to be done.
#pragma once

#include "analysis/strategy.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace adjourn::server {

class SettingOptions {
public:
    // `command` refers to this, and must not be used after it.
    void add_to(CLI::App& command);
    // In the words of POST analyses, whose call checks it: {limit, strategy, budget?, stop?,
    // accept?}
    nlohmann::json wanted() const;
    // More than one limit was given.
    bool contradict() const { return limits_ > 1; }

private:
    void add_numbers(CLI::App& command, std::string_view from, std::string_view to);
    void add_strategy(CLI::App& command);

    nlohmann::json given_ = nlohmann::json::object();
    int limits_ = 0;
    std::string kind_{analysis::default_strategy};
    std::vector<std::string> plan_;
    std::vector<std::string> plan_white_;
    std::vector<std::string> plan_black_;
    std::vector<std::string> own_; // NAME=VALUE
    std::vector<std::string> accept_;
};

// The option for a setting, by its place in a request ("strategy.floor"): "--floor"; "" if none is.
std::string_view option_of_setting(std::string_view place);

} // namespace adjourn::server
