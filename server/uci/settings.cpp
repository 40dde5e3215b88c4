#include "uci/settings.hpp"

#include "base/number.hpp"
#include "core/records/settings.hpp"
#include "engine_bridge/process/text.hpp"
#include "engine_bridge/process/uci.hpp"

#include <algorithm>
#include <functional>

namespace adjourn::server::uci {

namespace {

using engine_bridge::uci::equal_ignoring_case;

constexpr int most_workers = 1024;
constexpr int most_lines = 218; // no position has more moves
constexpr int most_hash_mib = 1 << 25;
constexpr int most_threads = 1024;
constexpr int most_overhead_ms = 5'000;

std::int64_t most_of(std::string_view place) {
    return static_cast<std::int64_t>(find_setting(place)->most);
}

} // namespace

std::int64_t option_of(const engine_bridge::Profile& profile, std::string_view name,
                       std::int64_t otherwise) {
    for (const auto& [key, value] : profile.options) {
        if (equal_ignoring_case(key, name)) {
            return base::parse_number<std::int64_t>(value).value_or(otherwise);
        }
    }
    return otherwise;
}

// One option: how it is declared, and what setting it does.
struct Settings::Option {
    std::string name;
    std::string type;
    std::string initial;
    std::int64_t min = 0;
    std::int64_t max = 0;
    std::vector<std::string> values;
    std::function<void(std::int64_t)> number; // of a spin; 0 or 1 of a check; index of a combo
    std::function<void(std::string)> text;    // of a string
};

Settings::Settings(const Config& config) : config_{config}, profile_{config.engines[0].name} {}

std::vector<Settings::Option> Settings::options() {
    std::vector<Option> all;
    const auto spin = [&](const char* name, std::int64_t initial, std::int64_t min,
                          std::int64_t max, std::function<void(std::int64_t)> set) {
        all.push_back(
            {name, "spin", std::to_string(initial), min, max, {}, std::move(set), nullptr});
    };
    const auto combo = [&](const char* name, std::vector<std::string> values,
                           std::function<void(std::int64_t)> set) {
        all.push_back({name, "combo", values.front(), 0, 0, values, std::move(set), nullptr});
    };
    const auto check = [&](const char* name, std::function<void(std::int64_t)> set) {
        all.push_back({name, "check", "false", 0, 0, {}, std::move(set), nullptr});
    };
    const engine_bridge::Profile& first = config_.engines.front();

    std::vector<std::string> profiles;
    for (const engine_bridge::Profile& engine : config_.engines) {
        profiles.push_back(engine.name);
    }
    combo("EngineProfile", profiles,
          [this](std::int64_t i) { profile_ = config_.engines[static_cast<std::size_t>(i)].name; });
    spin("Workers", static_cast<std::int64_t>(first.count), 1, most_workers,
         [this](std::int64_t v) { workers_ = v; });
    combo("Strategy", analysis::strategy_names(), [this](std::int64_t i) {
        strategy = analysis::strategies()[static_cast<std::size_t>(i)]->name();
    });
    spin("MoveDistance", 30, 0, most_of("strategy.move_distance"),
         [this](std::int64_t v) { move_distance = static_cast<int>(v); });
    spin("Refine", 0, 0, most_of("strategy.refine"),
         [this](std::int64_t v) { refine = static_cast<int>(v); });
    spin("EvaluationNodes", 0, 0, most_of("limit.nodes"),
         [this](std::int64_t v) { evaluation_nodes = v; });
    spin("EvaluationDepth", 0, 0, most_of("limit.depth"),
         [this](std::int64_t v) { evaluation_depth = static_cast<int>(v); });
    spin("MultiPV", 1, 1, most_lines, [this](std::int64_t v) { multi_pv = static_cast<int>(v); });
    spin("Hash", option_of(first, "Hash", 16), 1, most_hash_mib,
         [this](std::int64_t v) { hash_ = v; });
    spin("Threads", option_of(first, "Threads", 1), 1, most_threads,
         [this](std::int64_t v) { threads_ = v; });
    all.push_back({"SyzygyPath", "string", "<empty>", 0, 0, {}, nullptr, [this](std::string v) {
                       syzygy_path_ = std::move(v);
                   }});
    spin("Move Overhead", move_overhead.count(), 0, most_overhead_ms,
         [this](std::int64_t v) { move_overhead = std::chrono::milliseconds{v}; });
    check("Ponder", [](std::int64_t) {}); // that the GUI may ponder changes nothing here
    check("UCI_Chess960", [this](std::int64_t v) { chess960 = v != 0; });
    check("EngineDepth", [this](std::int64_t v) { engine_depth = v != 0; });
    return all;
}

std::vector<std::string> Settings::declaration() const {
    std::vector<std::string> lines;
    for (const Option& option : Settings{config_}.options()) {
        std::string line = "option name " + option.name + " type " + option.type + " default " +
                           engine_bridge::printable(option.initial);
        if (option.type == "spin") {
            line += " min " + std::to_string(option.min) + " max " + std::to_string(option.max);
        }
        for (const std::string& value : option.values) {
            line += " var " + engine_bridge::printable(value);
        }
        lines.push_back(std::move(line));
    }
    return lines;
}

std::expected<void, std::string> Settings::set(std::string_view name, std::string_view value) {
    const std::vector<Option> all = options();
    const auto found = std::ranges::find_if(
        all, [&](const Option& option) { return equal_ignoring_case(option.name, name); });
    if (found == all.end()) {
        return std::unexpected("no option is named " + engine_bridge::printable(name));
    }
    const std::string what = "option " + found->name + ": " + engine_bridge::printable(value);
    if (found->type == "string") {
        found->text(value == "<empty>" ? "" : std::string{value});
    } else if (found->type == "check") {
        if (!equal_ignoring_case(value, "true") && !equal_ignoring_case(value, "false")) {
            return std::unexpected(what + " is neither true nor false");
        }
        found->number(equal_ignoring_case(value, "true") ? 1 : 0);
    } else if (found->type == "combo") {
        const auto chosen = std::ranges::find_if(found->values, [&](const std::string& known) {
            return equal_ignoring_case(known, value);
        });
        if (chosen == found->values.end()) {
            return std::unexpected(what + " is not one of the values");
        }
        found->number(chosen - found->values.begin());
    } else {
        const auto number = base::parse_number<std::int64_t>(value);
        if (!number || *number < found->min || *number > found->max) {
            return std::unexpected(what + " is not a whole number from " +
                                   std::to_string(found->min) + " to " +
                                   std::to_string(found->max));
        }
        found->number(*number);
    }
    return {};
}

engine_bridge::Profile Settings::profile() const {
    engine_bridge::Profile profile = *config_.find(profile_);
    if (workers_ > 0) {
        profile.count = static_cast<std::size_t>(workers_);
    }
    const auto wish = [&](const char* name, const std::string& value) {
        std::erase_if(profile.options,
                      [&](const auto& option) { return equal_ignoring_case(option.first, name); });
        profile.wishes[name] = value;
    };
    if (hash_) {
        wish("Hash", std::to_string(*hash_));
    }
    if (threads_) {
        wish("Threads", std::to_string(*threads_));
    }
    if (syzygy_path_) {
        wish("SyzygyPath", *syzygy_path_);
    }
    return profile;
}

} // namespace adjourn::server::uci
