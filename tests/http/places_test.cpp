// Who gets a connection, and room for a body, when others hold all of them.
#include "http_support.hpp"
#include "test.hpp"

using namespace http_tests;
using http::ListenerOptions;
using namespace std::chrono_literals;

namespace {

constexpr std::string_view owners = "Authorization: Bearer secret\r\n";

ListenerOptions few_connections() {
    ListenerOptions options;
    options.max_connections = 8;
    // Nobody goes because of a deadline while these tests run.
    options.header_timeout = options.body_timeout = options.idle_timeout = options.write_timeout =
        1h;
    options.stranger_timeout = 1h;
    return options;
}

// So many bytes of a body that never ends.
std::string half_sent(const Server& server, std::size_t bytes) {
    return "POST /api/x HTTP/1.1\r\nHost: " + server.host() +
           "\r\nContent-Type: text/plain\r\nContent-Length: 8000000\r\n\r\n" +
           std::string(bytes, 'x');
}

// The owner's requests are answered while `others` are held open by those who opened them.
void owner_gets_in(const Server& server, const std::vector<Client>& others,
                   std::string_view headers = "") {
    CAPTURE(others.size());
    for (int i = 0; i < 20; ++i) {
        CHECK(ask(server, "GET", "/api/x", headers).status == 200);
    }
    Client kept(server.port());
    for (int i = 0; i < 3; ++i) {
        kept.send(request(server, "GET", "/api/x", headers));
        CHECK(kept.read_reply()->status == 200);
    }
}

} // namespace

TEST_CASE("places: silent connections, half-sent heads and half-sent bodies make way") {
    const Server server(few_connections());
    for (const std::string& sent :
         {std::string{}, std::string{"GET /api/x HTTP/1.1\r\nHost: "}, half_sent(server, 1'000)}) {
        CAPTURE(sent.substr(0, 20));
        std::vector<Client> others;
        for (int i = 0; i < 60; ++i) {
            others.emplace_back(server.port()).send(sent);
        }
        owner_gets_in(server, others);
    }
}

TEST_CASE("places: idle connections make way, the longest idle first") {
    const Server server(few_connections(), 1);
    std::vector<Client> others;
    for (int i = 0; i < 8; ++i) {
        auto& other = others.emplace_back(server.port());
        other.send(request(server, "GET", "/api/x"));
        REQUIRE(other.read_reply()->status == 200);
    }
    // All but the third have asked again since.
    const auto others_ask = [&] {
        for (const std::size_t i : {0, 1, 3, 4, 5, 6, 7}) {
            CAPTURE(i);
            others[i].send(request(server, "GET", "/api/x"));
            const auto reply = others[i].read_reply();
            REQUIRE((reply && reply->status == 200));
        }
    };
    others_ask();
    Client owner(server.port());
    owner.send(request(server, "GET", "/api/x"));
    CHECK(owner.read_reply()->status == 200);
    CHECK(others[2].closed_by_server());
    others_ask();
    owner_gets_in(server, others);
}

TEST_CASE("places: those without the token make way for its owner") {
    auto options = few_connections();
    options.secrets.full = "secret";
    const Server server(options);
    std::vector<Client> others;
    for (int i = 0; i < 60; ++i) {
        auto& other = others.emplace_back(server.port());
        other.send(request(server, "GET", "/api/x"));
        const auto reply = other.read_reply();
        REQUIRE(reply);
        CHECK(reply->status == 401);
        CHECK(reply->headers.at("connection") == "close");
    }
    owner_gets_in(server, others, owners);
    for (auto& other : others) {
        CHECK(other.closed_by_server());
    }
}

TEST_CASE("places: a stranger goes before an owner who has been idle for longer") {
    auto options = few_connections();
    options.secrets.full = "secret";
    const Server server(options);
    Client owner(server.port());
    owner.send(request(server, "GET", "/api/x", owners));
    REQUIRE(owner.read_reply()->status == 200);
    std::vector<Client> others;
    for (int i = 0; i < 60; ++i) {
        others.emplace_back(server.port());
        others.emplace_back(server.port()).send(half_sent(server, 100'000));
    }
    owner.send(request(server, "GET", "/api/x", owners));
    const auto reply = owner.read_reply();
    CHECK((reply && reply->status == 200));
}

TEST_CASE("places: after 401 and 403 the connection is closed") {
    ListenerOptions options;
    options.secrets.full = "secret";
    const Server server(options);
    for (const std::string headers :
         {"", "Authorization: Bearer wrong\r\n", "Origin: http://evil.example\r\n",
          "Authorization: Bearer secret\r\nOrigin: http://evil.example\r\n"}) {
        CAPTURE(headers);
        Client client(server.port());
        client.send(request(server, "GET", "/api/x", headers) +
                    request(server, "GET", "/api/x", owners));
        const auto reply = client.read_reply();
        REQUIRE(reply);
        CHECK((reply->status == 401 || reply->status == 403));
        CHECK(client.closed_by_server());
    }
    CHECK(server.requests_handled() == 0);
}

TEST_CASE("places: requests under way keep theirs") {
    auto options = few_connections();
    options.max_connections = 2;
    Server server(options);
    Client first(server.port());
    Client second(server.port());
    first.send(request(server, "GET", "/api/wait"));
    second.send(request(server, "GET", "/api/wait"));
    server.await_waiting(2);
    Client third(server.port());
    third.send(request(server, "GET", "/api/x"));
    const auto reply = third.read_reply();
    REQUIRE(reply);
    CHECK(reply->status == 429);
    CHECK(reply->code() == "too_many_connections");
    CHECK(third.closed_by_server());
    server.release();
    CHECK(first.read_reply()->body == "waited");
    CHECK(second.read_reply()->body == "waited");
    CHECK(ask(server, "GET", "/api/x").status == 200);
}

TEST_CASE("places: event streams leave room for ordinary requests") {
    auto options = few_connections();
    options.max_streams = 6;
    const Server server(options);
    std::vector<Client> others;
    int open = 0;
    int told = 0;
    for (int i = 0; i < 40; ++i) {
        auto& other = others.emplace_back(server.port());
        other.send(request(server, "GET", "/api/v1/events"));
        const auto head = other.read_head();
        REQUIRE(head);
        open += head->status == 200 ? 1 : 0;
        told += head->status == 429 ? 1 : 0;
        if (head->status == 429) {
            CHECK(head->headers.contains("retry-after"));
        }
    }
    CHECK(open == 6);
    CHECK(told == 34);
    owner_gets_in(server, others);
}
