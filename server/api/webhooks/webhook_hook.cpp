#include "api/webhooks/webhook_hook.hpp"

#include "core/guards/guard.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <random>

namespace adjourn::server {

namespace {

constexpr std::size_t most_answer = 64U << 10; // bytes of an answer, which nobody reads
constexpr std::size_t most_trials = 4;

// Who gets a letter twice knows it by this.
std::string new_id() {
    constexpr std::string_view digits = "0123456789abcdef";
    std::random_device random;
    std::string id;
    while (id.size() < 32) {
        id += digits[random() % 16];
    }
    return id;
}

} // namespace

Webhooks::Hook::Hook(WebhookSettings settings, WebhookRules rules)
    : settings_{std::move(settings)}, rules_{std::move(rules)} {
    state_.name = settings_.name;
    state_.events = settings_.events;
    state_.summary = settings_.summary;
    state_.is_signed = !settings_.secret.empty();
    thread_ = std::thread{[this] {
        while (guarded("a webhook's thread", [this] { run(); })) {
        }
    }};
}

Webhooks::Hook::~Hook() {
    close();
    join();
}

void Webhooks::Hook::join() {
    if (thread_.joinable()) {
        thread_.join();
    }
}

void Webhooks::Hook::close() {
    const std::lock_guard lock{mutex_};
    closed_ = true;
    letters_.clear();
    if (link_) {
        link_->close();
    }
    changed_.notify_all();
}

void Webhooks::Hook::put(Letter letter) {
    letters_.push_back(std::move(letter));
    while (letters_.size() > rules_.most_waiting) {
        letters_.pop_front();
        ++state_.lost;
    }
    changed_.notify_all();
}

// A best move that is replaced before anybody was told of it is not told; back to the one that was
// told last, there is no news. What has ended says the best move, too.
void Webhooks::Hook::tell(const WebhookNews& news) {
    const std::lock_guard lock{mutex_};
    if (closed_) {
        return;
    }
    const bool best = news.event == "best";
    const auto held = std::ranges::find_if(letters_, [&](const Letter& letter) {
        return letter.news.event == "best" && letter.news.number == news.number;
    });
    if (held != letters_.end() && best) {
        const auto first = held->news.before;
        held->news = news;
        held->news.before = first;
        if (first && news.best && first->uci == news.best->uci) {
            letters_.erase(held);
        }
        return;
    }
    if (held != letters_.end()) {
        letters_.erase(held);
    }
    const bool wanted = (news.event == "radar" && settings_.summary) ||
                        std::ranges::find(settings_.events, news.event) != settings_.events.end();
    if (wanted) {
        const auto rest = best ? rules_.rest : std::chrono::milliseconds{0};
        put({news, new_id(), Clock::now() + rest, 0});
    }
}

void Webhooks::Hook::test(std::int64_t now_ms, Done done) {
    {
        const std::lock_guard lock{mutex_};
        if (!closed_ && trials_.size() < most_trials) {
            trials_.push_back({now_ms, std::move(done)});
            changed_.notify_all();
            return;
        }
    }
    done({settings_.name, 0, "other tests are under way", {}});
}

Webhooks::State Webhooks::Hook::state() const {
    const std::lock_guard lock{mutex_};
    State state = state_;
    state.waiting = letters_.size();
    return state;
}

void Webhooks::Hook::run() {
    std::unique_lock lock{mutex_};
    while (true) {
        if (!trials_.empty()) {
            const Trial trial = std::move(trials_.front());
            trials_.pop_front();
            const bool gone = closed_;
            lock.unlock();
            WebhookNews news;
            news.event = "test";
            news.at = trial.now_ms;
            const auto began = Clock::now();
            const Outcome outcome =
                gone ? Outcome{0, "it was stopped", false} : send(news, new_id());
            trial.done(
                {settings_.name, outcome.status, outcome.trouble,
                 std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - began)});
            lock.lock();
            continue;
        }
        if (closed_) {
            return;
        }
        const auto next = std::ranges::min_element(letters_, {}, &Letter::due);
        if (next == letters_.end()) {
            changed_.wait(lock);
        } else if (next->due > Clock::now()) {
            const auto due = next->due; // the letter may be gone when it wakes
            changed_.wait_until(lock, due);
        } else {
            Letter letter = std::move(*next);
            letters_.erase(next);
            lock.unlock();
            const Outcome outcome = send(letter.news, letter.id);
            lock.lock();
            sent(std::move(letter), outcome);
        }
    }
}

Webhooks::Hook::Outcome Webhooks::Hook::send(const WebhookNews& news, const std::string& id) {
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
        return {
            0, (untrusted ? "its certificate is not to be believed: " : "") + reply.error().message,
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
void Webhooks::Hook::sent(Letter letter, const Outcome& outcome) {
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
    if (!outcome.again || letter.tried >= rules_.pauses.size()) {
        ++state_.lost;
        return;
    }
    letter.due = Clock::now() + rules_.pauses[letter.tried];
    ++letter.tried;
    put(std::move(letter));
}

} // namespace adjourn::server
