// Links, all of it over a socket: what they show of a server, how they end, and that they stay.
#include "api/api.hpp"
#include "described_calls.hpp"
#include "host/service.hpp"
#include "http/client/http_link.hpp"
#include "temporary_directory.hpp"
#include "test.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/streambuf.hpp>
#include <boost/asio/write.hpp>
#include <nlohmann/json.hpp>

using namespace adjourn::server;
using namespace std::chrono_literals;
using nlohmann::json;

namespace {

namespace asio = boost::asio;
constexpr const char* owner = "the-token-of-the-owner";

// A server with a token or without one, whose engine cannot start.
struct Shown {
    explicit Shown(bool token) : token_{token} { begin(); }

    void begin() {
        Config config;
        config.listen_port = 0;
        config.token = token_ ? owner : "";
        config.read_token = token_ ? "look" : "";
        engine_bridge::Profile none;
        none.name = "none";
        none.command = {"/nowhere/engine"};
        config.engines = {none};
        service = std::make_unique<Service>(std::move(config),
                                            ServiceOptions{directory.path(), true, ""});
        service->start();
    }
    void restart() {
        service.reset();
        begin();
    }

    HttpLink::Reply ask(const std::string& secret, const std::string& method,
                        const std::string& target, const json& body = {}) const {
        HttpLink link{*parse_server_url(service->url()), secret};
        const auto reply = link.send(method, target, body.is_null() ? "" : body.dump(), 60s);
        REQUIRE(reply);
        return *reply;
    }
    json owned(const std::string& method, const std::string& target, const json& body = {}) const {
        const HttpLink::Reply reply = ask(token_ ? owner : "", method, "/api/v1" + target, body);
        INFO(target << ": " << reply.body);
        REQUIRE(reply.status < 300);
        return reply.body.empty() ? json{} : json::parse(reply.body);
    }
    std::int64_t make(const char* name) const {
        return owned(
            "POST", "/analyses",
            {{"name", name}, {"position", {{"moves", "1. e4"}}}, {"limit", {{"depth", 8}}}})["id"];
    }
    json share(std::int64_t id) const {
        return owned("POST", "/analyses/" + std::to_string(id) + "/links", {{"name", "x"}});
    }
    void revoke(std::int64_t id, const json& link) const {
        owned("DELETE", "/analyses/" + std::to_string(id) + "/links/" + link["id"].dump());
    }

    TemporaryDirectory directory;
    bool token_;
    std::unique_ptr<Service> service;
};

// A stream of events, read as it comes.
struct Stream {
    Stream(const Shown& server, const std::string& secret) {
        socket.connect({asio::ip::make_address("127.0.0.1"), server.service->port()});
        const std::string host = "127.0.0.1:" + std::to_string(server.service->port());
        asio::write(socket, asio::buffer("GET /api/v1/events HTTP/1.1\r\nHost: " + host +
                                         "\r\nAuthorization: Bearer " + secret + "\r\n\r\n"));
        CHECK(until("event: reset\ndata: {}\n\n").starts_with("HTTP/1.1 200"));
    }
    // What comes, up to and with the mark.
    std::string until(const std::string& mark) {
        const std::size_t size = asio::read_until(socket, buffer, mark);
        std::string text(asio::buffers_begin(buffer.data()),
                         asio::buffers_begin(buffer.data()) + static_cast<std::ptrdiff_t>(size));
        buffer.consume(size);
        return text;
    }
    bool ends() {
        boost::system::error_code error;
        asio::read(socket, buffer, error); // until the server closes
        return error == asio::error::eof || error == asio::error::connection_reset;
    }

    asio::io_context context;
    asio::ip::tcp::socket socket{context};
    asio::streambuf buffer;
};

} // namespace

