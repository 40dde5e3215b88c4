// Webhooks are told what the radar finds: since when it is asked, at what time, and what is told.
#include "api/webhooks/webhooks.hpp"

#include "api_fixture.hpp"

namespace {

constexpr analysis::UnixMs minute = 60'000;
constexpr analysis::UnixMs hour = 60 * minute;
constexpr analysis::UnixMs day = 24 * hour;
constexpr analysis::UnixMs noon = 1'795'608'000'000;

WebhookSettings hook(std::vector<std::string> events) {
    WebhookSettings settings;
    settings.events = std::move(events);
    return settings;
}

// A clock that is turned, and what was asked and told.
struct WatchedRadar {
    analysis::UnixMs now = noon;
    analysis::UnixMs takes = 0; // an answer
    bool changed = true;
    bool known = true; // what came up can be told at present
    std::vector<analysis::UnixMs> asked;
    std::vector<WebhookNews> told;
    std::shared_ptr<RadarWatch> watch;

    WatchedRadar() {
        RadarWatch::Outside outside;
        outside.clock = [this] { return now; };
        outside.ask = [this](analysis::UnixMs since, const auto& done) {
            asked.push_back(since);
            WebhookNews what;
            what.event = "radar";
            what.at = now;
            what.text = changed ? "text" : "";
            now += takes;
            done(known ? std::optional{what} : std::nullopt);
        };
        outside.tell = [this](const WebhookNews& what) { told.push_back(what); };
        watch = std::make_shared<RadarWatch>(std::move(outside));
        watch->set({hook({"settled"}), hook({"radar"})});
    }
    void pass(analysis::UnixMs time) {
        const analysis::UnixMs end = now + time;
        while (now < end) {
            now = std::min(now + minute / 3, end);
            watch->look();
        }
    }
};

} // namespace

TEST_CASE("radar watch: asks every five minutes what came up since, and tells what there is") {
    WatchedRadar w;
    const analysis::UnixMs began = w.now;
    w.pass(5 * minute - minute / 3);
    CHECK(w.asked.empty());
    w.pass(minute / 3);
    CHECK(w.asked == std::vector<analysis::UnixMs>{began});
    REQUIRE(w.told.size() == 1);
    CHECK(w.told[0].at == w.now);
    w.changed = false;
    w.pass(20 * minute);
    CHECK(w.told.size() == 1);
    CHECK(w.asked.size() == 5);
    CHECK(w.asked[1] == began + 5 * minute);
}

TEST_CASE("radar watch: rests twenty times as long as an answer took") {
    WatchedRadar w;
    w.takes = minute;
    w.pass(6 * minute);
    REQUIRE(w.asked.size() == 1);
    w.pass(18 * minute);
    CHECK(w.asked.size() == 1);
    w.pass(3 * minute);
    CHECK(w.asked.size() == 2);
}

TEST_CASE("radar watch: a clock that was ahead and is set back delays and hides nothing") {
    WatchedRadar w;
    w.now += 300 * day;
    w.pass(hour);
    CHECK(w.told.size() >= 1);
    w.now -= 300 * day;
    const std::size_t before = w.told.size();
    w.pass(day);
    CHECK(w.told.size() > before);
    CHECK(w.asked.back() <= w.now);
}

TEST_CASE("radar watch: what cannot be known now is asked later, of the same time") {
    WatchedRadar w;
    const analysis::UnixMs began = w.now;
    w.known = false;
    w.pass(6 * minute);
    CHECK(w.asked.size() > 1);
    CHECK(std::ranges::count(w.asked, began) == static_cast<std::ptrdiff_t>(w.asked.size()));
    CHECK(w.told.empty());
    w.known = true;
    w.pass(minute);
    CHECK(w.told.size() == 1);
}

TEST_CASE("radar watch: where nobody names the radar nothing is asked") {
    WatchedRadar w;
    w.watch->set({hook({"settled"})});
    w.pass(hour);
    CHECK(w.asked.empty());
    const analysis::UnixMs named = w.now;
    w.watch->set({hook({"radar"})});
    w.watch->set({hook({"radar"}), hook({"radar"})}); // who comes later changes nothing
    w.pass(5 * minute);
    CHECK(w.asked == std::vector<analysis::UnixMs>{named});
}

TEST_CASE("radar watch: an answer after the end comes to nothing") {
    analysis::UnixMs now = noon;
    std::function<void(RadarWatch::News)> late;
    int told = 0;
    RadarWatch::Outside outside;
    outside.clock = [&] { return now; };
    outside.ask = [&](analysis::UnixMs, std::function<void(RadarWatch::News)> done) {
        late = std::move(done);
    };
    outside.tell = [&](const WebhookNews&) { ++told; };
    auto watch = std::make_shared<RadarWatch>(std::move(outside));
    watch->set({hook({"radar"})});
    now += hour;
    watch->look();
    REQUIRE(late);
    const auto asked = late;
    late = nullptr;
    watch->look();
    CHECK_FALSE(late); // it is asked already
    watch.reset();
    WebhookNews news;
    news.text = "text";
    asked(news);
    CHECK(told == 0);
}

TEST_CASE("radar watch: a message has the first entries, and counts the others") {
    json all{{"since", 1}, {"now", 2}, {"more", 5}, {"entries", json::array()}};
    const auto none = radar_news(json{{"now", 2}, {"more", 0}, {"entries", json::array()}}.dump());
    REQUIRE(none);
    CHECK(none->text.empty());
    for (int i = 0; i < 25; ++i) {
        all["entries"].push_back(
            {{"analysis", {{"id", i}, {"name", "A" + std::to_string(i)}}}, {"text", "x"}});
    }
    const auto news = radar_news(all.dump());
    REQUIRE(news);
    const json body = json::parse(webhook_body(*news, "7"));
    CHECK(body["id"] == "7");
    CHECK(body["event"] == "radar");
    CHECK(body["at"] == 2);
    CHECK(body["text"] == "A0: x. A1: x. A2: x. And 27 more.");
    CHECK(body["more"] == 10);
    REQUIRE(body["entries"].size() == 20);
    CHECK(body["entries"][19] == all["entries"][19]);
    CHECK_FALSE(body.contains("analysis"));
    CHECK_FALSE(radar_news("no"));
    CHECK_FALSE(radar_news("{}"));
}
