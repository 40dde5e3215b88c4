// Addresses that are told what happened. They are the configuration's: no call changes them.
#include "call.hpp"
#include "request_parts.hpp"

#include "api/webhooks/webhooks.hpp"

#include <nlohmann/json.hpp>

namespace adjourn::server {

namespace {

json time_or_null(const std::optional<SummaryTime>& time) {
    return time ? json(time->text()) : json(nullptr);
}

Answer list_webhooks(Webhooks& webhooks, Context&) {
    json list = json::array();
    for (const Webhooks::State& state : webhooks.states()) {
        list.push_back({{"name", state.name},
                        {"events", state.events},
                        {"summary", time_or_null(state.summary)},
                        {"signed", state.is_signed},
                        {"sent", state.sent},
                        {"lost", state.lost},
                        {"waiting", state.waiting},
                        {"problem", text_or_no_text(state.trouble)}});
    }
    return json_response({{"webhooks", std::move(list)}});
}

json tested_json(const std::vector<WebhookTested>& all) {
    json list = json::array();
    for (const WebhookTested& each : all) {
        list.push_back({{"name", each.name},
                        {"status", each.status == 0 ? json(nullptr) : json(each.status)},
                        {"problem", text_or_no_text(each.trouble)},
                        {"milliseconds", each.took.count()}});
    }
    return {{"webhooks", std::move(list)}};
}

// Answered when each has answered or failed.
Answer test_webhooks(Webhooks& webhooks, Context&) {
    if (webhooks.states().empty()) {
        return std::unexpected(
            Error{http::ErrorCode::conflict, "no webhook is in the configuration", ""});
    }
    const auto now = std::chrono::duration_cast<std::chrono::milliseconds>(
        std::chrono::system_clock::now().time_since_epoch());
    const auto test = std::make_shared<Webhooks::Test>(webhooks.test(now.count()));
    Api::Wait wait;
    wait.patience = 3 * webhooks.patience(); // news and another test may be under way
    wait.look = [test]() -> std::optional<Response> {
        const auto results = test->results();
        return results ? std::optional{json_response(tested_json(*results))} : std::nullopt;
    };
    wait.wake_me = [test](std::function<void()> wake) {
        test->when_done(std::move(wake));
        return true;
    };
    wait.give_up = [] {
        return http::to_response(
            Error{http::ErrorCode::unavailable, "a webhook has not answered in time", ""});
    };
    wait.leave = [] {};
    return wait;
}

template <auto handler>
Answer with_webhooks(Context& call) {
    if (call.webhooks == nullptr) {
        return std::unexpected(
            Error{http::ErrorCode::conflict, "this server tells no webhooks", ""});
    }
    return handler(*call.webhooks, call);
}

constexpr std::array webhook_calls{
    Call{Method::get, "/api/v1/webhooks", with_webhooks<list_webhooks>},
    Call{Method::post, "/api/v1/webhooks/test", with_webhooks<test_webhooks>},
};

} // namespace

std::span<const Call> calls_of_webhooks() {
    return webhook_calls;
}

} // namespace adjourn::server
