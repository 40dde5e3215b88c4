#include "program/cli/command_line.hpp"

#include "base/standard_streams.hpp"
#include "program/cli/common.hpp"
#include "program/cli/log.hpp"
#include "program/cli/words.hpp"

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <csignal>
#include <exception>
#include <iostream>

namespace adjourn::server {

int run_command_line(CLI::App& app, const Chosen& chosen, std::vector<std::string> words,
                     const std::vector<std::string>& go_on) {
    std::signal(SIGPIPE, SIG_IGN);
    const base::ReadableStreams streams;
    spdlog::set_default_logger(spdlog::stderr_color_mt("adjourn"));
    set_log({});
    if (const auto problem = command_problem(app, words)) {
        return bad_use(*problem);
    }
    // What nobody has got is not done.
    const auto written = [](int code) {
        return code == exit_done && !std::cout.flush() ? failed("cannot write to standard output")
                                                       : code;
    };
    try {
        std::ranges::reverse(words); // as the parser wants them
        app.parse(std::move(words));
    } catch (const CLI::Success& asked_for_help) {
        return written(app.exit(asked_for_help));
    } catch (const CLI::ParseError& error) {
        app.exit(error);
        return exit_bad_use;
    }
    try {
        const int code = chosen();
        const bool result = std::ranges::none_of(
            go_on, [&](const std::string& name) { return app.got_subcommand(name); });
        return result ? written(code) : code;
    } catch (const std::exception& error) {
        return failed(error.what());
    }
}

} // namespace adjourn::server
