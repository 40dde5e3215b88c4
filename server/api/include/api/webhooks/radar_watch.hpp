// RadarWatch: asks the radar now and then, so that former answers are known, and tells webhooks
// what has come up since.
#pragma once

#include "analysis/records.hpp"
#include "api/webhooks/webhooks.hpp"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace adjourn::server {

// What `GET radar` answers, as far as messages need it.
struct RadarDigest {
    struct Entry {
        std::int64_t analysis = 0;
        std::string name;
        std::string after; // the letter that the verdict fell to; "": it is another entry
        std::string text;
        std::string content; // all of it, as the text of a JSON object
    };
    analysis::UnixMs now = 0;
    std::vector<Entry> entries;
};
// nullopt: it is no such answer. Pure; any thread.
std::optional<RadarDigest> radar_digest(const std::string& answer);

struct RadarMessage {
    std::string text;    // for people: the first three, and how many more there are
    std::string content; // the first 20, and how many more, as the text of a JSON object
};
// REQUIRES: there are entries. Pure.
RadarMessage radar_message(const std::vector<const RadarDigest::Entry*>& entries);

// One thread; what it was asked and gets later may come after its end.
class RadarWatch : public std::enable_shared_from_this<RadarWatch> {
public:
    using Digest = std::optional<RadarDigest>; // nullopt: it cannot be known now
    struct Outside {
        std::function<analysis::UnixMs()> clock;
        // Calls `done` once, later or at once, on this thread.
        std::function<void(analysis::UnixMs since, std::function<void(Digest)> done)> ask;
        std::function<bool()> wanted; // somebody is told of "radar" or "letter"
        std::function<void(const WebhookNews&)> tell;
        std::function<void()> asked; // what is known of former answers may be other now
    };
    // What came up before it was made is not told.
    explicit RadarWatch(Outside outside);

    // To be called a few times a minute. Asks every five minutes, and rests twenty times as long as
    // the answer took, two hours at most. Where nobody is told, it asks what is still to come: that
    // reads no files, and notes what is answered now.
    void look();

private:
    void take(analysis::UnixMs asked, const Digest& digest);
    void tell(const char* event, const std::vector<const RadarDigest::Entry*>& entries,
              analysis::UnixMs at) const;
    bool is_news(const RadarDigest::Entry& entry, analysis::UnixMs now);

    Outside outside_;
    analysis::UnixMs since_;
    analysis::UnixMs next_;
    analysis::UnixMs looked_; // when it was last
    bool asked_ = false;
    // The letter that was told last of each analysis, and when.
    std::map<std::int64_t, std::pair<std::string, analysis::UnixMs>> letters_;
};

} // namespace adjourn::server
