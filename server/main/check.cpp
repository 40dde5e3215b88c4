#include "command.hpp"
#include "common.hpp"

#include "analysis/graph.hpp"
#include "server/graph_slot.hpp"
#include "storage/sqlite.hpp"

#include <iostream>
#include <memory>

namespace adjourn::server {

namespace {

// Facts against the schema and the rules; derived values against recomputation.
int check(const CommonOptions& options) {
    const std::filesystem::path directory = options.data_directory();
    std::unique_ptr<storage::Store> store;
    try {
        store = storage::open_sqlite(directory, storage::OpenMode::read);
    } catch (const storage::StoreError& error) {
        return failed(error.what());
    }
    const auto config = options.load();
    if (!config) {
        return bad_use(config.error());
    }
    const auto tables = tables::open_tables(config->tables);
    std::vector<std::string> findings = store->check();
    if (tables) {
        for (const std::string& problem : tables->inventory().problems) {
            std::cout << "endgame tables: " << problem << '\n';
        }
    }
    std::size_t moves = 0;
    for (const storage::EngineRecord& engine : store->engines()) {
        analysis::Graph graph{tables};
        store->for_each_evaluation(engine.id, [&](const analysis::Evaluation& fact) {
            if (usable(fact)) {
                graph.apply(fact); // one by one, as the server did; verify() solves afresh
            }
        });
        for (const storage::AnalysisRecord& record : store->analyses()) {
            auto position = chess::Position::from_fen(record.root_fen);
            if (record.engine != engine.id || !position) {
                continue;
            }
            for (const chess::Move move : record.root_moves) {
                position->play(move);
            }
            graph.add_root(graph.intern(*position));
        }
        moves += graph.move_count();
        for (const analysis::NodeId node : graph.verify()) {
            findings.push_back("values of " + graph.position(node).fen() + " under " + engine.name +
                               " differ from their recomputation");
        }
    }
    for (const std::string& finding : findings) {
        std::cout << finding << '\n';
    }
    if (!findings.empty()) {
        std::cout << findings.size() << (findings.size() == 1 ? " finding" : " findings") << " in "
                  << directory.string() << '\n';
        return exit_failed;
    }
    std::cout << "sound: " << store->evaluation_count() << " evaluations, " << moves << " moves, "
              << store->analyses().size() << " analyses in " << directory.string() << '\n';
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
