// adjourn-bench: what `adjourn bench` runs. A program of its own, so that who builds Adjourn to use
// it builds no measurements.
#include "program/cli/command_line.hpp"
#include "program/cli/common.hpp"

#include "bench/benches.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <iostream>

namespace {

using namespace adjourn;
using namespace adjourn::server;

using Run = int (*)(const std::vector<std::string>&, std::ostream&);

struct Bench {
    const char* name;
    const char* about;
    Run run;
    bool named = false; // only where it is named: it takes many minutes
};

constexpr std::array benches{
    Bench{"busy", "how busy the scheduler keeps the engines", bench::run_busy},
    Bench{"changes", "what it costs to tell what changed", bench::run_changes},
    Bench{"cluster",
          "speed of workers by HTTP, the store in PostgreSQL; minutes, so that it has to be named",
          bench::run_cluster, true},
    Bench{"confidence",
          "how often answers stood, against what was said of them; needs files, so that it has to "
          "be named",
          bench::run_confidence, true},
    Bench{"graph", "memory and time of the graph", bench::run_graph},
    Bench{"night",
          "how a night is best shared over many analyses; needs files, so that it has to be named",
          bench::run_night, true},
    Bench{"perft", "speed of move generation, beside Stockfish's", bench::run_perft},
    Bench{"pgn", "speed of reading and importing games, beside pgn-extract's", bench::run_pgn},
    Bench{"searches", "our own searches against each other; minutes, so that it has to be named",
          bench::run_searches, true},
    Bench{"serve", "how long a server that reads, accepts and imports makes callers wait",
          bench::run_serve},
    Bench{"silence",
          "how long a server makes callers wait while its database says nothing; a minute, so that "
          "it has to be named",
          bench::run_silence, true},
    Bench{"store", "disk for a fact, facts a second in and out", bench::run_store},
    Bench{"strategies", "what the root move of each strategy is worth", bench::run_strategies}};

void add_bench(CLI::App& app, Chosen& chosen) {
    CLI::App* command = app.add_subcommand(
        "bench", "measure; all but cluster, searches and silence without a name");
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
    CLI::App app{"Adjourn: measurements", "adjourn"};
    Chosen chosen;
    add_bench(app, chosen);
    std::vector<std::string> words{argv + 1, argv + argc};
    words.insert(words.begin(), "bench"); // as people type it
    return run_command_line(app, chosen, std::move(words));
}
