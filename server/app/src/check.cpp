#include "command.hpp"
#include "common.hpp"

#include "exchange/store_check.hpp"
#include "storage/open.hpp"
#include "tables/endgame_tables.hpp"

#include <spdlog/spdlog.h>

#include <iostream>
#include <memory>

namespace adjourn::server {

namespace {

// Facts against the schema and the rules; derived values against recomputation.
int check(const CommonOptions& options) {
    spdlog::set_level(spdlog::level::off); // what is found is printed once
    const std::filesystem::path directory = options.data_directory();
    std::unique_ptr<storage::Store> store;
    try {
        store = storage::open_store(directory, storage::OpenMode::read);
    } catch (const storage::StoreError& error) {
        return failed(error.what());
    }
    const auto config = options.load();
    if (!config) {
        return bad_use(config.error());
    }
    const auto tables = tables::open_tables(config->tables);
    std::vector<std::string> findings = check_facts(*store);
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
                  << directory.string() << '\n';
        return exit_failed;
    }
    std::cout << "sound: " << store->evaluation_count() << " evaluations, " << values.moves
              << " moves, " << store->analyses().size() << " analyses in " << directory.string()
              << '\n';
    return exit_done;
}

} // namespace

void add_check(CLI::App& app, Chosen& chosen) {
    auto options = std::make_shared<CommonOptions>();
    CLI::App* command = app.add_subcommand(
        "check", "check a data directory: facts against the schema, values against recomputation");
    options->add_data(*command);
    options->add_config(*command);
    command->callback([options, &chosen] { chosen = [options] { return check(*options); }; });
}

} // namespace adjourn::server
