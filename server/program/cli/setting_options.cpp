#include "program/cli/setting_options.hpp"

#include "analysis/strategy.hpp"
#include "base/number.hpp"
#include "program/cli/common.hpp"

#include <spdlog/fmt/fmt.h>

#include <array>

namespace adjourn::server {

using nlohmann::json;
using Words = std::vector<std::string>;

namespace {

constexpr std::string_view of_strategy = "strategy.";
constexpr int default_depth = 14; // of an evaluation
constexpr int default_refine = 3; // where nothing else ends the analysis

struct SettingOption {
    std::string_view place; // of the setting: range, kind and default are its own
    const char* option;
    const char* help; // {}: the default
};

// In the order of --help.
constexpr std::array options{
    SettingOption{"limit.depth", "--depth", "plies an evaluation (default 14)"},
    SettingOption{"limit.nodes", "--nodes", "nodes an evaluation"},
    SettingOption{"limit.movetime_ms", "--movetime", "milliseconds an evaluation"},
    SettingOption{"strategy.move_distance", "--distance",
                  "move distance in centipawns (default {})"},
    SettingOption{"strategy.refine", "--refine",
                  "depth to settle; 0 = until --positions, --total-nodes or Ctrl-C (default 3; 0 "
                  "with one of them)"},
    SettingOption{"strategy.kind", "--strategy",
                  "how the tree grows (default anchored; docs/internals/strategies.md)"},
    SettingOption{"strategy.floor", "--floor", "no window is narrower, in centipawns (default {})"},
    SettingOption{"strategy.floor_sigma", "--floor-sigma",
                  "nor than so many sigma of the engine's noise (default 0)"},
    SettingOption{
        "strategy.anchor_threads", "--anchor-threads",
        "threads of the long search beside the tree; 0 = three quarters of the processes, -1 = "
        "none (default 0)"},
    SettingOption{"strategy.plan", "--plan",
                  "what each ply follows, the last entry for all deeper ones"},
    SettingOption{"budget.positions", "--positions", "stop at so many expanded positions"},
    SettingOption{"budget.nodes", "--total-nodes",
                  "ask nothing more once the engine has spent so many nodes in all"},
    SettingOption{"stop.lead", "--stop-lead",
                  "stop when the best move is ahead by so many sigma of the engine's noise"},
    SettingOption{"stop.levels", "--stop-levels",
                  "... on so many settled levels in a row (default {})"},
    SettingOption{"accept", "--accept",
                  "let evaluations of others count: lichess, epd, \"pgn %eval\", an engine's name "
                  "or fingerprint, or any"},
};

json::json_pointer pointer_of(std::string_view place) {
    std::string pointer = "/" + std::string{place};
    std::ranges::replace(pointer, '.', '/');
    return json::json_pointer{pointer};
}

std::string check_window(const std::string& text) {
    const auto window = base::parse_number<int>(text);
    return window && *window >= 0 ? "" : "'" + text + "' is no window in centipawns";
}

std::string check_own(const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) {
        return "'" + text + "' is not NAME=VALUE";
    }
    const std::string name = text.substr(0, equals);
    const std::string value = text.substr(equals + 1);
    std::string names;
    for (const Setting& own : all_settings()) {
        if (!own.place.starts_with(of_strategy) || !option_of_setting(own.place).empty()) {
            continue;
        }
        if (own.place.substr(of_strategy.size()) == name) {
            const auto number = base::parse_number<double>(value);
            return number && *number >= own.least && *number <= own.most
                       ? ""
                       : name + " is from " + json(own.least).dump() + " to " +
                             json(own.most).dump() + ", not '" + value + "'";
        }
        names += (names.empty() ? "" : ", ") + own.place.substr(of_strategy.size());
    }
    return "there is no number '" + name + "'; there are: " + names +
           " (docs/internals/strategies.md)";
}

} // namespace

std::string_view option_of_setting(std::string_view place) {
    const auto found = std::ranges::find(options, place, &SettingOption::place);
    return found == options.end() ? "" : found->option;
}

void SettingOptions::add_number(CLI::App& command, const Setting& setting, const char* name,
                                const char* help) {
    const bool whole = setting.kind == Setting::Kind::whole;
    const auto take = [this, &setting, whole](double value) {
        given_[pointer_of(setting.place)] =
            whole ? json(static_cast<std::int64_t>(value)) : json(value);
    };
    CLI::Option* option = command.add_option_function<double>(
        name, take,
        fmt::format(fmt::runtime(help), static_cast<std::int64_t>(setting.initial.value_or(0))));
    if (whole) {
        option->type_name("INT")->check(whole_number(static_cast<std::int64_t>(setting.least),
                                                     static_cast<std::int64_t>(setting.most)));
    } else {
        option->check(CLI::Range(setting.least, setting.most));
    }
}

// The numbers of a strategy's own stand behind the plan.
void SettingOptions::add_plan(CLI::App& command, const char* name, const char* help) {
    json& strategy = given_["strategy"];
    const auto take = [&strategy](const std::vector<int>& plan) {
        strategy["plan"] = json::array();
        for (const int window : plan) {
            strategy["plan"].push_back({{"window", window}});
        }
    };
    command.add_option_function<std::vector<int>>(name, take, help)
        ->delimiter(',')
        ->type_name("WINDOW,...")
        ->check(CLI::Validator{check_window, "", "plan"});
    const auto take_own = [&strategy](const Words& own) {
        for (const std::string& text : own) {
            const std::size_t equals = text.find('=');
            strategy[text.substr(0, equals)] = *base::parse_number<double>(text.substr(equals + 1));
        }
    };
    command
        .add_option_function<Words>(
            "--set", take_own,
            "a number of the strategy's own, e.g. per_cp=0.1 (docs/internals/strategies.md)")
        ->type_name("NAME=VALUE")
        ->check(CLI::Validator{check_own, "", "NAME=VALUE"});
}

void SettingOptions::add_to(CLI::App& command) {
    for (const auto& [place, option, help] : options) {
        const auto take = [this, place](const auto& value) { given_[pointer_of(place)] = value; };
        if (place == "strategy.kind") {
            command.add_option_function<std::string>(option, take, help)
                ->check(CLI::IsMember(analysis::strategy_names()));
        } else if (place == "strategy.plan") {
            add_plan(command, option, help);
        } else if (place == "accept") {
            command.add_option_function<Words>(option, take, help)->type_name("NAME");
        } else {
            add_number(command, *find_setting(place), option, help);
        }
    }
}

json SettingOptions::wanted() const {
    json out = given_;
    if (!out.contains("limit")) {
        out["limit"]["depth"] = default_depth;
    }
    out["strategy"].emplace("kind", analysis::default_strategy);
    out["strategy"].emplace("refine", out.contains("budget") ? 0 : default_refine);
    return out;
}

} // namespace adjourn::server
