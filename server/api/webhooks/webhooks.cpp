#include "api/webhooks/webhooks.hpp"

#include "api/views/view.hpp"
#include "base/text.hpp"
#include "chess/notation.hpp"
#include "core/guards/guard.hpp"
#include "core/records/strategy_json.hpp"

#include <nlohmann/json.hpp>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <condition_variable>
#include <list>
#include <thread>
#include <utility>

namespace adjourn::server {

using analysis::UnixMs;
using nlohmann::json;
using storage::AnalysisState;

namespace {

constexpr std::size_t most_answer = 64U << 10; // bytes of an answer, which nobody reads
constexpr std::size_t most_tests = 4;

constexpr std::size_t longest = 500; // characters of a name or reason

// Whole characters of UTF-8.
std::string cut(const std::string& text) {
    if (text.size() <= longest) {
        return text;
    }
    std::size_t end = longest;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) {
        --end;
    }
    return text.substr(0, end) + "…";
}

json webhook_best_json(const std::optional<WebhookNews::Best>& best) {
    if (!best) {
        return nullptr;
    }
    json out = json::parse(best->scores, nullptr, false);
    if (!out.is_object()) {
        out = json::object();
    }
    out["uci"] = best->uci;
    out["san"] = best->san;
    return out;
}

// The words of the page's notifications (web/src/ui/tell.ts).
std::string sentence(const WebhookNews& news) {
    const std::string best = news.best ? news.best->san + " " + news.best->score : "";
    const std::string at = best.empty() ? "" : ": " + best;
    if (news.event == "test") {
        return "This is a test of Adjourn's webhook.";
    }
    if (!news.text.empty()) {
        return news.text;
    }
    if (news.event == "settled") {
        return cut(news.name) + " is settled" + at + ".";
    }
    if (news.event == "exhausted") {
        return cut(news.name) + " has used its budget" + at + ".";
    }
    if (news.event == "failed") {
        return cut(news.name) + " has failed" +
               (news.reason.empty() ? "" : ": " + cut(news.reason)) + ".";
    }
    return cut(news.name) + " has a new best move: " + best +
           (news.before ? ", before " + news.before->san : "") + ".";
}

std::optional<WebhookNews::Best> told_best(const AnalysisRun& run) {
    const auto best = best_of(run);
    if (!best) {
        return std::nullopt;
    }
    const chess::Color turn = run.root.turn();
    const nlohmann::json scores{{"alpha", score_json(best->alpha, turn)},
                                {"idea", score_json(best->idea, turn)}};
    return WebhookNews::Best{
        chess::to_uci(run.root, best->move), chess::to_san(run.root, best->move),
        chess::to_text(turn == chess::Color::white ? best->alpha : -best->alpha), scores.dump()};
}

// "" = none.
std::string ending(AnalysisState before, AnalysisState now, bool further) {
    if (now == before && !(now == AnalysisState::settled && further)) {
        return "";
    }
    const bool ended = now == AnalysisState::settled || now == AnalysisState::exhausted ||
                       now == AnalysisState::failed;
    return ended ? word(now) : "";
}

constexpr UnixMs usual_rest = 5 * 60'000;
constexpr UnixMs longest_rest = 2 * 3'600'000;
constexpr UnixMs rest_for_work = 20;    // times what an answer took
constexpr std::size_t most_told = 20;   // of one message
constexpr std::size_t most_in_text = 3; // the same

} // namespace

// Webhooks::Hook: one address, with its thread and what it is still to be told.

class Webhooks::Hook {
public:
    using Clock = std::chrono::steady_clock;
    using Done = std::function<void(WebhookTested)>;

    Hook(WebhookSettings settings, WebhookRules rules)
        : settings_{std::move(settings)}, rules_{std::move(rules)} {
        state_.name = settings_.name;
        state_.events = settings_.events;
        state_.is_signed = !settings_.secret.empty();
        thread_ = std::thread{[this] {
            while (guarded("a webhook's thread", [this] { run(); })) {
            }
        }};
    }

    ~Hook() {
        close();
        join();
    }

    const WebhookSettings& settings() const { return settings_; }
    // A best move that is replaced before anybody was told of it is not told; back to the one that
    // was told last, there is no news. What has ended says the best move, too.
    void tell(const WebhookNews& news) {
        const std::lock_guard lock{mutex_};
        if (closed_) {
            return;
        }
        const bool best = news.event == "best";
        const auto held = std::ranges::find_if(messages_, [&](const Message& message) {
            return message.news.event == "best" && message.news.number == news.number;
        });
        if (held != messages_.end() && best) {
            const auto first = held->news.before;
            held->news = news;
            held->news.before = first;
            if (first && news.best && first->uci == news.best->uci) {
                messages_.erase(held);
            }
            return;
        }
        if (held != messages_.end()) {
            messages_.erase(held);
        }
        if (std::ranges::find(settings_.events, news.event) != settings_.events.end()) {
            const auto rest = best ? rules_.rest : std::chrono::milliseconds{0};
            put({news, base::random_secret(), Clock::now() + rest, 0});
        }
    }

