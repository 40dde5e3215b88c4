// Targets in absolute form (RFC 9112, 3.2.2): what they name counts, and the header Host does not.
#include "http_support.hpp"
#include "test.hpp"

#include <nlohmann/json.hpp>

using namespace http_tests;
using http::ListenerOptions;
using nlohmann::json;

namespace {

Reply ask_absolute(const Server& server, const std::string& target, const std::string& headers,
                   std::string_view version = "1.1") {
    Client client(server.port());
    client.send("GET " + target + " HTTP/" + std::string{version} + "\r\n" + headers + "\r\n");
    return client.read_reply().value_or(Reply{});
}

} // namespace

TEST_CASE("absolute target: it is answered as its path is") {
    const Server server;
    const std::string host = "Host: " + server.host() + "\r\n";
    const std::string port = ":" + std::to_string(server.port());
    const json query = json::parse(ask(server, "GET", "/api/x?a=b+c").body)["query"];
    for (const std::string& target :
         {"http://" + server.host() + "/api/x?a=b%20c", "HTTP://" + server.host() + "/api/x?a=b+c",
          "Http://LocalHost" + port + "/api/x?a=b+c", "http://[::1]" + port + "/api/x?a=b+c",
          "http://[0:0:0:0:0:0:0:1]" + port + "/api/x?a=b+c"}) {
        CAPTURE(target);
        const json told = json::parse(ask_absolute(server, target, host).body);
        CHECK(told["path"] == "/api/x");
        CHECK(told["query"] == query);
    }
    for (const char* rest : {"", "/", "?a=b"}) { // without a path it is that of the root
        CHECK(ask_absolute(server, "http://" + server.host() + rest, host).status ==
              ask(server, "GET", "/").status);
    }
    CHECK(ask_absolute(server, "http://" + server.host() + "#a", host).status == 400);
}

TEST_CASE("absolute target: its authority stands in place of Host, right or wrong") {
    const Server server;
    const std::string own = "http://" + server.host() + "/api/x";
    const std::string port = ":" + std::to_string(server.port());
    CHECK(ask_absolute(server, own, "Host: evil.example\r\n").status == 200);
    const std::string host = "Host: " + server.host() + "\r\n";
    for (const std::string& authority :
         {std::string{"evil.example"}, "evil.example" + port, std::string{"127.0.0.1"},
          std::string{"127.0.0.1:1"}, std::string{"127.0.0.1:0"}, std::string{"127.0.0.1:99999"},
          "127.0.0.2" + port, "[::2]" + port, "[::1" + port, std::string{}, port,
          "user@" + server.host(), "user:secret@" + server.host(), server.host() + "@evil.example",
          "127.0.0.1%2eevil.example" + port, "evil.example\\@" + server.host()}) {
        CAPTURE(authority);
        const Reply reply = ask_absolute(server, "http://" + authority + "/api/x", host);
        CHECK(reply.status == 403);
        CHECK(reply.code() == "forbidden_host");
    }
    for (const std::string& target :
         {"https://" + server.host() + "/api/x", "ftp://" + server.host() + "/api/x",
          "http:" + server.host() + "/api/x", "http:/" + server.host(), server.host(),
          "//" + server.host() + "/api/x/..", std::string{"*"}}) {
        CAPTURE(target);
        CHECK(ask_absolute(server, target, host).code() == "bad_request");
    }
}

TEST_CASE("absolute target: Origin, Host's own rules and tokens are as for any other") {
    ListenerOptions options;
    options.secrets.full = "secret";
    const Server server(options);
    const std::string own = "http://" + server.host() + "/api/x";
    const std::string host = "Host: " + server.host() + "\r\n" + bearer("secret");
    CHECK(ask_absolute(server, own, host).status == 200);
    CHECK(ask_absolute(server, own, "Host: " + server.host() + "\r\n").status == 401);
    CHECK(ask_absolute(server, own, host + "Origin: http://" + server.host() + "\r\n").status ==
          200);
    CHECK(ask_absolute(server, own, host + "Origin: http://evil.example\r\n").code() ==
          "forbidden_origin");
    // HTTP/1.1 must have Host, once.
    CHECK(ask_absolute(server, own, bearer("secret")).code() == "bad_request");
    CHECK(ask_absolute(server, own, host + "Host: evil.example\r\n").code() == "bad_request");
    CHECK(ask_absolute(server, own, bearer("secret"), "1.0").status == 200);
    CHECK(ask_absolute(server, "http://evil.example/api/x", bearer("secret"), "1.0").code() ==
          "forbidden_host");
}
