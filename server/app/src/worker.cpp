#include "command.hpp"

#include "cli/common.hpp"
#include "cli/log.hpp"
#include "host/secret_file.hpp"
#include "worker/station.hpp"

#include <spdlog/spdlog.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <iostream>

namespace adjourn::server {

namespace {

struct WorkerOptions {
    CommonOptions common;
    std::string server;
    std::string token_file;
    std::string name;
    std::size_t engines = 0;
};

std::string host_name() {
    std::array<char, 256> name{};
    return gethostname(name.data(), name.size() - 1) == 0 && name[0] != '\0' ? name.data()
                                                                             : "a machine";
}

int work(const WorkerOptions& options) {
    const auto server = parse_server_url(options.server);
    if (!server) {
        return bad_use("--server: " + server.error());
    }
    auto config = options.common.load();
    if (!config) {
        return bad_use(config.error());
    }
    if (options.engines > 0) {
        config->engines.front().count = options.engines;
    }
    std::string token;
    if (!options.token_file.empty()) {
        auto secret = read_secret(options.token_file);
        if (!secret) {
            return bad_use("--token-file: " + secret.error());
        }
        token = std::move(*secret);
    } else if (const char* given = std::getenv("ADJOURN_TOKEN")) {
        token = given;
    }
    set_log(config->log);
    block_stop_signals();
    Station::Options station_options;
    station_options.server = *server;
    station_options.url = options.server;
    station_options.token = std::move(token);
    station_options.name = options.name.empty() ? host_name() : options.name;
    station_options.engines = config->engines;
    station_options.hopeless = [] { kill(getpid(), SIGTERM); };
    Station station{std::move(station_options)};
    station.start();
    wait_for_stop_signal(-1);
    std::cout << "stopping …" << std::endl;
    if (const std::string problem = station.stop(); !problem.empty()) {
        return failed(problem);
    }
    std::cout << "stopped; what was not answered goes to others" << std::endl;
    return exit_done;
}

} // namespace

void add_worker(CLI::App& app, Chosen& chosen) {
    auto options = std::make_shared<WorkerOptions>();
    CLI::App* command =
        app.add_subcommand("worker", "let this machine's engines answer questions of a server");
    command->add_option("--server", options->server, "its address: http://HOST:PORT, https://HOST")
        ->required()
        ->type_name("URL");
    command
        ->add_option("--token-file", options->token_file,
                     "a file with the server's token for workers (default: $ADJOURN_TOKEN)")
        ->type_name("FILE");
    options->common.add_config(*command);
    command->add_option("--engines", options->engines, "processes of the default engine")
        ->check(whole_number(1, 1024));
    command->add_option("--name", options->name, "of this machine, for people (default: its own)")
        ->type_name("NAME");
    command->callback([options, &chosen] { chosen = [options] { return work(*options); }; });
}

} // namespace adjourn::server
