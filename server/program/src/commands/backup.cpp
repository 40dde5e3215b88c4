#include "command.hpp"

#include "program/cli/common.hpp"
#include "program/cli/progress.hpp"
#include "storage/maintenance.hpp"

#include <spdlog/fmt/fmt.h>

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

int compact(const CommonOptions& options) {
    const auto directory = options.directory("PostgreSQL makes room itself (autovacuum)");
    if (!directory) {
        return bad_use(directory.error());
    }
    Bar bar{"writing anew"};
    const auto report = storage::compact(*directory, bar.advance());
    bar.end();
    std::cout << "compacted and checked: " << megabytes_text(report.bytes_before) << " became "
              << megabytes_text(report.bytes_after) << " in " << directory->string() << '\n';
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

void add_compact(CLI::App& app, Chosen& chosen) {
    auto options = std::make_shared<CommonOptions>();
    CLI::App* command = app.add_subcommand(
        "compact", "write a data directory's store anew without free room; no server may run");
    options->add_data(*command);
    options->add_config(*command);
    command->callback([options, &chosen] { chosen = [options] { return compact(*options); }; });
}

} // namespace adjourn::server
