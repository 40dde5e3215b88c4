// WebhookSink: a small HTTP server on the loopback interface that keeps what it is sent.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace adjourn::server {

class WebhookSink {
public:
    struct Letter {
        std::string line;                           // "POST /path HTTP/1.1"
        std::map<std::string, std::string> headers; // names in lower case
        std::string body;
        std::chrono::steady_clock::time_point at; // when it had come
    };

    // `heads` are the answers to the first requests, as "HTTP/1.1 500 x"; then all get 204.
    explicit WebhookSink(std::deque<std::string> heads = {});
    // Head and body of the answer to each request; on the sink's thread.
    using Answer = std::function<std::pair<std::string, std::string>(const Letter&)>;
    explicit WebhookSink(Answer answer) : WebhookSink{std::deque<std::string>{}} {
        const std::lock_guard lock{mutex_};
        answer_ = std::move(answer);
    }
    ~WebhookSink();
    WebhookSink(const WebhookSink&) = delete;
    WebhookSink& operator=(const WebhookSink&) = delete;

    std::string url(const std::string& path = "/hook") const;
    // Blocks until there are `count`; all of them.
    std::vector<Letter> wait_for(std::size_t count);
    std::vector<Letter> letters();

private:
    void run();

    std::uint16_t port_ = 0;
    const int listener_;
    std::mutex mutex_;
    std::condition_variable came_;
    std::deque<std::string> heads_;
    Answer answer_; // under the mutex
    std::vector<Letter> letters_;
    std::thread thread_;
};

// For servers of tests: a socket on that port of the loopback interface; of 0 it becomes a free
// one.
int listen_on_loopback(std::uint16_t& port);
// First line and headers of a request: what stands before its empty line.
WebhookSink::Letter read_head(const std::string& text);

} // namespace adjourn::server
