#include "program/commands/command.hpp"

int main(int argc, char** argv) {
    using namespace adjourn::server;
    CLI::App app{"Adjourn: a persistent deep-analysis server for chess", "adjourn"};
    app.set_version_flag("--version", std::string{"adjourn "} + ADJOURN_VERSION);
    app.require_subcommand(1);
    Chosen chosen;
    for (AddCommand* const add : // in the order of --help
         {add_serve,   add_analyse, add_review,     add_advance,    add_extend, add_renew,
          add_summary, add_link,    add_directives, add_gaps,       add_export, add_import,
          add_worker,  add_uci,     add_engine,     add_lichess,    add_check,  add_doctor,
          add_backup,  add_copy,    add_tables,     add_collection, add_bench}) {
        add(app, chosen);
    }
    return run_command_line(app, chosen, without_help_command({argv + 1, argv + argc}),
                            {"serve", "worker", "uci", "engine", "lichess"});
}
