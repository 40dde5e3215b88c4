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

std::string to_text(const ToldMoments& moments) {
    return json(moments).dump(-1, ' ', false, json::error_handler_t::replace);
}

ToldMoments read_told_moments(const std::string& text) {
    ToldMoments moments;
    const json all = json::parse(text, nullptr, false);
    if (all.is_object()) {
        for (const auto& [name, at] : all.items()) {
            const UnixMs moment = at.is_number_integer() ? at.get<UnixMs>() : -1;
            if (moment >= 0) {
                moments[name] = moment;
            }
        }
    }
    return moments;
}

RadarWatch::RadarWatch(Outside outside, ToldMoments kept)
    : outside_{std::move(outside)}, kept_{std::move(kept)}, rest_{usual_rest} {}

void RadarWatch::set(const std::vector<WebhookSettings>& webhooks) {
    const UnixMs now = outside_.clock();
    const std::map<std::string, Told> before = std::exchange(told_, {});
    for (const WebhookSettings& webhook : webhooks) {
        if (!webhook.summary &&
            std::ranges::find(webhook.events, "radar") == webhook.events.end()) {
            continue;
        }
        const auto known = before.find(webhook.name);
        const auto kept = kept_.find(webhook.name);
        UnixMs at = now;
        if (known != before.end()) {
            at = known->second.at;
        } else if (webhook.summary) {
            at = kept != kept_.end() ? kept->second : last(*webhook.summary, now);
        }
        told_[webhook.name] = {webhook.summary, at};
    }
    keep(); // who is new, too: his time may pass while no server runs
}

void RadarWatch::keep() {
    ToldMoments moments;
    for (const auto& [name, told] : told_) {
        if (told.time) {
            moments[name] = told.at;
        }
    }
    if (moments != kept_) {
        kept_ = std::move(moments);
        outside_.keep(kept_);
    }
}

UnixMs RadarWatch::last(const SummaryTime& time, UnixMs now) const {
    const UnixMs offset = outside_.zone(now).offset_minutes * UnixMs{60'000};
    return time.last(now + offset) - offset;
}

bool RadarWatch::due(const Told& told, UnixMs now) const {
    return told.time ? last(*told.time, now) > told.at : now - told.at >= rest_;
}

void RadarWatch::look() {
    const UnixMs now = outside_.clock();
    std::optional<UnixMs> since;
    for (auto& [name, told] : told_) {
        told.at = std::min(told.at, now); // the clock may have gone back
        if (!since && due(told, now)) {
            since = told.at;
        }
    }
    if (asked_ || !since) {
        return;
    }
    asked_ = true;
    outside_.ask(*since, [weak = weak_from_this(), since = *since, now](News news) {
        if (const auto self = weak.lock()) {
            self->take(since, now, std::move(news));
        }
    });
}

void RadarWatch::take(UnixMs since, UnixMs asked, News news) {
    asked_ = false;
    if (!news) {
        return; // asked again with the next look
    }
    for (auto& [name, told] : told_) {
        if (told.at != since || !due(told, asked)) {
            continue;
        }
        told.at = news->at;
        if (!news->text.empty()) {
            outside_.tell(*news, name);
        }
    }
    keep();
    rest_ = std::clamp(rest_for_work * (outside_.clock() - asked), usual_rest, longest_rest);
}

} // namespace adjourn::server
