#include "api/webhooks/radar_watch.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace adjourn::server {

using analysis::UnixMs;
using nlohmann::json;

namespace {

constexpr UnixMs usual_rest = 5 * 60'000;
constexpr UnixMs longest_rest = 2 * 3'600'000;
constexpr UnixMs rest_for_work = 20;    // times what an answer took
constexpr std::size_t most_told = 20;   // of one message
constexpr std::size_t most_in_text = 3; // the same

} // namespace

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