TEST_CASE("links: every call is refused for another analysis, and what is no reading for its own") {
    for (const bool token : {true, false}) {
        Shown server{token};
        const std::int64_t mine = server.make("mine");
        const std::int64_t other = server.make("hidden");
        const std::string secret = server.share(mine)["secret"];
        std::size_t shown = 0;
        for (const auto& [method, pattern] : all_calls()) {
            const std::string word{http::name_of(method)};
            for (const std::int64_t id : {mine, other, std::int64_t{99}}) {
                const std::string path = filled(std::string{pattern}, std::to_string(id));
                const HttpLink::Reply reply = server.ask(secret, word, path);
                const bool allowed =
                    id == mine && readers_of(method, path).links.has_value() && word == "GET";
                INFO(token << " " << word << " " << path << " " << reply.status << " "
                           << reply.body);
                CHECK((reply.status == 403) == !allowed);
                CHECK(reply.body.find("hidden") == std::string::npos);
                shown += allowed ? 1 : 0;
            }
        }
        CHECK(shown == 14);
        for (const char* path :
             {"/api/v1/events?analysis=2", "/api/v1/analyses/", "/api/v1/analyses/1/", "/api/v1",
              "/api/v1/analyses/1/files/1/edits", "/api/v1/workers"}) {
            CAPTURE(path);
            CHECK(server.ask(secret, "GET", path).status == 403);
        }
        CHECK(server.ask(secret, "POST", "/api/v1/tickets").status == 201);
        if (token) {
            CHECK(server.ask("look", "GET", "/api/v1/analyses/1/links").status == 403);
            CHECK(server.ask("look", "POST", "/api/v1/analyses/1/links").status == 403);
        }
        const std::string path = "/api/v1/analyses/" + std::to_string(mine);
        const json revoked = server.share(mine);
        server.revoke(mine, revoked);
        server.restart();
        CHECK(server.ask(secret, "GET", path).status == 200);
        CHECK(server.ask(secret, "PATCH", path, {{"name", "x"}}).status == 403);
        CHECK(server.ask(revoked["secret"], "GET", path).status == 401);
        server.owned("DELETE", "/analyses/" + std::to_string(mine));
        CHECK(server.ask(secret, "GET", path).status == 401);
    }
}

TEST_CASE("links: a stream tells nothing of other analyses, and ends with its link") {
    const Shown server{true};
    const std::int64_t mine = server.make("mine");
    const std::int64_t other = server.make("hidden");
    const json link = server.share(mine);
    const json second = server.share(mine);
    Stream stream{server, link["secret"]};
    Stream lasting{server, second["secret"]};
    const std::string there = "/analyses/" + std::to_string(other);
    for (int i = 0; i < 20; ++i) {
        server.owned("PATCH", there, {{"name", "hidden " + std::to_string(i)}, {"priority", i}});
        server.owned("POST", there + "/directives",
                     {{"moves", ""}, {"action", "note"}, {"text", "hidden"}});
        server.make("hidden, too");
        server.owned("PATCH", "/analyses/" + std::to_string(mine), {{"priority", i}});
    }
    server.owned("DELETE", there);
    server.owned("PATCH", "/analyses/" + std::to_string(mine), {{"name", "the end"}});
    const std::string seen = stream.until("the end");
    INFO(seen);
    CHECK(seen.find("hidden") == std::string::npos);
    CHECK(seen.find("id: ") == std::string::npos);
    CHECK(seen.find("none\",\"default") == std::string::npos); // the engine
    for (std::size_t place = seen.find("event: "); place != std::string::npos;
         place = seen.find("event: ", place + 1)) {
        CHECK(seen.substr(place).starts_with("event: analysis\n"));
    }
    // Its own place in the queue was changed twenty times, and that is nobody's business.
    CHECK(seen.find("\"priority\":1") == std::string::npos);

    server.revoke(mine, link);
    CHECK(server.ask(link["secret"], "GET", "/api/v1/analyses/1").status == 401);
    CHECK(stream.ends());
    server.owned("PATCH", "/analyses/" + std::to_string(mine), {{"name", "goes on"}});
    CHECK(lasting.until("goes on").find("event: analysis") != std::string::npos);
}
