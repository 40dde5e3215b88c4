// adjourn-simulate: many seeds, or one again.
#include "simulate.hpp"

#include <CLI/CLI.hpp>

#include <chrono>
#include <iostream>

using namespace adjourn::simulation;

int main(int count, char** words) {
    CLI::App app{"Simulates a server with people, machines and faults, from seeds."};
    Plan plan;
    std::uint64_t seeds = 1;
    double hours = 0;
    std::vector<std::string> faults;
    bool keep_going = false, honest = false, trace = false, whole = false;
    app.add_option("--seed", plan.seed, "The first one");
    app.add_option("--seeds", seeds, "How many");
    app.add_option("--hours", hours, "Until so many hours have passed, whatever --seeds says");
    app.add_option("--steps", plan.steps, "Before the faults end");
    app.add_option("--people", plan.people, "At least one");
    app.add_option("--machines", plan.machines, "That offer their engines");
    app.add_option("--faults", faults, "kill, power, disk, hang, engine, clock; or none")
        ->delimiter(',');
    app.add_flag("--honest", honest, "Machines do what they should");
    app.add_flag("--keep-going", keep_going, "After a failure, too");
    app.add_flag("--as-is", whole, "A failing run is not made smaller");
    app.add_flag("--trace", trace, "Prints each step");
    CLI11_PARSE(app, count, words);
    plan.as_is = trace;
    plan.faulty_machines = !honest;
    if (!faults.empty()) {
        plan.faults.clear();
        for (const std::string& name : faults) {
            const auto found = std::ranges::find(fault_names, name);
            if (found != fault_names.end()) {
                plan.faults.insert(static_cast<FaultKind>(found - fault_names.begin()));
            } else if (name != "none") {
                std::cerr << "--faults: no fault is called '" << name << "'\n";
                return 2;
            }
        }
    }
    const auto begun = std::chrono::steady_clock::now();
    const auto seconds = [&] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    };
    std::uint64_t done = 0, failed = 0, facts = 0, traces = 0;
    double simulated = 0;
    for (; hours > 0 ? seconds() < hours * 3'600 : done < seeds; ++plan.seed) {
        const Run one = run(plan);
        ++done;
        facts += one.facts;
        simulated += static_cast<double>(one.simulated) / 1'000;
        traces = traces * 31 + one.trace;
        if (!one.violation.empty()) {
            ++failed;
            std::cout << (whole ? plan.text() + "\n  " + one.violation + "\n" : report(plan, one))
                      << std::flush;
            if (!keep_going) {
                break;
            }
        }
    }
    std::cout << done << " seeds, " << failed << " failed; "
              << static_cast<std::uint64_t>(simulated) << " simulated seconds in " << seconds()
              << ", " << facts << " facts, trace " << std::hex << traces << "\n";
    return failed == 0 ? 0 : 1;
}
