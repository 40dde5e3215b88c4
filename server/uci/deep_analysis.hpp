// DeepAnalysis: the deep analysis behind the front end: a seat (docs/api/reference.md) at the
// server that has the store, or at a service of its own where none has. The front end's thread is
// never held up: one thread says what is wanted, another waits for what is found.
#pragma once

#include "core/records/finding.hpp"
#include "host/service.hpp"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace adjourn::server {

class HttpLink;

}

namespace adjourn::server::uci {

using namespace chess::uci; // what GUIs say and are told
using SearchRequest = SeatWish;
using Finding = SeatFinding;

// Who has the store.
struct StorePlace {
    std::filesystem::path data; // directory or URL of a database
    std::string server;         // URL of a server; "" = whoever has `data`
    std::string engine = {};    // that a server is asked for; "" = its default
};

class DeepAnalysis {
public:
    // Ends `before`, then opens the store and starts the engines of the config, or finds the server
    // that has it; does not wait for that. `news` is called on another thread when latest() may
    // have changed; it must not block. `held`, if any, is called on the threads that work for it:
    // before the store is opened, and on the core's before a request.
    DeepAnalysis(Config config, StorePlace place, std::function<void()> news,
                 std::function<void()> held = {}, std::unique_ptr<DeepAnalysis> before = {});
    // Stops the engines; blocks until they are gone and everything is stored, or a server has been
    // silent for two seconds.
    ~DeepAnalysis();

    // Neither waits. A new request ends the one before.
    void begin(SearchRequest request) { want(std::move(request)); }
    void end() { want(std::nullopt); }
    // Time is short and nothing is known: a search of the root that runs is stopped, for the sake
    // of what it has found. Without one that runs nothing happens. Does not wait.
    void hurry();
    // Of the present request; while a server is away, what was known before. Never waits.
    Finding latest() const;
    // For people; each once, "" if there is none.
    std::string take_note();

private:
    using Clock = std::chrono::steady_clock;
    struct Reply {
        int status = 0; // 0: there is none
        std::string body;
    };
    struct Line; // to where the store is; for one thread

    std::string open();
    std::expected<std::string, std::string> server_now() const;
    std::expected<Line, std::string> connect() const;
    Reply send(Line& line, const std::string& method, const std::string& rest,
               const std::string& body, std::chrono::milliseconds patience) const;
    void want(std::optional<SearchRequest> request);
    void speak();
    void listen();
    void say(Line& line, std::unique_lock<std::mutex>& lock);
    bool take(const std::string& body);
    void lose(const std::string& why);

    const Config config_;
    const StorePlace place_;
    const std::function<void()> news_;
    const std::function<void()> held_;
    const std::string seat_;               // its path
    std::unique_ptr<DeepAnalysis> before_; // the speaker's, as is this until there is a server:
    std::unique_ptr<Service> service_;     // null: a server has the store

    mutable std::mutex mutex_; // guards what follows
    std::condition_variable changed_;
    std::int64_t number_ = 1; // of the present request; grows
    std::int64_t told_ = 0;   // of the last one that the seat has heard of; 0: there is no seat
    std::optional<SearchRequest> wanted_;
    bool hurried_ = false;
    bool ends_ = false;
    std::shared_ptr<HttpLink> heard_; // what the listener waits at
    std::uint64_t version_ = 0;       // of the finding
    Finding finding_;
    std::optional<Clock::time_point> away_since_;
    Clock::time_point wanted_at_;
    bool nowhere_ = false; // the store cannot be had, here or elsewhere
    std::string note_;

    std::thread speaker_;
    std::thread listener_;
};

} // namespace adjourn::server::uci