    // `done` is called on the hook's thread, or at once where it is closed or has too many tests.
    void test(std::int64_t now_ms, Done done) {
        {
            const std::lock_guard lock{mutex_};
            if (!closed_ && tests_.size() < most_tests) {
                tests_.push_back({now_ms, std::move(done)});
                changed_.notify_all();
                return;
            }
        }
        done({settings_.name, 0, "other tests are under way", {}});
    }

    Webhooks::State state() const {
        const std::lock_guard lock{mutex_};
        State state = state_;
        state.waiting = messages_.size();
        return state;
    }

    // Does not block.
    void close() {
        const std::lock_guard lock{mutex_};
        closed_ = true;
        messages_.clear();
        if (link_) {
            link_->close();
        }
        changed_.notify_all();
    }

    // After close().
    void join() {
        if (thread_.joinable()) {
            thread_.join();
        }
    }

private:
    struct Message {
        WebhookNews news;
        std::string id;
        Clock::time_point due;
        std::size_t tried = 0;
    };
    struct TestRequest {
        std::int64_t now_ms = 0;
        Done done;
    };
    struct Outcome {
        int status = 0;
        std::string trouble; // "" = taken
        bool again = false;  // another try may help
    };

    void run() {
        std::unique_lock lock{mutex_};
        while (true) {
            if (!tests_.empty()) {
                const TestRequest test = std::move(tests_.front());
                tests_.pop_front();
                const bool gone = closed_;
                lock.unlock();
                WebhookNews news;
                news.event = "test";
                news.at = test.now_ms;
                const auto began = Clock::now();
                const Outcome outcome =
                    gone ? Outcome{0, "it was stopped", false} : send(news, base::random_secret());
                test.done(
                    {settings_.name, outcome.status, outcome.trouble,
                     std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - began)});
                lock.lock();
                continue;
            }
            if (closed_) {
                return;
            }
            const auto next = std::ranges::min_element(messages_, {}, &Message::due);
            if (next == messages_.end()) {
                changed_.wait(lock);
            } else if (next->due > Clock::now()) {
                const auto due = next->due; // the message may be gone when it wakes
                changed_.wait_until(lock, due);
            } else {
                Message message = std::move(*next);
                messages_.erase(next);
                lock.unlock();
                const Outcome outcome = send(message.news, message.id);
                lock.lock();
                sent(std::move(message), outcome);
            }
        }
    }

    Outcome send(const WebhookNews& news, const std::string& id) {
        const auto url = parse_webhook_url(settings_.url);
        if (!url) {
            return {0, url.error(), false};
        }
        const auto link = std::make_shared<HttpLink>(url->server, "", most_answer);
        {
            const std::lock_guard lock{mutex_};
            if (closed_) {
                return {0, "it was stopped", false};
            }
            link_ = link;
        }
        const std::string body = webhook_body(news, id);
        HttpLink::Headers headers{{"X-Adjourn-Event", news.event}, {"X-Adjourn-Delivery", id}};
        if (!settings_.secret.empty()) {
            headers.emplace_back("X-Adjourn-Signature", signature_of(settings_.secret, body));
        }
        const auto reply = link->send("POST", url->target, body, rules_.patience, headers);
        {
            const std::lock_guard lock{mutex_};
            link_.reset();
        }
        if (!reply) {
            const bool untrusted = reply.error().untrusted;
            return {0,
                    (untrusted ? "its certificate is not to be believed: " : "") +
                        reply.error().message,
                    !untrusted};
        }
        const int status = reply->status;
        if (status >= 200 && status < 300) {
            return {status, "", false};
        }
        const std::string answered = "it answers " + std::to_string(status);
        if (status >= 300 && status < 400) {
            return {status, answered + ", a redirect, which is not followed", false};
        }
        return {status, answered, status >= 500 || status == 408 || status == 429};
    }

    // The log has the first failure and the first success after it: not every one of a night.
    void sent(Message message, const Outcome& outcome) {
        if (outcome.trouble.empty()) {
            if (!state_.trouble.empty()) {
                spdlog::info("webhook '{}' takes news again", settings_.name);
            }
            state_.trouble.clear();
            ++state_.sent;
            return;
        }
        if (closed_) {
            return;
        }
        if (state_.trouble.empty()) {
            spdlog::warn("webhook '{}': {}", settings_.name, outcome.trouble);
        }
        state_.trouble = outcome.trouble;
        if (!outcome.again || message.tried >= rules_.pauses.size()) {
            ++state_.lost;
            return;
        }
        message.due = Clock::now() + rules_.pauses[message.tried];
        ++message.tried;
        put(std::move(message));
    }

    // drops the oldest where too many wait
    void put(Message message) {
        messages_.push_back(std::move(message));
        while (messages_.size() > rules_.most_waiting) {
            messages_.pop_front();
            ++state_.lost;
        }
        changed_.notify_all();
    }

    const WebhookSettings settings_;
    const WebhookRules rules_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    bool closed_ = false;
    std::list<Message> messages_; // by when they came
    std::list<TestRequest> tests_;
    std::shared_ptr<HttpLink> link_; // while a request is under way
    State state_;
    std::thread thread_; // the last: it uses all of these
};

