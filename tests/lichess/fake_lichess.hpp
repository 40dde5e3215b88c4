// FakeLichess: both of lichess' servers for external engines, on the loopback interface: the one
// where they register, and the broker that hands out work and takes streams of UCI. Written after
// lichess' published description of the calls; as strict as its broker is.
#pragma once

#include "page.hpp"
#include "webhook_sink.hpp"

#include <nlohmann/json.hpp>

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace adjourn::server::lichess {

class FakeLichess {
public:
    static constexpr const char* good_token = "lip_good";
    static constexpr const char* poor_token = "lip_poor"; // without the scope engine:write

    using Call = WebhookSink::Letter; // its body is "" of a stream

    FakeLichess();
    ~FakeLichess();
    FakeLichess(const FakeLichess&) = delete;
    FakeLichess& operator=(const FakeLichess&) = delete;

    std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }

    // The next `times` calls whose first line has `text` are answered with that head.
    void refuse(const std::string& text, const std::string& head, int times = 1,
                const std::string& body = "");
    // All connections break and, after a moment in which nobody listens, new ones are taken. What
    // was registered stays, what was asked does not.
    void stop_listening();
    void listen_again();

    // What the page says; the engine is the first that registered.
    std::shared_ptr<Page> analyse(nlohmann::json work);
    // A work of any text, once.
    void hand_out(const std::string& body);
    void go_away(const std::shared_ptr<Page>& page);

    // Blocks until it holds; fails the test after some minutes.
    void wait(const std::string& what, const std::function<bool()>& holds);

    // Below: only from `holds`, or with the lock that it has.
    std::vector<nlohmann::json> engines; // as registered, with providerSecret
    std::vector<Call> calls;
    int polls = 0; // that wait now

private:
    struct Job {
        std::string secret; // "" = anybody's
        std::string body;
        std::string id;
        std::shared_ptr<Page> page; // nullptr: of hand_out()
    };
    struct Refusal {
        std::string text;
        std::string head;
        int times = 0;
        std::string body;
    };

    void accept_all(int listener);
    void serve(int peer);
    bool answer(int peer, const Call& call, std::string& rest);
    std::string register_engine(const Call& call);
    std::string take(int peer, const Call& call);
    void take_stream(int peer, const std::string& id, std::string& rest);

    std::mutex mutex_;
    std::condition_variable changed_;
    std::uint16_t port_ = 0;
    int listener_ = -1;
    bool closing_ = false;
    int next_id_ = 0;
    std::deque<Job> waiting_;
    std::map<std::string, std::shared_ptr<Page>> taken_; // by id, until they are streamed
    std::vector<Refusal> refusals_;
    std::set<int> peers_;
    std::vector<std::thread> threads_;
    std::thread accepting_;
};

} // namespace adjourn::server::lichess
