// Once a day a webhook is told what changed: when, what, and not twice.
#include "api/webhooks/timed_summary.hpp"

#include "api_fixture.hpp"

#include <nlohmann/json.hpp>

using namespace adjourn;
using namespace adjourn::server;
using nlohmann::json;

namespace {

constexpr analysis::UnixMs minute = 60'000;
constexpr analysis::UnixMs hour = 60 * minute;
constexpr analysis::UnixMs day = 24 * hour;
// 2026-11-25 00:00 UTC.
constexpr analysis::UnixMs midnight = 1'795'564'800'000;

WebhookSettings hook(const std::string& name, std::optional<SummaryTime> at) {
    WebhookSettings settings;
    settings.name = name;
    settings.summary = at;
    return settings;
}

// A clock that is turned, and what was asked and told.
struct Daily {
    analysis::UnixMs now = midnight + 12 * hour;
    int offset = 0; // minutes of the time zone
    std::size_t changed = 1;
    std::size_t worth = 0;
    bool known = true; // what changed can be told at present
    std::string kept;
    std::vector<analysis::UnixMs> asked;
    std::vector<std::string> told; // names
    std::vector<WebhookNews> news;
    std::shared_ptr<TimedSummary> daily;

    void start(const std::vector<WebhookSettings>& hooks) {
        TimedSummary::Outside outside;
        outside.clock = [this] { return now; };
        outside.zone = [this](analysis::UnixMs) { return TimeZone{"", offset}; };
        outside.ask = [this](analysis::UnixMs since, const auto& done) {
            asked.push_back(since);
            done(known ? std::optional{SummaryDigest{changed, worth, "text", R"({"since":1})"}}
                       : std::nullopt);
        };
        outside.tell = [this](const WebhookNews& what, const std::string& name) {
            news.push_back(what);
            told.push_back(name);
        };
        outside.keep = [this](std::string text) { kept = std::move(text); };
        daily = std::make_shared<TimedSummary>(std::move(outside), kept);
        daily->set(hooks);
    }
    // Looks every ten minutes.
    void pass(analysis::UnixMs time) {
        const analysis::UnixMs end = now + time;
        while (now < end) {
            now = std::min(now + 10 * minute, end);
            daily->look();
        }
    }
};

} // namespace

TEST_CASE("timed summary: at its time of day, of all since the one before") {
    Daily d;
    d.start({hook("morning", SummaryTime{7 * 60}), hook("never", std::nullopt)});
    d.pass(19 * hour - 10 * minute); // to 06:50
    CHECK(d.told.empty());
    d.pass(10 * minute);
    REQUIRE(d.told == std::vector<std::string>{"morning"});
    CHECK(d.asked == std::vector<analysis::UnixMs>{midnight + 12 * hour});
    CHECK(d.news[0].event == "summary");
    CHECK(d.news[0].at == d.now);
    CHECK(json::parse(webhook_body(d.news[0], "7")) ==
          json{{"id", "7"}, {"event", "summary"}, {"at", d.now}, {"text", "text"}, {"since", 1}});
    const auto first = d.now;
    d.pass(23 * hour);
    CHECK(d.told.size() == 1);
    d.pass(hour);
    CHECK(d.told.size() == 2);
    CHECK(d.asked.back() == first);
}

TEST_CASE("timed summary: a clock that was ahead for a while keeps none back") {
    Daily d;
    d.start({hook("morning", SummaryTime{7 * 60})});
    d.now += 300 * day;
    d.pass(hour);
    REQUIRE(d.told.size() == 1);
    d.now -= 300 * day;
    d.pass(day);
    CHECK(d.told.size() == 2);
    d.pass(day);
    CHECK(d.told.size() == 3);
}

