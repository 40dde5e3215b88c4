// adjourn-bench: what `adjourn bench` runs. A program of its own, so that who builds Adjourn to use
// it builds no measurements.
#include "base/standard_streams.hpp"
#include "cli/common.hpp"
#include "cli/exit_codes.hpp"
#include "cli/log.hpp"
#include "cli/words.hpp"

#include "bench/busy.hpp"
#include "bench/changes.hpp"
#include "bench/cluster.hpp"
#include "bench/graph.hpp"
#include "bench/hollow.hpp"
#include "bench/perft.hpp"
#include "bench/pgn.hpp"
#include "bench/serve.hpp"
#include "bench/silence.hpp"
#include "bench/store.hpp"
#include "bench/strategies.hpp"

#include <CLI/CLI.hpp>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <exception>
#include <functional>
#include <iostream>

namespace {

using namespace adjourn;
using namespace adjourn::server;

using Chosen = std::function<int()>;
using Run = int (*)(const std::vector<std::string>&, std::ostream&);

struct Bench {
    const char* name;
    const char* about;
    Run run;
    bool named = false; // only where it is named: it takes many minutes
};

constexpr std::array benches{
    Bench{"busy", "how busy the scheduler keeps the engines", bench::run_busy},
    Bench{"changes", "what it costs to tell what changed, both ways", bench::run_changes},
    Bench{"cluster",
          "workers of a database and by HTTP under faults: speed, and that nothing is lost; "
          "minutes, so that it has to be named",
          bench::run_cluster, true},
    Bench{"graph", "memory and time of the graph", bench::run_graph},
    Bench{"hollow", "how many root moves one question would raise", bench::run_hollow},
    Bench{"perft", "speed of move generation, beside Stockfish's", bench::run_perft},
    Bench{"pgn", "speed of reading and importing games, beside pgn-extract's", bench::run_pgn},
    Bench{"serve", "how long a server that reads, accepts and imports makes callers wait",
          bench::run_serve},
    Bench{"silence",
          "how long a server makes callers wait while its database says nothing; a minute, so that "
          "it has to be named",
          bench::run_silence, true},
    Bench{"store", "disk for a fact, facts a second in and out", bench::run_store},
    Bench{"strategies", "what the root move of each strategy is worth", bench::run_strategies}};

void add_bench(CLI::App& app, Chosen& chosen) {
    CLI::App* command =
        app.add_subcommand("bench", "measure; all but cluster and silence without a name");
    command->require_subcommand(0, 1);
    for (const auto& [name, about, run, named] : benches) {
        CLI::App* one = command->add_subcommand(name, about);
        one->set_help_flag(); // the bench knows its options
        one->prefix_command();
        one->callback([one, run = run, &chosen] {
            chosen = [arguments = one->remaining(), run] { return run(arguments, std::cout); };
        });
    }
    command->callback([command, &chosen] {
        if (!command->get_subcommands().empty()) {
            return;
        }
        chosen = [] {
            int worst = exit_done;
            for (const Bench& bench : benches) {
                if (!bench.named) {
                    std::cout << "== " << bench.name << '\n';
                    worst = std::max(worst, bench.run({}, std::cout));
                }
            }
            return worst;
        };
    });
}

} // namespace

int main(int argc, char** argv) {
    std::signal(SIGPIPE, SIG_IGN);
    const base::ReadableStreams streams;
    spdlog::set_default_logger(spdlog::stderr_color_mt("adjourn"));
    set_log({});
    CLI::App app{"Adjourn: measurements", "adjourn"};
    Chosen chosen;
    add_bench(app, chosen);
    std::vector<std::string> words{argv + 1, argv + argc};
    words.insert(words.begin(), "bench"); // as people type it
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
        return code == exit_done && !std::cout.flush() ? failed("cannot write to standard output")
                                                       : code;
    } catch (const std::exception& error) {
        return failed(error.what());
    }
}
