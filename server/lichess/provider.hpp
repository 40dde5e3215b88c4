// Provider: Adjourn as an external engine of lichess, from its registration to its end.
#pragma once

#include "host/config.hpp"
#include "http/client/http_link.hpp"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

namespace adjourn::server::lichess {

// One of lichess' servers.
struct Host {
    ServerUrl url;
    std::string shown; // as it was given, without "/" at the end
};

// Where a token is made, with what it needs and no more.
std::string token_page(const std::string& lichess);

struct ProviderOptions {
    Host site;   // where engines are registered, and pages come from
    Host broker; // that hands out work
    std::string token;
    std::string name = "Adjourn";
    Config config;
    std::filesystem::path store; // these two as for uci::run_front_end()
    std::string server;
    // Called once, on another thread, when it has given up; stop() says why.
    std::function<void()> hopeless;
};

class Provider {
public:
    // REQUIRES: options.config.engines is not empty.
    explicit Provider(ProviderOptions options);
    ~Provider(); // stops

    void start();
    // Ends what runs, stores what was found. Waits for no server (a name that is being looked up
    // may be left to itself). Returns why it gave up; "" if it did not.
    std::string stop();

private:
    struct Impl;
    std::shared_ptr<Impl> impl_; // of its threads, too
};

} // namespace adjourn::server::lichess