TEST_CASE("timed summary: by the server's time zone") {
    Daily d;
    d.offset = 120;
    d.start({hook("morning", SummaryTime{7 * 60})});
    d.pass(17 * hour - 10 * minute); // to 04:50 UTC, 06:50 there
    CHECK(d.told.empty());
    d.pass(10 * minute);
    CHECK(d.told.size() == 1);
}

TEST_CASE("timed summary: once a week, on its day") {
    Daily d; // Wednesday
    const auto saturday = SummaryTime::parse("Sat 07:00");
    REQUIRE(saturday);
    d.start({hook("weekend", saturday)});
    d.pass(2 * day + 19 * hour - 10 * minute); // to Saturday, 06:50
    CHECK(d.told.empty());
    d.pass(10 * minute);
    CHECK(d.told.size() == 1);
    CHECK(d.asked.back() == midnight + 12 * hour);
    d.pass(7 * day - 10 * minute);
    CHECK(d.told.size() == 1);
    d.pass(10 * minute);
    CHECK(d.told.size() == 2);
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

TEST_CASE("timed summary: a restart neither repeats nor forgets") {
    Daily d;
    d.start({hook("morning", SummaryTime{7 * 60})});
    d.pass(20 * hour); // to 08:00 of the next day
    REQUIRE(d.told.size() == 1);
    d.start({hook("morning", SummaryTime{7 * 60})});
    d.pass(2 * hour);
    CHECK(d.told.size() == 1);
    d.daily.reset(); // not there at 07:00
    d.now += 23 * hour;
    d.start({hook("morning", SummaryTime{7 * 60})});
    d.pass(10 * minute);
    CHECK(d.told.size() == 2);
    CHECK(d.asked.back() < d.now - 23 * hour);
    d.kept = "nonsense";
    d.start({hook("morning", SummaryTime{7 * 60})}); // as if it were new
    d.pass(hour);
    CHECK(d.told.size() == 2);
}

TEST_CASE("timed summary: nothing changed, or nobody knows") {
    Daily d;
    d.changed = 0;
    d.start({hook("morning", SummaryTime{7 * 60})});
    d.pass(day);
    CHECK(d.told.empty());
    CHECK(d.asked.size() == 1); // the day is done
    d.known = false;
    d.changed = 1;
    d.pass(day);
    CHECK(d.told.empty());
    const std::size_t tries = d.asked.size();
    CHECK(tries > 2); // again with each look
    d.known = true;
    d.pass(10 * minute);
    CHECK(d.told.size() == 1);
    CHECK(d.asked.size() == tries + 1);
}

TEST_CASE("timed summary: webhooks that come, change and go") {
    Daily d;
    d.start({hook("a", SummaryTime{7 * 60})});
    d.daily->set({hook("a", SummaryTime{13 * 60}), hook("b", SummaryTime{13 * 60})}); // at 12:00
    d.pass(2 * hour);
    CHECK(d.told == std::vector<std::string>{"a", "b"});
    d.daily->set({hook("b", std::nullopt)});
    d.pass(2 * day);
    CHECK(d.told.size() == 2);
    CHECK(json::parse(d.kept).empty());
}

TEST_CASE("timed summary: what came up meanwhile is told, also where nothing changed") {
    SummaryDigest quiet{0, 0, "0 of 3 analyses changed.", R"({"since":1})"};
    CHECK(with_radar(quiet, {}).text == quiet.text);
    RadarDigest radar;
    for (int i = 0; i < 30; ++i) {
        radar.entries.push_back({7, "Najdorf", "", "3.Bc4 is refuted", R"({"kind":"refutation"})"});
    }
    const SummaryDigest both = with_radar(quiet, radar);
    CHECK(both.worth == 30);
    CHECK(both.text.find("0 of 3 analyses changed. Worth a look: Najdorf: 3.Bc4 is refuted.") == 0);
    CHECK(both.text.find("And 27 more.") != std::string::npos);
    const json content = json::parse(both.content);
    CHECK(content["since"] == 1);
    CHECK(content["worth_a_look"]["entries"].size() == 20);
    CHECK(content["worth_a_look"]["more"] == 10);

    Daily d;
    d.changed = 0;
    d.worth = 1;
    d.start({hook("morning", SummaryTime{7 * 60})});
    d.pass(day);
    CHECK(d.told.size() == 1);
}

TEST_CASE("timed summary: an answer after the end comes to nothing") {
    std::function<void(TimedSummary::Digest)> late;
    TimedSummary::Outside outside;
    analysis::UnixMs now = midnight;
    int told = 0;
    outside.clock = [&] { return now; };
    outside.zone = [](analysis::UnixMs) { return TimeZone{}; };
    outside.ask = [&](analysis::UnixMs, auto done) { late = std::move(done); };
    outside.tell = [&](const WebhookNews&, const std::string&) { ++told; };
    outside.keep = [](const std::string&) {};
    auto daily = std::make_shared<TimedSummary>(std::move(outside), "");
    daily->set({hook("a", SummaryTime{60})});
    now += 2 * hour;
    daily->look();
    REQUIRE(late);
    const auto asked = late;
    late = nullptr;
    daily->look();
    CHECK_FALSE(late); // it is asked already
    daily.reset();
    asked(SummaryDigest{1, 0, "", "{}"});
    CHECK(told == 0);
}

TEST_CASE("timed summary: what a message has, in bounds") {
    ApiFixture f;
    json body = ApiFixture::wanted({{"moves", "1. e4 e5"}});
    body["strategy"]["refine"] = 1;
    body["name"] = "Najdorf";
    const auto id = f.post(body);
    f.settle(id);
    const auto utc = [](analysis::UnixMs) { return TimeZone{"UTC", 0}; };
    const std::string answer = f.get("/summary?since=0").dump();
    const auto digest = summary_digest(answer, utc);
    REQUIRE(digest);
    CHECK(digest->changed == 1);
    const json content = json::parse(digest->content);
    CHECK(content["since"] == 0);
    CHECK(content["more"] == 0);
    CHECK(content["unchanged"] == 0);
    const json& one = content["analyses"][0];
    CHECK(one["name"] == "Najdorf");
    CHECK(one["settled"] == json{{"before", 0}, {"after", 1}});
    CHECK(one["best"]["after"].is_string());
    CHECK(one["swings"].size() <= 3);
    CHECK(digest->text.find("1 of 1 analyses changed since 1970-01-01 00:00. Najdorf: best ") == 0);
    CHECK(digest->text.find("settled to depth 1.") != std::string::npos);

    json many = json::parse(answer);
    many["unchanged"] = 7;
    json silent = many["analyses"][0];
    silent["changes"] = nullptr;
    many["analyses"].push_back(silent);
    json large = many["analyses"][0];
    large["name"] = std::string(100'000, 'x');
    large["reason"] = std::string(100'000, 'y');
    large["state"] = "failed";
    for (int i = 0; i < 500; ++i) {
        large["played"].push_back({{"san", "Nf3"}, {"in_tree", false}, {"best", nullptr}});
        large["changes"]["swings"].push_back(
            {{"line", json::array()}, {"before", {{"cp", 1}}}, {"after", {{"mate", 3}}}});
    }
    for (int i = 0; i < 100; ++i) {
        many["analyses"].push_back(large);
    }
    const auto cut = summary_digest(many.dump(), utc);
    REQUIRE(cut);
    CHECK(cut->changed == 101);
    CHECK(json::parse(cut->content)["unchanged"] == 8);
    CHECK(json::parse(cut->content)["analyses"].size() == 20);
    CHECK(json::parse(cut->content)["more"] == 81);
    CHECK(cut->content.size() < 64'000);
    CHECK(cut->text.size() < 6'000);
    CHECK_FALSE(summary_digest("{}", utc));
    CHECK_FALSE(summary_digest("no JSON", utc));
}
