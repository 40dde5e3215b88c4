#include "http/client/http_link.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <catch2/catch.hpp>

#include <string>
#include <vector>

using namespace adjourn::server;
using namespace std::chrono_literals;

TEST_CASE("link: the address of a server, with the usual ports") {
    const auto plain = parse_server_url("http://chess.local:8462/");
    REQUIRE(plain);
    CHECK_FALSE(plain->secure);
    CHECK(plain->host == "chess.local");
    CHECK(plain->port == "8462");
    CHECK(plain->authority == "chess.local:8462");
    CHECK(parse_server_url("http://chess.local")->port == "80");
    const auto secure = parse_server_url("https://[::1]");
    REQUIRE(secure);
    CHECK(secure->secure);
    CHECK(secure->host == "::1");
    CHECK(secure->port == "443");
    CHECK(secure->authority == "[::1]");
}

TEST_CASE("link: what is no address of a server is told") {
    for (const char* text : {"", "chess.local:8462", "ftp://chess.local", "http://", "http://a:b",
                             "http://a:70000", "http://user@a", "http://a/path"}) {
        INFO(text);
        const auto url = parse_server_url(text);
        REQUIRE_FALSE(url);
        CHECK(url.error().starts_with("'" + std::string{text} + "' is not the address"));
    }
}

TEST_CASE(
    "link: a server that is not there is trouble, but not distrust; a closed link asks nobody") {
    HttpLink link{*parse_server_url("http://127.0.0.1:1"), ""}; // nobody listens on it
    const auto silent = link.send("GET", "/api/v1/status", "", 5s);
    REQUIRE_FALSE(silent);
    CHECK_FALSE(silent.error().message.empty());
    CHECK_FALSE(silent.error().untrusted);
    link.close();
    const auto stopped = link.send("GET", "/api/v1/status", "", 5s);
    REQUIRE_FALSE(stopped);
    CHECK(stopped.error().message == "it was stopped");
}

TEST_CASE("link: a host that does not take a connection is given up long before one that works on "
          "an answer") {
    namespace asio = boost::asio;
    using tcp = asio::ip::tcp;
    asio::io_context context;
    tcp::acceptor server{context, tcp::v4()};
    server.bind({asio::ip::address_v4::loopback(), 0});
    server.listen(0);
    // As many as the system keeps for who does not accept; of the rest it hears nothing.
    std::vector<tcp::socket> waiting;
    for (int i = 0; i < 4; ++i) {
        waiting.emplace_back(context).async_connect(server.local_endpoint(), [](auto) {});
    }
    const std::string port = std::to_string(server.local_endpoint().port());
    HttpLink link{*parse_server_url("http://127.0.0.1:" + port), ""};
    CHECK_FALSE(link.send("GET", "/api/v1/status", "", 1h)); // within seconds, or never
}
