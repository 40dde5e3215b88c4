#include "remote.hpp"

#include "server/analysis_definition.hpp"
#include "server/api.hpp"
#include "server/http/target.hpp"

namespace adjourn::server {

using nlohmann::json;

namespace {

constexpr const char* json_type = "application/json";

std::string message_of(const json& body) {
    if (body.is_object() && body.contains("error")) {
        const json& error = body["error"];
        const std::string where = error.value("where", "");
        return (where.empty() ? "" : where + ": ") + error.value("message", "request refused");
    }
    return "the server's answer is not understood";
}

} // namespace

std::expected<StartedAnalysis, std::pair<std::string, bool>> Remote::start(const json& wanted) {
    const auto blame = [](const std::string& message, bool request) {
        return std::unexpected(std::pair{message, request});
    };
    const auto all = get("/api/v1/analyses");
    const auto engines = get("/api/v1/engines");
    if (!all || !engines) {
        return blame(all ? engines.error() : all.error(), false);
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
                return blame(reply ? message_of(json::parse(reply->body, nullptr, false))
                                   : reply.error(),
                             false);
            }
            return StartedAnalysis{id, analysis};
        }
    }
    const auto reply = send("POST", "/api/v1/analyses", wanted.dump(), json_type);
    if (!reply) {
        return blame(reply.error(), false);
    }
    const json body = json::parse(reply->body, nullptr, false);
    if (reply->status != 201) {
        return blame(message_of(body), reply->status >= 400 && reply->status < 500);
    }
    const std::int64_t id = body["id"];
    chosen(id);
    return StartedAnalysis{id, nullptr};
}

std::expected<std::string, std::string> Remote::text(const std::string& target) {
    auto reply = send("GET", target, "", json_type);
    if (!reply) {
        return std::unexpected(reply.error());
    }
    if (reply->status != 200) {
        return std::unexpected(message_of(json::parse(reply->body, nullptr, false)));
    }
    return std::move(reply->body);
}

std::expected<json, std::string> Remote::post_text(const std::string& target,
                                                   const std::string& body) {
    const auto reply = send("POST", target, body, "text/plain; charset=utf-8");
    if (!reply) {
        return std::unexpected(reply.error());
    }
    json value = json::parse(reply->body, nullptr, false);
    if (reply->status != 200) {
        return std::unexpected(message_of(value));
    }
    return value;
}

std::expected<json, std::string> Remote::get(const std::string& target) {
    auto body = text(target);
    if (!body) {
        return std::unexpected(body.error());
    }
    json value = json::parse(*body, nullptr, false);
    if (value.is_discarded()) {
        return std::unexpected("the server's answer is not JSON");
    }
    return value;
}

void Remote::abandon(std::int64_t id) {
    (void)send("PATCH", "/api/v1/analyses/" + std::to_string(id), R"({"hold":true})", json_type);
}

bool LocalRemote::hopeless(const json& analysis) const {
    bool lost = false;
    service_.with_core([&](Core& core) {
        const AnalysisRun* run =
            core.find(analysis::AnalysisId{analysis["id"].get<std::int64_t>()});
        const EngineSlot* engine = run == nullptr ? nullptr : core.engine_of(*run);
        lost = engine == nullptr || !engine->problem.empty() || !core.store_problem().empty();
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
    service_.with_core([&](Core& core) {
        const http::Response response = Api{core}(request);
        reply = {response.status, response.body};
    });
    return reply;
}

} // namespace adjourn::server
