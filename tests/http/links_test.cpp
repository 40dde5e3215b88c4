// Links: what their secrets are good for, as values and over a socket; and how it ends.
#include "http_support.hpp"
#include "test.hpp"

using namespace adjourn::http;
using namespace http_tests;
using namespace std::chrono_literals;

namespace {

const Tokens::Time links_noon{std::chrono::hours{12}};
const std::string one_link = "link-0123456789abcdef";
const std::string other_link = "link-fedcba9876543210";
const Links both_links{{one_link, {1, 0}}, {other_link, {2, 0}}};

Grant to_one_link() {
    return {Right::shared, one_link, {1, 0}};
}

ErrorCode link_refused(const std::expected<Grant, Error>& grant) {
    REQUIRE_FALSE(grant);
    return grant.error().code;
}

// Shows "/api/analyses/N…" to links, "/api/own" to the full token alone.
ListenerOptions showing_links(Secrets secrets) {
    ListenerOptions options;
    options.secrets = std::move(secrets);
    options.readers = [](const Request& request) -> Readers {
        constexpr std::string_view analyses = "/api/analyses/";
        if (request.path.starts_with(analyses)) {
            const auto file = request.path.find("/files/");
            return {
                true,
                Shown{std::stoll(request.path.substr(analyses.size())),
                      file == std::string::npos ? 0 : std::stoll(request.path.substr(file + 7))}};
        }
        return {request.path != "/api/own", std::nullopt};
    };
    return options;
}

Event link_event(std::int64_t analysis, std::string data, std::string by_link) {
    return {"analysis", std::to_string(analysis), analysis, std::move(data), "",
            {},         std::move(by_link)};
}

// A stream of whoever has that link, behind its first reset.
Client follow_link(const Server& server, const std::string& link, const std::string& query = "") {
    Client client(server.port());
    client.send(request(server, "GET", "/api/v1/events" + query, bearer(link)));
    const auto head = client.read_head();
    REQUIRE(head);
    REQUIRE(head->status == 200);
    CHECK(client.read_until("\n\n") == "retry: 1000\n\n");
    CHECK(client.read_until("\n\n") == "event: reset\ndata: {}\n\n");
    return client;
}

} // namespace

TEST_CASE("links: each shows its analysis, whether a token is required or not") {
    for (const Secrets& secrets : {Secrets{}, Secrets{"secret", "look"}}) {
        Tokens tokens(secrets);
        CHECK(link_refused(tokens.check("Bearer " + one_link)) == ErrorCode::unauthorised);
        tokens.set_links(both_links);
        const auto grant = tokens.check("bearer " + one_link + " ");
        REQUIRE(grant);
        CHECK(*grant == Right::shared);
        CHECK(grant->shown == Shown{1, 0});
        CHECK(tokens.check("Bearer " + other_link)->shown == Shown{2, 0});
        for (const std::string& wrong :
             {one_link + "0", one_link.substr(0, 20), one_link + one_link, std::string{"link-"},
              one_link.substr(5) + "x"}) {
            CAPTURE(wrong);
            if (wrong.starts_with("link-") || tokens.required()) {
                CHECK(link_refused(tokens.check("Bearer " + wrong)) == ErrorCode::unauthorised);
            }
        }
        tokens.set_links({{other_link, {2, 0}}});
        CHECK(link_refused(tokens.check("Bearer " + one_link)) == ErrorCode::unauthorised);
        CHECK(tokens.check("Bearer " + other_link) == Right::shared);
    }
    Tokens strict({"secret", ""});
    const auto wrong = strict.check("Bearer guess"), never = strict.check("Bearer link-00000000ff");
    CHECK(wrong.error() == never.error()); // whether it was a link or not
    Tokens open({});
    CHECK(open.check("Bearer whatever") == Right::full); // as without one
    Tokens odd({"link-is-my-token", ""});
    odd.set_links(both_links);
    CHECK(odd.check("Bearer link-is-my-token") == Right::full);
}

TEST_CASE("links: a ticket is good as long as its link is, and takes no place of others") {
    Tokens tokens({"secret", ""});
    tokens.set_links(both_links);
    const auto ticket = tokens.give_ticket(to_one_link(), links_noon);
    const auto later = tokens.give_ticket(to_one_link(), links_noon);
    const auto of_other = tokens.give_ticket({Right::shared, other_link, {2, 0}}, links_noon);
    const auto grant = tokens.use_ticket(ticket, links_noon);
    REQUIRE(grant);
    CHECK(*grant == Right::shared);
    CHECK(grant->shown == Shown{1, 0});
    tokens.set_links({{other_link, {2, 0}}});
    CHECK(link_refused(tokens.use_ticket(later, links_noon)) == ErrorCode::unauthorised);
    CHECK(tokens.use_ticket(of_other, links_noon)->shown == Shown{2, 0});
    // One that was checked before its link was revoked.
    CHECK(link_refused(tokens.use_ticket(tokens.give_ticket(to_one_link(), links_noon),
                                         links_noon)) == ErrorCode::unauthorised);

    const auto owner = tokens.give_ticket({Right::full}, links_noon);
    std::string newest;
    for (std::size_t i = 0; i < 2 * Tokens::most_tickets; ++i) {
        newest = tokens.give_ticket({Right::shared, other_link, {2, 0}}, links_noon);
    }
    CHECK(tokens.use_ticket(owner, links_noon) == Right::full);
    CHECK(tokens.use_ticket(newest, links_noon) == Right::shared);
}

