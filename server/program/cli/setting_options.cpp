#include "program/cli/setting_options.hpp"

#include "analysis/strategy.hpp"
#include "base/number.hpp"
#include "core/records/settings.hpp"
#include "program/cli/common.hpp"

#include <spdlog/fmt/fmt.h>

#include <array>

namespace adjourn::server {

using nlohmann::json;

namespace {

constexpr int default_depth = 14; // of an evaluation
constexpr int default_refine = 3; // where nothing else ends the analysis

struct SettingOption {
    std::string_view place; // of the setting: range, kind and default are its own
    const char* option;
    const char* help; // {}: the default
};

// In the order of --help; between them stand those that are no numbers.
constexpr std::array number_options{
    SettingOption{"limit.depth", "--depth", "plies an evaluation (default 14)"},
    SettingOption{"limit.nodes", "--nodes", "nodes an evaluation"},
    SettingOption{"limit.movetime_ms", "--movetime", "milliseconds an evaluation"},
    SettingOption{"strategy.move_distance", "--distance",
                  "move distance in centipawns (default {})"},
    SettingOption{"strategy.refine", "--refine",
                  "depth to settle; 0 = until --positions, --total-nodes or Ctrl-C (default 3; 0 "
                  "with one of them)"},
    SettingOption{"strategy.floor", "--floor", "no window is narrower, in centipawns (default {})"},
    SettingOption{"strategy.floor_sigma", "--floor-sigma",
                  "nor than so many sigma of the engine's noise (default 0)"},
    SettingOption{
        "strategy.anchor_threads", "--anchor-threads",
        "threads of the long search beside the tree; 0 = three quarters of the processes, -1 = "
        "none (default 0)"},
    SettingOption{"budget.positions", "--positions", "stop at so many expanded positions"},
    SettingOption{"budget.nodes", "--total-nodes",
                  "ask nothing more once the engine has spent so many nodes in all"},
    SettingOption{"stop.lead", "--stop-lead",
                  "stop when the best move is ahead by so many sigma of the engine's noise"},
    SettingOption{"stop.levels", "--stop-levels",
                  "... on so many settled levels in a row (default {})"},
};
constexpr std::array word_options{
    SettingOption{"strategy.kind", "--strategy",
                  "how the tree grows (default anchored; docs/internals/strategies.md)"},
    SettingOption{"strategy.plan", "--plan",
                  "what each ply follows, the last entry for all deeper ones"},
    SettingOption{"accept", "--accept",
                  "let evaluations of others count: lichess, epd, \"pgn %eval\", an engine's name "
                  "or fingerprint, or any"},
};

const char* help_of(std::string_view place) {
    return std::ranges::find(word_options, place, &SettingOption::place)->help;
}

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

std::string check_own(const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) {
        return "'" + text + "' is not NAME=VALUE";
    }
    const std::string name = text.substr(0, equals);
    const std::string value = text.substr(equals + 1);
    std::string names;
    for (const analysis::Strategy* strategy : analysis::strategies()) {
        for (const analysis::OwnNumber& own : strategy->numbers()) {
            if (own.name == name) {
                const auto number = base::parse_number<double>(value);
                return number && *number >= own.least && *number <= own.most
                           ? ""
                           : name + " is from " + json(own.least).dump() + " to " +
                                 json(own.most).dump() + ", not '" + value + "'";
            }
            names += (names.empty() ? "" : ", ") + std::string{own.name};
        }
    }
    return "there is no number '" + name + "'; there are: " + names +
           " (docs/internals/strategies.md)";
}

} // namespace

std::string_view option_of_setting(std::string_view place) {
    for (const std::span<const SettingOption> options :
         {std::span<const SettingOption>{number_options}, {word_options}}) {
        const auto found = std::ranges::find(options, place, &SettingOption::place);
        if (found != options.end()) {
            return found->option;
        }
    }
    return "";
}

// Those of the table from one place up to another, without that ("": to the end).
void SettingOptions::add_numbers(CLI::App& command, std::string_view from, std::string_view to) {
    const auto first = std::ranges::find(number_options, from, &SettingOption::place);
    const auto last = std::ranges::find(number_options, to, &SettingOption::place);
    for (const SettingOption& row : std::span{first, last}) {
        const Setting& setting = *find_setting(row.place);
        const std::string place{row.place};
        const bool whole = setting.kind == Setting::Kind::whole;
        const auto take = [this, place, whole](double value) {
            std::string pointer = "/" + place;
            std::ranges::replace(pointer, '.', '/');
            given_[json::json_pointer{pointer}] =
                whole ? json(static_cast<std::int64_t>(value)) : json(value);
            limits_ += place.starts_with("limit.") ? 1 : 0;
        };
        CLI::Option* option = command.add_option_function<double>(
            row.option, take,
            fmt::format(fmt::runtime(row.help),
                        static_cast<std::int64_t>(setting.initial.value_or(0))));
        if (whole) {
            option->type_name("INT")->check(whole_number(static_cast<std::int64_t>(setting.least),
                                                         static_cast<std::int64_t>(setting.most)));
        } else {
            option->check(CLI::Range(setting.least, setting.most));
        }
    }
}

void SettingOptions::add_strategy(CLI::App& command) {
    const auto plan_option = [&](const char* name, std::vector<std::string>& out,
                                 const char* text) {
        return command.add_option(name, out, text)
            ->delimiter(',')
            ->type_name("[WIDTH:]WINDOW,...")
            ->check(CLI::Validator{check_ply, "", "plan"});
    };
    CLI::Option* both = plan_option("--plan", plan_, help_of("strategy.plan"));
    plan_option("--plan-white", plan_white_, "the same where White moves")->excludes(both);
    plan_option("--plan-black", plan_black_, "the same where Black moves")->excludes(both);
    command
        .add_option(
            "--set", own_,
            "a number of the strategy's own, e.g. per_cp=0.1 (docs/internals/strategies.md)")
        ->type_name("NAME=VALUE")
        ->check(CLI::Validator{check_own, "", "NAME=VALUE"});
}

void SettingOptions::add_to(CLI::App& command) {
    add_numbers(command, "limit.depth", "strategy.floor");
    command.add_option("--strategy", kind_, help_of("strategy.kind"))
        ->check(CLI::IsMember(analysis::strategy_names()));
    add_numbers(command, "strategy.floor", "budget.positions");
    add_strategy(command);
    add_numbers(command, "budget.positions", "");
    command.add_option("--accept", accept_, help_of("accept"))->type_name("NAME");
}

json SettingOptions::wanted() const {
    json out = given_;
    if (limits_ == 0) {
        out["limit"]["depth"] = default_depth;
    }
    json& strategy = out["strategy"];
    strategy["kind"] = kind_;
    if (!strategy.contains("refine")) {
        strategy["refine"] = out.contains("budget") ? 0 : default_refine;
    }
    if (!plan_.empty()) {
        strategy["plan"] = plan_json(plan_);
    } else if (!plan_white_.empty() || !plan_black_.empty()) {
        strategy["plan"] = {{"white", plan_json(plan_white_)}, {"black", plan_json(plan_black_)}};
    }
    for (const std::string& text : own_) {
        const std::size_t equals = text.find('=');
        strategy[text.substr(0, equals)] = *base::parse_number<double>(text.substr(equals + 1));
    }
    if (!accept_.empty()) {
        out["accept"] = accept_;
    }
    return out;
}

} // namespace adjourn::server
