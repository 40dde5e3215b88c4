#include "http/client/http_link.hpp"
#include "test.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>

#include <dlfcn.h>
#include <netdb.h>

using namespace adjourn::server;
using namespace std::chrono_literals;

namespace {

// The system's resolver, which hangs at this name.
constexpr std::string_view hanging_name = "hangs.test";
struct Resolver {
    std::mutex mutex;
    std::condition_variable changed;
    int inside = 0;
    bool held = false;

    void wait_for(int count) {
        std::unique_lock lock{mutex};
        changed.wait(lock, [&] { return inside == count; });
    }
    void hold(bool on) {
        const std::lock_guard lock{mutex};
        held = on;
        changed.notify_all();
    }
} name_resolver;

} // namespace

extern "C" int getaddrinfo(const char* node, const char* service, const addrinfo* hints,
                           addrinfo** found) {
    if (node != nullptr && node == hanging_name) {
        std::unique_lock lock{name_resolver.mutex};
        ++name_resolver.inside;
        name_resolver.changed.notify_all();
        name_resolver.changed.wait(lock, [] { return !name_resolver.held; });
        --name_resolver.inside;
        name_resolver.changed.notify_all();
        return EAI_NONAME;
    }
    static const auto real =
        reinterpret_cast<decltype(&getaddrinfo)>(dlsym(RTLD_NEXT, "getaddrinfo"));
    return real(node, service, hints, found);
}

TEST_CASE("link: a name that nobody resolves has its time, and does not keep a link from closing") {
    name_resolver.hold(true);
    {
        HttpLink brief{*parse_server_url("http://hangs.test"), ""};
        const auto late = brief.send("GET", "/", "", 20ms);
        REQUIRE_FALSE(late);
        CHECK(late.error().message == "Connection timed out");
    } // gone, while the resolver hangs
    HttpLink link{*parse_server_url("https://hangs.test"), ""};
    auto reply = std::async(std::launch::async, [&] { return link.send("GET", "/", "", 1h); });
    name_resolver.wait_for(2);
    link.close();
    CHECK_FALSE(reply.get());
    StreamedBody body;
    HttpLink other{*parse_server_url("http://hangs.test"), ""};
    auto streamed = std::async(std::launch::async, [&] { return other.stream("/", body, 1h); });
    name_resolver.wait_for(3);
    other.close();
    CHECK_FALSE(streamed.get());
    name_resolver.hold(false);
    name_resolver.wait_for(0);
}

TEST_CASE("link: over a connection that breaks a POST goes out once, a GET twice; one that the "
          "server has closed is not used") {
    namespace asio = boost::asio;
    using tcp = asio::ip::tcp;
    asio::io_context context;
    tcp::acceptor server{context, {asio::ip::address_v4::loopback(), 0}};
    HttpLink link{
        *parse_server_url("http://127.0.0.1:" + std::to_string(server.local_endpoint().port())),
        ""};
    const auto asking = [&](const char* method) {
        return std::async(std::launch::async,
                          [&, method] { return link.send(method, "/", "", 1h); });
    };
    const auto heard = [](tcp::socket& peer) {
        std::string text;
        asio::read_until(peer, asio::dynamic_buffer(text), "\r\n\r\n");
        return text.substr(0, text.find(' '));
    };
    const auto answer = [](tcp::socket& peer) {
        asio::write(peer,
                    asio::buffer(std::string{"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"}));
    };
    auto reply = asking("POST");
    tcp::socket first = server.accept();
    heard(first);
    answer(first);
    CHECK(reply.get());
    reply = asking("POST"); // its answer is lost
    CHECK(heard(first) == "POST");
    first.close();
    CHECK_FALSE(reply.get());

    reply = asking("POST");
    tcp::socket second = server.accept();
    heard(second);
    answer(second);
    CHECK(reply.get());
    second.close(); // while nobody asks
    reply = asking("POST");
    tcp::socket third = server.accept();
    CHECK(heard(third) == "POST");
    answer(third);
    CHECK(reply.get());
    reply = asking("GET");
    CHECK(heard(third) == "GET");
    third.close();
    tcp::socket fourth = server.accept();
    CHECK(heard(fourth) == "GET");
    answer(fourth);
    CHECK(reply.get());
}

TEST_CASE("link: the address of a server, with the usual ports, or why it is none") {
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
