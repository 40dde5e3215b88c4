#include "command.hpp"
#include "page.hpp"
#include "supervisor.hpp"

#include "chess/notation.hpp"
#include "cli/common.hpp"
#include "cli/log.hpp"
#include "health/guard.hpp"
#include "host/service.hpp"
#include "http/listener.hpp"
#include "records/time_zone.hpp"
#include "storage/open.hpp"

#include <spdlog/spdlog.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <iostream>
#include <memory>

namespace adjourn::server {

namespace {

struct ServeOptions {
    CommonOptions common;
    std::string listen;
    std::size_t engines = 0;
    std::string web;
    bool demonstration = false;
};

// Something to look at for newcomers: the Ruy Lopez, unless there is an analysis already.
void demonstrate(Service& service) {
    const chess::Position start = chess::Position::initial();
    NewAnalysis wanted{"Ruy Lopez",
                       start,
                       *chess::parse_line(start, "1. e4 e5 2. Nf3 Nc6 3. Bb5"),
                       "",
                       {analysis::Limit::Kind::depth, 14},
                       {},
                       0,
                       false};
    wanted.spec.strategy.move_distance = 30;
    wanted.spec.strategy.refine = 8;
    service.with_core([&](Core& core) {
        if (core.runs().empty()) {
            if (const auto made = core.create(std::move(wanted)); !made) {
                spdlog::warn("no demonstration: {}", made.error().message);
            }
        }
    });
}

// The configuration, with what the command line says instead.
std::expected<Config, std::string> load(const ServeOptions& options) {
    auto config = options.common.load();
    if (!config) {
        return config;
    }
    if (!options.listen.empty()) {
        auto listen = parse_listen(options.listen);
        if (!listen) {
            return std::unexpected("--listen: " + listen.error());
        }
        std::tie(config->listen_address, config->listen_port) = *listen;
    }
    if (options.engines > 0) {
        config->engines.front().count = options.engines;
    }
    return config;
}

void reload(Service& service, const ServeOptions& options) {
    const auto config = load(options);
    const auto waiting = config ? service.reload(*config) : std::unexpected(config.error());
    if (!waiting) {
        spdlog::error("the configuration stays as it was: {}", waiting.error());
        return;
    }
    set_log(config->log);
    spdlog::info("read the configuration again");
    for (const std::string& key : *waiting) {
        spdlog::warn("what the configuration says of '{}' waits for a restart", key);
    }
}

// Until somebody stops it. SIGHUP reads the configuration again, unless it comes because the
// terminal is gone that the server was started from.
void run(Service& service, const ServeOptions& options, const Supervisor& supervisor) {
    const bool on_terminal = isatty(STDIN_FILENO) == 1;
    const auto period = supervisor.watchdog_period();
    const int patience = period ? static_cast<int>(period->count()) : -1;
    while (true) {
        const auto signal = next_stop_signal(patience);
        if (signal && (*signal != SIGHUP || (on_terminal && isatty(STDIN_FILENO) == 0))) {
            return;
        }
        if (signal) {
            supervisor.tell("RELOADING=1");
            guarded("reading the configuration again", [&] { reload(service, options); });
            supervisor.tell("READY=1");
        }
        if (period) { // by the core's thread: a server whose core hangs is not alive
            service.post([&supervisor](Core&) { supervisor.tell("WATCHDOG=1"); });
        }
    }
}

int serve(const ServeOptions& options) {
    const Supervisor supervisor;
    auto config = load(options);
    if (!config) {
        return bad_use(config.error());
    }
    set_log(config->log);
    if (!config->time_zone.empty()) {
        if (const auto used = use_time_zone(config->time_zone); !used) {
            return bad_use(used.error());
        }
    }
    const std::string page = find_page(options.web);
    if (page.empty()) {
        spdlog::warn("the page is not built (web/dist); only the API is served");
    }
    block_stop_signals();
    std::unique_ptr<Service> service;
    try {
        service = std::make_unique<Service>(
            std::move(*config), ServiceOptions{options.common.location(), true, page, false});
    } catch (const storage::StoreInUse& error) {
        return failed(std::string{error.what()} +
                      (error.holder().empty() ? "" : " (it answers on " + error.holder() + ")"));
    } catch (const storage::StoreError& error) {
        return failed(error.what());
    } catch (const tables::TablesError& error) {
        return failed(error.what());
    } catch (const http::ListenError& error) {
        return failed(error.what());
    }
    service->start();
    if (options.demonstration) {
        guarded("the demonstration", [&] { demonstrate(*service); });
    }
    std::cout << "Adjourn is on " << service->url() << "/  (";
    if (service->on_all_addresses()) {
        std::cout << "for others: port " << service->port() << " of any address of this machine; ";
    }
    std::cout << "data in " << storage::shown(options.common.location()) << "; Ctrl-C stops it)"
              << std::endl;
    supervisor.tell("READY=1\nSTATUS=on " + service->url() + "/");
    run(*service, options, supervisor);
    supervisor.tell("STOPPING=1");
    std::cout << "\nstopping …" << std::endl;
    if (const std::string problem = service->stop(); !problem.empty()) {
        return failed("stopped, but not everything could be stored: " + problem);
    }
    std::cout << "stopped; everything is stored" << std::endl;
    return exit_done;
}

} // namespace

void add_serve(CLI::App& app, Chosen& chosen) {
    auto options = std::make_shared<ServeOptions>();
    CLI::App* command = app.add_subcommand("serve", "run the server and its page");
    options->common.add_store(*command);
    options->common.add_config(*command);
    command->add_option("--listen", options->listen, "address and port (default 127.0.0.1:8462)")
        ->type_name("ADDRESS:PORT");
    command->add_option("--engines", options->engines, "processes of the default engine")
        ->check(whole_number(1, 1024));
    command->add_option("--web", options->web, "directory of the built page")->type_name("DIR");
    command->add_flag("--demonstration", options->demonstration,
                      "queue the Ruy Lopez if there is no analysis yet");
    command->callback([options, &chosen] { chosen = [options] { return serve(*options); }; });
}

} // namespace adjourn::server
