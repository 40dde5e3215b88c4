// The commands of the program. Each adds itself to the command line and returns what to run.
// Exit codes: cli/exit_codes.hpp.
#pragma once

#include "program/cli/command_line.hpp"
#include "program/cli/common.hpp"

#include <CLI/CLI.hpp>

#include <functional>
#include <string>

namespace adjourn::server {

void add_serve(CLI::App& app, Chosen& chosen);
void add_analyse(CLI::App& app, Chosen& chosen);
void add_review(CLI::App& app, Chosen& chosen);
void add_advance(CLI::App& app, Chosen& chosen);
void add_extend(CLI::App& app, Chosen& chosen);
void add_summary(CLI::App& app, Chosen& chosen);
void add_link(CLI::App& app, Chosen& chosen);
void add_directives(CLI::App& app, Chosen& chosen);
void add_export(CLI::App& app, Chosen& chosen);
void add_import(CLI::App& app, Chosen& chosen);
void add_worker(CLI::App& app, Chosen& chosen);
void add_uci(CLI::App& app, Chosen& chosen);
void add_engine(CLI::App& app, Chosen& chosen);
void add_lichess(CLI::App& app, Chosen& chosen);
void add_check(CLI::App& app, Chosen& chosen);
void add_doctor(CLI::App& app, Chosen& chosen);
void add_backup(CLI::App& app, Chosen& chosen);
void add_compact(CLI::App& app, Chosen& chosen);
void add_copy(CLI::App& app, Chosen& chosen);
void add_tables(CLI::App& app, Chosen& chosen);
void add_collection(CLI::App& app, Chosen& chosen);
void add_bench(CLI::App& app, Chosen& chosen);

} // namespace adjourn::server
