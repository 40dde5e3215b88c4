#include "program/commands/command.hpp"

#include "base/number.hpp"
#include "chess/notation.hpp"
#include "core/guards/guard.hpp"
#include "core/records/time_zone.hpp"
#include "host/service.hpp"
#include "host/worker_address.hpp"
#include "http/listener.hpp"
#include "storage/open.hpp"

#include <spdlog/spdlog.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>
#include <utility>

namespace adjourn::server {

namespace {

std::string taken_variable(const char* name) {
    const char* value = std::getenv(name);
    std::string text = value != nullptr ? value : "";
    unsetenv(name);
    return text;
}

// What a service manager that started the program is told, by the protocol of sd_notify(3): text in
// a datagram to the socket that $NOTIFY_SOCKET names. Without one nothing happens.
class Supervisor {
public:
    // Reads and removes $NOTIFY_SOCKET and $WATCHDOG_USEC, so that engines do not inherit them.
    // Call before any thread starts.
    Supervisor() : socket_{taken_variable("NOTIFY_SOCKET")} {
        const std::string usec = taken_variable("WATCHDOG_USEC");
        const std::string pid = taken_variable("WATCHDOG_PID");
        const auto microseconds = base::parse_number<std::uint64_t>(usec);
        const bool for_us = pid.empty() || pid == std::to_string(getpid());
        if (!socket_.empty() && for_us && microseconds && *microseconds >= 2'000) {
            period_ = std::chrono::milliseconds{*microseconds / 2'000};
        }
    }

    // "READY=1", "STOPPING=1", "WATCHDOG=1", "STATUS=…". What cannot be sent is dropped. Any
    // thread.
    void tell(std::string_view state) const {
        sockaddr_un address{};
        if (socket_.empty() || socket_.size() >= sizeof address.sun_path) {
            return;
        }
        address.sun_family = AF_UNIX;
        std::ranges::copy(socket_, address.sun_path);
        if (socket_.front() == '@') {
            address.sun_path[0] = '\0'; // an abstract name
        }
        const int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
        if (fd < 0) {
            return;
        }
        const auto length =
            static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + socket_.size());
        [[maybe_unused]] const auto sent =
            sendto(fd, state.data(), state.size(), MSG_NOSIGNAL,
                   reinterpret_cast<const sockaddr*>(&address), length);
        close(fd);
    }

