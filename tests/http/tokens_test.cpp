// Secrets, tickets, wrong tries; then the same over a socket.
#include "http/tokens.hpp"

#include "http_support.hpp"
#include "test.hpp"

using namespace adjourn::http;
using namespace http_tests;
using namespace std::chrono_literals;

namespace {

const Tokens::Time noon{std::chrono::hours{12}};

ErrorCode refused(const std::expected<Grant, Error>& grant) {
    REQUIRE_FALSE(grant);
    return grant.error().code;
}

ListenerOptions with_both() {
    ListenerOptions options;
    options.secrets = {"secret", "look"};
    options.readers = [](const Request& request) -> Readers {
        return {request.path != "/api/own", std::nullopt}; // which has secrets
    };
    return options;
}

} // namespace

TEST_CASE("tokens: each secret, exactly, in the header") {
    const Tokens tokens({"secret", "look"});
    CHECK(tokens.required());
    CHECK(tokens.check("Bearer secret") == Right::full);
    CHECK(tokens.check("bearer  secret ") == Right::full);
    CHECK(tokens.check("Bearer look") == Right::read);
    for (const auto* value :
         {"Bearer", "Bearer ", "Bearer secre", "Bearer secrets", "Bearer Secret", "Basic secret",
          "secret", "", "Bearer secretsecret", "Bearer looklook", "Bearer loo"}) {
        CAPTURE(value);
        CHECK(refused(tokens.check(value)) == ErrorCode::unauthorised);
    }
    CHECK(refused(tokens.check(std::nullopt)) == ErrorCode::unauthorised);
    CHECK(refused(Tokens({"secret", ""}).check("Bearer ")) == ErrorCode::unauthorised);
    const Tokens workers({"secret", "", "work", "found"});
    CHECK(workers.check("Bearer work") == Right::work);
    CHECK(workers.check("Bearer found") == Right::work);
    CHECK(refused(workers.check("Bearer workfound")) == ErrorCode::unauthorised);
    CHECK(refused(workers.check("Bearer ")) == ErrorCode::unauthorised);
    CHECK_FALSE(Tokens({}).required());
    CHECK(Tokens({}).check(std::nullopt) == Right::full);
}

TEST_CASE("tokens: others count from the moment they are set") {
    Tokens tokens({"old", ""});
    const auto ticket = tokens.give_ticket({Right::full}, noon);
    tokens.set({"new", "look"});
    CHECK(refused(tokens.check("Bearer old")) == ErrorCode::unauthorised);
    CHECK(tokens.check("Bearer new") == Right::full);
    CHECK(refused(tokens.use_ticket(ticket, noon)) == ErrorCode::unauthorised);
}

TEST_CASE("tickets: once, within a minute, with the right of whoever asked") {
    Tokens tokens({"secret", "look"});
    const auto first = tokens.give_ticket({Right::read}, noon);
    const auto second = tokens.give_ticket({Right::full}, noon);
    CHECK(first != second);
    CHECK(first.size() == 32);
    CHECK(tokens.use_ticket(first, noon + 59s) == Right::read);
    CHECK(refused(tokens.use_ticket(first, noon + 59s)) == ErrorCode::unauthorised);
    CHECK(refused(tokens.use_ticket(second, noon + 60s)) == ErrorCode::unauthorised);
    CHECK(refused(tokens.use_ticket("", noon)) == ErrorCode::unauthorised);
}

TEST_CASE("tickets: the oldest gives way") {
    Tokens tokens({"secret", ""});
    std::set<std::string> given;
    const auto oldest = tokens.give_ticket({Right::full}, noon);
    for (std::size_t i = 0; i < Tokens::most_tickets; ++i) {
        given.insert(tokens.give_ticket({Right::full}, noon));
    }
    CHECK(given.size() == Tokens::most_tickets);
    CHECK_FALSE(tokens.use_ticket(oldest, noon));
    for (const auto& ticket : given) {
        CHECK(tokens.use_ticket(ticket, noon));
    }
}

TEST_CASE("wrong tokens: each answer later than the one before, forgiven after a minute") {
    WrongTokens wrong;
    std::vector<std::chrono::milliseconds> pauses;
    std::vector<std::size_t> logged;
    for (int i = 0; i < 100; ++i) {
        const auto verdict = wrong.tried("192.0.2.1", noon + i * 1s);
        pauses.push_back(verdict.pause);
        if (verdict.to_log) {
            logged.push_back(*verdict.to_log);
        }
    }
    CHECK(pauses.front() == WrongTokens::first_pause);
    CHECK(pauses[1] == 2 * WrongTokens::first_pause);
    CHECK(pauses.back() == WrongTokens::longest_pause);
    CHECK(logged == std::vector<std::size_t>{1, 10, 100});
    CHECK(wrong.tried("192.0.2.2", noon + 100s).pause == WrongTokens::first_pause);
    CHECK(wrong.tried("192.0.2.1", noon + 99s + 60s).pause == WrongTokens::first_pause);
}

