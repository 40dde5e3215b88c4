#include "service_parts.hpp"

#include "addresses.hpp"
#include "api/event_writer.hpp"
#include "api/webhooks/webhook_observer.hpp"
#include "core/guards/guard.hpp"
#include "engine_bridge/dispatch/pool.hpp"
#include "files/import/import.hpp"
#include "storage/open.hpp"

#include <boost/asio/post.hpp>
#include <spdlog/spdlog.h>

#include <chrono>
#include <future>
#include <semaphore>

namespace adjourn::server {

namespace asio = boost::asio;

namespace {

analysis::UnixMs wall_clock() {
    return std::chrono::duration_cast<std::chrono::milliseconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
}

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

} // namespace

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
    if (!storage::is_url(options.store)) {
        core_options.staging = options.store;
        StagedStore::remove_left(options.store);
    } else if (!options.listen) { // whoever asks is on this machine
        std::error_code none;
        core_options.staging = std::filesystem::temp_directory_path(none);
    }
    const std::filesystem::path directory = machine_directory(options.store);
    core_options.collections = directory / "collections";
    installed.emplace(added_engines_file(options.store), config.engines);
    core_options.engines = installed->profiles();
    if (config.graph_images_from > 0) {
        core_options.images = directory / "graphs";
        core_options.least_facts_in_image = config.graph_images_from;
    }
    core_options.graphs_at_once = options.graphs_at_once;
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
        webhooks.emplace(config.webhooks, WebhookRules{}, [this](std::function<void()> woken) {
            asio::post(core_loop.context(), std::move(woken));
        });
        const auto teller = std::make_shared<WebhookObserver>(
            [this](const WebhookNews& news) { webhooks->tell(news); }, wall_clock());
        core_options.observer = std::make_shared<Observers>(
            std::vector<std::shared_ptr<Observer>>{core_options.observer, teller});
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
    api = std::make_unique<Api>(*core, fleet.get(), webhooks ? &*webhooks : nullptr, &*installed);
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

http::Secrets Service::Impl::secrets(const Config& wanted) const {
    return {wanted.token, wanted.read_token, wanted.worker_token,
            wanted.token.empty() ? "" : found_token};
}

void Service::Impl::follow_links(const Core::Links& links) const {
    http::Links hold;
    for (const auto& [secret, shown] : links) {
        hold.emplace(secret, http::Shown{static_cast<std::int64_t>(shown.analysis), shown.file});
    }
    listener->set_links(std::move(hold));
}

WorkerAddress Service::Impl::worker_address(const std::string& local, std::uint16_t port) const {
    return {host_name(), this_network(), local, url_elsewhere(config, port), found_token};
}

void Service::Impl::on_core(const std::function<void(Core&)>& task) {
    std::promise<void> done;
    asio::post(core_loop.context(), [&] {
        try {
            const HoldWatch::Hold hold{core->watch(), "task"};
            task(*core);
            done.set_value();
        } catch (...) {
            done.set_exception(std::current_exception());
        }
    });
    done.get_future().get();
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
    core_loop.join();
    store->flush();
}

} // namespace adjourn::server
