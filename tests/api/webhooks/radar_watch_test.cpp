// Webhooks are told what the radar finds: since when it is asked, at what time, and what is told.
#include "api/webhooks/radar_watch.hpp"

#include "api_fixture.hpp"

namespace {

constexpr analysis::UnixMs minute = 60'000;
constexpr analysis::UnixMs hour = 60 * minute;
constexpr analysis::UnixMs day = 24 * hour;
// 2026-11-25 00:00 UTC, a Wednesday.
constexpr analysis::UnixMs midnight = 1'795'564'800'000;

WebhookSettings timed_hook(const std::string& name, std::optional<SummaryTime> at) {
    WebhookSettings settings;
    settings.name = name;
    settings.summary = at;
    settings.events = {};
    return settings;
}

WebhookSettings radar_hook(const std::string& name) {
    WebhookSettings settings = timed_hook(name, std::nullopt);
    settings.events = {"radar"};
    return settings;
}

// A clock that is turned, and what was asked and told.
struct WatchedRadar {
    analysis::UnixMs now = midnight + 12 * hour;
    analysis::UnixMs takes = 0; // an answer
    int offset = 0;             // minutes of the time zone
    bool changed = true;
    bool known = true; // what came up can be told at present
    std::vector<analysis::UnixMs> asked;
    std::vector<std::string> told; // names
    std::vector<WebhookNews> news;
    ToldMoments kept;    // as the file has them
    bool killed = false; // nothing is kept any more
    std::size_t keeps = 0;
    std::shared_ptr<RadarWatch> watch;

