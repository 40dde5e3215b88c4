// Webhooks are told what the radar finds: since when it is asked, what is told, and how often.
#include "api/webhooks/radar_watch.hpp"

#include "api_fixture.hpp"

#include <nlohmann/json.hpp>

using namespace adjourn;
using namespace adjourn::server;
using nlohmann::json;

namespace {

constexpr analysis::UnixMs one_minute = 60'000;

RadarDigest::Entry radar_entry(std::int64_t id, const std::string& letter,
                               const std::string& text) {
    return {id, "A" + std::to_string(id), letter, text, json{{"text", text}}.dump()};
}

struct WatchedRadar {
    analysis::UnixMs now = 1'000 * one_minute;
    analysis::UnixMs takes = 0; // an answer
    RadarWatch::Digest next = RadarDigest{};
    std::vector<analysis::UnixMs> asked;
    std::vector<WebhookNews> told;
    int noted = 0;
    bool wanted = true;
    std::shared_ptr<RadarWatch> watch;

    WatchedRadar() {
        RadarWatch::Outside outside;
        outside.clock = [this] { return now; };
        outside.ask = [this](analysis::UnixMs since, const auto& done) {
            asked.push_back(since);
            const analysis::UnixMs then = now;
            now += takes;
            if (next) {
                next->now = then;
            }
            done(next);
        };
        outside.wanted = [this] { return wanted; };
        outside.tell = [this](const WebhookNews& news) { told.push_back(news); };
        outside.asked = [this] { ++noted; };
        watch = std::make_shared<RadarWatch>(std::move(outside));
    }
    void pass(analysis::UnixMs time) {
        const analysis::UnixMs end = now + time;
        while (now < end) {
            now += one_minute / 3;
            watch->look();
        }
    }
};

} // namespace

TEST_CASE("radar watch: asks every five minutes what came up since, and tells it in two events") {
    WatchedRadar w;
    const analysis::UnixMs began = w.now;
    w.next->entries = {radar_entry(1, "", "one"), radar_entry(2, "D", "two"),
                       radar_entry(3, "", "three")};
    w.pass(one_minute);
    REQUIRE(w.asked == std::vector<analysis::UnixMs>{began});
    REQUIRE(w.told.size() == 2);
    CHECK(w.noted == 1);
    CHECK(w.told[0].event == "radar");
    CHECK(json::parse(webhook_body(w.told[0], "7")) ==
          json{{"id", "7"},
               {"event", "radar"},
               {"at", w.told[0].at},
               {"text", "A1: one. A3: three."},
               {"more", 0},
               {"entries", {{{"text", "one"}}, {{"text", "three"}}}}});
    CHECK(w.told[1].event == "letter");
    CHECK(w.told[1].text == "A2: two.");
    w.next->entries.clear();
    w.pass(20 * one_minute);
    CHECK(w.told.size() == 2);
    CHECK(w.asked.size() == 5);
    CHECK(w.asked[1] > began);
}

TEST_CASE("radar watch: rests twenty times as long as an answer took") {
    WatchedRadar w;
    w.takes = one_minute;
    w.pass(one_minute);
    REQUIRE(w.asked.size() == 1);
    w.pass(18 * one_minute);
    CHECK(w.asked.size() == 1);
    w.pass(3 * one_minute);
    CHECK(w.asked.size() == 2);
}

TEST_CASE("radar watch: a clock that was ahead and is set back delays and hides nothing") {
    WatchedRadar w;
    w.pass(one_minute);
    const std::size_t before = w.asked.size();
    w.now += 30 * 24 * 60 * one_minute;
    w.next->entries = {radar_entry(2, "D", "two")};
    w.pass(one_minute);
    CHECK(w.asked.size() == before + 1);
    CHECK(w.told.size() == 1);
    w.now -= 30 * 24 * 60 * one_minute;
    w.pass(6 * one_minute);
    CHECK(w.asked.size() == before + 2);
    CHECK(w.asked.back() <= w.now);
    CHECK(w.told.size() == 1); // not twice in a day
    w.pass(25 * 60 * one_minute);
    CHECK(w.told.size() == 2);
}

TEST_CASE("radar watch: what cannot be known now is asked later, of the same time") {
    WatchedRadar w;
    const analysis::UnixMs began = w.now;
    w.next.reset();
    w.pass(6 * one_minute);
    CHECK(w.asked == std::vector<analysis::UnixMs>{began, began});
    CHECK(w.noted == 0);
    CHECK(w.told.empty());
}

TEST_CASE("radar watch: where nobody is told, nothing is asked but what is to come") {
    WatchedRadar w;
    w.wanted = false;
    w.pass(one_minute);
    REQUIRE(w.asked.size() == 1);
    CHECK(w.asked[0] > w.now);
    CHECK(w.noted == 1);
    // Who comes then is told what came up since the last look.
    w.wanted = true;
    const analysis::UnixMs last = w.next->now;
    w.pass(6 * one_minute);
    REQUIRE(w.asked.size() == 2);
    CHECK(w.asked[1] == last);
}

TEST_CASE("radar watch: a letter that goes up and down is told once a day, a lower one at once") {
    WatchedRadar w;
    w.next->entries = {radar_entry(2, "C", "fell")};
    w.pass(30 * one_minute);
    CHECK(w.told.size() == 1);
    w.next->entries = {radar_entry(2, "D", "fell again")};
    w.pass(30 * one_minute);
    CHECK(w.told.size() == 2);
    w.next->entries = {radar_entry(2, "C", "fell")};
    w.pass(20 * 60 * one_minute);
    CHECK(w.told.size() == 2);
    w.pass(5 * 60 * one_minute);
    CHECK(w.told.size() == 3);
}

TEST_CASE("radar watch: a message has the first entries, and counts the others") {
    WatchedRadar w;
    for (int i = 0; i < 25; ++i) {
        w.next->entries.push_back(radar_entry(i, "", "x"));
    }
    w.pass(one_minute);
    REQUIRE(w.told.size() == 1);
    const json body = json::parse(webhook_body(w.told[0], "7"));
    CHECK(body["entries"].size() == 20);
    CHECK(body["more"] == 5);
    CHECK(body["text"] == "A0: x. A1: x. A2: x. And 22 more.");
}

TEST_CASE("radar watch: the digest of what the call answers") {
    ApiFixture f;
    const std::int64_t id = f.post(ApiFixture::wanted({{"moves", "1. e4 e5"}}));
    const std::string files = "/analyses/" + std::to_string(id) + "/files";
    for (const char* pgn : {"1. e4 e5 2. Nf3 *", "1. e4 e5 2. Nc3 *"}) {
        REQUIRE(f.send(http::Method::post, files, {{"pgn", pgn}}).status == 201);
    }
    f.core.settle_down();
    const http::Response answer = f.api(get_request("/radar?since=0"));
    const auto digest = radar_digest(answer.body);
    REQUIRE(digest);
    const json all = json::parse(answer.body);
    CHECK(digest->now == all["now"]);
    REQUIRE(digest->entries.size() == all["entries"].size());
    REQUIRE_FALSE(digest->entries.empty());
    CHECK(digest->entries[0].analysis == id);
    CHECK(digest->entries[0].after.empty());
    CHECK(json::parse(digest->entries[0].content) == all["entries"][0]);
    CHECK_FALSE(radar_digest("no"));
    CHECK_FALSE(radar_digest("{}"));
}
