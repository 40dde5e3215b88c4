// EventHub: fan-out of server-sent events. publish() never blocks and never waits for a client; each
// client has its own bounded set of pending events, of one (kind, subject) only the newest.
// Thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace adjourn::server::http {

struct Event {
    std::string kind;    // "analysis" | "node" | "engine" | "removed"
    std::string subject; // what a newer one of replaces: "1", "stockfish/0"
    std::optional<std::int64_t> analysis; // for clients that follow one analysis only
    std::string data;                     // JSON, one line
};

class EventHub {
public:
    EventHub();
    ~EventHub();
    void publish(Event event);

    struct Impl;
    Impl& impl() { return *impl_; }

private:
    std::unique_ptr<Impl> impl_;
};

} // namespace adjourn::server::http
