#include "http_support.hpp"
#include "test.hpp"

using namespace http_tests;
using namespace std::chrono_literals;

namespace {

http::ListenerOptions any_port() {
    http::ListenerOptions options;
    options.port = 0;
    return options;
}

boost::asio::awaitable<http::Response> empty_answer(http::Request) {
    co_return http::Response{};
}

// Returns once the listener has begun to stop.
void wait_until_closed_to_all(const Server& server) {
    try {
        while (true) {
            const Client probe{server.port()};
            std::this_thread::sleep_for(1ms); // between polls
        }
    } catch (const std::runtime_error&) {
        // Nobody listens any more.
    }
}

} // namespace

TEST_CASE("stop: idle and event connections close at once") {
    Server server;
    Client idle(server.port());
    idle.send(request(server, "GET", "/api/x"));
    CHECK(idle.read_reply()->status == 200);
    Client fresh(server.port());
    Client events(server.port());
    events.send(request(server, "GET", "/api/v1/events"));
    CHECK(events.read_until("retry: 1000\n\n"));
    auto stopped = server.stop(1h);
    stopped.wait();
    CHECK(idle.closed_by_server());
    CHECK(fresh.closed_by_server());
    events.read_to_end();
    server.stop(0s).wait(); // a second time is answered, too
}

TEST_CASE("stop: a running request gets its answer within the grace") {
    Server server;
    std::vector<Client> clients;
    for (int i = 0; i < 3; ++i) {
        clients.emplace_back(server.port());
        clients.back().send(request(server, "GET", "/api/wait"));
    }
    server.await_waiting(3);
    auto stopped = server.stop(1h);
    wait_until_closed_to_all(server);
    CHECK(stopped.wait_for(0s) == std::future_status::timeout); // they still run
    server.release();
    for (auto& client : clients) {
        const auto reply = client.read_reply();
        REQUIRE(reply);
        CHECK(reply->body == "waited");
        CHECK(reply->headers.at("connection") == "close");
        CHECK(client.closed_by_server());
    }
    stopped.wait();
}

TEST_CASE("stop: a request that outlives the grace loses its client, and is waited for") {
    Server server;
    Client client(server.port());
    client.send(request(server, "GET", "/api/wait"));
    Client half(server.port());
    half.send("POST /api/x HTTP/1.1\r\nHost: " + server.host() +
              "\r\nContent-Type: text/plain\r\nContent-Length: 10\r\n\r\nhalf");
    server.await_waiting(1);
    auto stopped = server.stop(50ms);
    CHECK(client.read_to_end().empty());
    CHECK(half.read_to_end().empty());
    wait_until_closed_to_all(server);
    CHECK(stopped.wait_for(0s) == std::future_status::timeout); // its handler still runs
    server.release();
    stopped.wait();
}

TEST_CASE("stop: in the middle of much traffic") {
    for (int round = 0; round < 5; ++round) {
        Server server;
        std::atomic<int> answered = 0;
        std::vector<std::thread> threads;
        for (int t = 0; t < 4; ++t) {
            threads.emplace_back([&server, &answered, t] {
                try {
                    while (true) {
                        Client client(server.port());
                        for (int i = 0; i < 5; ++i) {
                            client.send(
                                request(server, "GET", t == 3 ? "/api/large" : "/api/v1/analyses"));
                            if (!client.read_reply()) {
                                break;
                            }
                            ++answered;
                            answered.notify_all();
                        }
                    }
                } catch (const std::exception&) {
                    // The server accepts no more.
                }
            });
        }
        answered.wait(0); // for ever, if nobody is answered
        server.stop(round % 2 == 0 ? 1h : 0ms).wait();
        for (auto& thread : threads) {
            thread.join();
        }
        CHECK_THROWS(Client(server.port())); // nobody listens any more
    }
}

TEST_CASE("stop: the listener's end alone ends everything") {
    boost::asio::io_context context;
    http::EventHub hub;
    http::Listener{context, any_port(), hub, empty_answer}.start();
    context.run(); // returns: nothing is left to do
    CHECK(context.stopped());
}

TEST_CASE("stop: an io_context may go while connections are open") {
    http::EventHub hub;
    auto context = std::make_unique<boost::asio::io_context>();
    auto listener = std::make_unique<http::Listener>(*context, any_port(), hub, empty_answer);
    listener->start();
    Client client(listener->port());
    client.send("GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1:" +
                std::to_string(listener->port()) + "\r\n\r\n");
    bool streaming = false;
    while (!streaming) {
        context->run_one();
        hub.publish({"analysis", "1", {}, "x", ""});
        streaming = client.has_data();
    }
    listener.reset();
    context.reset();
    CHECK_FALSE(client.read_to_end().empty());
}

TEST_CASE("stop: whoever works on a request is told when its client is gone") {
    Server server;
    const std::string asked = request(server, "POST", "/api/wait");
    Client ahead(server.port()); // what is sent ahead is no end
    ahead.send(asked + request(server, "GET", "/api/x"));
    {
        Client client(server.port());
        client.send(asked);
        server.await_waiting(2);
        CHECK(server.unwanted() == 0);
    }
    while (server.unwanted() == 0) {
        std::this_thread::sleep_for(1ms); // between polls
    }
    server.release();
    CHECK(ahead.read_reply()->body == "waited");
    CHECK(ahead.read_reply()->status == 200);
    CHECK(server.unwanted() == 1);
}