    // How often it wants "WATCHDOG=1": half of the time after which it takes the program for dead.
    std::optional<std::chrono::milliseconds> watchdog_period() const { return period_; }

private:
    std::string socket_; // "" = none
    std::optional<std::chrono::milliseconds> period_;
};

struct ServeOptions {
    CommonOptions common;
    std::string listen;
    std::string token_file;
    std::string web;
    bool demonstration = false;
    bool stand_by = false;
};

// Something to look at for newcomers: the Ruy Lopez, unless there is an analysis already. It gives
// way to what they make. In nodes, since a depth can take an engine minutes, and a newcomer's own
// question waits for one that is out.
void demonstrate(Service& service) {
    const chess::Position start = chess::Position::initial();
    NewAnalysis wanted{"Ruy Lopez",
                       start,
                       *chess::parse_line(start, "1. e4 e5 2. Nf3 Nc6 3. Bb5"),
                       "",
                       {analysis::Limit::Kind::nodes, 100'000},
                       {},
                       -1,
                       false};
    wanted.spec.labels.tags = {"example"}; // the page knows it by that
    wanted.spec.strategy.move_distance = 30;
    wanted.spec.strategy.refine = 8;
    service.with_core([&](Core& core) {
        if (core.queue().runs().empty()) {
            core.create(std::move(wanted)).then([](const auto& made) {
                if (!made) {
                    spdlog::warn("no demonstration: {}", made.error().message);
                }
            });
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
    if (!options.token_file.empty()) {
        auto secret = read_secret(options.token_file);
        if (!secret) {
            return std::unexpected("--token-file: " + secret.error());
        }
        config->token = std::move(*secret);
    }
    return config;
}

// A service, whenever the store is to be had: always at one place, on one address.
class Opener {
public:
    Opener(Config config, std::string page, const ServeOptions& options)
        : location_{options.common.location(config)}, config_{std::move(config)}, page_{std::move(
                                                                                      page)} {}

    // Throws as Service does.
    std::unique_ptr<Service> open() {
        auto service = std::make_unique<Service>(config_, ServiceOptions{location_, true, page_});
        config_.listen_port = service->port(); // and no other one from now on
        return service;
    }

    const std::filesystem::path& location() const { return location_; }

    // The next one has this configuration, on the address that it has now.
    void use(Config config) {
        config.listen_address = config_.listen_address;
        config.listen_port = config_.listen_port;
        config_ = std::move(config);
    }

private:
    const std::filesystem::path location_; // and no other one, whatever a reload reads
    Config config_;
    std::string page_;
};

// `service`: null while it stands by.
void reload(Service* service, Opener& opener, const ServeOptions& options) {
    const auto config = load(options);
    std::expected<std::vector<std::string>, std::string> waiting;
    if (!config) {
        waiting = std::unexpected(config.error());
    } else if (service != nullptr) {
        waiting = service->reload(*config);
    }
    if (!waiting) {
        spdlog::error("the configuration stays as it was: {}", waiting.error());
        return;
    }
    opener.use(*config);
    set_log(config->log);
    spdlog::info("read the configuration again");
    for (const std::string& key : *waiting) {
        spdlog::warn("what the configuration says of '{}' waits for a restart", key);
    }
}

// Waits for a store that another server works on, and listens nowhere meanwhile.
class StandBy {
public:
    static constexpr int look_ms = 500;

    void begin() { since_ = Clock::now(); }

    // Null while it is not time: nobody has to have worked for a while, so that a server that lost
    // its connection for a moment may come back. To be called again and again.
    std::unique_ptr<Service> try_to_open(Opener& opener) {
        try {
            const auto free_since = std::exchange(since_, Clock::now());
            if (storage::has_owner(opener.location())) {
                told_.clear();
                return nullptr;
            }
            since_ = free_since;
            return Clock::now() - since_ < patience ? nullptr : opener.open();
        } catch (const storage::StoreInUse&) {      // another one was quicker
        } catch (const std::runtime_error& error) { // of the store, or of the address
            if (std::exchange(told_, error.what()) != error.what()) {
                spdlog::warn("cannot work yet: {}; it is tried again", error.what());
            }
        }
        return nullptr;
    }

private:
    using Clock = std::chrono::steady_clock;
    static constexpr std::chrono::seconds patience{2};

    Clock::time_point since_; // nobody works
    std::string told_;
};

void begin(Service& service, const Opener& opener, const ServeOptions& options,
           const Supervisor& supervisor) {
    service.start();
    if (options.demonstration) {
        guarded("the demonstration", [&] { demonstrate(service); });
    }
    std::cout << "Adjourn is on " << service.url() << "/  (";
    if (service.on_all_addresses()) {
        std::cout << "for others: port " << service.port() << " of any address of this machine; ";
    }
    std::cout << "data in " << storage::shown(opener.location()) << "; Ctrl-C stops it)"
              << std::endl;
    supervisor.tell("READY=1\nSTATUS=on " + service.url() + "/");
}

void begin(StandBy& stand_by, const Opener& opener, const Supervisor& supervisor) {
    stand_by.begin();
    const std::string store = storage::shown(opener.location());
    std::cout << "Adjourn stands by: another one works on " << store
              << ", and this one will when that one has ended (Ctrl-C stops it)" << std::endl;
    supervisor.tell("READY=1\nSTATUS=stands by for " + store);
}

// Until somebody stops it; the service is null while it stands by. SIGHUP reads the configuration
// again, unless it comes because the terminal is gone that the server was started from.
void run(std::unique_ptr<Service>& service, Opener& opener, const ServeOptions& options,
         const Supervisor& supervisor) {
    const bool on_terminal = isatty(STDIN_FILENO) == 1;
    const auto period = supervisor.watchdog_period();
    int patience = period ? static_cast<int>(period->count()) : -1;
    if (options.stand_by) {
        patience = period ? std::min(patience, StandBy::look_ms) : StandBy::look_ms;
    }
    StandBy stand_by;
    if (!service) {
        begin(stand_by, opener, supervisor);
    }
    while (true) {
        const auto signal = next_stop_signal(patience);
        if (signal && (*signal != SIGHUP || (on_terminal && isatty(STDIN_FILENO) == 0))) {
            return;
        }
        if (signal) {
            supervisor.tell("RELOADING=1");
            guarded("reading the configuration again",
                    [&] { reload(service.get(), opener, options); });
            supervisor.tell("READY=1");
        }
        if (options.stand_by && service && service->is_replaced()) {
            spdlog::warn("another server works on the store now");
            service->stop();
            service.reset();
            begin(stand_by, opener, supervisor);
        } else if (!service) {
            service = stand_by.try_to_open(opener);
            if (service) {
                spdlog::warn("no server works on the store: this one does");
                begin(*service, opener, options, supervisor);
            }
        }
        if (!period) {
            continue;
        }
        if (service) { // by the core's thread: a server whose core hangs is not alive
            service->post([&supervisor](Core&) { supervisor.tell("WATCHDOG=1"); });
        } else {
            supervisor.tell("WATCHDOG=1");
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
    Opener opener{std::move(*config), page, options};
    if (options.stand_by && !storage::is_url(opener.location())) {
        return failed("a server stands by only where the store is a database: " +
                      opener.location().string() + " is a directory");
    }
    std::unique_ptr<Service> service; // none: it stands by
    try {
        service = opener.open();
    } catch (const storage::StoreInUse& error) {
        if (!options.stand_by) {
            return failed(
                std::string{error.what()} +
                (error.holder().empty() ? "" : " (it answers on " + error.holder() + ")"));
        }
    } catch (const storage::StoreError& error) {
        return failed(error.what());
    } catch (const tables::TablesError& error) {
        return failed(error.what());
    } catch (const http::ListenError& error) {
        return failed(error.what());
    }
    if (service) {
        begin(*service, opener, options, supervisor);
    }
    run(service, opener, options, supervisor);
    supervisor.tell("STOPPING=1");
    std::cout << "\nstopping …" << std::endl;
    if (const std::string problem = service ? service->stop() : ""; !problem.empty()) {
        return failed("stopped, but not everything could be stored: " + problem);
    }
    std::cout << "stopped; everything is stored" << std::endl;
    return exit_done;
}

} // namespace

void add_serve(CLI::App& app, Chosen& chosen) {
    auto options = std::make_shared<ServeOptions>();
    CLI::App* command = app.add_subcommand("serve", "run the server and its page");
    options->common.add_to(*command);
    command->add_option("--listen", options->listen, "address and port (default 127.0.0.1:8462)")
        ->type_name("ADDRESS:PORT");
    command
        ->add_option("--token-file", options->token_file,
                     "a file with the secret that every request must show")
        ->type_name("FILE");
    options->common.add_engines(*command);
    command->add_option("--web", options->web, "directory of the built page")->type_name("DIR");
    command->add_flag("--demonstration", options->demonstration,
                      "queue the Ruy Lopez if there is no analysis yet");
    command->add_flag("--stand-by", options->stand_by,
                      "where another server works on the database: wait, and work when that one "
                      "has ended; with a database");
    command->callback([options, &chosen] { chosen = [options] { return serve(*options); }; });
}

} // namespace adjourn::server
