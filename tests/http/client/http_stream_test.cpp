// HttpLink::stream(): a body that is sent while it is made.
#include "http/client/http_link.hpp"
#include "test.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>

using namespace adjourn::server;
using namespace std::chrono_literals;
namespace asio = boost::asio;
using tcp = asio::ip::tcp;

namespace {

struct OneServer {
    asio::io_context context;
    tcp::acceptor acceptor{context, {asio::ip::address_v4::loopback(), 0}};
    tcp::socket peer{context};
    std::string text;

    ServerUrl url() {
        return *parse_server_url("http://127.0.0.1:" +
                                 std::to_string(acceptor.local_endpoint().port()));
    }
    // What came up to `end`.
    std::string read(const std::string& end) {
        if (!peer.is_open()) {
            acceptor.accept(peer);
        }
        const std::size_t size = asio::read_until(peer, asio::dynamic_buffer(text), end);
        std::string part = text.substr(0, size);
        text.erase(0, size);
        return part;
    }
    void write(const std::string& answer) { asio::write(peer, asio::buffer(answer)); }
};

std::future<std::expected<HttpLink::Reply, HttpLink::Trouble>>
streaming(HttpLink& link, StreamedBody& body, std::chrono::milliseconds patience = 1min) {
    return std::async(std::launch::async, [&link, &body, patience] {
        return link.stream("/path", body, patience, {{"Content-Type", "text/plain"}});
    });
}

} // namespace

TEST_CASE("stream: what is added goes out at once, and the answer comes after its end") {
    OneServer server;
    HttpLink link{server.url(), "secret"};
    StreamedBody body;
    body.add("before\n");
    auto reply = streaming(link, body);
    const std::string head = server.read("\r\n\r\n");
    CHECK(head.starts_with("POST /path HTTP/1.1\r\n"));
    CHECK(head.contains("Transfer-Encoding: chunked\r\n"));
    CHECK(head.contains("Content-Type: text/plain\r\n"));
    CHECK(head.contains("Authorization: Bearer secret\r\n"));
    CHECK(server.read("before\n\r\n") == "7\r\nbefore\n\r\n");
    body.add("after\n"); // nobody waits for more than this
    CHECK(server.read("after\n\r\n") == "6\r\nafter\n\r\n");
    body.end();
    body.add("too late\n");
    CHECK(server.read("\r\n\r\n") == "0\r\n\r\n");
    server.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    const auto answer = reply.get();
    REQUIRE(answer);
    CHECK(answer->status == 200);
    CHECK(answer->body == "ok");
    CHECK_FALSE(answer->retry_after);
}

TEST_CASE("stream: an answer before the end is taken, and ends it") {
    OneServer server;
    HttpLink link{server.url(), ""};
    StreamedBody body;
    auto reply = streaming(link, body);
    server.read("\r\n\r\n");
    server.write("HTTP/1.1 429 Slow down\r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n");
    const auto answer = reply.get();
    REQUIRE(answer);
    CHECK(answer->status == 429);
    CHECK(answer->retry_after == 7s);
    CHECK_FALSE(body.ended());
    body.add("nobody"); // after all is over
}

TEST_CASE(
    "stream: a server that goes, or says nothing after the end, is trouble; closing ends it") {
    OneServer server;
    HttpLink link{server.url(), ""};
    StreamedBody gone;
    auto first = streaming(link, gone);
    server.read("\r\n\r\n");
    server.peer.close();
    CHECK_FALSE(first.get());

    StreamedBody silent;
    silent.end();
    auto second = streaming(link, silent, 50ms);
    server.text.clear();
    server.read("0\r\n\r\n");
    CHECK_FALSE(second.get());
    server.peer.close();

    StreamedBody open;
    auto third = streaming(link, open);
    server.text.clear();
    server.read("\r\n\r\n");
    link.close();
    CHECK_FALSE(third.get());
    CHECK(link.stream("/path", open, 1min).error().message == "it was stopped");
}

TEST_CASE("stream: what nobody takes does not pile up") {
    StreamedBody body;
    const std::string line(1'000, 'x');
    OneServer server;
    for (int i = 0; i < 1'000; ++i) {
        body.add(line);
    }
    body.add("newest");
    body.end();
    HttpLink link{server.url(), ""};
    auto reply = streaming(link, body);
    server.read("\r\n\r\n");
    const std::string chunk = server.read("newest\r\n");
    CHECK(chunk.size() < StreamedBody::most_waiting + 100);
    server.read("0\r\n\r\n");
    server.write("HTTP/1.1 204 No Content\r\n\r\n");
    CHECK(reply.get()->status == 204);
}
