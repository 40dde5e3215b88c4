// Site: a server and its workers on this machine, each a process of `adjourn`, on one store.
#pragma once

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace adjourn::bench {

// A process that the bench has started, and that does not outlive it.
class Child {
public:
    // What it prints is appended to `log`. Throws std::runtime_error. REQUIRES: one thread.
    Child(const std::vector<std::string>& command, const std::filesystem::path& log);
    ~Child(); // kills
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    bool runs();
    pid_t number() const { return pid_; } // of the process; -1: it has ended
    // Ctrl-C, and waits; who does not end in time is killed. Returns whether it ended well.
    bool interrupt(std::chrono::seconds patience);
    // Waits for its end; whether it was a good one.
    bool wait();

private:
    void signal(int number) const;

    pid_t pid_ = -1;
    bool well_ = false; // how it ended
};

// What the processes of a site have had of the processor, by what they do. Of the kernel's clock,
// in steps of 10 ms a process.
struct ProcessorTime { // seconds
    double server = 0, database = 0, workers = 0, engines = 0;

    ProcessorTime operator-(const ProcessorTime& before) const;
};

// Of a process and of its children that have ended, seconds; 0 where there is none.
double seconds_of(pid_t process);
double seconds_of_children(pid_t process); // of those that live

class Site {
public:
    struct Options {
        std::filesystem::path program, hash_engine;
        std::filesystem::path directory; // for settings and what the processes say
        std::filesystem::path store;     // a directory or a URL
        int workers = 0;
        int engines = 0; // processes of each worker
        int own = 1;     // of the server itself
        int answer_ms = 0;
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

    int processes() const { return options_.own + options_.workers * options_.engines; }

private:
    std::optional<nlohmann::json> get(const std::string& target) const;
    void write_settings(const std::string& name, int count) const;
    void start_server();
    void start_worker(const std::string& name);

    Options options_;
    std::uint16_t port_;
    std::unique_ptr<Child> server_;
    std::vector<std::unique_ptr<Child>> workers_;
};

} // namespace adjourn::bench
