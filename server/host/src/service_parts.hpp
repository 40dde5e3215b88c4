// What a service is made of: made in the order in which each needs the others, and ended in the
// opposite one.
#pragma once

#include "api/api.hpp"
#include "calls.hpp"
#include "core/engines/installed_engines.hpp"
#include "core/schedule/observer.hpp"
#include "engine_bridge/remote/fleet.hpp"
#include "host/loop.hpp"
#include "host/service.hpp"
#include "host/worker_address.hpp"
#include "http/listener.hpp"
#include "http/tokens.hpp"
#include "radar_timer.hpp"

#include <boost/asio/thread_pool.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace adjourn::server {

struct Service::Impl {
    Impl(Config config_, ServiceOptions given);

    // Who has the database finds a token there; it is good for this server alone.
    http::Secrets secrets(const Config& wanted) const;
    // On the core's thread: before a change of them is answered.
    void follow_links(const Core::Links& links) const;
    WorkerAddress worker_address(const std::string& local, std::uint16_t port) const;

    // On the core's thread; waits for it.
    void on_core(const std::function<void(Core&)>& task);

    void stop();

    ServiceOptions options;
    const std::string found_token = http::random_secret();
    Config config; // as it is in use
    std::unique_ptr<storage::Store> store;
    std::shared_ptr<const tables::EndgameTables> tables;
    http::EventHub events;
    Loop core_loop{"the core's thread"};
    Loop bridge_loop{"the engines' thread"};
    Loop http_loop{"the sockets' thread"};
    boost::asio::thread_pool reader{1};
    boost::asio::thread_pool beside{1};             // whether the store is well
    boost::asio::thread_pool reads{Reads::threads}; // what people ask of it
    std::optional<InstalledEngines> installed;
    std::optional<Webhooks> webhooks; // only of a server that listens
    std::unique_ptr<engine_bridge::Fleet> fleet;
    std::unique_ptr<Core> core;
    std::unique_ptr<Api> api;
    std::unique_ptr<Calls> calls;
    std::unique_ptr<RadarTimer> radar; // where there are webhooks
    std::unique_ptr<http::Listener> listener;
    bool stopped = false;
};

// Observers: tells several what the core tells one.

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
    void look_changed(const Core& core, const Look& look) override {
        for (const auto& each : all_) {
            each->look_changed(core, look);
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

} // namespace adjourn::server
