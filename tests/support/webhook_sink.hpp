// WebhookSink: a small HTTP server on the loopback interface that keeps what it is sent.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace adjourn::server {

class WebhookSink {
public:
    struct Letter {
        std::string line;                           // "POST /path HTTP/1.1"
        std::map<std::string, std::string> headers; // names in lower case
        std::string body;
    };

    // `heads` are the answers to the first requests, as "HTTP/1.1 500 x"; then all get 204.
    explicit WebhookSink(std::deque<std::string> heads = {});
    ~WebhookSink();
    WebhookSink(const WebhookSink&) = delete;
    WebhookSink& operator=(const WebhookSink&) = delete;

    std::string url(const std::string& path = "/hook") const;
    // Blocks until there are `count`; all of them.
    std::vector<Letter> wait_for(std::size_t count);
    std::vector<Letter> letters();

private:
    void run();

    int listener_ = -1;
    std::uint16_t port_ = 0;
    std::mutex mutex_;
    std::condition_variable came_;
    std::deque<std::string> heads_;
    std::vector<Letter> letters_;
    std::thread thread_;
};

} // namespace adjourn::server
