// What is done to a store's files, without a service: `backup`, `copy` and `check`.
#include "program/commands/command.hpp"

#include "files/check/store_check.hpp"
#include "program/cli/common.hpp"
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

std::string megabytes_text(std::uint64_t bytes) {
    return fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6);
}

int back_up(const CommonOptions& options, const std::string& file) {
    const auto directory = options.directory("pg_dump or 'adjourn copy' backs it up");
    if (!directory) {
        return bad_use(directory.error());
    }
    Bar bar{"copying"};
    const auto report = storage::back_up(*directory, file, bar.advance());
    bar.end();
    for (const std::string& finding : report.findings) {
        std::cout << finding << '\n';
    }
    const std::string what = counted(report.evaluations, "evaluation", "evaluations") + ", " +
                             megabytes_text(report.bytes);
    if (!report.findings.empty()) {
        return failed(file + " is a copy of an unsound store (" + what + "; " +
                      counted(report.findings.size(), "finding", "findings") +
                      "): the data directory is damaged; see 'adjourn check --repair'");
    }
    std::cout << "backed up and checked: " << what << " in " << file << '\n';
    return exit_done;
}

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

void add_backup(CLI::App& app, Chosen& chosen) {
    auto options = std::make_shared<CommonOptions>();
    auto file = std::make_shared<std::string>();
    CLI::App* command = app.add_subcommand(
        "backup", "copy a data directory's store to a file and check it, also beside a server");
    options->add_data(*command);
    options->add_config(*command);
    command->add_option("FILE", *file, "the new file; none may be there")->required();
    command->callback([options, file, &chosen] {
        chosen = [options, file] { return back_up(*options, *file); };
    });
}

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

void add_check(CLI::App& app, Chosen& chosen) {
    auto options = std::make_shared<CommonOptions>();
    CLI::App* command = app.add_subcommand(
        "check", "check a store: facts against the schema, values against recomputation");
    auto repaired = std::make_shared<std::string>();
    options->add_to(*command);
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
