#include "command.hpp"

#include "bench/busy.hpp"
#include "bench/graph.hpp"
#include "bench/perft.hpp"
#include "bench/pgn.hpp"
#include "bench/store.hpp"
#include "bench/strategies.hpp"

#include <iostream>
#include <map>
#include <memory>

namespace adjourn::server {

namespace {

using Run = int (*)(const std::vector<std::string>&, std::ostream&);

const std::map<std::string, Run>& benches() {
    static const std::map<std::string, Run> all{
        {"busy", bench::run_busy},   {"graph", bench::run_graph},
        {"perft", bench::run_perft}, {"pgn", bench::run_pgn},
        {"store", bench::run_store}, {"strategies", bench::run_strategies}};
    return all;
}

} // namespace

void add_bench(CLI::App& app, Chosen& chosen) {
    CLI::App* command = app.add_subcommand("bench", "measure; all without a name");
    command->require_subcommand(0, 1);
    for (const auto& [name, run] : benches()) {
        CLI::App* one = command->add_subcommand(name, "see docs/benchmarks.md");
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
            for (const auto& [name, run] : benches()) {
                std::cout << "== " << name << '\n';
                worst = std::max(worst, run({}, std::cout));
            }
            return worst;
        };
    });
}

} // namespace adjourn::server
