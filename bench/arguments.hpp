// The options of a benchmark: one table, from which they are read and explained.
#pragma once

#include "base/number.hpp"

#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <ostream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace adjourn::bench {

struct Argument {
    std::string name;  // "--roots"; without dashes: takes the words that are no options
    std::string value; // how the help calls its value, "N"; empty: there is none
    std::string help;  // one line
    std::function<bool(const std::string&)> read; // false: no sensible value
};
using Arguments = std::vector<Argument>;

// Whether the text is a number within the limits, which is then in `into`.
template <class Number>
bool read_number(const std::string& text, Number& into, std::type_identity_t<Number> least,
                 std::type_identity_t<Number> most = std::numeric_limits<Number>::max()) {
    const auto value = base::parse_number<Number>(text);
    if (!value || !(*value >= least && *value <= most)) {
        return false;
    }
    into = *value;
    return true;
}

// Options that set `into`, whose present value the help gives as the default.
Argument flag(std::string name, std::string help, bool& into);
Argument text(std::string name, std::string value, std::string help, std::string& into);
Argument path(std::string name, std::string value, std::string help, std::filesystem::path& into);

std::string shown(double number);
std::string with_default(std::string help, const std::string& value);

template <class Number>
Argument number(std::string name, std::string value, std::string help, Number& into,
                std::type_identity_t<Number> least = 1,
                std::type_identity_t<Number> most = std::numeric_limits<Number>::max()) {
    return {std::move(name), std::move(value),
            with_default(std::move(help), shown(static_cast<double>(into))),
            [&into, least, most](const std::string& text) {
                return read_number(text, into, least, most);
            }};
}

// Characters of what a help text says an option takes.
constexpr std::size_t widest_value = 24;

template <class Value>
Argument choice(std::string name, std::string help,
                std::vector<std::pair<std::string, Value>> values, Value& into) {
    std::string names;
    std::string initial;
    for (const auto& [known, value] : values) {
        names += (names.empty() ? "" : "|") + known;
        initial = value == into ? known : initial;
    }
    if (names.size() > widest_value) { // they would leave no room for the help
        help += ": " + std::exchange(names, "NAME");
    }
    return {std::move(name), std::move(names), with_default(std::move(help), initial),
            [&into, values = std::move(values)](const std::string& text) {
                for (const auto& [known, value] : values) {
                    if (known == text) {
                        into = value;
                        return true;
                    }
                }
                return false;
            }};
}

// Reads what was given to a benchmark, in order. It ends with the exit code where there is one: 0
// after --help was answered, 2 after a complaint, which names the argument.
std::optional<int> answer_arguments(const std::string& bench, const Arguments& known,
                                    const std::vector<std::string>& given, std::ostream& out);

} // namespace adjourn::bench
