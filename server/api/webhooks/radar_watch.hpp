// RadarWatch: asks the radar now and then, and tells webhooks what has come up since they were told
// last.
#pragma once

#include "analysis/records.hpp"
#include "api/webhooks/webhooks.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace adjourn::server {

// What `GET radar` answers, as a message: for people the first three, the first 20 as they are, and
// how many more there are. Without a text nothing came up. nullopt: it is no such answer. Pure; any
// thread.
std::optional<WebhookNews> radar_news(const std::string& answer);

// One thread; what it was asked and gets later may come after its end.
class RadarWatch : public std::enable_shared_from_this<RadarWatch> {
public:
    using News = std::optional<WebhookNews>; // nullopt: it cannot be known now
    struct Outside {
        std::function<analysis::UnixMs()> clock;
        // Calls `done` once, later or at once, on this thread.
        std::function<void(analysis::UnixMs since, std::function<void(News)> done)> ask;
        std::function<void(const WebhookNews&)> tell;
    };
    explicit RadarWatch(Outside outside);

    // Whether anybody names "radar". Who is the first has been told everything until now.
    void set(const std::vector<WebhookSettings>& webhooks);
    // To be called a few times a minute. It asks every five minutes, and rests twenty times as long
    // as the answer took, two hours at most.
    void look();

private:
    void take(analysis::UnixMs asked, const News& news);

    Outside outside_;
    std::optional<analysis::UnixMs> told_; // what came up later was not told; nullopt: nobody asks
    bool asked_ = false;
    analysis::UnixMs rest_; // between two questions
};

} // namespace adjourn::server
