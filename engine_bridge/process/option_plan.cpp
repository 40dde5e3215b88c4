#include "engine_bridge/process/option_plan.hpp"

#include "base/number.hpp"
#include "base/text.hpp"
#include "engine_bridge/process/text.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>

namespace adjourn::engine_bridge {
namespace {

using uci::equal_ignoring_case;
using uci::Option;

bool one_of(std::string_view name, std::span<const std::string_view> names) {
    return std::ranges::any_of(names,
                               [&](std::string_view n) { return equal_ignoring_case(n, name); });
}

// Toga II and a few others spell it out.
constexpr std::string_view thread_names[] = {"Threads", "Number of Threads", "Cores"};

constexpr std::string_view network_names[] = {"EvalFile", "WeightsFile", "NNUEFile", "NetworkFile",
                                              "NetPath"};

// Options that cannot change what a search by depth or nodes finds: each between bars.
constexpr std::string_view irrelevant_names =
    "|ponder|debug log file|write debug log|use debug log|write search log|"
    "search log filename|use search log|log file|logfile|move overhead|moveoverhead|"
    "moveoverheadms|slow mover|slowmover|uci_showwdl|uci_showcurrline|uci_showrefutations|"
    "uci_opponent|uci_engineabout|uci_chess960|minimum thinking time|";

const Option* find(const std::vector<Option>& declared, std::string_view name) {
    const auto found = std::ranges::find_if(
        declared, [&](const Option& o) { return equal_ignoring_case(o.name, name); });
    return found == declared.end() ? nullptr : &*found;
}

// What the bridge decides for itself, and no profile may change. Returns the sentence why.
std::optional<std::string> refused(std::string_view name, std::string_view value) {
    if (equal_ignoring_case(name, "UCI_Chess960")) {
        return "option UCI_Chess960 is always set by Adjourn itself";
    }
    if (equal_ignoring_case(name, "MultiPV") && value != "1") {
        return "option MultiPV must be 1: alternatives are searched one by one";
    }
    if (equal_ignoring_case(name, "Ponder") && value != "false") {
        return "option Ponder must be false: there is no opponent whose time could be used";
    }
    if (equal_ignoring_case(name, "UCI_Variant") && value != "chess") {
        return "option UCI_Variant must be chess";
    }
    if (equal_ignoring_case(name, "Protocol") && value != "uci") {
        return "option Protocol must be uci";
    }
    return std::nullopt;
}

// Whether the engine's own declaration allows the value; the sentence why if not.
std::optional<std::string> misfit(const Option& option, std::string_view value) {
    const std::string what = "option " + printable(option.name) + " = " + printable(value);
    switch (option.type) {
    case Option::Type::check:
        if (value != "true" && value != "false") {
            return what + ": only true or false";
        }
        break;
    case Option::Type::spin: {
        const std::optional<std::int64_t> number = base::parse_number<std::int64_t>(value);
        if (!number) {
            return what + ": not a whole number";
        }
        if ((option.min && *number < *option.min) || (option.max && *number > *option.max)) {
            return what + ": the engine takes " +
                   (option.min ? std::to_string(*option.min) : "anything") + " to " +
                   (option.max ? std::to_string(*option.max) : "anything");
        }
        break;
    }
    case Option::Type::combo:
        if (std::ranges::none_of(option.values, [&](const std::string& v) { return v == value; })) {
            std::string known;
            for (const std::string& v : option.values) {
                known += (known.empty() ? "" : ", ") + printable(v);
            }
            return what + ": the engine knows " + known;
        }
        break;
    case Option::Type::button:
        if (!value.empty()) {
            return what + ": a button takes no value";
        }
        break;
    case Option::Type::string: break;
    }
    return std::nullopt;
}

// Threads before Hash: memory is laid out by thread (python-chess, fastchess issue 851).
int rank(const Option& option) {
    return one_of(option.name, thread_names) ? 0 : equal_ignoring_case(option.name, "Hash") ? 1 : 2;
}

} // namespace

Profile with_threads(Profile profile, std::size_t threads) {
    std::int64_t hash = usual_hash;
    for (auto* const options : {&profile.wishes, &profile.options}) {
        std::erase_if(*options, [&](const auto& option) {
            const auto& [name, value] = option;
            const bool is_hash = equal_ignoring_case(name, "Hash");
            if (is_hash) {
                hash = base::parse_number<std::int64_t>(value).value_or(hash);
            }
            return is_hash || one_of(name, thread_names);
        });
    }
    for (const std::string_view name : thread_names) {
        profile.wishes.insert_or_assign(std::string{name}, std::to_string(threads));
    }
    profile.wishes.insert_or_assign("Hash",
                                    std::to_string(hash * static_cast<std::int64_t>(threads)));
    return profile;
}

bool takes_threads(const Identity& identity) {
    return std::ranges::any_of(
        identity.options, [](const auto& option) { return one_of(option.first, thread_names); });
}

bool same_but_for_threads(const Identity& a, const Identity& b) {
    const auto without = [](Identity identity) {
        std::erase_if(identity.options, [](const auto& option) {
            return equal_ignoring_case(option.first, "Hash") || one_of(option.first, thread_names);
        });
        return identity;
    };
    return without(a) == without(b);
}

std::expected<OptionPlan, std::string>
plan_options(const std::map<std::string, std::string>& wanted, const std::vector<Option>& declared,
             const std::map<std::string, std::string>& wishes) {
    std::map<const Option*, std::string> values; // in force, where known
    for (const Option& option : declared) {
        if (option.initial && option.type != Option::Type::button) {
            values[&option] = *option.initial;
        }
    }
    std::map<const Option*, std::string> chosen;
    const auto own_choice = [&](std::string_view name, std::string_view value) {
        if (const Option* const option = find(declared, name)) {
            if (!misfit(*option, value)) {
                chosen[option] = value;
            }
        }
    };
    for (const std::string_view name : thread_names) {
        own_choice(name, "1");
    }
    own_choice("OwnBook", "false");
    own_choice("MultiPV", "1");
    own_choice("Ponder", "false");
    own_choice("UCI_Chess960", "true");
    own_choice("UCI_ShowWDL", "true");
    for (const auto& [name, value] : wishes) {
        if (!refused(name, value)) {
            own_choice(name, value);
        }
    }

    for (const auto& [name, value] : wanted) {
        if (auto why = refused(name, value)) {
            return std::unexpected(std::move(*why));
        }
        const Option* const option = find(declared, name);
        if (option == nullptr) {
            if (one_of(name, thread_names) && value == "1") {
                continue; // which is what an engine without the option does
            }
            return std::unexpected("the engine has no option " + printable(name));
        }
        if (auto why = misfit(*option, value)) {
            return std::unexpected(std::move(*why));
        }
        chosen[option] = value;
    }

    OptionPlan plan;
    std::vector<const Option*> order;
    order.reserve(declared.size());
    for (const Option& option : declared) {
        order.push_back(&option);
    }
    std::ranges::stable_sort(order, {}, [](const Option* o) { return rank(*o); });
    for (const Option* const option : order) {
        const auto found = chosen.find(option);
        if (found == chosen.end() || (option->initial && *option->initial == found->second)) {
            continue;
        }
        std::optional<std::string> command = setoption_command(*option, found->second);
        if (!command) {
            return std::unexpected("option " + printable(option->name) +
                                   ": control characters are not allowed");
        }
        plan.commands.push_back(std::move(*command));
        if (option->type != Option::Type::button) {
            values[option] = found->second;
        }
    }

    for (const auto& [option, value] : values) {
        if (one_of(option->name, network_names)) {
            plan.network += (plan.network.empty() ? "" : " ") + printable(value);
        }
        // Threads that can be one alone (npm's Stockfish) are none that takes_threads() may count
        // on.
        const bool one_thread = one_of(option->name, thread_names) && option->max == 1;
        if (!one_thread && !irrelevant_names.contains('|' + base::lower_case(option->name) + '|')) {
            plan.options[printable(option->name)] = printable(value);
        }
    }
    if (const Option* const option = find(declared, "UCI_Chess960")) {
        plan.chess960 = values[option] == "true";
    }
    return plan;
}

} // namespace adjourn::engine_bridge
