// The options of a command that say how an analysis is to be done.
#pragma once

#include "core/records/settings.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <string_view>

namespace adjourn::server {

class SettingOptions {
public:
    // `command` refers to this, and must not be used after it.
    void add_to(CLI::App& command);
    // In the words of POST analyses, whose call checks it: {limit, strategy, budget?, stop?,
    // accept?}
    nlohmann::json wanted() const;
    // More than one limit was given.
    bool contradict() const { return given_.contains("limit") && given_["limit"].size() > 1; }

private:
    void add_number(CLI::App& command, const Setting& setting, const char* name, const char* help);
    void add_plan(CLI::App& command, const char* name, const char* help);

    nlohmann::json given_{{"strategy", nlohmann::json::object()}};
};

// The option for a setting, by its place in a request ("strategy.floor"): "--floor"; "" if none is.
std::string_view option_of_setting(std::string_view place);

} // namespace adjourn::server
