#include "api/webhooks/radar_watch.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace adjourn::server {

using analysis::UnixMs;
using nlohmann::json;

namespace {

constexpr UnixMs usual_rest = 5 * 60'000;
constexpr UnixMs longest_rest = 2 * 3'600'000;
constexpr UnixMs rest_for_work = 20; // times what an answer took
constexpr UnixMs day = 24 * 3'600'000;
constexpr std::size_t most_told = 20; // of one message
constexpr std::size_t most_in_words = 3;

} // namespace

std::optional<RadarDigest> radar_digest(const std::string& answer) {
    const json all = json::parse(answer, nullptr, false);
    if (!all.is_object() || !all.contains("entries")) {
        return std::nullopt;
    }
    RadarDigest digest;
    digest.now = all["now"];
    for (const json& entry : all["entries"]) {
        digest.entries.push_back(
            {entry["analysis"]["id"], entry["analysis"]["name"],
             entry["kind"] == "letter" ? entry["after"].get<std::string>() : "", entry["text"],
             entry.dump(-1, ' ', false, json::error_handler_t::replace)});
    }
    return digest;
}

RadarMessage radar_message(const std::vector<const RadarDigest::Entry*>& entries) {
    RadarMessage message;
    json list = json::array();
    for (const RadarDigest::Entry* entry : entries) {
        if (list.size() < most_in_words) {
            message.text += (list.empty() ? "" : " ") + entry->name + ": " + entry->text + ".";
        }
        if (list.size() < most_told) {
            list.push_back(json::parse(entry->content));
        }
    }
    if (entries.size() > most_in_words) {
        message.text += " And " + std::to_string(entries.size() - most_in_words) + " more.";
    }
    const std::size_t more = entries.size() - list.size();
    const json content{{"more", more}, {"entries", std::move(list)}};
    message.content = content.dump(-1, ' ', false, json::error_handler_t::replace);
    return message;
}

RadarWatch::RadarWatch(Outside outside)
    : outside_{std::move(outside)}, since_{outside_.clock()}, next_{since_}, looked_{since_} {}

void RadarWatch::look() {
    const UnixMs now = outside_.clock();
    if (const UnixMs back = looked_ - now; back > 0) { // the clock was set
        next_ -= back;
        since_ = std::min(since_, now);
        for (auto& [analysis, letter] : letters_) {
            letter.second -= back;
        }
    }
    looked_ = now;
    if (asked_ || now < next_) {
        return;
    }
    asked_ = true;
    outside_.ask(outside_.wanted() ? since_ : now + day,
                 [weak = weak_from_this(), now](const Digest& digest) {
                     if (const auto self = weak.lock()) {
                         self->take(now, digest);
                     }
                 });
}

void RadarWatch::take(UnixMs asked, const Digest& digest) {
    asked_ = false;
    const UnixMs now = outside_.clock();
    next_ = now + std::clamp(rest_for_work * (now - asked), usual_rest, longest_rest);
    if (!digest) {
        return; // asked again then, of the same time
    }
    since_ = digest->now;
    outside_.asked();
    std::vector<const RadarDigest::Entry*> fallen, others;
    for (const RadarDigest::Entry& entry : digest->entries) {
        if (entry.after.empty()) {
            others.push_back(&entry);
        } else if (is_news(entry, now)) {
            fallen.push_back(&entry);
        }
    }
    tell("radar", others, now);
    tell("letter", fallen, now);
}

// Where a verdict goes up and down between two letters, it is told once a day.
bool RadarWatch::is_news(const RadarDigest::Entry& entry, UnixMs now) {
    auto& [letter, at] = letters_[entry.analysis];
    const bool known = !letter.empty() && entry.after <= letter && now - at < day;
    if (!known) {
        letter = entry.after;
        at = now;
    }
    return !known;
}

void RadarWatch::tell(const char* event, const std::vector<const RadarDigest::Entry*>& entries,
                      UnixMs at) const {
    if (entries.empty()) {
        return;
    }
    RadarMessage message = radar_message(entries);
    WebhookNews news;
    news.event = event;
    news.at = at;
    news.text = std::move(message.text);
    news.content = std::move(message.content);
    outside_.tell(news);
}

} // namespace adjourn::server
