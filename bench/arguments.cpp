#include "bench/arguments.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <expected>
#include <iomanip>
#include <iostream>
#include <memory>
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

namespace {

// CLI11's view of the table.
std::unique_ptr<CLI::App> parser_of(const std::string& bench, const Arguments& known) {
    auto app = std::make_unique<CLI::App>("", "adjourn bench " + bench);
    app->set_help_flag(); // answer_arguments() answers it
    app->allow_extras();  // those are told in our words
    app->footer("\nWhat it measures and what was measured: docs/measurements");
    app->get_formatter()->column_width(44);
    for (const Argument& argument : known) {
        const auto read = [&argument](const std::vector<std::string>& values) {
            if (!std::ranges::all_of(values, argument.read)) {
                throw CLI::ValidationError{argument.name, "refused"};
            }
        };
        if (argument.value.empty() && is_option(argument.name)) {
            app->add_flag_callback(
                argument.name, [read] { read({""}); }, argument.help);
            continue;
        }
        CLI::Option* option =
            app->add_option_function<std::vector<std::string>>(argument.name, read, argument.help);
        option->type_name(argument.value)->trigger_on_parse();
        if (is_option(argument.name)) {
            option->expected(1)->allow_extra_args(false)->multi_option_policy(
                CLI::MultiOptionPolicy::TakeAll);
        }
    }
    return app;
}

// An error names the argument.
std::expected<void, std::string> read_arguments(CLI::App& parser,
                                                const std::vector<std::string>& given) {
    try {
        parser.parse(
            std::vector<std::string>{given.rbegin(), given.rend()}); // CLI11 takes the last first
    } catch (const CLI::ParseError& error) {
        const std::string text = error.what(); // "--seed: …"
        return std::unexpected("'" + text.substr(0, text.find(':')) + "' lacks a sensible value");
    }
    if (const auto unknown = parser.remaining(); !unknown.empty()) {
        return std::unexpected("'" + unknown.front() + "' is unknown");
    }
    return {};
}

} // namespace

std::optional<int> answer_arguments(const std::string& bench, const Arguments& known,
                                    const std::vector<std::string>& given, std::ostream& out) {
    const auto parser = parser_of(bench, known);
    if (std::ranges::any_of(
            given, [](const std::string& word) { return word == "--help" || word == "-h"; })) {
        out << parser->help();
        return 0;
    }
    if (const auto read = read_arguments(*parser, given); !read) {
        std::cerr << "bench " << bench << ": " << read.error() << '\n';
        return 2;
    }
    return std::nullopt;
}

} // namespace adjourn::bench
