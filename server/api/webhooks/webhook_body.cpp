#include "api/webhooks/webhooks.hpp"

#include "base/number.hpp"

#include <nlohmann/json.hpp>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <algorithm>

namespace adjourn::server {

using nlohmann::json;

namespace {

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

} // namespace

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
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text = "sha256=";
    for (unsigned i = 0; i < length; ++i) {
        text += digits[digest[i] >> 4U];
        text += digits[digest[i] & 15U];
    }
    return text;
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

} // namespace adjourn::server
