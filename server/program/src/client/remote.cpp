#include "program/client/remote.hpp"

#include "api/api.hpp"
#include "api/definition.hpp"
#include "http/client/http_link.hpp"
#include "http/requests/target.hpp"
#include "program/cli/words.hpp"

#include <cstdlib>

namespace adjourn::server {

using nlohmann::json;

namespace {

constexpr const char* json_type = "application/json";
constexpr const char* text_type = "text/plain; charset=utf-8";

// The place is an option to whoever sits at the command line. Messages that begin with it say it
// once.
std::string message_of(const json& body) {
    if (!body.is_object() || !body.contains("error")) {
        return "the server's answer is not understood";
    }
    const json& error = body["error"];
    if (error.value("code", "") == "unauthorised") {
        return "the server wants its token: put it into the variable ADJOURN_TOKEN";
    }
    const std::string where = error.value("where", "");
    std::string message = error.value("message", "request refused");
    const std::string option = option_of(where);
    if (!where.empty() && message.starts_with(where)) {
        message.erase(0, where.size() + (message.substr(where.size()).starts_with(": ") ? 2 : 0));
        return (option.empty() ? where : option) + (message.starts_with(' ') ? "" : ": ") + message;
    }
    const std::string& place = option.empty() ? where : option;
    return (place.empty() ? "" : place + ": ") + message;
}

Refusal refusal_of(int status, const std::string& body) {
    return {message_of(json::parse(body, nullptr, false)),
            status >= 400 && status < 500 && status != 404};
}

} // namespace

std::expected<StartedAnalysis, Refusal> Remote::start(const json& wanted) {
    const auto blame = [](const std::string& message) {
        return std::unexpected(Refusal{message, false});
    };
    const auto all = get("/api/v1/analyses");
    const auto engines = get("/api/v1/engines");
    if (!all || !engines) {
        return blame(all ? engines.error() : all.error());
    }
    const std::string engine = (*engines)["engines"][0]["name"]; // the default
    const auto definition = wanted_definition(wanted, engine);
    for (const json& analysis : (*all)["analyses"]) {
        if (definition && shown_definition(analysis) == definition) {
            const std::int64_t id = analysis["id"];
            chosen(id);
            const std::string path = "/api/v1/analyses/" + std::to_string(id);
            const auto reply = send("PATCH", path, R"({"hold":false})", json_type);
            if (!reply || reply->status != 200) {
                return blame(reply ? refusal_of(reply->status, reply->body).message
                                   : reply.error());
            }
            return StartedAnalysis{id, analysis};
        }
    }
    const auto reply = send("POST", "/api/v1/analyses", wanted.dump(), json_type);
    if (!reply) {
        return blame(reply.error());
    }
    if (reply->status != 201) {
        return std::unexpected(refusal_of(reply->status, reply->body));
    }
    const std::int64_t id = json::parse(reply->body)["id"];
    chosen(id);
    return StartedAnalysis{id, nullptr};
}

std::expected<std::string, Refusal> Remote::text(const std::string& target) {
    auto reply = send("GET", target, "", json_type);
    if (!reply) {
        return std::unexpected(Refusal{reply.error(), false});
    }
    if (reply->status != 200) {
        return std::unexpected(refusal_of(reply->status, reply->body));
    }
    return std::move(reply->body);
}

std::expected<json, std::string> Remote::done(const std::expected<Reply, std::string>& reply) {
    if (!reply) {
        return std::unexpected(reply.error());
    }
    json value = json::parse(reply->body, nullptr, false);
    if (reply->status != 200 && reply->status != 201) {
        return std::unexpected(message_of(value));
    }
    return value;
}

std::expected<json, std::string> Remote::post_text(const std::string& target,
                                                   const std::string& body) {
    return done(send("POST", target, body, text_type));
}

std::expected<json, std::string> Remote::post(const std::string& target, const json& body) {
    return done(send("POST", target, body.dump(), json_type));
}

std::expected<json, std::string> Remote::patch(const std::string& target, const json& changes) {
    return done(send("PATCH", target, changes.dump(), json_type));
}

std::expected<json, std::string> Remote::get(const std::string& target) {
    auto body = text(target);
    if (!body) {
        return std::unexpected(body.error().message);
    }
    json value = json::parse(*body, nullptr, false);
    if (value.is_discarded()) {
        return std::unexpected("the server's answer is not JSON");
    }
    return value;
}

std::expected<void, std::string> Remote::remove(const std::string& target) {
    const auto reply = send("DELETE", target, "", json_type);
    if (!reply) {
        return std::unexpected(reply.error());
    }
    if (reply->status != 204) {
        return std::unexpected(message_of(json::parse(reply->body, nullptr, false)));
    }
    return {};
}

void Remote::abandon(std::int64_t id) {
    (void)send("PATCH", "/api/v1/analyses/" + std::to_string(id), R"({"hold":true})", json_type);
}

bool LocalRemote::hopeless(const json& analysis) const {
    bool lost = false;
    service_.with_core([&](Core& core) {
        const AnalysisRun* run =
            core.queue().find(analysis::AnalysisId{analysis["id"].get<std::int64_t>()});
        const EngineSlot* engine = run == nullptr ? nullptr : core.engines().of(*run);
        lost =
            engine == nullptr || !engine->problem.empty() || !core.health().store_problem().empty();
    });
    return lost;
}

void LocalRemote::chosen(std::int64_t id) {
    service_.with_core([&](Core& core) { core.work_only_on(analysis::AnalysisId{id}); });
}

std::expected<Remote::Reply, std::string> LocalRemote::send(const std::string& method,
                                                            const std::string& target,
                                                            const std::string& body,
                                                            const std::string&) {
    http::Request request;
    request.method = http::method_named(method);
    const auto parsed = http::parse_target(target);
    if (!parsed) {
        return std::unexpected(parsed.error().message);
    }
    request.path = parsed->path;
    request.query = parsed->query;
    request.body = body;
    Reply reply;
    service_.wait_until_read(); // nobody else is kept waiting
    service_.with_core([&](Core& core) {
        const http::Response response = Api{core}(request);
        reply = {response.status, response.body};
    });
    return reply;
}

HttpRemote::HttpRemote(std::string url) : url_{std::move(url)} {}
HttpRemote::~HttpRemote() = default;

std::expected<Remote::Reply, std::string> HttpRemote::send(const std::string& method,
                                                           const std::string& target,
                                                           const std::string& body,
                                                           const std::string& content_type) {
    constexpr std::chrono::hours patience{24}; // for a large import
    constexpr std::size_t most_bytes = 1U << 30;
    if (link_ == nullptr) {
        const auto url = parse_server_url(url_);
        if (!url) {
            return std::unexpected(url.error());
        }
        const char* token = std::getenv("ADJOURN_TOKEN");
        link_ = std::make_unique<HttpLink>(*url, token == nullptr ? "" : token, most_bytes);
    }
    auto reply = link_->send(method, target, body, patience,
                             body.empty() ? HttpLink::Headers{}
                                          : HttpLink::Headers{{"Content-Type", content_type}});
    if (!reply) {
        return std::unexpected("the server on " + url_ +
                               " does not answer: " + reply.error().message);
    }
    return Reply{reply->status, std::move(reply->body)};
}

} // namespace adjourn::server