Webhooks::Webhooks(std::vector<WebhookSettings> settings, WebhookRules rules)
    : rules_{std::move(rules)} {
    set(std::move(settings));
}

Webhooks::~Webhooks() {
    set({});
}

std::vector<std::shared_ptr<Webhooks::Hook>> Webhooks::hooks() const {
    const std::lock_guard lock{mutex_};
    return hooks_;
}

// Who only looks at the list may be the last to let go of a hook: its thread has ended before.
void Webhooks::set(std::vector<WebhookSettings> settings) {
    std::vector<std::shared_ptr<Hook>> before = hooks();
    std::vector<std::shared_ptr<Hook>> now;
    for (WebhookSettings& wanted : settings) {
        const auto same = std::ranges::find_if(
            before, [&](const auto& hook) { return hook->settings() == wanted; });
        if (same != before.end()) {
            now.push_back(std::move(*same));
            before.erase(same);
        } else {
            now.push_back(std::make_shared<Hook>(std::move(wanted), rules_));
        }
    }
    {
        const std::lock_guard lock{mutex_};
        hooks_ = std::move(now);
    }
    for (const auto& hook : before) {
        hook->close();
    }
    for (const auto& hook : before) {
        hook->join();
    }
}

void Webhooks::tell(const WebhookNews& news) {
    for (const auto& hook : hooks()) {
        hook->tell(news);
    }
}

std::vector<Webhooks::State> Webhooks::states() const {
    std::vector<State> states;
    for (const auto& hook : hooks()) {
        states.push_back(hook->state());
    }
    return states;
}

void Webhooks::test(std::int64_t now_ms, std::function<void(std::vector<WebhookTested>)> done) {
    struct Tests {
        std::mutex mutex;
        std::vector<WebhookTested> results;
        std::size_t missing = 0;
    };
    const auto tests = std::make_shared<Tests>();
    const auto all = hooks();
    tests->results.resize(all.size());
    tests->missing = all.size();
    if (all.empty()) {
        done({});
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
        all[i]->test(now_ms, [tests, i, done](WebhookTested tested) {
            {
                const std::lock_guard lock{tests->mutex};
                tests->results[i] = std::move(tested);
                if (--tests->missing != 0) {
                    return;
                }
            }
            done(std::move(tests->results));
        });
    }
}

void Webhooks::close() {
    for (const auto& hook : hooks()) {
        hook->close();
    }
}

std::expected<WebhookUrl, std::string> parse_webhook_url(const std::string& text) {
    const auto wrong = [] {
        return std::unexpected<std::string>(
            "expected http://HOST/PATH or https://HOST/PATH, without a user's name or '#'");
    };
    const bool odd = std::ranges::any_of(text, [](char c) { // would end the line of the request
        return static_cast<unsigned char>(c) <= ' ' || static_cast<unsigned char>(c) >= 0x7F;
    });
    const std::size_t scheme = text.find("://");
    if (odd || scheme == std::string::npos || text.find('#') != std::string::npos) {
        return wrong();
    }
    const std::size_t end = text.find_first_of("/?", scheme + 3);
    auto server = parse_server_url(text.substr(0, end));
    if (!server) {
        return wrong();
    }
    std::string target = end == std::string::npos ? "/" : text.substr(end);
    if (target.front() == '?') {
        target.insert(0, "/");
    }
    return WebhookUrl{std::move(*server), std::move(target)};
}

