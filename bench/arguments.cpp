#include "arguments.hpp"

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <sstream>

namespace adjourn::bench {

namespace {

bool is_option(const std::string& word) {
    return word.starts_with("--");
}

// An empty text is no sensible value of anything.
template <class Text>
Argument of_text(std::string name, std::string value, std::string help, std::string initial,
                 Text& into) {
    return {std::move(name), std::move(value), with_default(std::move(help), initial),
            [&into](const std::string& text) {
                into = text;
                return !text.empty();
            }};
}

} // namespace

Argument flag(std::string name, std::string help, bool& into) {
    return {std::move(name), "", std::move(help), [&into](const std::string&) {
                into = true;
                return true;
            }};
}

Argument text(std::string name, std::string value, std::string help, std::string& into) {
    return of_text(std::move(name), std::move(value), std::move(help), into, into);
}

Argument path(std::string name, std::string value, std::string help, std::filesystem::path& into) {
    return of_text(std::move(name), std::move(value), std::move(help), into.string(), into);
}

std::string shown(double number) {
    std::ostringstream out;
    out << std::setprecision(15) << number;
    return out.str();
}

std::string with_default(std::string help, const std::string& value) {
    return value.empty() ? help : std::move(help) + " (default " + value + ")";
}

std::expected<void, std::string> read_arguments(const Arguments& known,
                                                const std::vector<std::string>& given) {
    for (std::size_t i = 0; i < given.size(); ++i) {
        const std::string& word = given[i];
        const auto found = std::ranges::find_if(known, [&](const Argument& argument) {
            return is_option(word) ? argument.name == word : !is_option(argument.name);
        });
        if (found == known.end()) {
            return std::unexpected("'" + word + "' is unknown");
        }
        const bool next = is_option(word) && !found->value.empty();
        i += next ? 1 : 0;
        if (i == given.size() || !found->read(given[i])) {
            return std::unexpected("'" + word + "' lacks a sensible value");
        }
    }
    return {};
}

std::optional<int> answer_arguments(const std::string& bench, const Arguments& known,
                                    const std::vector<std::string>& given, std::ostream& out) {
    if (asks_for_help(given)) {
        print_help(bench, known, out);
        return 0;
    }
    if (const auto read = read_arguments(known, given); !read) {
        std::cerr << "bench " << bench << ": " << read.error() << '\n';
        return 2;
    }
    return std::nullopt;
}

bool asks_for_help(const std::vector<std::string>& given) {
    return std::ranges::any_of(
        given, [](const std::string& word) { return word == "--help" || word == "-h"; });
}

void print_help(const std::string& bench, const Arguments& known, std::ostream& out) {
    std::vector<std::string> left;
    std::size_t width = 0;
    out << "Usage: adjourn bench " << bench << " [OPTIONS]";
    for (const Argument& argument : known) {
        left.push_back(argument.name + (argument.value.empty() ? "" : " " + argument.value));
        width = std::max(width, left.back().size());
        out << (is_option(argument.name) ? "" : " [" + argument.name + "]");
    }
    out << "\n\n";
    for (std::size_t i = 0; i < known.size(); ++i) {
        out << "  " << std::left << std::setw(static_cast<int>(width) + 2) << left[i]
            << known[i].help << '\n';
    }
    out << "\nWhat it measures and what was measured: docs/measurements/benchmarks.md\n";
}

} // namespace adjourn::bench
