// EventHub: fan-out of server-sent events. publish() never blocks and never waits for a client;
// each client has its own bounded set of pending events, of one (kind, subject) only the newest.
// Thread-safe.
//
//     publish ──▶ replay: newest of each (kind, subject), the latest 1024 ──▶ a client that comes
//     back
//          └────▶ pending of each subscription, same rule ──▶ take() ──▶ text/event-stream
//
// A lean client (Filter::lean) gets of what changed only the fields that did, those of several
// events together, and a bounded number of bytes at a time: with much at work each comes less
// often.
//
// Ids are "RUN-NUMBER": RUN differs from hub to hub, numbers grow. A client that comes back with an
// id gets what it missed; if that is no longer known (id of another run, or older than the replay),
// or if more was pending than a client may hold, it first gets `event: reset` and must fetch
// afresh.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace adjourn::http {

struct Event {
    std::string kind;                     // "analysis" | "node" | "look" | "engine" | "removed"
    std::string subject;                  // what a newer one of replaces: "1", "stockfish/0"
    std::optional<std::int64_t> analysis; // for clients that follow one analysis only
    std::string data;                     // JSON, one line
    // Sent instead of `data` to a client that has not seen an older one which this one replaced:
    // for data that adds to earlier data. "" = `data` says everything.
    std::string data_if_replacing;
    // The fields of `data` (name -> JSON) that are not as in the event before of this kind and
    // subject, and those that name the subject. Empty: all may be new.
    std::map<std::string, std::string> changed = {};
    // What those are sent who have a link to the analysis. "" = nothing.
    std::string data_by_link = {};
};

// One client's place in the stream, from subscribe() to its destruction. May outlive the hub.
class EventSubscription {
public:
    virtual ~EventSubscription() = default;
    EventSubscription(const EventSubscription&) = delete;
    EventSubscription& operator=(const EventSubscription&) = delete;

    // What is pending, in order of ids, as text/event-stream blocks; "" if nothing is. A lean
    // client asks again for the rest.
    virtual std::string take() = 0;

protected:
    EventSubscription() = default;
};

struct EventHubLimits {
    std::size_t replay = 1024;  // (kind, subject) pairs remembered for clients that come back
    std::size_t pending = 1024; // (kind, subject) pairs a client may be behind
    std::size_t lean = 1'600;   // bytes of data that one take() of a lean client may begin with
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
        // With a number: "node" and "look" events of that analysis only. nullopt: as the others.
        std::optional<std::int64_t> nodes = std::nullopt;
        // "KIND_changed" with the changed fields only, where the event says which they are.
        bool lean = false;
        // Only what a link to `analysis` shows (without a number: nothing), and without ids: their
        // numbers would tell how much goes on elsewhere. So a client that comes back cannot say
        // where it was, and each stream begins with a reset.
        bool by_link = false;
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
