// TimedSummary: tells webhooks, each at its time, what changed in all analyses since they were told
// last.
#pragma once

#include "api/webhooks/radar_watch.hpp"
#include "api/webhooks/webhooks.hpp"
#include "core/records/time_zone.hpp"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace adjourn::server {

// What `GET summary` answers, as small as a message may be.
struct SummaryDigest {
    std::size_t changed = 0; // analyses
    std::size_t worth = 0;   // places worth a look
    std::string text;        // for people
    std::string content;     // fields of the document, as the text of a JSON object
};
// nullopt: it is no such answer. Pure; any thread. Moments are told in `zone`.
std::optional<SummaryDigest>
summary_digest(const std::string& answer,
               const std::function<TimeZone(analysis::UnixMs)>& zone = time_zone);
// The same, and what came up meanwhile.
SummaryDigest with_radar(SummaryDigest digest, const RadarDigest& radar);

// One thread; what it was asked and gets later may come after its end.
class TimedSummary : public std::enable_shared_from_this<TimedSummary> {
public:
    using Digest = std::optional<SummaryDigest>; // nullopt: it cannot be known now
    struct Outside {
        std::function<analysis::UnixMs()> clock;
        std::function<TimeZone(analysis::UnixMs)> zone = time_zone;
        // Calls `done` once, later or at once, on this thread.
        std::function<void(analysis::UnixMs since, std::function<void(Digest)> done)> ask;
        std::function<void(const WebhookNews&, const std::string& webhook)> tell;
        // Is kept for the next program, and given to it as `kept`.
        std::function<void(std::string)> keep;
    };
    // `kept` may be anything.
    TimedSummary(Outside outside, const std::string& kept);

    // Whom to tell. Who is new has been told everything until now.
    void set(const std::vector<WebhookSettings>& webhooks);
    // To be called now and then, a few times a minute. Who was not told since his time is told what
    // has changed or come up, if anything has.
    void look();

private:
    struct Told {
        SummaryTime time;
        analysis::UnixMs at = 0;
        bool asked = false;
    };
    bool due(const Told& told, analysis::UnixMs now) const;
    void take(const std::string& name, analysis::UnixMs now, const Digest& digest);
    void keep() const;

    Outside outside_;
    std::map<std::string, analysis::UnixMs> kept_;
    std::map<std::string, Told> told_; // by the webhook's name
};

} // namespace adjourn::server
