// EventHub: fan-out of server-sent events. publish() never blocks and never waits for a client;
// each client has its own bounded set of pending events, of one (kind, subject) only the newest.
// Thread-safe.
//
//     publish ──▶ replay: newest of each (kind, subject), the latest 1024 ──▶ a client that comes
//     back
//          └────▶ pending of each subscription, same rule ──▶ take() ──▶ text/event-stream
//
// Ids are "RUN-NUMBER": RUN differs from hub to hub, numbers grow. A client that comes back with an
// id gets what it missed; if that is no longer known (id of another run, or older than the replay),
// or if more was pending than a client may hold, it first gets `event: reset` and must fetch
// afresh.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace adjourn::http {

struct Event {
    std::string kind;                     // "analysis" | "node" | "engine" | "removed"; one line
    std::string subject;                  // what a newer one of replaces: "1", "stockfish/0"
    std::optional<std::int64_t> analysis; // for clients that follow one analysis only
    std::string data;                     // JSON, one line
    // Sent instead of `data` to a client that has not seen an older one which this one replaced:
    // for data that adds to earlier data. "" = `data` says everything.
    std::string data_if_replacing;
};

// One client's place in the stream, from subscribe() to its destruction. May outlive the hub.
class EventSubscription {
public:
    virtual ~EventSubscription() = default;
    EventSubscription(const EventSubscription&) = delete;
    EventSubscription& operator=(const EventSubscription&) = delete;

    // Everything pending, in order of ids, as text/event-stream blocks; "" if nothing is.
    virtual std::string take() = 0;

protected:
    EventSubscription() = default;
};

struct EventHubLimits {
    std::size_t replay = 1024;  // (kind, subject) pairs remembered for clients that come back
    std::size_t pending = 1024; // (kind, subject) pairs a client may be behind
};

class EventHub {
public:
    explicit EventHub(EventHubLimits limits = {});
    ~EventHub();
    EventHub(const EventHub&) = delete;
    EventHub& operator=(const EventHub&) = delete;

    void publish(Event event);

    struct Filter {
        // With a number: events of that analysis and those of none. nullopt: all.
        std::optional<std::int64_t> analysis;
    };
    // `wake` is called when take() would start to give something, on the publishing thread and
    // under the hub's lock: it must not block, throw or call the hub.
    std::unique_ptr<EventSubscription> subscribe(Filter filter,
                                                 const std::optional<std::string>& last_event_id,
                                                 std::function<void()> wake);

private:
    struct Impl;
    class Subscription;
    std::shared_ptr<Impl> impl_;
};

} // namespace adjourn::http
