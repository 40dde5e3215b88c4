// What is a program of its own in this one, or beside it: `uci`, `engine`, `bench`, `lichess` and
// `worker`.
#include "base/files.hpp"
#include "core/engines/installed_engines.hpp"
#include "host/worker_address.hpp"
#include "lichess/provider.hpp"
#include "program/commands/command.hpp"
#include "program/worker/worker_client.hpp"
#include "search/engine/conversation.hpp"
#include "storage/open.hpp"
#include "uci/front_end.hpp"

#include <spdlog/spdlog.h>

#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <expected>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

namespace adjourn::server {

namespace {

int play(const CommonOptions& options) {
    auto config = options.load();
    if (!config) {
        return bad_use(config.error());
    }
    block_stop_signals();
    spdlog::set_level(spdlog::level::err); // what matters is said to the GUI
    const auto location = options.location(*config);
    uci::FrontEndOptions front_end{location, 0, 1, stop_signal_descriptor()};
    front_end.server = options.server;
    uci::run_front_end(std::move(*config), front_end);
    return exit_done;
}

// adjourn-bench, which stands beside this program where somebody has built it. Returns only if it
// cannot be started.
int measure(std::vector<std::string> words) {
    std::error_code error;
    const std::filesystem::path program = base::program_file().parent_path() / "adjourn-bench";
    if (!std::filesystem::exists(program, error)) {
        return failed("the measurements are not built: cmake --build build/release --target "
                      "adjourn-bench");
    }
    words.insert(words.begin(), program.string());
    std::vector<char*> arguments;
    arguments.reserve(words.size() + 1);
    for (std::string& word : words) {
        arguments.push_back(word.data());
    }
    arguments.push_back(nullptr);
    execv(program.c_str(), arguments.data());
    return failed("cannot start " + program.string() + ": " + std::strerror(errno));
}

const std::string lichess_site = "https://lichess.org";
const std::string lichess_broker = "https://engine.lichess.ovh";

struct LichessOptions {
    CommonOptions common;
    std::string token_file;
    std::string site = lichess_site;
    std::string broker;
    std::string name = "Adjourn";
};

bool is_this_machine(const std::string& host) {
    return host == "localhost" || host == "::1" || host.starts_with("127.");
}

// The error is for people.
std::expected<lichess::Host, std::string> host_given(const std::string& option, std::string text) {
    const auto url = parse_server_url(text);
    if (!url) {
        return std::unexpected(option + ": " + url.error());
    }
    if (!url->secure && !is_this_machine(url->host)) {
        return std::unexpected(option + ": http:// shows the token to everybody on the way; it is "
                                        "for this machine only, use https://");
    }
    if (text.ends_with('/')) {
        text.pop_back();
    }
    return lichess::Host{*url, text};
}

int provide(const LichessOptions& options) {
    const auto site = host_given("--url", options.site);
    if (!site) {
        return bad_use(site.error());
    }
    const auto broker = host_given("--engine-url", !options.broker.empty()       ? options.broker
                                                   : site->shown == lichess_site ? lichess_broker
                                                                                 : site->shown);
    if (!broker) {
        return bad_use(broker.error());
    }
    const std::string make_one =
        "; make a token on " + lichess::token_page(site->shown) + " and put it into a file";
    if (options.token_file.empty()) {
        return bad_use("--token-file is needed" + make_one);
    }
    const auto token = read_secret(options.token_file);
    if (!token) {
        return bad_use("--token-file: " + token.error() + make_one);
    }
    auto config = options.common.load();
    if (!config) {
        return bad_use(config.error());
    }
    set_log(config->log);
    block_stop_signals();
    lichess::ProviderOptions provider_options;
    provider_options.site = *site;
    provider_options.broker = *broker;
    provider_options.token = *token;
    provider_options.name = options.name;
    provider_options.store = options.common.location(*config);
    provider_options.server = options.common.server;
    provider_options.config = std::move(*config);
    provider_options.hopeless = [] { kill(getpid(), SIGTERM); };
    lichess::Provider provider{std::move(provider_options)};
    provider.start();
    next_stop_signal(-1);
    if (const std::string problem = provider.stop(); !problem.empty()) {
        return failed(problem);
    }
    std::cout << "stopped; what was found is kept" << std::endl;
    return exit_done;
}

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

void add_uci(CLI::App& app, Chosen& chosen) {
    auto options = std::make_shared<CommonOptions>();
    CLI::App* command =
        app.add_subcommand("uci", "the deep analysis as a UCI engine, for any chess GUI");
    options->add_to(*command);
    options->add_server(*command);
    command->callback([options, &chosen] { chosen = [options] { return play(*options); }; });
}

void add_engine(CLI::App& app, Chosen& chosen) {
    CLI::App* command =
        app.add_subcommand("engine", "the built-in engine (UCI), which needs nothing installed");
    command->callback([&chosen] {
        chosen = [] {
            engine::converse(std::cin, std::cout);
            return exit_done;
        };
    });
}

void add_bench(CLI::App& app, Chosen& chosen) {
    CLI::App* command = app.add_subcommand(
        "bench", "measure; the program adjourn-bench, which is built on its own");
    command->set_help_flag(); // it knows its help
    command->prefix_command();
    command->callback(
        [command, &chosen] { chosen = [words = command->remaining()] { return measure(words); }; });
}

void add_lichess(CLI::App& app, Chosen& chosen) {
    auto options = std::make_shared<LichessOptions>();
    CLI::App* command =
        app.add_subcommand("lichess", "an engine for the analysis board of lichess.org");
    command
        ->add_option("--token-file", options->token_file,
                     "a file with your token for lichess, which needs the scopes engine:read and "
                     "engine:write")
        ->type_name("FILE");
    command->add_option("--name", options->name, "what lichess calls it (default: Adjourn)")
        ->check([](const std::string& text) {
            return text.size() < 3 || text.size() > 200 ? "lichess takes 3 to 200 characters" : "";
        })
        ->type_name("NAME");
    command->add_option("--url", options->site, "another lichess than https://lichess.org")
        ->type_name("URL");
    command
        ->add_option("--engine-url", options->broker,
                     "its server that hands out work (default: https://engine.lichess.ovh for "
                     "lichess.org, else --url)")
        ->type_name("URL");
    options->common.add_to(*command);
    options->common.add_server(*command);
    command->callback([options, &chosen] { chosen = [options] { return provide(*options); }; });
}

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
