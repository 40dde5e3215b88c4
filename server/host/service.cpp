#include "host/service.hpp"

#include "api/api.hpp"
#include "api/cloud/clouds.hpp"
#include "api/event_writer.hpp"
#include "api/webhooks/webhooks.hpp"
#include "base/text.hpp"
#include "core/engines/installed_engines.hpp"
#include "core/guards/guard.hpp"
#include "engine_bridge/dispatch/pool.hpp"
#include "engine_bridge/remote/fleet.hpp"
#include "files/import/import.hpp"
#include "host/calls.hpp"
#include "host/loop.hpp"
#include "host/worker_address.hpp"
#include "http/listener.hpp"
#include "http/tokens.hpp"
#include "storage/open.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_future.hpp>
#include <spdlog/spdlog.h>

#include <chrono>
#include <future>
#include <initializer_list>
#include <semaphore>
#include <utility>

namespace adjourn::server {

namespace asio = boost::asio;

namespace {

constexpr std::chrono::seconds pause{20}; // between two looks

analysis::UnixMs wall_clock() {
    return std::chrono::duration_cast<std::chrono::milliseconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
}

// RadarTimer: looks a few times a minute whether webhooks are to be told what came up, and asks the
// API.

// On the core's thread, once that runs.
class RadarTimer {
public:
    // The threads that it uses.
    struct Threads {
        boost::asio::io_context& core;
        boost::asio::io_context& http;    // calls the API, as the listener does
        boost::asio::thread_pool& beside; // reads answers
    };
    // All of them must outlive it, but the core, which may be gone once stop() was called.
    RadarTimer(Threads threads, Core& core, Calls& calls, Webhooks& webhooks)
        : threads_{threads}, calls_{calls}, timer_{threads.core} {
        RadarWatch::Outside outside;
        outside.clock = wall_clock;
        // Trees that are still read would count as unchanged.
        outside.ask = [this, &core](analysis::UnixMs since,
                                    std::function<void(RadarWatch::News)> done) {
            core.when_read([this, since, done = std::move(done)] { ask(since, done); });
        };
        outside.tell = [&webhooks](const WebhookNews& news) { webhooks.tell(news); };
        watch_ = std::make_shared<RadarWatch>(std::move(outside));
    }

    void set(const std::vector<WebhookSettings>& webhooks) { watch_->set(webhooks); }
    void start() {
        timer_.expires_after(pause);
        timer_.async_wait([this](const boost::system::error_code& stopped) {
            if (!stopped && watch_) {
                guarded("what webhooks are told", [this] { watch_->look(); });
                start();
            }
        });
    }

    // Once; before the calls are stopped.
    void stop() {
        timer_.cancel();
        watch_.reset(); // what it has asked for comes to nothing
    }

private:
    void ask(analysis::UnixMs since, const std::function<void(RadarWatch::News)>& done) {
        http::Request request{
            http::Method::get, "/api/v1/radar", {{"since", std::to_string(since)}}, {}, ""};
        const auto tell = [&core = threads_.core, done](RadarWatch::News news) {
            asio::post(core, [done, news = std::move(news)] { done(news); });
        };
        asio::co_spawn(threads_.http, calls_.answer(std::move(request)),
                       [&beside = threads_.beside, tell](const std::exception_ptr& trouble,
                                                         const http::Response& response) {
                           if (trouble || response.status != 200) {
                               return tell(std::nullopt);
                           }
                           asio::post(beside, [tell, body = response.body] {
                               RadarWatch::News news;
                               guarded("what webhooks are told", [&] { news = radar_news(body); });
                               tell(std::move(news));
                           });
                       });
    }

    Threads threads_;
    Calls& calls_;
    boost::asio::steady_timer timer_;
    std::shared_ptr<RadarWatch> watch_;
};

// What two searches of a position differ by; what is taken for it while it is not measured.
double sigma_of(const Core& core, const std::string& profile) {
    for (const auto& engine : core.engines().all()) {
        if (engine->profile.name == profile) {
            const auto noise = core.graphs().noise_of(engine->id);
            return noise ? noise->sigma : analysis::prior_sigma;
        }
    }
    return analysis::prior_sigma;
}

void report(const tables::Inventory& found) {
    for (const std::string& problem : found.problems) {
        spdlog::warn("endgame tables: {}", problem);
    }
    spdlog::info("endgame tables: {} Syzygy WDL, {} DTZ, {} own, up to {} men", found.wdl.size(),
                 found.dtz.size(), found.own.size(), found.men);
}

// Tells several what the core tells one.
class Observers : public Observer {
public:
    explicit Observers(std::vector<std::shared_ptr<Observer>> all) : all_{std::move(all)} {}