TEST_CASE("listener: the token for reading looks at everything and changes nothing") {
    const Server server(with_both());
    for (const auto* method : {"GET", "HEAD"}) {
        CHECK(ask(server, method, "/api/x", bearer("look")).status == 200);
    }
    for (const auto* method : {"POST", "PUT", "PATCH", "DELETE"}) {
        const auto refusal = ask(server, method, "/api/x", bearer("look"));
        CHECK(refusal.status == 403);
        CHECK(refusal.code() == "read_only");
        CHECK(refusal.body.find(std::string(method) + " /api/x") != std::string::npos);
        CHECK(ask(server, method, "/api/x", bearer("secret")).status == 200);
    }
    CHECK(ask(server, "GET", "/api/own", bearer("look")).code() == "read_only");
    CHECK(server.requests_handled() == 6); // the refused ones reached no handler
}

TEST_CASE("listener: tickets open one stream of events each") {
    const Server server(with_both());
    CHECK(ask(server, "POST", "/api/v1/tickets").status == 401);
    CHECK(ask(server, "GET", "/api/v1/tickets", bearer("look")).status == 405);
    const auto reply = ask(server, "POST", "/api/v1/tickets", bearer("look"));
    CHECK(reply.headers.at("cache-control") == "no-store");
    const auto ticket = ticket_of(reply);
    CHECK(ask(server, "HEAD", "/api/v1/events?ticket=" + ticket).status == 200);
    CHECK(ask(server, "HEAD", "/api/v1/events?ticket=" + ticket).status == 401);
    // For events alone.
    const auto other = ticket_of(ask(server, "POST", "/api/v1/tickets", bearer("secret")));
    CHECK(ask(server, "GET", "/api/x?ticket=" + other).status == 401);
}

TEST_CASE("listener: whoever waits for a wrong token's answer does not hold up the stop") {
    auto server = std::make_unique<Server>(with_both());
    for (int i = 0; i < 4; ++i) {
        ask(*server, "GET", "/api/x", bearer("guess"));
    }
    Client guesser(server->port());
    guesser.send(request(*server, "GET", "/api/x", bearer("guess")));
    auto stopped = server->stop(0ms);
    CHECK(stopped.wait_for(20s) == std::future_status::ready);
    CHECK(guesser.read_to_end().empty()); // cut off, not answered after its 1.6 s
}

TEST_CASE("listener: new secrets cut no request off, not even one that waits for its answer") {
    Server server(with_both());
    ask(server, "GET", "/api/x", bearer("guess"));
    Client guesser(server.port());
    guesser.send(request(server, "GET", "/api/x", bearer("guess")));
    Client silent(server.port()); // connected, its request is still to come
    server.set_secrets({"fresh", ""});
    silent.send(request(server, "GET", "/api/x", bearer("fresh")));
    const auto heard = silent.read_reply(), refused = guesser.read_reply();
    REQUIRE(heard);
    CHECK(heard->status == 200);
    REQUIRE(refused);
    CHECK(refused->status == 401);
}

TEST_CASE("listener: new secrets end the streams that were opened with the old ones") {
    Server server(with_both());
    Client client(server.port());
    client.send(request(server, "GET", "/api/v1/events", bearer("look")));
    REQUIRE(client.read_until("retry:"));
    server.set_secrets({"fresh", ""});
    client.read_to_end(); // ends
    CHECK(ask(server, "GET", "/api/x", bearer("fresh")).status == 200);
    CHECK(ask(server, "GET", "/api/x", bearer("secret")).status == 401);
}

TEST_CASE("listener: what it did is counted beside what the handler says of metrics") {
    Server server(with_both());
    ask(server, "GET", "/api/x", bearer("secret"));
    ask(server, "GET", "/api/x", bearer("guess"));
    Client client(server.port());
    client.send(request(server, "GET", "/api/v1/events", bearer("look")));
    REQUIRE(client.read_until("retry:"));
    const std::string text = ask(server, "GET", "/metrics", bearer("secret")).body;
    for (const auto* line :
         {"\nadjourn_http_responses_total{code=\"200\"} 2\n",
          "\nadjourn_http_responses_total{code=\"401\"} 1\n",
          "\nadjourn_http_connections_turned_away_total 0\n",
          "\nadjourn_http_wrong_tokens_total 1\n", "\nadjourn_event_streams 1\n"}) {
        CAPTURE(text, line);
        CHECK(text.find(line) != text.npos);
    }
    CHECK(text.find("adjourn_event_bytes_total 0\n") == text.npos);
    CHECK(ask(server, "GET", "/api/x", bearer("secret")).body.find("adjourn_") == text.npos);
}
