// Service: store, core, engines, events and listener with their threads, from start to a clean
// stop.
//
//   core thread     graphs, scheduler, handlers (one thread owns the graph)
//   bridge thread   engine processes
//   http thread     sockets
//   two pools       what requests need of the store, of large bodies and answers (calls.hpp)
//   reader          graphs and imported facts, on their way to the core
//   store's writer  commits
#pragma once

#include "core/schedule/core.hpp"
#include "host/config.hpp"
#include "http/requests/message.hpp"

#include <expected>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace adjourn::server {

struct ServiceOptions {
    std::filesystem::path store; // data directory or URL, as storage::open_store takes it
    bool listen = true;
    std::string static_directory; // the built page; "" = none
};

class Service {
public:
    // Opens the store (StoreError, StoreInUse) and binds the address (http::ListenError).
    Service(Config config, ServiceOptions options);
    ~Service(); // stops

    void start();
    // Blocks until engines are gone and everything is durable. Once. Returns why something could
    // not be stored; "" if all of it is.
    std::string stop();

    // Takes what a changed configuration says, as far as that can be done while it runs: tokens,
    // names of hosts, webhooks and engines. Returns the keys whose change waits for a restart.
    // Nothing is taken, and the reason is the error, where it cannot be used as a whole. From the
    // thread that made it.
    std::expected<std::vector<std::string>, std::string> reload(const Config& config);

    std::uint16_t port() const;
    // For this machine: "http://127.0.0.1:8462". Where it listens on all addresses, the loopback
    // one.
    std::string url() const;
    bool on_all_addresses() const;
    // Whether another server has taken its place while the database was away. Does not block.
    bool is_replaced() const;

    // As a listener's clients are answered. Blocks; not on a thread of the service.
    http::Response answer(http::Request request);
    // Blocks until no graph is being read.
    void wait_until_read();
    // Runs on the core's thread and waits for the result.
    void with_core(const std::function<void(Core&)>& work);
    // The same without waiting. `work` must not throw; it is dropped if the service stops first.
    void post(std::function<void(Core&)> work);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace adjourn::server
