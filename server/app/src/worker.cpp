#include "command.hpp"

#include "cli/common.hpp"
#include "cli/log.hpp"
#include "host/secret_file.hpp"
#include "worker/http_worker_link.hpp"
#include "worker/station.hpp"
#include "worker/store_worker_link.hpp"

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
    std::string store;
    std::string token_file;
    std::string ca_file;
    std::string name;
    std::size_t engines = 0;
};

std::string host_name() {
    std::array<char, 256> name{};
    return gethostname(name.data(), name.size() - 1) == 0 && name[0] != '\0' ? name.data()
                                                                             : "a machine";
}

int work(const WorkerOptions& options) {
    const bool by_store = !options.store.empty();
    if (by_store == !options.server.empty()) {
        return bad_use("say where the questions are: --server URL or --store URL");
    }
    auto server = by_store ? ServerUrl{} : parse_server_url(options.server);
    if (!server) {
        return bad_use("--server: " + server.error());
    }
    server->ca_file = options.ca_file;
    if (!options.ca_file.empty()) {
        if (const std::string problem = problem_of_certificates(options.ca_file);
            !problem.empty()) {
            return bad_use("--ca-file: " + problem);
        }
    }
    if (by_store && !storage::is_url(options.store)) {
        return bad_use("--store: machines meet in a database only: postgresql://…");
    }
    if (by_store && !storage::open_worker_post(options.store)) {
        return bad_use("--store: this build has no PostgreSQL: install libpq-dev and build again");
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
    station_options.url = by_store ? storage::shown(options.store) : options.server;
    station_options.connect = [&]() -> std::unique_ptr<WorkerLink> {
        if (by_store) {
            return std::make_unique<StoreWorkerLink>(options.store);
        }
        return std::make_unique<HttpWorkerLink>(*server, options.server, token);
    };
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
        ->type_name("URL");
    command
        ->add_option("--store", options->store,
                     "the database of its store instead: postgresql://…, as 'adjourn serve' has it")
        ->type_name("URL");
    command
        ->add_option("--token-file", options->token_file,
                     "a file with the server's token for workers (default: $ADJOURN_TOKEN)")
        ->type_name("FILE");
    command
        ->add_option("--ca-file", options->ca_file,
                     "certificates to trust for https, besides those of this machine")
        ->type_name("FILE");
    options->common.add_config(*command);
    command->add_option("--engines", options->engines, "processes of the default engine")
        ->check(whole_number(1, 1024));
    command->add_option("--name", options->name, "of this machine, for people (default: its own)")
        ->type_name("NAME");
    command->callback([options, &chosen] { chosen = [options] { return work(*options); }; });
}

} // namespace adjourn::server
