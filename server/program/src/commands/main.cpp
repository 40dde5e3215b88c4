#include "command.hpp"

#include "program/cli/command_line.hpp"
#include "program/cli/words.hpp"

int main(int argc, char** argv) {
    using namespace adjourn::server;
    CLI::App app{"Adjourn: a persistent deep-analysis server for chess", "adjourn"};
    app.set_version_flag("--version", std::string{"adjourn "} + ADJOURN_VERSION);
    app.require_subcommand(1);
    Chosen chosen;
    add_serve(app, chosen);
    add_analyse(app, chosen);
    add_review(app, chosen);
    add_advance(app, chosen);
    add_extend(app, chosen);
    add_summary(app, chosen);
    add_link(app, chosen);
    add_directives(app, chosen);
    add_export(app, chosen);
    add_import(app, chosen);
    add_worker(app, chosen);
    add_uci(app, chosen);
    add_engine(app, chosen);
    add_lichess(app, chosen);
    add_check(app, chosen);
    add_doctor(app, chosen);
    add_backup(app, chosen);
    add_compact(app, chosen);
    add_copy(app, chosen);
    add_tables(app, chosen);
    add_collection(app, chosen);
    add_bench(app, chosen);
    return run_command_line(app, chosen, without_help_command({argv + 1, argv + argc}),
                            {"serve", "worker", "uci", "engine", "lichess"});
}
