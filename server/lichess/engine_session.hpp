// EngineSession: the front end of `adjourn uci` on a thread of its own, for works that come one
// after the other, of which the newest counts.
#pragma once

#include "base/unique_fd.hpp"
#include "host/config.hpp"
#include "http/client/http_link.hpp"
#include "lichess/work.hpp"

#include <chrono>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

namespace adjourn::server::lichess {

class EngineSession {
public:
    using Body = std::shared_ptr<StreamedBody>;

    // `store`: as for uci::run_front_end(). `tell` gets what the front end says for people, on a
    // thread of the session, which it must not block. REQUIRES: config.engines is not empty. Throws
    // std::system_error if there are no descriptors left.
    EngineSession(Config config, const std::filesystem::path& store,
                  std::function<void(const std::string&)> tell);
    EngineSession(const EngineSession&) = delete;
    EngineSession& operator=(const EngineSession&) = delete;
    ~EngineSession(); // ends the search; blocks until everything is stored

    // The work before ends, and its body. What is found goes into `body`, as lines of UCI with a
    // score and moves, what the store has first; the body ends with the search. Does not wait.
    void begin(const Work& work, Body body);
    // If the search for that body still runs, it ends. Does not wait.
    void stop(const Body& body);

private:
    using Clock = std::chrono::steady_clock;

    // From "go" to its "bestmove".
    struct Search {
        Body body;
        std::optional<Clock::time_point> due; // of "stop"
        bool stopped = false;
    };

    // Of these the caller holds the mutex.
    void say(const std::string& line);
    void stop(Search& search);
    void hear(std::string_view line);
    std::chrono::milliseconds until_due();

    void listen();

    const int workers_;          // processes
    const std::int64_t threads_; // of each
    const std::function<void(const std::string&)> tell_;
    base::UniqueFd input_; // of the front end: both ends
    base::UniqueFd to_input_;
    base::UniqueFd output_; // the end that listen() reads
    base::UniqueFd wake_;   // an eventfd: listen() looks again when to stop

    std::mutex mutex_;
    std::deque<Search> searches_; // whose "bestmove" has not come; lines belong to the first
    std::string session_;         // of lichess' page
    std::string told_;
    bool arbitrary_ = false; // the front end is about to name any move, for want of a better

    std::thread front_end_;
    std::thread listener_;
};

} // namespace adjourn::server::lichess
