// Provider: Adjourn as an external engine of lichess, from its registration to its end.
#pragma once

#include "chess/uci/command.hpp"
#include "host/config.hpp"
#include "http/client/http_link.hpp"

#include <chrono>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

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

// Work: what lichess asks an external engine for, as a value. Pure.

// Letters, digits, '-' and '_': fit for a path.
bool is_id(const std::string& text);

struct Work {
    std::string id;           // is_id()
    std::string session;      // of the page that asks
    std::int64_t threads = 1; // that it may use
    int lines = 1;            // MultiPV
    std::string position;     // the UCI command
    chess::uci::Game game;    // the same, read; without a problem
    // One of them at most; none: until the page goes away.
    std::optional<std::chrono::milliseconds> movetime;
    std::optional<std::int64_t> depth; // plies
    std::optional<std::int64_t> nodes;
};

// `body`: JSON, as the call that waits for work is answered. What it has besides is passed over.
// The error is for people.
std::expected<Work, std::string> read_work(std::string_view body);

} // namespace adjourn::server::lichess
