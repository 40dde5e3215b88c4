#include "command.hpp"

#include "base/standard_streams.hpp"
#include "cli/common.hpp"
#include "cli/exit_codes.hpp"
#include "cli/log.hpp"
#include "cli/words.hpp"
#include "host/config.hpp"

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <csignal>
#include <exception>
#include <iostream>

int main(int argc, char** argv) {
    using namespace adjourn::server;
    std::signal(SIGPIPE, SIG_IGN);
    const adjourn::base::ReadableStreams streams;
    spdlog::set_default_logger(spdlog::stderr_color_mt("adjourn"));
    set_log({});

    CLI::App app{"Adjourn: a persistent deep-analysis server for chess", "adjourn"};
    app.set_version_flag("--version", std::string{"adjourn "} + ADJOURN_VERSION);
    app.require_subcommand(1);
    Chosen chosen;
    add_serve(app, chosen);
    add_analyse(app, chosen);
    add_review(app, chosen);
    add_export(app, chosen);
    add_import(app, chosen);
    add_worker(app, chosen);
    add_uci(app, chosen);
    add_check(app, chosen);
    add_doctor(app, chosen);
    add_backup(app, chosen);
    add_compact(app, chosen);
    add_copy(app, chosen);
    add_tables(app, chosen);
    add_collection(app, chosen);
    add_bench(app, chosen);
    add_shell_words(app, chosen);
    std::vector<std::string> words = without_help_command({argv + 1, argv + argc});
    if (const auto problem = command_problem(app, words)) {
        return bad_use(*problem);
    }
    try {
        std::reverse(words.begin(), words.end()); // as the parser wants them
        app.parse(std::move(words));
    } catch (const CLI::Success& asked_for_help) {
        return app.exit(asked_for_help);
    } catch (const CLI::ParseError& error) {
        app.exit(error);
        return exit_bad_use;
    }
    try {
        const int code = chosen();
        // What these say is for people who look; of the others it is the result.
        const bool goes_on = app.got_subcommand("serve") || app.got_subcommand("worker") ||
                             app.got_subcommand("uci");
        if (code == exit_done && !goes_on && !std::cout.flush()) {
            return failed("cannot write to standard output");
        }
        return code;
    } catch (const std::exception& error) {
        std::cerr << "adjourn: " << error.what() << '\n';
        return exit_failed;
    }
}
