// What webhooks are told, and how it gets there.
#include "api/webhooks/webhooks.hpp"
#include "core_fixture.hpp"
#include "test.hpp"
#include "webhook_sink.hpp"

#include <nlohmann/json.hpp>

using namespace adjourn::server;
using nlohmann::json;

namespace {

WebhookRules quick() {
    WebhookRules rules;
    rules.pauses = {std::chrono::milliseconds{1}, std::chrono::milliseconds{1}};
    rules.patience = std::chrono::minutes{10};
    rules.rest = std::chrono::milliseconds{0};
    return rules;
}

WebhookSettings to(const std::string& url, const std::string& name = "sink") {
    WebhookSettings settings;
    settings.name = name;
    settings.url = url;
    return settings;
}

WebhookNews::Best best(const std::string& uci, const std::string& san) {
    return {uci, san, "+0.31", R"({"alpha":{"cp":31},"idea":{"cp":35}})"};
}

WebhookNews news_of(const std::string& event, std::int64_t analysis = 7) {
    WebhookNews news;
    news.event = event;
    news.at = 1'700'000'000'000;
    news.number = analysis;
    news.name = "Najdorf";
    news.state = event == "best" ? "running" : event;
    news.settled = 3;
    news.best = best("c1e3", "Be3");
    if (event == "best") {
        news.before = best("c1g5", "Bg5");
    }
    return news;
}

// What is known of the only address, when `enough` says so.
Webhooks::State until(const Webhooks& webhooks,
                      const std::function<bool(const Webhooks::State&)>& enough) {
    while (true) {
        const auto states = webhooks.states();
        if (enough(states.at(0))) {
            return states[0];
        }
        std::this_thread::sleep_for(std::chrono::milliseconds{2}); // between polls
    }
}

std::vector<WebhookTested> tested(Webhooks& webhooks, std::int64_t now_ms) {
    std::promise<std::vector<WebhookTested>> done;
    webhooks.test(now_ms, [&](std::vector<WebhookTested> all) { done.set_value(std::move(all)); });
    return done.get_future().get();
}

} // namespace

TEST_CASE("webhooks: addresses that can be told") {
    const auto url = parse_webhook_url("https://hooks.example.org/a/b?key=1");
    REQUIRE(url);
    CHECK(url->server.secure);
    CHECK(url->server.host == "hooks.example.org");
    CHECK(url->server.port == "443");
    CHECK(url->target == "/a/b?key=1");
    CHECK(parse_webhook_url("http://127.0.0.1:8000")->target == "/");
    CHECK(parse_webhook_url("http://[::1]:8000?x=1")->target == "/?x=1");
    for (const char* wrong :
         {"", "example.org/x", "ftp://example.org/secret", "http://me:secret@example.org/",
          "http:///secret", "http://a/secret#part", "http://a/se cret", "http://a/\r\nX: secret",
          "http://a:99999/secret"}) {
        const auto refused = parse_webhook_url(wrong);
        REQUIRE_FALSE(refused);
        CHECK(refused.error().find("secret") == std::string::npos);
    }
}

