// WorkerClient: this machine's engines at work for a server elsewhere. It asks for questions, two
// ahead for each process and more where the way is long, and keeps what it found until the server
// has it.
#pragma once

#include "engine_bridge/dispatch/pool.hpp"
#include "engine_bridge/remote/fleet.hpp"
#include "host/loop.hpp"
#include "http/client/http_link.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <expected>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace adjourn::server {

struct LinkTrouble {
    enum class Kind : std::uint8_t {
        away,            // it may work the next time
        unknown_machine, // say hello again
        refused,         // it makes no sense to try again unless something is changed
        useless,         // this message will never be taken
    };
    Kind kind;
    std::string message; // for people
};

struct Server {
    ServerUrl url;
    std::string shown; // its address, for people
    std::string token; // "" = none

    friend bool operator==(const Server& a, const Server& b) {
        return a.shown == b.shown && a.token == b.token;
    }
};

// Those that there are now, never none. Any thread; may block for a database.
using FindServers = std::function<std::expected<std::vector<Server>, LinkTrouble>()>;

// The server that works on this database now. `ca_file`: see ServerUrl.
FindServers server_of(const std::filesystem::path& store, const std::string& ca_file);

class WorkerLink; // in the source

class WorkerClient {
public:
    struct Options {
        FindServers servers;
        std::string name; // of this machine
        std::vector<engine_bridge::Profile> engines;
        std::function<void()> hopeless; // called once, on any thread: stop() makes sense now
    };

    explicit WorkerClient(Options options);
    ~WorkerClient();

    void start();
    // Begins nothing new, tells what is found already, gives back the rest. Blocks, for some
    // seconds at most. Returns why the server never had any use for this machine; "" if it had.
    std::string stop();

private:
    using Clock = std::chrono::steady_clock;
    struct Engine {
        engine_bridge::Profile profile;
        engine_bridge::ProfileId index = 0;
        std::unique_ptr<engine_bridge::Pool> pool;
        std::optional<engine_bridge::Identity> identity;
        std::string problem;
        bool accepted = false;
        std::size_t out = 0; // questions that are here
        Clock::duration busy{};
        Clock::time_point told{};
        std::deque<Clock::time_point> done; // the last ones
    };
    struct Held {
        std::uint64_t lease = 0;
        std::size_t engine = 0;
        std::string question;
        engine_bridge::Job job;
    };

    void ask();  // a thread
    void tell(); // another one
    void identified(std::size_t engine,
                    std::expected<engine_bridge::Identity, std::string> identity);
    void done(engine_bridge::JobId id, engine_bridge::Result result);

    // With the lock held; they let go of it while they wait for the server.
    using Lock = std::unique_lock<std::mutex>;
    bool say_hello(Lock& lock);
    std::expected<void, LinkTrouble> say_hello(Lock& lock, const Server& server);
    void look_elsewhere(Lock& lock);
    std::expected<std::vector<Server>, LinkTrouble> find_servers(Lock& lock) const;
    nlohmann::json greeting() const;
    void take(Lock& lock, const nlohmann::json& wishes);
    void deliver(Lock& lock);
    void beat(Lock& lock);
    void pause(Lock& lock);
    void fail(const std::string& reason);
    bool took(const std::expected<nlohmann::json, LinkTrouble>& reply, const std::string& machine);
    void succeeded();
    void complain(const std::string& problem);
    void not_understood(Lock& lock, const std::exception& error);
    std::vector<std::uint64_t> held() const;
    void accept(const nlohmann::json& lease);
    std::expected<Held, std::string> question_of(const nlohmann::json& lease);
    void heed(const nlohmann::json& news);
    nlohmann::json wishes();
    std::size_t ahead(const Engine& engine) const;

    Options options_;
    std::mutex mutex_;
    std::condition_variable changed_;
    Loop loop_{"the engines' thread"}; // outlives the pools
    // The server decides whether a question is tried again.
    const std::shared_ptr<engine_bridge::Dispatcher> dispatcher_ =
        std::make_shared<engine_bridge::Dispatcher>(engine_bridge::Dispatcher::Rules{.tries = 1});
    std::vector<Engine> engines_;
    std::map<engine_bridge::JobId, Held> held_;
    std::deque<nlohmann::json> answers_;   // that the server does not have yet
    std::set<std::string> not_understood_; // of questions, in the log
    std::string machine_;                  // as the server calls this machine; "" = unknown to it
    Clock::duration beat_every_ = std::chrono::seconds{15};
    double way_seconds_ = 0; // there and back
    int server_version_ = 0; // engine_bridge::machine_version, there
    bool drain_ = false;
    bool welcomed_ = false; // ever
    bool stopping_ = false;
    std::string failure_;
    std::string told_problem_; // in the log
    Clock::duration next_pause_{};
    std::optional<Server> server_; // that welcomed this machine last
    bool away_ = false;            // the server, by what was seen last
    // Who asks and who tells do not wait for each other.
    std::shared_ptr<WorkerLink> asker_;
    std::shared_ptr<WorkerLink> teller_;
    std::thread asking_;
    std::thread telling_;
};

} // namespace adjourn::server