std::string signature_of(const std::string& secret, const std::string& body) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned length = 0;
    HMAC(EVP_sha256(), secret.data(), static_cast<int>(secret.size()),
         reinterpret_cast<const unsigned char*>(body.data()), body.size(), digest.data(), &length);
    return "sha256=" + base::hex(std::span{digest}.first(length));
}

std::string webhook_body(const WebhookNews& news, const std::string& id) {
    json out{{"id", id}, {"event", news.event}, {"at", news.at}, {"text", sentence(news)}};
    if (!news.content.empty()) {
        out.update(json::parse(news.content));
    } else if (news.event != "test") {
        out["analysis"] = {{"id", news.number},
                           {"name", cut(news.name)},
                           {"state", news.state},
                           {"reason", news.reason.empty() ? json(nullptr) : json(cut(news.reason))},
                           {"settled", news.settled},
                           {"best", webhook_best_json(news.best)}};
        if (news.before) {
            out["before"] = webhook_best_json(news.before);
        }
    }
    return out.dump(-1, ' ', false, json::error_handler_t::replace);
}

void WebhookObserver::analysis_changed(const Core& core, const AnalysisRun& run) {
    const auto [found, first] = seen_.try_emplace(run.record.id);
    Seen& seen = found->second;
    if (first) {
        seen.fresh = run.record.created_at >= began_;
        seen.answers = run.usage.evaluations_new;
    }
    seen.fresh = seen.fresh || run.usage.evaluations_new != seen.answers;
    const Seen before = seen;
    seen.state = run.record.state;
    seen.settled = settled_level(run);
    seen.best = told_best(run);
    if (!seen.fresh) {
        return;
    }
    WebhookNews news;
    news.event = ending(before.state, seen.state, seen.settled > before.settled);
    if (news.event.empty()) {
        if (!before.best || !seen.best || before.best->uci == seen.best->uci) {
            return;
        }
        news.event = "best";
        news.before = before.best;
    }
    news.at = core.now();
    news.number = static_cast<std::int64_t>(run.record.id);
    news.name = run.record.name;
    news.state = word(run.record.state);
    news.reason = run.record.state_reason;
    news.settled = seen.settled;
    news.best = seen.best;
    tell_(news);
}

void WebhookObserver::analysis_removed(analysis::AnalysisId id) {
    seen_.erase(id);
}

std::optional<WebhookNews> radar_news(const std::string& answer) {
    const json all = json::parse(answer, nullptr, false);
    if (!all.is_object() || !all.contains("entries")) {
        return std::nullopt;
    }
    const json& entries = all["entries"];
    const std::size_t count = entries.size() + all["more"].get<std::size_t>();
    WebhookNews news;
    news.event = "radar";
    news.at = all["now"];
    json list = json::array();
    for (const json& entry : entries) {
        if (list.size() < most_in_text) {
            news.text += (list.empty() ? "" : " ") + entry["analysis"]["name"].get<std::string>() +
                         ": " + entry["text"].get<std::string>() + ".";
        }
        if (list.size() < most_told) {
            list.push_back(entry);
        }
    }
    if (count > most_in_text) {
        news.text += " And " + std::to_string(count - most_in_text) + " more.";
    }
    const std::size_t more = count - list.size();
    const json content{{"more", more}, {"entries", std::move(list)}};
    news.content = content.dump(-1, ' ', false, json::error_handler_t::replace);
    return news;
}

RadarWatch::RadarWatch(Outside outside) : outside_{std::move(outside)}, rest_{usual_rest} {}

void RadarWatch::set(const std::vector<WebhookSettings>& webhooks) {
    const bool wanted = std::ranges::any_of(webhooks, [](const WebhookSettings& webhook) {
        return std::ranges::find(webhook.events, "radar") != webhook.events.end();
    });
    told_ = wanted ? std::optional{told_.value_or(outside_.clock())} : std::nullopt;
}

void RadarWatch::look() {
    if (!told_) {
        return;
    }
    const UnixMs now = outside_.clock();
    told_ = std::min(*told_, now); // the clock may have gone back
    if (asked_ || now - *told_ < rest_) {
        return;
    }
    asked_ = true;
    outside_.ask(*told_, [weak = weak_from_this(), now](const News& news) {
        if (const auto self = weak.lock()) {
            self->take(now, news);
        }
    });
}

void RadarWatch::take(UnixMs asked, const News& news) {
    asked_ = false;
    if (!news || !told_) {
        return; // asked again with the next look
    }
    told_ = news->at;
    if (!news->text.empty()) {
        outside_.tell(*news);
    }
    rest_ = std::clamp(rest_for_work * (outside_.clock() - asked), usual_rest, longest_rest);
}

} // namespace adjourn::server
