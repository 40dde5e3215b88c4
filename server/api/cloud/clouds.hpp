// Clouds: asks collections of evaluations elsewhere about positions that somebody looks at, and
// keeps their answers in the store. These are foreign: no value and no question rests on them.
#pragma once

#include "api/cloud/cloud_answer.hpp"
#include "http/client/http_link.hpp"
#include "http/events/event_hub.hpp"
#include "storage/store.hpp"

#include <chrono>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace adjourn::server {

using CloudSettings = std::pair<const CloudSource*, ServerUrl>;
// "lichess", or "lichess=http://HOST:PORT" for another address. The error is for people.
std::expected<CloudSettings, std::string> parse_cloud(const std::string& text);

struct CloudRules {
    std::chrono::milliseconds pause{1'000}; // after a request to a cloud
    std::chrono::milliseconds rest{60'000}; // after trouble; after more of it twice as long, to 1 h
    // An answer is asked for again after so long; one that does not know the position, sooner.
    std::chrono::hours good_for{30 * 24};
    std::chrono::hours unknown_for{24};
};

// Thread-safe; has a thread. Nothing blocks but the destructor, which ends what is under way.
class Clouds {
public:
    // `settings`: each as parse_cloud() takes it, no cloud twice. `clock`: ms since 1970, any
    // thread. `publish`: any thread, never blocks. What was given to the store may outlive this.
    Clouds(const std::vector<std::string>& settings, storage::Store& store,
           std::function<analysis::UnixMs()> clock, std::function<void(http::Event)> publish,
           CloudRules rules = {});
    ~Clouds();
    Clouds(const Clouds&) = delete;
    Clouds& operator=(const Clouds&) = delete;

    // Who looks at a position, and is told by an event `node` when an answer is stored.
    struct Look {
        std::int64_t analysis = 0;
        std::uint64_t version = 0; // NodeEvent's
    };
    // The clouds that can be asked now and of which `known` has no answer that is good. They are
    // asked if somebody looks; who looked last comes first.
    std::vector<std::string> missing(const chess::Position& position,
                                     const std::vector<storage::CloudRecord>& known,
                                     const std::optional<Look>& look);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace adjourn::server
