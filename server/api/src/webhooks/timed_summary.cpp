#include "api/webhooks/timed_summary.hpp"

#include <nlohmann/json.hpp>

#include <utility>

namespace adjourn::server {

TimedSummary::TimedSummary(Outside outside, const std::string& kept)
    : outside_{std::move(outside)} {
    const auto parsed = nlohmann::json::parse(kept, nullptr, false);
    if (parsed.is_object()) {
        for (const auto& [name, at] : parsed.items()) {
            if (at.is_number_integer()) {
                kept_[name] = at.get<analysis::UnixMs>();
            }
        }
    }
}

void TimedSummary::set(const std::vector<WebhookSettings>& webhooks) {
    const analysis::UnixMs now = outside_.clock();
    std::map<std::string, Told> before = std::exchange(told_, {});
    for (const WebhookSettings& webhook : webhooks) {
        if (!webhook.summary) {
            continue;
        }
        Told told{*webhook.summary, now};
        if (const auto known = before.find(webhook.name); known != before.end()) {
            told = known->second;
            told.time = *webhook.summary;
        } else if (const auto at = kept_.find(webhook.name); at != kept_.end()) {
            told.at = std::min(at->second, now); // the clock may have gone back
        }
        told_[webhook.name] = told;
    }
    kept_.clear();
    if (!told_.empty() || !before.empty()) {
        keep();
    }
}

// Whether the last time that is his lies behind the moment when he was told.
bool TimedSummary::due(const Told& told, analysis::UnixMs now) const {
    const analysis::UnixMs offset = outside_.zone(now).offset_minutes * analysis::UnixMs{60'000};
    return told.time.last(now + offset) - offset > told.at;
}

void TimedSummary::look() {
    const analysis::UnixMs now = outside_.clock();
    std::vector<std::string> names;
    for (auto& [name, told] : told_) {
        told.at = std::min(told.at, now); // the clock may have gone back
        if (!told.asked && due(told, now)) {
            names.push_back(name);
        }
    }
    for (const std::string& name : names) {
        told_[name].asked = true;
        outside_.ask(told_[name].at, [weak = weak_from_this(), name, now](const Digest& digest) {
            if (const auto self = weak.lock()) {
                self->take(name, now, digest);
            }
        });
    }
}

void TimedSummary::take(const std::string& name, analysis::UnixMs now, const Digest& digest) {
    const auto found = told_.find(name);
    if (found == told_.end()) {
        return; // it is no webhook any more
    }
    found->second.asked = false;
    if (!digest) {
        return; // asked again with the next look
    }
    found->second.at = now;
    keep(); // first: nobody is told twice
    if (digest->changed > 0 || digest->worth > 0) {
        WebhookNews news;
        news.event = "summary";
        news.at = now;
        news.text = digest->text;
        news.content = digest->content;
        outside_.tell(news, name);
    }
}

void TimedSummary::keep() const {
    nlohmann::json kept = nlohmann::json::object();
    for (const auto& [name, told] : told_) {
        kept[name] = told.at;
    }
    outside_.keep(kept.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

} // namespace adjourn::server
