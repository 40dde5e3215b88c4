#include "storage/copy.hpp"

#include "command.hpp"

#include "program/cli/common.hpp"
#include "program/cli/progress.hpp"
#include "storage/open.hpp"

#include <spdlog/fmt/fmt.h>

#include <iostream>
#include <memory>

namespace adjourn::server {

namespace {

struct CopyCommand {
    std::string from;
    std::string to;
};

int copy(const CopyCommand& command) {
    Bar bar{"copying"};
    const auto report = storage::copy_store(command.from, command.to, bar.advance());
    bar.end();
    std::uint64_t rows = 0, there_before = 0;
    std::cout << fmt::format("{:<12}{:>12}{:>14}\n", "table", "rows", "there before");
    for (const auto& table : report.tables) {
        std::cout << fmt::format("{:<12}{:>12}{:>14}\n", table.name, table.rows,
                                 table.there_before);
        rows += table.rows;
        there_before += table.there_before;
    }
    for (const std::string& finding : report.findings) {
        std::cout << finding << '\n';
    }
    const std::string to = storage::shown(command.to);
    if (!report.findings.empty()) {
        return failed(counted(report.findings.size(), "finding", "findings") + ": " + to +
                      " is no store; see 'adjourn check' of " + storage::shown(command.from));
    }
    std::cout << "copied and checked: " << counted(rows, "row", "rows")
              << (there_before > 0 ? fmt::format(", {} of them before", there_before) : "")
              << " in " << to << '\n';
    return exit_done;
}

} // namespace

void add_copy(CLI::App& app, Chosen& chosen) {
    auto options = std::make_shared<CopyCommand>();
    CLI::App* command = app.add_subcommand(
        "copy",
        "copy a store to another place, also to or from PostgreSQL; goes on if interrupted");
    command->add_option("--from", options->from, "data directory, or postgresql://USER@HOST/DB")
        ->required()
        ->type_name("STORE");
    command->add_option("--to", options->to, "the same; no store may be there")
        ->required()
        ->type_name("STORE");
    command->callback([options, &chosen] { chosen = [options] { return copy(*options); }; });
}

} // namespace adjourn::server
