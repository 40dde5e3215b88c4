#include "program/commands/command.hpp"

#include "core/engines/installed_engines.hpp"
#include "host/worker_address.hpp"
#include "program/worker/worker_client.hpp"
#include "storage/open.hpp"

#include <spdlog/spdlog.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <expected>
#include <iostream>
#include <string>
#include <vector>

namespace adjourn::server {

namespace {

struct WorkerOptions {
    CommonOptions common;
    std::vector<std::string> servers;
    std::string store;
    std::string token_file;
    std::string ca_file;
    std::string name;
};

// The error is for people.
std::expected<std::vector<Server>, std::string> servers_given(const WorkerOptions& options,
                                                              const std::string& token) {
    std::vector<Server> servers;
    for (const std::string& text : options.servers) {
        auto url = parse_server_url(text);
        if (!url) {
            return std::unexpected("--server: " + url.error());
        }
        url->ca_file = options.ca_file;
        servers.push_back({std::move(*url), text, token});
    }
    return servers;
}

int work(const WorkerOptions& options) {
    const bool by_store = !options.store.empty();
    if (by_store == !options.servers.empty()) {
        return bad_use(by_store ? "--server and --store: one of them says where the questions are"
                                : "say where the questions are: --server URL or --store URL");
    }
    if (!options.ca_file.empty()) {
        if (const std::string problem = problem_of_certificates(options.ca_file);
            !problem.empty()) {
            return bad_use("--ca-file: " + problem);
        }
    }
    if (by_store && !storage::is_url(options.store)) {
        return bad_use("--store: workers find a server by a database only: postgresql://…");
    }
    if (by_store && !storage::has_kind(options.store)) {
        return bad_use("--store: this build has no such databases: install libpq-dev and build "
                       "again");
    }
    auto config = options.common.load();
    if (!config) {
        return bad_use(config.error());
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
    const auto servers = servers_given(options, token);
    if (!servers) {
        return bad_use(servers.error());
    }
    set_log(config->log);
    block_stop_signals();
    WorkerClient::Options client_options;
    client_options.servers = by_store ? server_of(options.store, options.ca_file)
                                      : [servers = *servers] { return servers; };
    client_options.name = !options.name.empty()  ? options.name
                          : !host_name().empty() ? host_name()
                                                 : "a machine";
    client_options.engines = config->engines;
    if (client_options.engines.size() > 1 && is_built_in(client_options.engines.back())) {
        client_options.engines.pop_back(); // kept for analyses of one's own
    }
    client_options.hopeless = [] { kill(getpid(), SIGTERM); };
    WorkerClient client{std::move(client_options)};
    client.start();
    next_stop_signal(-1);
    std::cout << "stopping …" << std::endl;
    if (const std::string problem = client.stop(); !problem.empty()) {
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
    command
        ->add_option("--server", options->servers,
                     "its address: http://HOST:PORT, https://HOST; may be given several times, the "
                     "first that answers counts")
        ->type_name("URL")
        ->allow_extra_args(false);
    command
        ->add_option("--store", options->store,
                     "the database of its store instead, which says where it is: postgresql://…")
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
    options->common.add_engines(*command);
    command->add_option("--name", options->name, "of this machine, for people (default: its own)")
        ->type_name("NAME");
    command->callback([options, &chosen] { chosen = [options] { return work(*options); }; });
}

} // namespace adjourn::server
