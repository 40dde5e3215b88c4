// RadarWatch: asks the radar now and then, or at the time that a webhook names, and tells webhooks
// what has come up since they were told last.
#pragma once

#include "analysis/records.hpp"
#include "api/webhooks/webhooks.hpp"
#include "core/records/time_zone.hpp"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace adjourn::server {

// What `GET radar` answers, as a message: for people the first three, the first 20 as they are, and
// how many more there are. Without a text nothing came up. nullopt: it is no such answer. Pure; any
// thread.
std::optional<WebhookNews> radar_news(const std::string& answer);

// When webhooks with a time were told last, by their names; for a file, so that it holds after a
// restart. What is no such text, or no such moment in it, is left out.
using ToldMoments = std::map<std::string, analysis::UnixMs>;
std::string to_text(const ToldMoments& moments);
ToldMoments read_told_moments(const std::string& text);

// One thread; what it was asked and gets later may come after its end.
class RadarWatch : public std::enable_shared_from_this<RadarWatch> {
public:
    using News = std::optional<WebhookNews>; // nullopt: it cannot be known now
    struct Outside {
        std::function<analysis::UnixMs()> clock;
        std::function<TimeZone(analysis::UnixMs)> zone = time_zone;
        // Calls `done` once, later or at once, on this thread.
        std::function<void(analysis::UnixMs since, std::function<void(News)> done)> ask;
        std::function<void(const WebhookNews&, const std::string& webhook)> tell;
        // All of them, when one has changed: after it was told, so that who is killed between the
        // two tells it twice, and not never. Those of webhooks with a time.
        std::function<void(const ToldMoments&)> keep;
    };
    // `kept`: what was kept last, before a restart.
    explicit RadarWatch(Outside outside, ToldMoments kept = {});

    // Whom to tell: who names "radar", or a time. Who is new has been told everything until now,
    // or until his last time.
    void set(const std::vector<WebhookSettings>& webhooks);
    // To be called a few times a minute. Where no time is named, it asks every five minutes, and
    // rests twenty times as long as the answer took, two hours at most.
    void look();

private:
    struct Told {
        std::optional<SummaryTime> time;
        analysis::UnixMs at = 0; // what came up later was not told
    };
    analysis::UnixMs last(const SummaryTime& time, analysis::UnixMs now) const;
    bool due(const Told& told, analysis::UnixMs now) const;
    void take(analysis::UnixMs since, analysis::UnixMs asked, News news);
    void keep();

    Outside outside_;
    ToldMoments kept_;
    std::map<std::string, Told> told_; // by the webhook's name
    bool asked_ = false;
    analysis::UnixMs rest_; // between two questions where no time is named
};

} // namespace adjourn::server
