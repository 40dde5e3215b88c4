// Site: servers and their workers on this machine, each a process of `adjourn`, on one store. One
// server works; a second one, on a database, stands by.
#pragma once

#include "bench/cluster/child.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace adjourn::bench {

class Site {
public:
    enum class Way : std::uint8_t { database, http }; // how workers reach the server
    struct Options {
        std::filesystem::path program, hash_engine;
        std::filesystem::path directory; // for settings and what the processes say
        std::filesystem::path store;     // a directory or a URL
        Way way = Way::database;
        int servers = 1; // two: on a database only
        int workers = 0;
        int engines = 0; // processes of each worker
        int own = 1;     // of the server itself
        int answer_ms = 0;
        int jitter = 0; // percent of that
    };
    struct Progress {
        std::uint64_t answers = 0; // durable
        double engine_seconds = 0;
        std::size_t settled = 0, failed = 0, analyses = 0;
    };

    // Starts everything; returns when all workers have been welcomed. Throws std::runtime_error
    // where that takes too long.
    explicit Site(Options options);
    // Full-width trees of four plies, each of some thousand questions. Which questions they need
    // does not depend on the order of the answers.
    void create(int analyses);

    std::optional<Progress> progress() const; // nullopt: the server is not there
    ProcessorTime processor_time() const;     // of all but the database
    // The server and all workers are told to end; whether the server did so well.
    bool stop();

    // What faults do.
    // Kills the server that works. If another one stands by, waits until that has taken over; then
    // starts the killed one again.
    void kill_server();
    void start_worker(std::size_t index);
    Child& worker(std::size_t index) { return *workers_[index]; }
    std::size_t workers() const { return workers_.size(); }
    int processes() const { return options_.own + options_.workers * options_.engines; }

    static constexpr int lease_seconds = 2; // that a silent worker keeps its questions

private:
    struct Server {
        std::uint16_t port = 0;
        std::unique_ptr<Child> process;
    };
    static std::optional<nlohmann::json> get(std::uint16_t port, const std::string& target);
    void write_settings(const std::string& name, int count) const;
    void start(Server& server);
    // What does not run is started, but for that one.
    void wait_for_working_server(const Server* without = nullptr);
    static bool works(const Server& server);

    Options options_;
    std::vector<Server> servers_;
    std::size_t working_ = 0; // of them
    std::vector<std::unique_ptr<Child>> workers_;
};

} // namespace adjourn::bench
