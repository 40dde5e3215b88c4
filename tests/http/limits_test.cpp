#include "http_support.hpp"
#include "test.hpp"

using namespace http_tests;
using http::ListenerOptions;
using namespace std::chrono_literals;

TEST_CASE("limits: a head too large is 431") {
    const Server server;
    const auto long_header =
        ask(server, "GET", "/api/x", "X: " + std::string(20'000, 'x') + "\r\n");
    CHECK(long_header.status == 431);
    CHECK(long_header.code() == "headers_too_large");
    CHECK(ask(server, "GET", "/api/" + std::string(20'000, 'x')).status == 431);
    std::string many;
    for (int i = 0; i < 3'000; ++i) {
        many += "X-" + std::to_string(i) + ": y\r\n";
    }
    CHECK(ask(server, "GET", "/api/x", many).status == 431);
    CHECK(ask(server, "GET", "/api/x", "X: " + std::string(10'000, 'x') + "\r\n").status == 200);
}

TEST_CASE("limits: a body of 10 MB is 413, which its sender can read") {
    const Server server;
    const std::string body(10'000'000, 'x');
    Client client(server.port());
    // The whole body is sent before anything is read, as simple clients do.
    CHECK(client.send(request(server, "POST", "/api/x", "Content-Type: text/plain\r\n", body)));
    const auto reply = client.read_reply();
    REQUIRE(reply);
    CHECK(reply->status == 413);
    CHECK(reply->code() == "too_large");
    CHECK(reply->headers.at("connection") == "close");
    CHECK(client.closed_by_server());
    CHECK(server.requests_handled() == 0);
}

TEST_CASE("limits: an address may take less than the server") {
    ListenerOptions options;
    options.max_body = 100'000;
    options.body_limit = [](const http::Request& request) {
        return request.path == "/api/small" ? std::size_t{1'000} : std::size_t{1'000'000};
    };
    const Server server(options);
    const auto post = [&](std::string_view path, std::size_t size) {
        return ask(server, "POST", path, "Content-Type: text/plain\r\n", std::string(size, 'x'));
    };
    CHECK(post("/api/small", 1'000).status == 200);
    const auto refused = post("/api/small", 1'001);
    CHECK(refused.code() == "too_large");
    CHECK(refused.body.find("1000 bytes") != std::string::npos);
    CHECK(post("/api/x", 100'000).status == 200);
    CHECK(post("/api/x", 100'001).status == 413);
    Client chunked(server.port());
    chunked.send(request(server, "POST", "/api/small",
                         "Content-Type: text/plain\r\nTransfer-Encoding: chunked\r\n") +
                 "7d0\r\n" + std::string(2'000, 'x') + "\r\n0\r\n\r\n");
    CHECK(chunked.read_reply()->code() == "too_large");
    CHECK(server.requests_handled() == 2);
}

TEST_CASE("limits: what is drained after a refusal is bounded") {
    ListenerOptions options;
    options.max_body = 1'000;
    options.max_drain = 1'000'000;
    const Server server(options);
    Client client(server.port());
    const std::string part(1'000'000, 'x');
    client.send("POST /api/x HTTP/1.1\r\nHost: " + server.host() +
                "\r\nContent-Type: text/plain\r\nContent-Length: 1000000000\r\n\r\n");
    int sent = 0;
    while (sent < 1'000 && client.send(part)) {
        ++sent;
    }
    CHECK(sent < 1'000); // closed long before a gigabyte went over
}

TEST_CASE("limits: a head or body that drips is closed at the deadline") {
    for (const bool body : {false, true}) {
        CAPTURE(body);
        ListenerOptions options;
        (body ? options.body_timeout : options.header_timeout) = 100ms;
        const Server server(options);
        Client client(server.port());
        client.send(body ? "POST /api/x HTTP/1.1\r\nHost: " + server.host() +
                               "\r\nContent-Type: text/plain\r\nContent-Length: 1000000\r\n\r\n"
                         : "GET /api/x HTTP/1.1\r\n");
        // Nothing restarts: the deadline stands from the first byte.
        CHECK(client.drips_until_closed(body ? "x" : "X: y\r\n"));
        CHECK(client.read_to_end().empty());
        CHECK(server.requests_handled() == 0);
    }
}

TEST_CASE("limits: a connection that says nothing is closed, at first and between requests") {
    ListenerOptions options;
    options.header_timeout = 50ms;
    const Server brief(options);
    Client silent(brief.port());
    CHECK(silent.closed_by_server());
    ListenerOptions patient;
    patient.idle_timeout = 50ms;
    const Server server(patient);
    Client idle(server.port());
    idle.send(request(server, "GET", "/api/x"));
    CHECK(idle.read_reply()->status == 200);
    CHECK(idle.closed_by_server());
}

TEST_CASE("limits: a client that does not read is closed at the write deadline") {
    ListenerOptions options;
    options.write_timeout = 100ms;
    const Server server(options);
    Client client(server.port(), 4096);
    std::string many;
    for (int i = 0; i < 20; ++i) {
        many += request(server, "GET", "/api/large");
    }
    // The answers, 40 MB, find no room. Each send below waits for nothing that the server
    // withholds: it fails once the server has given up.
    client.send(many);
    CHECK(client.drips_until_closed("\r\n"));
    CHECK(server.requests_handled() < 20);
}
