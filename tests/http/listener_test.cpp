#include "http_support.hpp"
#include "test.hpp"

#include <nlohmann/json.hpp>

#include <sys/socket.h>

using namespace http_tests;
using http::ListenerOptions;
using nlohmann::json;

TEST_CASE("listener: a request and its answer") {
    const Server server;
    const auto reply = ask(server, "GET", "/api/a%20b?c=d+e&f");
    CHECK(reply.status == 200);
    CHECK(json::parse(reply.body) == json::parse(R"({"method":"GET","path":"/api/a b","query":
        [["c","d e"],["f",""]],"body":""})"));
    CHECK(reply.headers.at("content-type") == "application/json");
    CHECK(reply.headers.at("cache-control") == "no-store");
    CHECK(reply.headers.at("x-content-type-options") == "nosniff");
    CHECK(reply.headers.at("referrer-policy") == "no-referrer");
    CHECK(reply.headers.count("content-security-policy") == 1);
    CHECK(reply.headers.count("date") == 1);
    CHECK(reply.headers.count("connection") == 0);
}

TEST_CASE("listener: one connection serves many requests, also pipelined, or byte by byte") {
    const Server server;
    Client client(server.port());
    for (const char c :
         request(server, "POST", "/api/x", "Content-Type: application/json\r\n", "[1]")) {
        client.send({&c, 1});
    }
    CHECK(json::parse(client.read_reply()->body)["body"] == "[1]");
    std::string many;
    for (int i = 0; i < 50; ++i) {
        many += request(server, i % 2 == 0 ? "GET" : "POST", "/api/" + std::to_string(i),
                        "Content-Type: text/plain\r\n", i % 2 == 0 ? "" : "body");
    }
    client.send(many);
    for (int i = 0; i < 50; ++i) {
        const auto reply = client.read_reply();
        REQUIRE(reply);
        CHECK(json::parse(reply->body)["path"] == "/api/" + std::to_string(i));
    }
}

TEST_CASE("listener: Connection close and HTTP/1.0") {
    const Server server;
    Client polite(server.port());
    polite.send(request(server, "GET", "/api/x", "Connection: close\r\n"));
    CHECK(polite.read_reply()->headers.at("connection") == "close");
    CHECK(polite.closed_by_server());

    Client old(server.port());
    old.send("GET /api/x HTTP/1.0\r\nHost: " + server.host() + "\r\n\r\n");
    CHECK(old.read_reply()->status == 200);
    CHECK(old.closed_by_server());

    Client old_but_keen(server.port());
    const auto text =
        "GET /api/x HTTP/1.0\r\nHost: " + server.host() + "\r\nConnection: keep-alive\r\n\r\n";
    old_but_keen.send(text);
    CHECK(old_but_keen.read_reply()->headers.at("connection") == "keep-alive");
    old_but_keen.send(text);
    CHECK(old_but_keen.read_reply()->status == 200);
}

TEST_CASE("listener: HEAD has the length and no body") {
    const Server server;
    Client client(server.port());
    client.send(request(server, "HEAD", "/api/long"));
    const auto head = client.read_reply(true);
    CHECK(head->status == 200);
    CHECK(head->headers.at("content-length") == "4096");
    client.send(request(server, "GET", "/api/long")); // nothing is left over in between
    CHECK(client.read_reply()->body.size() == 4096);
}