    void analysis_changed(const Core& core, const AnalysisRun& run) override {
        for (const auto& each : all_) {
            each->analysis_changed(core, run);
        }
    }
    void nodes_changed(const AnalysisRun& run,
                       const std::vector<analysis::NodeId>& nodes) override {
        for (const auto& each : all_) {
            each->nodes_changed(run, nodes);
        }
    }
    void board_search_changed(const Core& core, const BoardSearch& board) override {
        for (const auto& each : all_) {
            each->board_search_changed(core, board);
        }
    }
    void engine_changed(const Core& core, const EngineSlot& engine) override {
        for (const auto& each : all_) {
            each->engine_changed(core, engine);
        }
    }
    void analysis_removed(analysis::AnalysisId id) override {
        for (const auto& each : all_) {
            each->analysis_removed(id);
        }
    }

private:
    std::vector<std::shared_ptr<Observer>> all_;
};

// What of a configuration takes a restart: the keys that differ, as the file spells them.
std::vector<std::string> waiting_for_restart(const Config& used, const Config& wanted) {
    std::vector<std::string> keys;
    for (const auto& [key, differs] : std::initializer_list<std::pair<const char*, bool>>{
             {"listen", wanted.listen_address != used.listen_address ||
                            wanted.listen_port != used.listen_port},
             {"syzygy_path", wanted.tables.syzygy != used.tables.syzygy},
             {"tables_path", wanted.tables.own != used.tables.own},
             {"advertise", wanted.advertise != used.advertise},
             {"store", wanted.store != used.store},
             {"time_zone", wanted.time_zone != used.time_zone},
             {"least_free_mb", wanted.least_free != used.least_free},
             {"worker_lease_seconds", wanted.worker_lease != used.worker_lease},
             {"worker_repeat", wanted.worker_repeat != used.worker_repeat},
             {"cloud", wanted.clouds != used.clouds},
         }) {
        if (differs) {
            keys.emplace_back(key);
        }
    }
    return keys;
}

} // namespace

// What a service is made of: made in the order in which each needs the others, and ended in the
// opposite one.
struct Service::Impl {
    Impl(Config config_, ServiceOptions given);

    // Who has the database finds a token there; it is good for this server alone.
    http::Secrets secrets(const Config& wanted) const {
        return {wanted.token, wanted.read_token, wanted.worker_token,
                wanted.token.empty() ? "" : found_token};
    }
    // On the core's thread: before a change of them is answered.
    void follow_links(const Core::Links& links) const {
        http::Links hold;
        for (const auto& [secret, shown] : links) {
            hold.emplace(secret,
                         http::Shown{static_cast<std::int64_t>(shown.analysis), shown.file});
        }
        listener->set_links(std::move(hold));
    }

    void stop();

