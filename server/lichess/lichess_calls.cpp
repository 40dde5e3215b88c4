#include "lichess/lichess_calls.hpp"

#include "base/json_reader.hpp"
#include "base/readable.hpp"
#include "lichess/work.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace adjourn::server::lichess {

using nlohmann::json;
using namespace std::chrono_literals;

namespace {

constexpr std::chrono::milliseconds usual_patience{20'000};
constexpr std::chrono::milliseconds longest_poll{40'000}; // lichess answers after ten seconds
// As lichess asks for, where it does not say how long.
constexpr std::chrono::seconds wait_by_default{60};
constexpr std::chrono::seconds longest_wait_taken{3'600};
constexpr std::size_t most_answer = 1U << 20; // bytes
constexpr std::size_t longest_words = 200;    // of a server, in a message

const std::string engines_path = "/api/external-engine";

// What a server says of a refusal: {"error": "…"}, or text.
std::string words_of(const HttpLink::Reply& reply) {
    std::string words = reply.body;
    const auto body = base::parse_json(reply.body);
    if (body && body->is_object() && body->contains("error") && (*body)["error"].is_string()) {
        words = (*body)["error"];
    }
    words = base::readable(base::without_secrets(words).substr(0, longest_words));
    return std::to_string(reply.status) + (words.empty() ? "" : ": " + words);
}

CallTrouble trouble_of(const Host& host,
                       const std::expected<HttpLink::Reply, HttpLink::Trouble>& reply) {
    if (!reply) {
        return {reply.error().untrusted
                    ? host.shown + " shows a certificate that this machine does not trust: " +
                          reply.error().message
                    : host.shown + " does not answer: " + reply.error().message};
    }
    if (reply->status == 401 || reply->status == 403) {
        return {host.shown + " refuses the token (" + words_of(*reply) +
                    "). It needs the scopes engine:read and engine:write, no others; make one on " +
                    token_page(host.shown),
                true};
    }
    CallTrouble trouble{host.shown + " answers " + words_of(*reply)};
    if (reply->status == 429) {
        trouble.wait = std::min(reply->retry_after.value_or(wait_by_default), longest_wait_taken);
    }
    return trouble;
}

bool is_success(const std::expected<HttpLink::Reply, HttpLink::Trouble>& reply) {
    return reply && reply->status >= 200 && reply->status < 300;
}

// The id of the first engine of that name; "" where there is none. nullopt where this is no list of
// engines.
std::optional<std::string> engine_named(const std::string& name, const std::string& body) {
    const auto list = base::parse_json(body);
    if (!list || !list->is_array()) {
        return std::nullopt;
    }
    for (const json& engine : *list) {
        if (!engine.is_object() || !engine.contains("id") || !engine["id"].is_string()) {
            return std::nullopt;
        }
        if (engine.contains("name") && engine["name"] == name) {
            return engine["id"].get<std::string>();
        }
    }
    return "";
}

} // namespace

std::string token_page(const std::string& lichess) {
    return lichess + "/account/oauth/token/create?scopes[]=engine:read&scopes[]=engine:write"
                     "&description=Adjourn";
}

LichessCalls::LichessCalls(Host site, const std::string& token, Host broker)
    : site_{std::move(site)}, broker_{std::move(broker)}, site_link_{site_.url, token, most_answer},
      broker_link_{broker_.url, "", most_answer} {}

LichessCalls::Or<bool> LichessCalls::announce(const Registration& registration) {
    base::keep_secret(registration.secret);
    const Reply list = site_link_.send("GET", engines_path, "", usual_patience);
    if (!is_success(list)) {
        return std::unexpected(trouble_of(site_, list));
    }
    const auto id = engine_named(registration.name, list->body);
    if (!id || !(id->empty() || is_id(*id))) {
        return std::unexpected(
            CallTrouble{site_.shown + " answers with something else than a list of engines"});
    }
    const json body{{"name", registration.name},
                    {"maxThreads", std::clamp<std::int64_t>(registration.threads, 1, 65'536)},
                    {"maxHash", std::clamp<std::int64_t>(registration.hash, 1, 1'048'576)},
                    {"variants", {"chess"}},
                    {"providerSecret", registration.secret}};
    const bool known = !id->empty();
    const Reply reply =
        site_link_.send(known ? "PUT" : "POST", engines_path + (known ? "/" + *id : ""),
                        body.dump(-1, ' ', false, json::error_handler_t::replace), usual_patience);
    if (!is_success(reply)) {
        return std::unexpected(trouble_of(site_, reply));
    }
    return known;
}

LichessCalls::Or<std::optional<std::string>> LichessCalls::take(const std::string& secret) {
    Reply reply = broker_link_.send("POST", engines_path + "/work",
                                    json{{"providerSecret", secret}}.dump(), longest_poll);
    if (!is_success(reply)) {
        CallTrouble trouble = trouble_of(broker_, reply);
        if (trouble.refused) { // it was told no token
            trouble.message = broker_.shown + " hands out no work (" + words_of(*reply) + ")";
        }
        return std::unexpected(std::move(trouble));
    }
    if (reply->status != 200) {
        return std::nullopt;
    }
    return std::move(reply->body);
}

void LichessCalls::close() {
    site_link_.close();
    broker_link_.close();
}

} // namespace adjourn::server::lichess
