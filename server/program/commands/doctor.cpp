#include "program/commands/command.hpp"

#include "core/engines/installed_engines.hpp"
#include "program/doctor/checks.hpp"
#include "storage/open.hpp"

#include <spdlog/spdlog.h>

#include <chrono>
#include <iostream>

namespace adjourn::server {

namespace {

struct DoctorOptions {
    CommonOptions common;
    std::string listen;
    std::string web;
};

struct Counts {
    std::size_t bad = 0;
    std::size_t doubtful = 0;
};

void print(const Findings& findings, Counts& counts) {
    for (const Finding& finding : findings) {
        const bool bad = finding.kind == Finding::Kind::bad;
        const bool doubtful = finding.kind == Finding::Kind::doubtful;
        counts.bad += bad ? 1 : 0;
        counts.doubtful += doubtful ? 1 : 0;
        std::cout << (bad        ? "BAD     "
                      : doubtful ? "doubt   "
                                 : "ok      ")
                  << finding.what << '\n';
        if (!finding.cure.empty()) {
            std::cout << "        → " << finding.cure << '\n';
        }
    }
    std::cout << std::flush; // the next check may take a while
}

int doctor(const DoctorOptions& options) {
    spdlog::set_level(spdlog::level::off); // what is found is printed once
    Counts counts;
    const std::filesystem::path file = options.common.config_file();
    auto config = options.common.load();
    if (config && !options.listen.empty()) {
        const auto listen = parse_listen(options.listen);
        if (!listen) {
            return bad_use("--listen: " + listen.error());
        }
        std::tie(config->listen_address, config->listen_port) = *listen;
    }
    if (config) {
        print({{Finding::Kind::good,
                file.empty() ? "no configuration file; the defaults are used"
                             : "configuration " + file.string(),
                ""}},
              counts);
        print(check_tokens(*config, file), counts);
    } else {
        print({{Finding::Kind::bad, config.error(),
                "mend the file (docs/operate/configuration.md has all keys)"}},
              counts);
        config = default_config();
    }
    const std::filesystem::path data = options.common.location(*config);
    const auto now = std::chrono::duration_cast<std::chrono::milliseconds>(
                         std::chrono::system_clock::now().time_since_epoch())
                         .count();
    if (!storage::is_url(data)) {
        print(check_data_directory(data), counts);
    }
    print(check_store(data, now), counts);
    InstalledEngines installed{added_engines_file(data), config->engines};
    config->engines = installed.profiles();
    print(check_machine(*config), counts);
    print(check_engines(*config, now), counts);
    print(check_installed(installed), counts);
    print(check_tables(*config), counts);
    print(check_address(*config, data), counts);
    print(check_page(find_page(options.web)), counts);
    if (counts.bad + counts.doubtful == 0) {
        std::cout << "all is well\n";
    } else {
        std::cout << counts.bad << " bad, " << counts.doubtful << " doubtful\n";
    }
    return counts.bad == 0 ? exit_done : exit_failed;
}

} // namespace

void add_doctor(CLI::App& app, Chosen& chosen) {
    auto options = std::make_shared<DoctorOptions>();
    CLI::App* command = app.add_subcommand(
        "doctor", "what is wrong with configuration, engines, tables, disk, and the cure");
    options->common.add_to(*command);
    command->add_option("--listen", options->listen, "address and port that serve would use")
        ->type_name("ADDRESS:PORT");
    command->add_option("--web", options->web, "directory of the built page")->type_name("DIR");
    command->callback([options, &chosen] { chosen = [options] { return doctor(*options); }; });
}

} // namespace adjourn::server