    explicit WatchedRadar(const std::vector<WebhookSettings>& hooks, int zone = 0) : offset{zone} {
        begin(hooks);
    }
    // As after a restart, where there was one before.
    void begin(const std::vector<WebhookSettings>& hooks) {
        killed = false;
        RadarWatch::Outside outside;
        outside.clock = [this] { return now; };
        outside.zone = [this](analysis::UnixMs) { return TimeZone{"", offset}; };
        outside.ask = [this](analysis::UnixMs since, const auto& done) {
            asked.push_back(since);
            WebhookNews what;
            what.event = "radar";
            what.at = now;
            what.text = changed ? "text" : "";
            now += takes;
            done(known ? std::optional{what} : std::nullopt);
        };
        outside.tell = [this](const WebhookNews& what, const std::string& name) {
            news.push_back(what);
            told.push_back(name);
        };
        outside.keep = [this](const ToldMoments& moments) {
            if (!killed) {
                kept = moments;
                ++keeps;
            }
        };
        watch = std::make_shared<RadarWatch>(std::move(outside), kept);
        watch->set(hooks);
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

TEST_CASE("radar watch: asks every five minutes what came up since, and tells who names it") {
    WatchedRadar w{{radar_hook("a"), radar_hook("b"), timed_hook("never", std::nullopt)}};
    const analysis::UnixMs began = w.now;
    w.pass(5 * minute - minute / 3);
    CHECK(w.asked.empty());
    w.pass(minute / 3);
    CHECK(w.asked == std::vector<analysis::UnixMs>{began});
    CHECK(w.told == std::vector<std::string>{"a", "b"});
    w.changed = false;
    w.pass(20 * minute);
    CHECK(w.told.size() == 2);
    CHECK(w.asked.size() == 5);
    CHECK(w.asked[1] == began + 5 * minute);
}

TEST_CASE("radar watch: rests twenty times as long as an answer took") {
    WatchedRadar w{{radar_hook("a")}};
    w.takes = minute;
    w.pass(6 * minute);
    REQUIRE(w.asked.size() == 1);
    w.pass(18 * minute);
    CHECK(w.asked.size() == 1);
    w.pass(3 * minute);
    CHECK(w.asked.size() == 2);
}

TEST_CASE("radar watch: a clock that was ahead and is set back delays and hides nothing") {
    for (const WebhookSettings& settings :
         {radar_hook("a"), timed_hook("a", SummaryTime{7 * 60})}) {
        WatchedRadar w{{settings}};
        w.now += 300 * day;
        w.pass(hour);
        CHECK(w.told.size() >= 1);
        w.now -= 300 * day;
        const std::size_t before = w.told.size();
        w.pass(day);
        CHECK(w.told.size() > before);
        CHECK(w.asked.back() <= w.now);
    }
}

TEST_CASE("radar watch: what cannot be known now is asked later, of the same time") {
    WatchedRadar w{{radar_hook("a")}};
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

TEST_CASE("radar watch: who names a time is told then, of all since the time before") {
    WatchedRadar w{{timed_hook("morning", SummaryTime{7 * 60})}};
    w.pass(19 * hour - minute); // to 06:59
    CHECK(w.told.empty());
    w.pass(minute);
    REQUIRE(w.told == std::vector<std::string>{"morning"});
    CHECK(w.asked == std::vector<analysis::UnixMs>{midnight + 7 * hour});
    CHECK(w.news[0].at == w.now);
    const auto first = w.now;
    w.pass(23 * hour);
    CHECK(w.told.size() == 1);
    w.pass(hour);
    CHECK(w.told.size() == 2);
    CHECK(w.asked.back() == first);
    w.changed = false;
    w.pass(2 * day);
    CHECK(w.told.size() == 2);
    CHECK(w.asked.size() == 4); // the day is done
}

TEST_CASE("radar watch: a time is of the server's time zone, and may be of one day of the week") {
    WatchedRadar east{{timed_hook("morning", SummaryTime{7 * 60})}, 120};
    east.pass(17 * hour - minute); // to 04:59 UTC, 06:59 there
    CHECK(east.told.empty());
    east.pass(minute);
    CHECK(east.told.size() == 1);
    WatchedRadar w{{timed_hook("weekend", SummaryTime::parse("Sat 07:00"))}};
    w.pass(2 * day + 19 * hour - minute); // to Saturday, 06:59
    CHECK(w.told.empty());
    w.pass(minute);
    CHECK(w.told.size() == 1);
    CHECK(w.asked.back() == midnight - 4 * day + 7 * hour);
    w.pass(7 * day - minute);
    CHECK(w.told.size() == 1);
    w.pass(minute);
    CHECK(w.told.size() == 2);
}

TEST_CASE("radar watch: webhooks that come, change and go") {
    WatchedRadar w{{timed_hook("a", SummaryTime{7 * 60})}};
    w.watch->set(
        {timed_hook("a", SummaryTime{13 * 60}), timed_hook("b", SummaryTime{14 * 60})}); // at 12:00
    w.pass(90 * minute);
    CHECK(w.told == std::vector<std::string>{"a"});
    w.pass(hour);
    CHECK(w.told == std::vector<std::string>{"a", "b"});
    w.watch->set({timed_hook("b", std::nullopt)});
    w.pass(2 * day);
    CHECK(w.told.size() == 2);
}

TEST_CASE("radar watch: a restart neither repeats nor misses a time") {
    const std::vector<WebhookSettings> hooks{timed_hook("morning", SummaryTime{7 * 60})};
    WatchedRadar w{hooks};
    CHECK(w.kept == ToldMoments{{"morning", midnight + 7 * hour}}); // who is new has a moment, too
    w.begin(hooks);
    w.pass(19 * hour); // to 07:00
    CHECK(w.told.size() == 1);
    const analysis::UnixMs first = w.news.back().at;
    CHECK(w.kept == ToldMoments{{"morning", first}});
    w.begin(hooks);
    w.pass(hour);
    CHECK(w.told.size() == 1);
    w.now += 2 * day; // no server runs
    w.begin(hooks);
    w.pass(minute);
    CHECK(w.told.size() == 2);
    CHECK(w.asked.back() == first);
    const std::size_t keeps = w.keeps;
    w.pass(hour);
    w.begin(hooks);
    CHECK(w.keeps == keeps); // nothing new
    w.changed = false;
    w.pass(day);
    CHECK(w.told.size() == 2);
    CHECK(w.keeps == keeps + 1); // the day is done, with nothing to tell
}

TEST_CASE("radar watch: who is killed between telling and keeping tells it twice") {
    const std::vector<WebhookSettings> hooks{timed_hook("morning", SummaryTime{7 * 60})};
    WatchedRadar w{hooks};
    w.killed = true;
    w.pass(19 * hour);
    CHECK(w.told.size() == 1);
    w.begin(hooks);
    w.pass(minute);
    CHECK(w.told.size() == 2);
    CHECK(w.asked[0] == w.asked[1]);
    w.begin(hooks);
    w.pass(minute);
    CHECK(w.told.size() == 2);
}

TEST_CASE("radar watch: kept are the moments of those that have a time") {
    WatchedRadar w{{radar_hook("a")}};
    w.pass(hour);
    CHECK(w.told.size() > 1);
    CHECK(w.keeps == 0);
    w.watch->set({radar_hook("a"), timed_hook("b", SummaryTime{7 * 60})});
    CHECK(w.kept == ToldMoments{{"b", midnight + 7 * hour}});
    w.kept["a"] = midnight;
    w.begin({radar_hook("a")});
    CHECK(w.kept.empty());
    w.pass(5 * minute);
    CHECK(w.asked.back() > midnight + 12 * hour);
}

TEST_CASE("radar watch: moments as a text, and what is none") {
    const ToldMoments moments{{"", 0}, {"a \"b\"", midnight}};
    CHECK(read_told_moments(to_text(moments)) == moments);
    CHECK(read_told_moments(to_text(ToldMoments{})).empty());
    for (const char* text : {"", "{", "[1]", "7", "{\"a\":", "\xff"}) {
        INFO(text);
        CHECK(read_told_moments(text).empty());
    }
    CHECK(read_told_moments(
              R"({"a": -1, "b": "7", "c": null, "d": 1e3, "e": 18446744073709551615, "f": 5})") ==
          ToldMoments{{"f", 5}});
}

TEST_CASE("radar watch: an answer after the end comes to nothing") {
    analysis::UnixMs now = midnight;
    std::function<void(RadarWatch::News)> late;
    int told = 0;
    RadarWatch::Outside outside;
    outside.clock = [&] { return now; };
    outside.ask = [&](analysis::UnixMs, std::function<void(RadarWatch::News)> done) {
        late = std::move(done);
    };
    outside.tell = [&](const WebhookNews&, const std::string&) { ++told; };
    auto watch = std::make_shared<RadarWatch>(std::move(outside));
    watch->set({radar_hook("a")});
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

TEST_CASE("radar watch: a message of what the call answers") {
    const GrownTree f;
    const http::Response answer = f.api(get_request("/radar?since=0"));
    const auto news = radar_news(answer.body);
    REQUIRE(news);
    const json all = json::parse(answer.body);
    CHECK(news->at == all["now"]);
    REQUIRE_FALSE(all["entries"].empty());
    CHECK(json::parse(news->content)["entries"] == all["entries"]);
}

TEST_CASE("summary time: what it reads it writes, and nothing else") {
    for (const char* text : {"07:00", "23:59", "Mon 00:00", "Sun 12:30"}) {
        REQUIRE(SummaryTime::parse(text));
        CHECK(SummaryTime::parse(text)->text() == text);
    }
    CHECK(SummaryTime::parse("wed 07:00") == SummaryTime::parse("Wed 07:00"));
    for (const char* text : {"", "Mon", "Mon ", "Monday 07:00", "Mon  07:00", "07:00 Mon", " 07:00",
                             "Mon 24:00", "Mo 07:00", "-1 07:00"}) {
        INFO(text);
        CHECK_FALSE(SummaryTime::parse(text));
    }
}

TEST_CASE("summary time: the last such moment, on each day of some years") {
    for (int weekday = 0; weekday < 7; ++weekday) {
        const SummaryTime time{7 * 60, weekday};
        for (analysis::UnixMs now = midnight; now < midnight + 800 * day; now += 7 * hour) {
            const analysis::UnixMs last = time.last(now);
            CHECK(last <= now);
            CHECK(now - last < 7 * day);
            CHECK(last % day == 7 * hour);
            // Midnight is a Wednesday.
            CHECK((last - 7 * hour - midnight + 7 * day) / day % 7 == (weekday + 7 - 2) % 7);
        }
    }
}