    ServiceOptions options;
    const std::string found_token = base::random_secret();
    Config config; // as it is in use
    std::unique_ptr<storage::Store> store;
    std::shared_ptr<const tables::EndgameTables> tables;
    http::EventHub events;
    Loop core_loop{"the core's thread"};
    Loop bridge_loop{"the engines' thread"};
    Loop http_loop{"the sockets' thread"};
    asio::thread_pool reader{1};
    asio::thread_pool beside{1};             // whether the store is well
    asio::thread_pool reads{Reads::threads}; // what people ask of it
    std::optional<InstalledEngines> installed;
    std::optional<Webhooks> webhooks; // only of a server that listens
    std::optional<Clouds> clouds;     // the same, if there are any
    std::unique_ptr<engine_bridge::Fleet> fleet;
    std::unique_ptr<Core> core;
    std::unique_ptr<Api> api;
    std::unique_ptr<Calls> calls;
    std::unique_ptr<RadarTimer> radar; // where there are webhooks
    std::unique_ptr<http::Listener> listener;
    bool stopped = false;
};

Service::Impl::Impl(Config config_, ServiceOptions given)
    : options{std::move(given)}, config{std::move(config_)},
      store{storage::open_store(options.store, storage::OpenMode::owner)}, tables{
                                                                               tables::open_tables(
                                                                                   config.tables)} {
    CoreOptions core_options;
    core_options.tables = tables;
    if (tables) {
        core_options.inventory = tables->inventory();
        report(tables->inventory());
    }
    core_options.clock = wall_clock;
    core_options.machine = host_name();
    core_options.store_rules.least_free = config.least_free;
    core_options.collections = machine_directory(options.store) / "collections";
    installed.emplace(added_engines_file(options.store), config.engines);
    core_options.engines = installed->profiles();
    core_options.elsewhere = [this](std::function<void()> task) {
        asio::post(reader, std::move(task));
    };
    core_options.beside = [this](std::function<void()> task) {
        asio::post(beside, std::move(task));
    };
    core_options.reads = [this](std::function<void()> task) { asio::post(reads, std::move(task)); };
    core_options.observer = std::make_shared<EventWriter>(
        [this](http::Event event) { events.publish(std::move(event)); });
    if (options.listen) { // a command that ends by itself tells what it did
        webhooks.emplace(config.webhooks);
        const auto teller = std::make_shared<WebhookObserver>(
            [this](const WebhookNews& news) { webhooks->tell(news); }, wall_clock());
        core_options.observer = std::make_shared<Observers>(
            std::vector<std::shared_ptr<Observer>>{core_options.observer, teller});
    }
    if (options.listen && !config.clouds.empty()) {
        clouds.emplace(config.clouds, *store, wall_clock,
                       [this](http::Event event) { events.publish(std::move(event)); });
    }
    core_options.dispatch = {.life = config.worker_lease,
                             .first = engine_bridge::Fleet::first_lease(wall_clock())};
    core = std::make_unique<Core>(core_loop.context(), *store, std::move(core_options),
                                  engine_bridge::pools(bridge_loop.context()));
    engine_bridge::Fleet::Options fleet_options;
    fleet_options.clock = [] { return std::chrono::steady_clock::now(); };
    fleet_options.wall = wall_clock;
    fleet_options.life = config.worker_lease;
    fleet_options.repeat_one_in = config.worker_repeat;
    fleet_options.sigma = [this](const std::string& name) { return sigma_of(*core, name); };
    fleet = std::make_unique<engine_bridge::Fleet>(
        core_loop.context(), core->engines().dispatcher(), std::move(fleet_options));
    api = std::make_unique<Api>(*core, fleet.get(), webhooks ? &*webhooks : nullptr, &*installed,
                                clouds ? &*clouds : nullptr);
    calls = std::make_unique<Calls>(*api, core_loop.context());
    if (webhooks) {
        radar = std::make_unique<RadarTimer>(
            RadarTimer::Threads{core_loop.context(), http_loop.context(), beside}, *core, *calls,
            *webhooks);
    }
    if (options.listen) {
        http::ListenerOptions listen;
        listen.address = config.listen_address;
        listen.port = config.listen_port;
        listen.secrets = secrets(config);
        listen.hosts = hosts_of(config);
        listen.static_directory = options.static_directory;
        listen.max_body = most_import_bytes;
        listen.body_limit = [](const http::Request& request) {
            return rules_for(request.method, request.path).most_bytes;
        };
        listen.readers = [](const http::Request& request) {
            return readers_of(request.method, request.path);
        };
        listener = std::make_unique<http::Listener>(
            http_loop.context(), std::move(listen), events,
            [this](http::Request request) { return calls->answer(std::move(request)); });
    }
}

void Service::Impl::stop() {
    if (stopped) {
        return;
    }
    stopped = true;
    std::promise<void> nobody_waits; // for questions, which would keep the listener waiting
    asio::post(core_loop.context(), [&] {
        if (radar) {
            radar->stop();
        }
        fleet->close();
        core->waiters().close(); // nor for the store
        nobody_waits.set_value();
    });
    nobody_waits.get_future().wait();
    if (webhooks) {
        webhooks->close(); // nor for tests
    }
    installed->stop();
    if (listener) {
        std::promise<void> closed;
        listener->stop(std::chrono::milliseconds{500}, [&closed] { closed.set_value(); });
        closed.get_future().wait();
    }
    const auto quiet = std::make_shared<std::binary_semaphore>(0);
    asio::post(core_loop.context(), [&core = *core, quiet] {
        if (guarded("stopping", [&] { core.stop([quiet] { quiet->release(); }); })) {
            quiet->release(); // what is out is asked again next time
        }
    });
    quiet->acquire();
    calls->join();
    reader.join();
    beside.join();
    reads.join();
    http_loop.join();
    bridge_loop.join();
    std::promise<void> gone; // what is still posted to the core must not outlive it
    asio::post(core_loop.context(), [&] {
        guarded("stopping", [&] {
            api.reset();
            core.reset();
            fleet.reset();
        });
        gone.set_value();
    });
    gone.get_future().wait();
    webhooks.reset();
    clouds.reset(); // before the store has told all that it was given
    core_loop.join();
    store->flush();
}

Service::Service(Config config, ServiceOptions options)
    : impl_{std::make_unique<Impl>(std::move(config), std::move(options))} {}

Service::~Service() {
    stop();
}

void Service::start() {
    with_core([this](Core& core) {
        if (impl_->listener) {
            core.on_links = [this](const Core::Links& links) { impl_->follow_links(links); };
            impl_->follow_links(core.links());
        }
        core.start();
        if (impl_->radar) {
            impl_->radar->set(impl_->config.webhooks);
            impl_->radar->start();
        }
    });
    if (impl_->listener) {
        impl_->listener->start();
        impl_->store->announce(url(), to_text(WorkerAddress{host_name(), this_network(), url(),
                                                            url_elsewhere(impl_->config, port()),
                                                            impl_->found_token}));
    }
}

std::string Service::stop() {
    const auto trouble = guarded("stopping", [this] { impl_->stop(); });
    return trouble ? trouble->what : "";
}

std::expected<std::vector<std::string>, std::string> Service::reload(const Config& config) {
    Config& used = impl_->config;
    if (impl_->listener) {
        if (config.token.empty() && !used.token.empty() && !on_loopback(used)) {
            return std::unexpected("without a token it cannot go on listening on " +
                                   used.listen_address);
        }
        if (config.hosts != used.hosts) {
            try {
                impl_->listener->set_hosts(hosts_of(config));
            } catch (const http::ListenError& error) {
                return std::unexpected(error.what());
            }
        }
        if (config.token != used.token || config.read_token != used.read_token ||
            config.worker_token != used.worker_token) {
            impl_->listener->set_secrets(impl_->secrets(config));
        }
    }
    const auto before = impl_->installed->profiles();
    impl_->installed->set_configured(config.engines);
    if (const auto engines = impl_->installed->profiles(); engines != before) {
        with_core([&](Core& core) { core.set_engines(engines); });
    }
    if (impl_->webhooks && config.webhooks != used.webhooks) {
        impl_->webhooks->set(config.webhooks);
        with_core([&](Core&) { impl_->radar->set(config.webhooks); });
    }
    used.engines = config.engines;
    used.webhooks = config.webhooks;
    used.hosts = config.hosts;
    used.token = config.token;
    used.read_token = config.read_token;
    used.worker_token = config.worker_token;
    return waiting_for_restart(used, config);
}

std::uint16_t Service::port() const {
    return impl_->listener ? impl_->listener->port() : 0;
}

std::string Service::url() const {
    const std::string& address = impl_->config.listen_address;
    const bool v6 = address.find(':') != std::string::npos;
    return with_port(!on_all_addresses() ? address : v6 ? "::1" : "127.0.0.1", port());
}

bool Service::on_all_addresses() const {
    return on_all(impl_->config);
}

bool Service::is_replaced() const {
    return impl_->store->taken();
}

void Service::wait_until_read() {
    std::promise<void> read;
    with_core([&read](Core& core) { core.when_read([&read] { read.set_value(); }); });
    read.get_future().wait();
}

http::Response Service::answer(http::Request request) {
    return asio::co_spawn(impl_->http_loop.context(), impl_->calls->answer(std::move(request)),
                          asio::use_future)
        .get();
}

void Service::with_core(const std::function<void(Core&)>& work) {
    std::promise<void> done;
    asio::post(impl_->core_loop.context(), [&] {
        try {
            const HoldWatch::Hold hold{impl_->core->watch(), "task"};
            work(*impl_->core);
            done.set_value();
        } catch (...) {
            done.set_exception(std::current_exception());
        }
    });
    done.get_future().get();
}

void Service::post(std::function<void(Core&)> work) {
    asio::post(impl_->core_loop.context(), [impl = impl_.get(), work = std::move(work)] {
        if (impl->core) {
            impl->core->attempt("a task of the core", [&] { work(*impl->core); });
        }
    });
}

} // namespace adjourn::server
