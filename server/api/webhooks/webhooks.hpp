// Webhooks: tells addresses of the configuration what happened to analyses, as small JSON
// documents (docs/operate/webhooks.md).
#pragma once

#include "analysis/records.hpp"
#include "core/schedule/core.hpp"
#include "http/client/http_link.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace adjourn::server {

// What a webhook may be told of as it happens; the names of the configuration and of `event`.
inline constexpr std::array<std::string_view, 5> webhook_events{"settled", "best", "exhausted",
                                                                "failed", "radar"};
// The first so many are told to who names none.
inline constexpr std::size_t usual_webhook_events = 4;

struct WebhookSettings {
    std::string name; // shown instead of the address, which may hold a secret
    std::string url;
    std::string secret; // "" = not signed
    std::string secret_file;
    std::vector<std::string> events{webhook_events.begin(),
                                    webhook_events.begin() + usual_webhook_events};

    friend bool operator==(const WebhookSettings&, const WebhookSettings&) = default;
};

struct WebhookUrl {
    ServerUrl server;
    std::string target; // path and query
};
// The error is for people and does not repeat the address.
std::expected<WebhookUrl, std::string> parse_webhook_url(const std::string& text);

// "sha256=" and HMAC-SHA256 in hexadecimal digits.
std::string signature_of(const std::string& secret, const std::string& body);

struct WebhookNews {
    struct Best {
        std::string uci;
        std::string san;
        std::string score;  // alpha for people, from White's side: "+0.31", "#5"
        std::string scores; // {"alpha": …, "idea": …} as JSON, from White's side
    };
    std::string event;       // of webhook_events, or "test"
    std::int64_t at = 0;     // ms since 1970
    std::int64_t number = 0; // the analysis
    std::string name;
    std::string state;
    std::string reason; // "" = none
    int settled = 0;
    std::optional<Best> best;
    std::optional<Best> before; // of "best"
    // Of "radar", which is of no one analysis: the sentence, and the document's own fields as the
    // text of a JSON object.
    std::string text;
    std::string content;
};
// The document that is sent. Pure. Long names and reasons are cut.
std::string webhook_body(const WebhookNews& news, const std::string& id);

struct WebhookRules {
    std::vector<std::chrono::milliseconds> pauses{std::chrono::seconds{2}, std::chrono::seconds{15},
                                                  std::chrono::minutes{2}};
    std::chrono::milliseconds patience{10'000}; // of one request
    // So long a new best move is held back: it may change again.
    std::chrono::milliseconds rest{std::chrono::minutes{1}};
    std::size_t most_waiting = 100; // of one address; then the oldest are dropped
};

struct WebhookTested {
    std::string name;
    int status = 0;      // of the answer; 0: none
    std::string trouble; // "" = it took it
    std::chrono::milliseconds took{0};
};

// Thread-safe. A thread for each address.
class Webhooks {
public:
    struct State {
        std::string name;
        std::vector<std::string> events;
        bool is_signed = false;
        std::uint64_t sent = 0;
        std::uint64_t lost = 0; // nobody took it, or too many waited
        std::size_t waiting = 0;
        std::string trouble; // why the last one was not taken; "" if it was
    };

    explicit Webhooks(std::vector<WebhookSettings> settings, WebhookRules rules = {});
    ~Webhooks();

    // Addresses whose settings are the same go on with what they have to tell. Blocks until
    // requests to the others have ended. From one thread at a time.
    void set(std::vector<WebhookSettings> settings);
    // Never blocks for an address.
    void tell(const WebhookNews& news);
    std::vector<State> states() const;

    // A test of each address, at once. Ends by itself, within `patience` and what is under way;
    // then `done` is called once, on any thread, with the results in the order of the addresses.
    void test(std::int64_t now_ms, std::function<void(std::vector<WebhookTested>)> done);
    std::chrono::milliseconds patience() const { return rules_.patience; }

    // What waits is dropped, what is under way fails. Does not block; the destructor does.
    void close();

private:
    class Hook;
    std::vector<std::shared_ptr<Hook>> hooks() const;

    const WebhookRules rules_;
    mutable std::mutex mutex_;
    std::vector<std::shared_ptr<Hook>> hooks_;
};

// WebhookObserver: which changes of analyses are news for webhooks, the same as for the page's
// notifications: settled, another best move, stopped.

class WebhookObserver : public Observer {
public:
    // `tell` is called on the core's thread. An analysis that was made before `began` (ms since
    // 1970) is no news until it has a new answer: it was told of before the program was started.
    WebhookObserver(std::function<void(const WebhookNews&)> tell, analysis::UnixMs began)
        : tell_{std::move(tell)}, began_{began} {}

    void analysis_changed(const Core& core, const AnalysisRun& run) override;
    void nodes_changed(const AnalysisRun&, const std::vector<analysis::NodeId>&) override {}
    void board_search_changed(const Core&, const BoardSearch&) override {}
    void engine_changed(const Core&, const EngineSlot&) override {}
    void analysis_removed(analysis::AnalysisId id) override;

private:
    struct Seen {
        storage::AnalysisState state = storage::AnalysisState::queued;
        int settled = 0;
        std::optional<WebhookNews::Best> best;
        bool fresh = true;         // something of it is news
        std::uint64_t answers = 0; // where it is not
    };

    std::function<void(const WebhookNews&)> tell_;
    analysis::UnixMs began_;
    std::map<analysis::AnalysisId, Seen> seen_;
};

// RadarWatch: asks the radar now and then, and tells webhooks what has come up since they were told
// last.

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