TEST_CASE("webhooks: the document says what happened, for programs and for people") {
    const json told = json::parse(webhook_body(news_of("best"), "abc"));
    CHECK(told == json::parse(R"({"id":"abc","event":"best","at":1700000000000,
        "text":"Najdorf has a new best move: Be3 +0.31, before Bg5.",
        "analysis":{"id":7,"name":"Najdorf","state":"running","reason":null,"settled":3,
            "best":{"uci":"c1e3","san":"Be3","alpha":{"cp":31},"idea":{"cp":35}}},
        "before":{"uci":"c1g5","san":"Bg5","alpha":{"cp":31},"idea":{"cp":35}}})"));
    WebhookNews failed = news_of("failed");
    failed.best.reset();
    failed.reason = "the engine died";
    CHECK(json::parse(webhook_body(failed, "x"))["text"] == "Najdorf has failed: the engine died.");
    CHECK(json::parse(webhook_body(news_of("settled"), "x"))["text"] ==
          "Najdorf is settled: Be3 +0.31.");
    CHECK(json::parse(webhook_body(news_of("exhausted"), "x"))["text"] ==
          "Najdorf has used its budget: Be3 +0.31.");
    WebhookNews test;
    test.event = "test";
    CHECK_FALSE(json::parse(webhook_body(test, "x")).contains("analysis"));

    WebhookNews large = failed;
    large.name.clear();
    while (large.name.size() < 100'000) {
        large.name += "é";
    }
    large.reason = std::string(100'000, '\xff'); // as an engine may have said
    CHECK(webhook_body(large, "x").size() < 8'000);
}

TEST_CASE("webhooks: a request has type, event, number and signature, and no token") {
    WebhookSink sink;
    WebhookSettings settings = to(sink.url("/hook?key=5"));
    settings.secret = "the secret";
    Webhooks webhooks{{settings}, quick()};
    webhooks.tell(news_of("settled"));
    const auto letter = sink.wait_for(1).at(0);
    CHECK(letter.line == "POST /hook?key=5 HTTP/1.1");
    CHECK(letter.headers.at("content-type") == "application/json");
    CHECK(letter.headers.at("x-adjourn-event") == "settled");
    CHECK(letter.headers.at("x-adjourn-delivery") == json::parse(letter.body)["id"]);
    CHECK(letter.headers.at("x-adjourn-signature") == signature_of("the secret", letter.body));
    CHECK(signature_of("Jefe", "what do ya want for nothing?") == // RFC 4231, test case 2
          "sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    CHECK(letter.headers.count("authorization") == 0);
    const auto state = until(webhooks, [](auto& s) { return s.sent == 1; });
    CHECK(state.is_signed);
    CHECK(state.trouble.empty());
}

TEST_CASE(
    "webhooks: what may be taken later is sent again, the same; after a few tries it is lost") {
    WebhookSink sink{{"HTTP/1.1 500 x", "HTTP/1.1 429 x", "HTTP/1.1 200 x", "HTTP/1.1 500 x",
                      "HTTP/1.1 500 x", "HTTP/1.1 503 x"}};
    Webhooks webhooks{{to(sink.url())}, quick()};
    webhooks.tell(news_of("settled"));
    const auto letters = sink.wait_for(3);
    CHECK(letters[0].body == letters[2].body);
    const auto taken = until(webhooks, [](auto& s) { return s.sent == 1; });
    CHECK(taken.trouble.empty());
    CHECK(taken.lost == 0);
    webhooks.tell(news_of("settled"));
    const auto lost = until(webhooks, [](auto& s) { return s.lost == 1; });
    CHECK(lost.trouble == "it answers 503");
    CHECK(lost.waiting == 0);
    CHECK(sink.letters().size() == 6);
}

TEST_CASE("webhooks: a refusal is not sent again, and a redirect is not followed") {
    WebhookSink elsewhere;
    WebhookSink sink{{"HTTP/1.1 404 x", "HTTP/1.1 302 x\r\nLocation: " + elsewhere.url()}};
    Webhooks webhooks{{to(sink.url())}, quick()};
    webhooks.tell(news_of("settled"));
    CHECK(until(webhooks, [](auto& s) { return s.lost == 1; }).trouble == "it answers 404");
    webhooks.tell(news_of("settled"));
    const auto state = until(webhooks, [](auto& s) { return s.lost == 2; });
    CHECK(state.trouble.find("redirect, which is not followed") != std::string::npos);
    webhooks.tell(news_of("failed"));
    CHECK(until(webhooks, [](auto& s) { return s.sent == 1; }).trouble.empty());
    CHECK(sink.letters().size() == 3);
    CHECK(elsewhere.letters().empty());
}

TEST_CASE("webhooks: each is told of what it wants, and the radar is for those that name it") {
    WebhookSink sink;
    const auto with = [&](const char* name, std::vector<std::string> events) {
        WebhookSettings settings = to(sink.url(std::string{"/"} + name), name);
        settings.events = std::move(events);
        return settings;
    };
    Webhooks webhooks{{with("evening", {"radar"}), with("few", {"failed"}), to(sink.url("/all"))},
                      quick()};
    webhooks.tell(news_of("settled"));
    CHECK(sink.wait_for(1).at(0).line == "POST /all HTTP/1.1");
    webhooks.tell(news_of("failed"));
    sink.wait_for(3); // both that want it
    WebhookNews news;
    news.event = "radar";
    news.text = "Najdorf: Settled to depth 4.";
    news.content = R"({"more": 1})";
    webhooks.tell(news);
    const auto letter = sink.wait_for(4).at(3);
    CHECK(letter.line == "POST /evening HTTP/1.1");
    CHECK(letter.headers.at("x-adjourn-event") == "radar");
    CHECK(json::parse(letter.body)["text"] == news.text);
    CHECK(json::parse(letter.body)["more"] == 1);
    CHECK(sink.letters().size() == 4);
}

TEST_CASE("webhooks: a best move that changes again is told once, or not at all") {
    WebhookSink sink;
    WebhookRules rules = quick();
    rules.rest = std::chrono::hours{1};
    Webhooks webhooks{{to(sink.url())}, rules};
    const auto waiting = [&] { return webhooks.states().at(0).waiting; };
    const auto change = [](const WebhookNews::Best& from, const WebhookNews::Best& to) {
        WebhookNews news = news_of("best");
        news.before = from;
        news.best = to;
        return news;
    };
    const auto a = best("c1g5", "Bg5");
    const auto b = best("c1e3", "Be3");
    const auto c = best("f1c4", "Bc4");
    webhooks.tell(change(a, b));
    CHECK(waiting() == 1);
    webhooks.tell(change(b, c));
    CHECK(waiting() == 1);
    webhooks.tell(news_of("best", 8)); // another analysis
    CHECK(waiting() == 2);
    webhooks.tell(change(c, a));
    CHECK(waiting() == 1);
    webhooks.tell(change(a, b));
    webhooks.tell(news_of("settled")); // says the best move, too
    CHECK(sink.wait_for(1).at(0).headers.at("x-adjourn-event") == "settled");
    CHECK(until(webhooks, [](auto& s) { return s.sent == 1; }).waiting == 1);
}

TEST_CASE("webhooks: an address that never answers holds up nobody and collects little") {
    WebhookRules rules = quick();
    rules.pauses = {std::chrono::hours{1}};
    rules.most_waiting = 3;
    Webhooks webhooks{{to("http://127.0.0.1:1/")}, rules}; // nobody listens there
    for (int i = 0; i < 10; ++i) {
        webhooks.tell(news_of("settled", i));
    }
    until(webhooks, [](auto& s) { return s.lost == 7 && s.waiting == 3 && !s.trouble.empty(); });
}

TEST_CASE("webhooks: a test says of each address what came of it, whatever else waits") {
    WebhookSink sink{{"HTTP/1.1 500 x", "HTTP/1.1 200 x", "HTTP/1.1 410 x"}};
    WebhookRules rules = quick();
    rules.pauses = {std::chrono::hours{1}};
    Webhooks webhooks{{to(sink.url()), to("http://127.0.0.1:1/", "nobody")}, rules};
    webhooks.tell(news_of("settled"));
    sink.wait_for(1); // the next try is due in an hour
    const auto first = tested(webhooks, 5);
    REQUIRE(first.size() == 2);
    CHECK(first[0].name == "sink");
    CHECK(first[0].status == 200);
    CHECK(first[0].trouble.empty());
    CHECK(first[1].status == 0);
    CHECK(first[1].trouble.size() > 5);
    CHECK(json::parse(sink.wait_for(2).at(1).body)["at"] == 5);
    CHECK(tested(webhooks, 6)[0].trouble == "it answers 410");
    CHECK(webhooks.states().at(0).waiting == 1);
    webhooks.close();
    CHECK(tested(webhooks, 7)[0].status == 0);
}

TEST_CASE("webhooks: new settings leave alone what is as it was") {
    WebhookSink sink;
    WebhookRules rules = quick();
    rules.rest = std::chrono::hours{1};
    Webhooks webhooks{{to(sink.url("/a"), "a"), to(sink.url("/b"), "b")}, rules};
    webhooks.tell(news_of("best"));
    WebhookSettings changed = to(sink.url("/b"), "b");
    changed.secret = "new";
    webhooks.set({changed, to(sink.url("/a"), "a")});
    const auto states = webhooks.states();
    REQUIRE(states.size() == 2);
    CHECK(states[0].name == "b");
    CHECK(states[0].waiting == 0);
    CHECK(states[1].waiting == 1);
    webhooks.set({});
    CHECK(webhooks.states().empty());
    webhooks.tell(news_of("settled"));
    CHECK(tested(webhooks, 1).empty());
}

namespace {

struct Watched {
    Watched(const std::filesystem::path& directory, Bench& bench, analysis::UnixMs began)
        : core{directory, bench}, observer{
                                      [this](const WebhookNews& news) { told.push_back(news); },
                                      began} {}
    // As the core does, after each answer.
    void work(analysis::AnalysisId id, const std::function<bool()>& done) {
        look(id);
        while (!done() && core.work_until([] { return false; }, 1) > 0) {
            look(id);
        }
        look(id);
    }
    void look(analysis::AnalysisId id) { observer.analysis_changed(*core.core, core.run(id)); }
    void go_further(analysis::AnalysisId id, int levels) {
        AnalysisPatch further;
        further.strategy = core.run(id).spec.strategy;
        further.strategy->refine = levels;
        REQUIRE(core.core->change(id, further).wait());
        work(id, [&] { return core.settled(id) && core.run(id).plan.settled == levels; });
        REQUIRE_FALSE(told.empty());
        CHECK(told.back().event == "settled");
        CHECK(told.back().settled == levels);
    }

    CoreFixture core;
    std::vector<WebhookNews> told;
    WebhookObserver observer;
};

} // namespace

TEST_CASE("webhooks: told when an analysis settles, changes its best move, goes further") {
    TemporaryDirectory directory;
    Bench bench;
    Watched f{directory.path(), bench, 0};
    const auto id = f.core.create("1. e4", 2);
    f.work(id, [&] { return f.core.settled(id); });
    REQUIRE_FALSE(f.told.empty());
    const WebhookNews& last = f.told.back();
    CHECK(last.event == "settled");
    CHECK(last.number == static_cast<std::int64_t>(id));
    CHECK(last.name == "1. e4");
    CHECK(last.state == "settled");
    CHECK(last.settled == 2);
    CHECK(last.at == f.core.clock);
    REQUIRE(last.best);
    CHECK(last.best->uci.size() >= 4);
    CHECK_FALSE(last.best->score.empty());
    std::string best;
    for (const WebhookNews& news : f.told) { // each follows from the one before
        if (news.event == "best") {
            REQUIRE(news.before);
            CHECK(news.before->uci != news.best->uci);
            CHECK((best.empty() || best == news.before->uci));
        }
        best = news.best->uci;
    }
    CHECK(std::ranges::count(f.told, "settled", &WebhookNews::event) == 1);

    const std::size_t count = f.told.size();
    f.look(id); // nothing has changed
    CHECK(f.told.size() == count);
    f.go_further(id, 3);
}

TEST_CASE("webhooks: a start tells nothing again, what comes after it does") {
    TemporaryDirectory directory;
    Bench bench;
    analysis::AnalysisId id{};
    {
        Watched f{directory.path(), bench, 0};
        id = f.core.create("1. e4", 1);
        f.work(id, [&] { return f.core.settled(id); });
        CHECK(f.told.back().event == "settled");
    }
    Watched f{directory.path(), bench, 2'000'000'000'000};
    f.work(id, [&] { return f.core.settled(id); });
    for (int i = 0; i < 3; ++i) {
        f.core.pass(1'000);
        f.look(id);
    }
    CHECK(f.told.empty());
    f.go_further(id, 2);
}
