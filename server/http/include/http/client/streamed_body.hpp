// StreamedBody: the body of a request that is sent while it is made. Thread-safe.
#pragma once

#include <cstddef>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>

namespace adjourn::server {

class StreamedBody {
public:
    // What waits for a slow line is news no more: of more than this nothing waits but the newest.
    static constexpr std::size_t most_waiting = 64U << 10; // bytes

    void add(std::string_view text); // nothing comes of it after end()
    void end();
    bool ended() const;

private:
    friend class HttpLink;
    // What has come since the last time, and whether that was all.
    std::pair<std::string, bool> take();
    // Is called when something comes, on the thread that brings it; must not block or call back.
    void when_changed(std::function<void()> changed);

    mutable std::mutex mutex_;
    std::string waiting_;
    bool ended_ = false;
    std::function<void()> changed_;
};

} // namespace adjourn::server
