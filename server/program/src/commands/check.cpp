#include "command.hpp"

#include "files/check/store_check.hpp"
#include "program/cli/common.hpp"
#include "program/cli/progress.hpp"
#include "storage/maintenance.hpp"
#include "storage/open.hpp"
#include "tables/endgame_tables.hpp"

#include <spdlog/fmt/fmt.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <iostream>
#include <memory>

namespace adjourn::server {

namespace {

// Facts against the schema and the rules; derived values against recomputation.
int check(const CommonOptions& options) {
    spdlog::set_level(spdlog::level::off); // what is found is printed once
    const auto config = options.load();
    if (!config) {
        return bad_use(config.error());
    }
    const std::filesystem::path location = options.location(*config);
    std::unique_ptr<storage::Store> store;
    try {
        store = storage::open_store(location, storage::OpenMode::read);
    } catch (const storage::StoreError& error) {
        return failed(error.what());
    }
    const auto tables = tables::open_tables(config->tables);
    std::vector<std::string> findings;
    try {
        findings = check_facts(*store);
    } catch (const storage::StoreError& error) {
        return failed(error.what());
    }
    if (tables) {
        for (const std::string& problem : tables->inventory().problems) {
            std::cout << "endgame tables: " << problem << '\n';
        }
    }
    const CheckedValues values = check_values(*store, tables);
    findings.insert(findings.end(), values.findings.begin(), values.findings.end());
    for (const std::string& finding : findings) {
        std::cout << finding << '\n';
    }
    if (!findings.empty()) {
        std::cout << findings.size() << (findings.size() == 1 ? " finding" : " findings") << " in "
                  << storage::shown(location) << '\n';
        return exit_failed;
    }
    std::cout << "sound: " << store->evaluation_count() << " evaluations, " << values.moves
              << " moves, " << store->analyses().size() << " analyses in "
              << storage::shown(location) << '\n';
    return exit_done;
}

// What can be read goes to a new directory.
int repair(const CommonOptions& options, const std::string& to) {
    const auto directory = options.directory("a database is restored from its backup");
    if (!directory) {
        return bad_use("--repair: " + directory.error());
    }
    Bar bar{"reading"};
    const auto report = storage::repair(*directory, to, bar.advance());
    bar.end();
    for (const std::string& line : report.lines) {
        std::cout << line << '\n';
    }
    std::cout << fmt::format("{:<12}{:>12}{:>12}\n", "table", "taken", "left out");
    for (const auto& table : report.tables) {
        std::cout << fmt::format("{:<12}{:>12}{:>12}\n", table.name, table.taken, table.left_out);
    }
    if (!report.findings.empty()) {
        for (const std::string& finding : report.findings) {
            std::cout << finding << '\n';
        }
        return failed("the new store in " + to + " has findings, too");
    }
    if (report.lines.empty()) {
        std::cout << "sound: nothing was left out, the copy is in " << to << '\n';
        return exit_done;
    }
    const auto facts = std::ranges::find(report.tables, "evaluations",
                                         [](const auto& table) { return table.name; });
    if (facts != report.tables.end() && facts->taken == 0 && facts->left_out > 0) {
        return failed(fmt::format("none of {} evaluations could be saved: restore a backup",
                                  facts->left_out));
    }
    std::cout << "repaired: what could be read is in " << to << '\n';
    return exit_done;
}

} // namespace

void add_check(CLI::App& app, Chosen& chosen) {
    auto options = std::make_shared<CommonOptions>();
    CLI::App* command = app.add_subcommand(
        "check", "check a store: facts against the schema, values against recomputation");
    auto repaired = std::make_shared<std::string>();
    options->add_store(*command);
    options->add_config(*command);
    command
        ->add_option("--repair", *repaired,
                     "write all that can be read to this new directory, and say what could not")
        ->type_name("NEW_DIR");
    command->callback([options, repaired, &chosen] {
        chosen = [options, repaired] {
            return repaired->empty() ? check(*options) : repair(*options, *repaired);
        };
    });
}

} // namespace adjourn::server
