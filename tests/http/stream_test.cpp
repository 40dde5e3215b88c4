#include "http_support.hpp"
#include "test.hpp"

using namespace http_tests;
using http::ListenerOptions;
using namespace std::chrono_literals;

namespace {

http::Event event(std::string subject, std::string data,
                  std::optional<std::int64_t> analysis = {}) {
    return {"analysis", std::move(subject), analysis, std::move(data), ""};
}

// Head and opening are read; what comes next are events.
Client follow(const Server& server, std::string_view target = "/api/v1/events",
              std::string_view headers = "", int receive_buffer = 0) {
    Client client(server.port(), receive_buffer);
    client.send(request(server, "GET", target, headers));
    const auto head = client.read_head();
    REQUIRE(head);
    REQUIRE(head->status == 200);
    CHECK(head->headers.at("content-type") == "text/event-stream");
    CHECK(head->headers.at("cache-control") == "no-store");
    CHECK(head->headers.count("content-length") == 0);
    CHECK(client.read_until("\n\n") == "retry: 1000\n\n");
    return client;
}

std::string id_of(const std::string& block) {
    const auto begin = block.find("id: ") + 4;
    return block.substr(begin, block.find('\n', begin) - begin);
}

} // namespace

TEST_CASE("events: a burst ends with the newest, ids increase") {
    Server server;
    auto client = follow(server, "/api/v1/events?analysis=1");
    CHECK(client.read_until("\n\n")->starts_with("id: ")); // its place in the stream
    server.hub().publish(event("2", "of another analysis", 2));
    for (int i = 0; i < 2'000; ++i) {
        server.hub().publish(event("1", std::to_string(i), 1));
    }
    std::uint64_t number = 0;
    int blocks = 0;
    std::string last;
    while (last.find("event: analysis\ndata: 1999\n\n") == std::string::npos) {
        const auto block = client.read_until("\n\n");
        REQUIRE(block);
        last = *block;
        CHECK(last.find("another") == std::string::npos);
        const auto id = id_of(last);
        const auto next = std::stoull(id.substr(id.find('-') + 1));
        CHECK((blocks == 0 || next > number));
        number = next;
        ++blocks;
    }
    CHECK(number == 2'001);
    CHECK(blocks < 2'000);
}

TEST_CASE("events: Last-Event-ID goes on where the client was") {
    Server server;
    std::string id;
    {
        auto client = follow(server);
        client.read_until("\n\n");
        server.hub().publish(event("1", "a"));
        id = id_of(*client.read_until("\n\n"));
    }
    server.hub().publish(event("2", "b"));
    auto again = follow(server, "/api/v1/events", "Last-Event-ID: " + id + "\r\n");
    CHECK(again.read_until("\n\n")->find("data: b\n") != std::string::npos);
    auto stranger = follow(server, "/api/v1/events", "Last-Event-ID: 0123-4\r\n");
    CHECK(stranger.read_until("\n\n")->find("event: reset\n") != std::string::npos);
}

TEST_CASE("events: a ticket in the query, other parameters strict") {
    ListenerOptions options;
    options.secrets.full = "secret";
    const Server server(options);
    const auto with_ticket = [&](const std::string& more) {
        return "/api/v1/events?ticket=" +
               ticket_of(ask(server, "POST", "/api/v1/tickets", bearer("secret"))) + more;
    };
    follow(server, with_ticket(""));
    CHECK(ask(server, "GET", with_ticket("&analysis=x")).code() == "bad_value");
    CHECK(ask(server, "GET", with_ticket("&analyses=1")).code() == "unknown_field");
    const auto head = ask(server, "HEAD", with_ticket(""));
    CHECK(head.status == 200);
    CHECK(head.headers.at("content-type") == "text/event-stream");
}

TEST_CASE("events: silence is broken by a ping") {
    ListenerOptions options;
    options.ping_interval = 20ms;
    options.event_interval = 1ms;
    const Server server(options);
    auto client = follow(server);
    for (int i = 0; i < 3; ++i) {
        CHECK(client.read_until(": ping\n\n"));
    }
}

TEST_CASE("events: a slow client is cut off and slows no other") {
    ListenerOptions options;
    options.write_timeout = 5s; // the quick one reads its half megabyte in less, on any machine
    options.event_interval = 1ms;
    Server server(options);
    auto slow = follow(server, "/api/v1/events", "", 4096);
    auto quick = follow(server);
    quick.read_until("\n\n");
    // The slow client's buffers fill, then its write waits, while the quick one gets each event.
    const std::string large(500'000, 'x');
    int round = 0;
    for (; round < 60; ++round) {
        const auto mark = "end-" + std::to_string(round);
        server.hub().publish(event(std::to_string(round), large + mark));
        REQUIRE(quick.read_until(mark + "\n\n"));
    }
    CHECK(slow.drips_until_closed("x"));
    CHECK(slow.read_to_end().size() < 60 * large.size());
    server.hub().publish(event("more", "still here"));
    CHECK(quick.read_until("still here\n\n"));
}

TEST_CASE("events: a client that has left frees its place") {
    ListenerOptions options;
    options.max_connections = 1;
    const Server server(options);
    { const auto client = follow(server); }
    int status = 429; // until the server has seen the end
    while (status == 429) {
        status = ask(server, "GET", "/api/x").status;
    }
    CHECK(status == 200);
}

TEST_CASE("events: a client that talks on is cut off") {
    const Server server;
    auto client = follow(server);
    const std::string talk(10'000, 'x');
    int sent = 0;
    while (sent < 10'000 && client.send(talk)) {
        ++sent;
    }
    CHECK(sent < 10'000);
}
