#include "http/tokens.hpp"
#include "http/wire.hpp"
#include "test.hpp"

using namespace adjourn::http;

namespace {

const AccessPolicy loopback("127.0.0.1", 8462, {"adjourn.example.org", "Chess.local:9000"});

bool host_passes(const AccessPolicy& policy, std::string_view host, std::string_view local = "") {
    return policy.check_host(host, local).has_value();
}

bool origin_passes(const AccessPolicy& policy, std::string_view origin) {
    return policy.check_origin(origin, "127.0.0.1").has_value();
}

} // namespace

TEST_CASE("authority: names, addresses, ports") {
    CHECK(parse_authority("LocalHost:80") == Authority{"localhost", 80});
    CHECK(parse_authority("[0:0:0:0:0:0:0:1]:8462") == Authority{"::1", 8462});
    CHECK(parse_authority("[::1]") == Authority{"::1", std::nullopt});
    for (const auto* text : {"", ":80", "a:", "a:0", "a:65536", "a:8x", "a b", "a/b", "a@b", "[::1",
                             "[::1]80", "[zz]", "::1", "a:1:2", "[]", "a,b"}) {
        CAPTURE(text);
        CHECK(parse_authority(text) == std::nullopt);
    }
}

TEST_CASE("host: only names of this server pass") {
    for (const auto* host :
         {"127.0.0.1:8462", "localhost:8462", "LOCALHOST:8462", "[::1]:8462", "adjourn.example.org",
          "adjourn.example.org:8462", "chess.local:9000"}) {
        CAPTURE(host);
        CHECK(host_passes(loopback, host));
    }
    for (const auto* host :
         {"evil.example", "evil.example:8462", "localhost", "localhost:80", "127.0.0.1",
          "localhost.evil.example:8462", "127.0.0.2:8462", "adjourn.example.org:9000",
          "chess.local", "chess.local:8462", "localhost:8462@evil", "", "192.168.1.5:8462"}) {
        CAPTURE(host);
        const auto result = loopback.check_host(host, "127.0.0.1");
        REQUIRE_FALSE(result);
        CHECK(result.error().code == ErrorCode::forbidden_host);
    }
    CHECK(loopback.check_host(std::nullopt, "").error().code == ErrorCode::bad_request);
}

TEST_CASE("host: port 80 may be left out; the address a connection came in on names the server") {
    const AccessPolicy usual("127.0.0.1", 80, {});
    CHECK(host_passes(usual, "localhost"));
    CHECK(host_passes(usual, "localhost:80"));
    const AccessPolicy any("0.0.0.0", 8462, {});
    CHECK(host_passes(any, "192.168.1.5:8462", "192.168.1.5"));
    CHECK_FALSE(host_passes(any, "192.168.1.6:8462", "192.168.1.5"));
}

TEST_CASE("host: a wrong entry in the configuration is named") {
    CHECK_THROWS_WITH(AccessPolicy("127.0.0.1", 1, {"http://x"}),
                      Catch::Matchers::Contains("http://x"));
}

TEST_CASE("origin: absent or this server's own") {
    CHECK(loopback.check_origin(std::nullopt, ""));
    for (const auto* origin : {"http://localhost:8462", "http://127.0.0.1:8462",
                               "https://adjourn.example.org", "http://adjourn.example.org"}) {
        CAPTURE(origin);
        CHECK(origin_passes(loopback, origin));
    }
    for (const auto* origin :
         {"null", "", "http://localhost", "http://localhost:3000", "https://localhost",
          "http://evil.example", "file://", "ftp://localhost:8462", "localhost:8462",
          "http://localhost:8462/x", "http://localhost:8462, http://evil.example"}) {
        CAPTURE(origin);
        const auto result = loopback.check_origin(origin, "127.0.0.1");
        REQUIRE_FALSE(result);
        CHECK(result.error().code == ErrorCode::forbidden_origin);
    }
}

TEST_CASE("content type: an allow-list with UTF-8") {
    for (const auto* type : {"application/json", "Application/JSON; charset=UTF-8", "text/plain",
                             "application/x-chess-pgn;charset=\"utf-8\"", "application/x-ndjson"}) {
        CAPTURE(type);
        CHECK(check_content_type(type));
    }
    for (const auto* type :
         {"", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x",
          "application/json; charset=latin1", "text/html", "application/jsonx"}) {
        CAPTURE(type);
        CHECK(check_content_type(type).error().code == ErrorCode::unsupported_media_type);
    }
    CHECK_FALSE(check_content_type(std::nullopt));
}

TEST_CASE("accept-encoding: gzip is used only where it is wanted") {
    for (const auto* value : {"gzip", "deflate, gzip;q=0.5", "GZIP", "*", "br, *;q=0.1"}) {
        CAPTURE(value);
        CHECK(accepts_gzip(value));
    }
    for (const auto* value : {"", "br", "gzip;q=0", "gzip;q=0.000, *", "*;q=0", "identity"}) {
        CAPTURE(value);
        CHECK_FALSE(accepts_gzip(value));
    }
    CHECK_FALSE(accepts_gzip(std::nullopt));
}

TEST_CASE("access: a page of another site cannot post") {
    CHECK(check_fetch_site(std::nullopt));
    for (const auto* site : {"same-origin", "same-site", "none", ""}) {
        CAPTURE(site);
        CHECK(check_fetch_site(site));
    }
    for (const auto* site : {"cross-site", "Cross-Site", " cross-site "}) {
        CAPTURE(site);
        REQUIRE_FALSE(check_fetch_site(site));
        CHECK(check_fetch_site(site).error().code == ErrorCode::forbidden_origin);
    }
}
