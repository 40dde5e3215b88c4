#include "api/webhooks/webhooks.hpp"

#include "api/webhooks/webhook_hook.hpp"

#include <algorithm>

namespace adjourn::server {

struct Webhooks::Test::Impl {
    std::mutex mutex;
    std::vector<WebhookTested> results;
    std::size_t missing = 0;
    std::function<void()> done;
    std::function<void(std::function<void()>)> wake;

    // Called without the lock: who is woken may ask at once.
    void tell(std::function<void()> whom) const {
        if (whom) {
            wake(std::move(whom));
        }
    }
};

std::optional<std::vector<WebhookTested>> Webhooks::Test::results() const {
    const std::lock_guard lock{impl_->mutex};
    return impl_->missing == 0 ? std::optional{impl_->results} : std::nullopt;
}

void Webhooks::Test::when_done(std::function<void()> done) {
    {
        const std::lock_guard lock{impl_->mutex};
        if (impl_->missing > 0) {
            impl_->done = std::move(done);
            return;
        }
    }
    impl_->tell(std::move(done));
}

Webhooks::Webhooks(std::vector<WebhookSettings> settings, WebhookRules rules,
                   std::function<void(std::function<void()>)> wake)
    : rules_{std::move(rules)}, wake_{wake ? std::move(wake)
                                           : [](const std::function<void()>& whom) { whom(); }} {
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

void Webhooks::tell(const WebhookNews& news, const std::string& name) {
    for (const auto& hook : hooks()) {
        if (name.empty() || hook->settings().name == name) {
            hook->tell(news);
        }
    }
}

std::vector<Webhooks::State> Webhooks::states() const {
    std::vector<State> states;
    for (const auto& hook : hooks()) {
        states.push_back(hook->state());
    }
    return states;
}

Webhooks::Test Webhooks::test(std::int64_t now_ms) {
    const auto impl = std::make_shared<Test::Impl>();
    const auto all = hooks();
    impl->missing = all.size();
    impl->results.resize(all.size());
    impl->wake = wake_;
    for (std::size_t i = 0; i < all.size(); ++i) {
        all[i]->test(now_ms, [impl, i](WebhookTested tested) {
            std::function<void()> done;
            {
                const std::lock_guard lock{impl->mutex};
                impl->results[i] = std::move(tested);
                if (--impl->missing == 0) {
                    done = std::move(impl->done);
                }
            }
            impl->tell(std::move(done));
        });
    }
    return Test{impl};
}

void Webhooks::close() {
    for (const auto& hook : hooks()) {
        hook->close();
    }
}

} // namespace adjourn::server