TEST_CASE("listener: a link reads its analysis and nothing else") {
    for (const Secrets& secrets : {Secrets{}, Secrets{"secret", "look"}}) {
        Server server(showing_links(secrets));
        server.set_links(both_links);
        const Reply told = ask(server, "GET", "/api/analyses/1/tree", bearer(one_link));
        CHECK(told.status == 200);
        CHECK(told.body.find("by_link") != std::string::npos); // its handler knows
        for (const char* path : {"/api/analyses/2/tree", "/api/own", "/metrics"}) {
            CHECK(ask(server, "GET", path, bearer(one_link)).code() == "link_only");
        }
        for (const char* method : {"POST", "PUT", "PATCH", "DELETE", "OPTIONS"}) {
            CHECK(ask(server, method, "/api/analyses/1", bearer(one_link)).code() == "read_only");
        }
        CHECK(server.requests_handled() == 1); // the refused ones reached no handler
    }
}

TEST_CASE("listener: why something fails is not told by a link") {
    ListenerOptions options = showing_links({"secret", ""});
    options.readers = [](const Request&) -> Readers { return {true, Shown{1, 0}}; };
    Server server(options);
    server.set_links(both_links);
    const auto by = [&](const std::string& secret) {
        return ask(server, "GET", "/api/broken", bearer(secret));
    };
    CHECK(by("secret").body.find("/var/lib/adjourn") != std::string::npos);
    CHECK(by(one_link).body.find("/var/lib/adjourn") == std::string::npos);
    CHECK(by(one_link).status == 503);
    CHECK(by(one_link).code() == "unavailable");
}

TEST_CASE("listener: a link to a file reads that one_link alone, and is told of no events") {
    Server server(showing_links({"secret", ""}));
    server.set_links({{one_link, {1, 5}}, {other_link, {1, 0}}});
    CHECK(ask(server, "GET", "/api/analyses/1/files/5", bearer(one_link)).status == 200);
    CHECK(ask(server, "GET", "/api/analyses/1/files/5/review", bearer(one_link)).status == 200);
    CHECK(ask(server, "GET", "/api/analyses/1/files/5", bearer(other_link)).status == 200);
    for (const char* path : {"/api/analyses/1", "/api/analyses/1/tree", "/api/analyses/1/files/6",
                             "/api/analyses/1/files/0", "/api/analyses/2/files/5"}) {
        CAPTURE(path);
        CHECK(ask(server, "GET", path, bearer(one_link)).code() == "link_only");
    }
    auto client = follow_link(server, one_link);
    server.hub().publish(link_event(1, "all", "part"));
    server.set_links({});
    CHECK(client.read_to_end().find("data") == std::string::npos);
}

TEST_CASE("events: by a link come those of its analysis, as links show it, without numbers") {
    Server server(showing_links({"secret", ""}));
    server.set_links(both_links);
    server.hub().publish(link_event(1, "before", "before"));
    auto client = follow_link(server, one_link);
    server.hub().publish(link_event(2, "2", "2"));
    server.hub().publish({"engine", "sf", std::nullopt, "engine", ""});
    server.hub().publish({"node", "1", 1, "positions", ""});
    server.hub().publish(link_event(1, "all", "part"));
    CHECK(client.read_until("\n\n") == "event: analysis\ndata: part\n\n");
    server.hub().publish(link_event(1, "its place in the queue", ""));
    server.hub().publish(link_event(1, "more", "other_link part"));
    CHECK(client.read_until("\n\n") == "event: analysis\ndata: other_link part\n\n");

    const auto ticket = ticket_of(ask(server, "POST", "/api/v1/tickets", bearer(other_link)));
    auto by_ticket = follow_link(server, "", "?ticket=" + ticket + "&analysis=2&fields=changed");
    server.hub().publish(link_event(1, "1", "1"));
    server.hub().publish(link_event(2, "2", "second"));
    CHECK(by_ticket.read_until("\n\n") == "event: analysis\ndata: second\n\n");
    CHECK(ask(server, "GET", "/api/v1/events?analysis=2", bearer(one_link)).code() == "link_only");
}

TEST_CASE("events: streams by links leave room for others") {
    ListenerOptions options = showing_links({"secret", ""});
    options.max_link_streams = 1;
    Server server(options);
    server.set_links(both_links);
    auto first = follow_link(server, one_link);
    CHECK(ask(server, "GET", "/api/v1/events", bearer(other_link)).code() ==
          "too_many_connections");
    Client owner(server.port());
    owner.send(request(server, "GET", "/api/v1/events", bearer("secret")));
    CHECK(owner.read_head()->status == 200);
}
