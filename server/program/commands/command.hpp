// The commands of the program. Each adds itself to the command line and returns what to run.
// Exit codes: cli/common.hpp.
#pragma once

#include "program/cli/command_line.hpp"
#include "program/cli/common.hpp"

namespace adjourn::server {

using AddCommand = void(CLI::App& app, Chosen& chosen);
AddCommand add_serve, add_analyse, add_review, add_advance, add_extend, add_renew, add_summary,
    add_link, add_directives, add_gaps, add_export, add_import, add_worker, add_uci, add_engine,
    add_lichess, add_check, add_doctor, add_backup, add_copy, add_tables, add_collection, add_bench;

} // namespace adjourn::server
