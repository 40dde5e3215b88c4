// Webhooks::Hook: one address, with its thread and what it is still to be told.
#pragma once

#include "api/webhooks/webhooks.hpp"

#include <condition_variable>
#include <list>
#include <thread>

namespace adjourn::server {

class Webhooks::Hook {
public:
    using Clock = std::chrono::steady_clock;
    using Done = std::function<void(WebhookTested)>;

    Hook(WebhookSettings settings, WebhookRules rules);
    ~Hook();
    Hook(const Hook&) = delete;
    Hook& operator=(const Hook&) = delete;

    const WebhookSettings& settings() const { return settings_; }
    void tell(const WebhookNews& news);
    // `done` is called on the hook's thread, or at once where it is closed or has too many tests.
    void test(std::int64_t now_ms, Done done);
    State state() const;
    void close(); // does not block
    void join();  // after close()

private:
    struct Letter {
        WebhookNews news;
        std::string id;
        Clock::time_point due;
        std::size_t tried = 0;
    };
    struct Trial {
        std::int64_t now_ms = 0;
        Done done;
    };
    struct Outcome {
        int status = 0;
        std::string trouble; // "" = taken
        bool again = false;  // another try may help
    };

    void run();
    Outcome send(const WebhookNews& news, const std::string& id);
    void sent(Letter letter, const Outcome& outcome);
    void put(Letter letter); // drops the oldest where too many wait

    const WebhookSettings settings_;
    const WebhookRules rules_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    bool closed_ = false;
    std::list<Letter> letters_; // by when they came
    std::list<Trial> trials_;
    std::shared_ptr<HttpLink> link_; // while a request is under way
    State state_;
    std::thread thread_; // the last: it uses all of these
};

} // namespace adjourn::server