TEST_CASE("listener: methods") {
    const Server server;
    for (const auto* method : {"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}) {
        CAPTURE(method);
        CHECK(json::parse(ask(server, method, "/api/x").body)["method"] == method);
    }
    for (const auto* method : {"TRACE", "CONNECT", "BREW", "get"}) {
        CAPTURE(method);
        const auto reply = ask(server, method, "/api/x");
        CHECK(reply.status == 405);
        CHECK(reply.code() == "method_not_allowed");
        CHECK(reply.headers.at("allow") == "GET, HEAD, POST, PUT, PATCH, DELETE");
    }
    const auto events = ask(server, "POST", "/api/v1/events");
    CHECK(events.status == 405);
    CHECK(events.headers.at("allow") == "GET, HEAD");
}

TEST_CASE("listener: chunked bodies") {
    const Server server;
    Client client(server.port());
    const auto send = [&](std::string_view chunks) {
        client.send(request(server, "POST", "/api/x",
                            "Content-Type: text/plain\r\nTransfer-Encoding: chunked\r\n") +
                    std::string(chunks));
        return client.read_reply().value_or(Reply{});
    };
    CHECK(json::parse(send("4\r\nWiki\r\n5;x=y\r\npedia\r\n0\r\n\r\n").body)["body"] ==
          "Wikipedia");
    CHECK(json::parse(send("1\r\na\r\n0\r\nHost: evil\r\n\r\n").body)["body"] == "a"); // trailer
    CHECK(json::parse(send("0\r\n\r\n").body)["body"] == "");
    const auto broken = send("zz\r\n");
    CHECK(broken.status == 400);
    CHECK(broken.code() == "bad_request");
}

TEST_CASE("listener: Expect: 100-continue") {
    const Server server;
    Client client(server.port());
    const std::string head = "POST /api/x HTTP/1.1\r\nHost: " + server.host() +
                             "\r\nContent-Type: text/plain\r\nContent-Length: 4\r\n"
                             "Expect: 100-continue\r\n\r\n";
    client.send(head);
    CHECK(client.read_until("\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n");
    client.send("body");
    CHECK(json::parse(client.read_reply()->body)["body"] == "body");

    Client refused(server.port());
    refused.send("POST /api/x HTTP/1.1\r\nHost: evil\r\nContent-Type: text/plain\r\n"
                 "Content-Length: 4\r\nExpect: 100-continue\r\n\r\n");
    CHECK(refused.read_reply()->status == 403); // at once, and no 100 before
}

TEST_CASE("listener: malformed requests are 400 in JSON, and the end") {
    const Server server;
    const std::string host = "Host: " + server.host() + "\r\n";
    for (const auto& text :
         {std::string("nonsense\r\n\r\n"),
          std::string("\x16\x03\x01\x02\x00\x01\xfc\x03\x03", 9),
          "GET /api/x\r\n" + host + "\r\n",
          "GET /api/x HTTP/2.0\r\n" + host + "\r\n",
          "GET /api/x HTTP/1.1\r\n" + host + "Bad Name: x\r\n\r\n",
          "GET /api/x HTTP/1.1\r\n" + host + "X: a\x01z\r\n\r\n",
          "GET /api/%zz HTTP/1.1\r\n" + host + "\r\n",
          std::string("GET /api/x HTTP/1.1\r\n\r\n"),
          "GET https://" + server.host() + "/ HTTP/1.1\r\n" + host + "\r\n",
          "CONNECT " + server.host() + " HTTP/1.1\r\n" + host + "\r\n",
          "OPTIONS * HTTP/1.1\r\n" + host + "\r\n",
          "GET /api/x HTTP/1.1\r\n" + host + host + "\r\n",
          "GET /api/x HTTP/1.1\r\n" + host +
              "Sec-Fetch-Site: same-origin\r\nSec-Fetch-Site: cross-site\r\n\r\n",
          "POST /api/x HTTP/1.1\r\n" + host + "Content-Length: -1\r\n\r\n",
          "POST /api/x HTTP/1.1\r\n" + host + "Content-Length: 1\r\nContent-Length: 2\r\n\r\n",
          "POST /api/x HTTP/1.1\r\n" + host +
              "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
          "POST /api/x HTTP/1.1\r\n" + host + "Transfer-Encoding: gzip\r\n\r\n",
          "POST /api/x HTTP/1.1\r\n" + host + "Transfer-Encoding: gzip, chunked\r\n\r\n",
          "POST /api/x HTTP/1.0\r\n" + host + "Transfer-Encoding: chunked\r\n\r\n",
          "POST /api/x HTTP/1.1\r\n" + host +
              "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n"}) {
        CAPTURE(text);
        Client client(server.port());
        client.send(text);
        const auto reply = client.read_reply().value_or(Reply{});
        CHECK(reply.status == 400);
        CHECK(reply.code() == "bad_request");
    }
    CHECK(server.requests_handled() == 0);
}

TEST_CASE("listener: a client may leave at any byte") {
    const Server server;
    const auto text = request(server, "POST", "/api/x", "Content-Type: text/plain\r\n", "body");
    for (std::size_t length = 0; length < text.size(); length += 3) {
        Client(server.port()).send(text.substr(0, length));
    }
    CHECK(ask(server, "GET", "/api/x").status == 200);
}

TEST_CASE("listener: an exception is 500 and keeps its secret, and no answer breaks its own head") {
    const Server server;
    Client client(server.port());
    client.send(request(server, "GET", "/api/throw"));
    const auto reply = client.read_reply();
    CHECK(reply->status == 500);
    CHECK(reply->code() == "internal");
    CHECK(reply->body.find("secret") == std::string::npos);
    client.send(request(server, "GET", "/api/bad-header"));
    const auto broken = client.read_reply();
    CHECK(broken->status == 500);
    CHECK(broken->headers.count("set-cookie") == 0);
    client.send(request(server, "GET", "/api/x"));
    CHECK(client.read_reply()->status == 200);
}

TEST_CASE("listener: long text is gzip where it is accepted") {
    const Server server;
    const auto packed = ask(server, "GET", "/api/long", "Accept-Encoding: gzip\r\n");
    CHECK(packed.headers.at("content-encoding") == "gzip");
    CHECK(packed.headers.at("vary") == "Accept-Encoding");
    CHECK(packed.body.substr(0, 2) == "\x1f\x8b");
    CHECK(packed.body.size() < 200);
    const auto plain = ask(server, "GET", "/api/long");
    CHECK(plain.headers.count("content-encoding") == 0);
    CHECK(plain.headers.at("vary") == "Accept-Encoding");
    CHECK(plain.body.size() == 4096);
    CHECK(ask(server, "GET", "/api/x", "Accept-Encoding: gzip\r\n").headers.count("vary") == 0);
}

TEST_CASE("listener: Host, Origin, token and media type are checked") {
    ListenerOptions options;
    options.secrets.full = "secret";
    options.hosts = {"adjourn.example.org"};
    const Server server(options);
    const std::string token = "Authorization: Bearer secret\r\n";

    // What passes and what does not, as values: access_test.cpp.
    Client foreign_host(server.port());
    foreign_host.send("GET /api/x HTTP/1.1\r\nHost: localhost\r\n" + token + "\r\n");
    CHECK(foreign_host.read_reply()->code() == "forbidden_host");
    Client named(server.port());
    named.send("GET /api/x HTTP/1.1\r\nHost: adjourn.example.org\r\n" + token + "\r\n");
    CHECK(named.read_reply()->status == 200);
    const auto foreign = ask(server, "POST", "/api/x", token + "Origin: http://evil.example\r\n");
    CHECK(foreign.status == 403);
    CHECK(foreign.code() == "forbidden_origin");

    // A page of another site changes nothing; a person follows a link there.
    const std::string cross = token + "Sec-Fetch-Site: cross-site\r\n";
    for (const char* method : {"POST", "PATCH", "DELETE"}) {
        CHECK(ask(server, method, "/api/x", cross).code() == "forbidden_origin");
    }
    CHECK(ask(server, "GET", "/api/x", cross).status == 200);

    const auto nobody = ask(server, "GET", "/api/x");
    CHECK(nobody.status == 401);
    CHECK(nobody.code() == "unauthorised");
    CHECK(nobody.headers.at("www-authenticate") == "Bearer");
    CHECK(ask(server, "GET", "/api/x?token=secret").status == 401); // only for events
    CHECK(ask(server, "GET", "/api/v1/events?ticket=wrong").status == 401);
    const auto in_address = ask(server, "GET", "/api/v1/events?token=secret");
    CHECK(in_address.status == 401); // a token in an address is refused, with what to do
    CHECK(in_address.body.find("POST tickets") != std::string::npos);

    const auto form = ask(server, "POST", "/api/x",
                          token + "Content-Type: application/x-www-form-urlencoded\r\n", "a=b");
    CHECK(form.status == 415);
    CHECK(form.code() == "unsupported_media_type");
    CHECK(ask(server, "POST", "/api/x", token).status == 200); // no body, no type
}

namespace {

std::string listen_problem(ListenerOptions options) {
    boost::asio::io_context context;
    http::EventHub hub;
    try {
        const http::Listener listener(context, std::move(options), hub,
                                      [](http::Request) -> boost::asio::awaitable<http::Response> {
                                          co_return http::Response{};
                                      });
        return "";
    } catch (const http::ListenError& error) {
        return error.what();
    }
}

} // namespace

TEST_CASE("listener: why it cannot listen, and what to do") {
    using Catch::Matchers::Contains;
    const Server server;
    ListenerOptions options;
    options.port = server.port();
    CHECK_THAT(listen_problem(options),
               Contains(server.host()) && Contains("in use") && Contains("--listen"));
    options.port = 0;
    CHECK(listen_problem(options).empty());
    for (const auto* address : {"0.0.0.0", "::", "192.0.2.1", "::ffff:192.0.2.1"}) {
        options.address = address;
        CHECK_THAT(listen_problem(options), Contains("token"));
    }
    options.address = "localhost";
    CHECK_THAT(listen_problem(options), Contains("numeric"));
    options.address = "192.0.2.1";
    options.secrets.full = "secret";
    CHECK_THAT(listen_problem(options), Contains("no such address"));
    options.address = "127.0.0.1";
    options.hosts = {"a b"};
    CHECK_THAT(listen_problem(options), Contains("a b"));
    options.hosts = {};
    options.static_directory = "/nonexistent/page";
    CHECK_THAT(listen_problem(options), Contains("/nonexistent/page"));
}
