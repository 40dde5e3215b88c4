#include "program/client/remote.hpp"

#include "api/definition.hpp"
#include "http/client/http_link.hpp"
#include "http/requests/target.hpp"
#include "program/cli/command_line.hpp"
#include "storage/open.hpp"

#include <spdlog/spdlog.h>

#include <cstdlib>
#include <iostream>

namespace adjourn::server {

using nlohmann::json;

namespace {

constexpr const char* json_type = "application/json";
constexpr const char* text_type = "text/plain; charset=utf-8";

// The place is an option to whoever sits at the command line. Messages that begin with it say it
// once. What of a query is no option was said by the command itself.
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
    const std::string place = !option.empty() || where.starts_with("query.") ? option : where;
    return (place.empty() ? "" : place + ": ") + message;
}

std::expected<json, Refusal> value_of(const std::expected<std::string, Refusal>& body) {
    if (!body) {
        return std::unexpected(body.error());
    }
    json value = json::parse(*body, nullptr, false);
    if (value.is_discarded()) {
        return std::unexpected(Refusal{"the server's answer is not JSON", false});
    }
    return value;
}

std::string path_of(std::int64_t id) {
    return "/api/v1/analyses/" + std::to_string(id);
}

// By `here` in a service of this process, or by `there` in the server that has the store.
int with_service(const CommonOptions& common, Missing missing,
                 const std::function<int(Service&)>& here,
                 const std::function<int(HttpRemote&)>& there) {
    spdlog::set_level(spdlog::level::warn);
    auto config = common.load();
    if (!config) {
        return bad_use(config.error());
    }
    std::error_code error;
    const std::filesystem::path location = common.location(*config);
    if (missing == Missing::refused && !storage::is_url(location) &&
        !std::filesystem::exists(location, error)) {
        return failed("there is no data directory " + location.string());
    }
    std::string holder;
    try {
        Service service{std::move(*config), {location, false, ""}};
        const int code = here(service);
        spdlog::set_level(spdlog::level::off); // no tree is missed that is still being read
        return code;
    } catch (const storage::StoreInUse& in_use) {
        if (in_use.holder().empty()) {
            return failed(in_use.what());
        }
        holder = in_use.holder();
    } catch (const storage::StoreError& broken) {
        return failed(broken.what());
    }
    HttpRemote remote{holder};
    return there(remote);
}

} // namespace

Remote::Or<std::string> Remote::asked(const std::string& method, const std::string& target,
                                      const std::string& body, const std::string& content_type) {
    auto reply = send(method, target, body, content_type);
    if (!reply) {
        return std::unexpected(Refusal{reply.error(), false});
    }
    if (reply->status / 100 != 2) {
        return std::unexpected(Refusal{message_of(json::parse(reply->body, nullptr, false)),
                                       reply->status / 100 == 4 && reply->status != 404});
    }
    return std::move(reply->body);
}

Remote::Or<json> Remote::get(const std::string& target) {
    return value_of(text(target));
}

Remote::Or<json> Remote::post_text(const std::string& target, const std::string& body) {
    return value_of(asked("POST", target, body, text_type));
}

Remote::Or<json> Remote::post(const std::string& target, const json& body) {
    return value_of(asked("POST", target, body.dump(), json_type));
}

Remote::Or<json> Remote::patch(const std::string& target, const json& changes) {
    return value_of(asked("PATCH", target, changes.dump(), json_type));
}

Remote::Or<StartedAnalysis> Remote::start(const json& wanted) {
    const auto blameless = [](const Or<json>& reply) {
        return std::unexpected(Refusal{reply.error().message, false});
    };
    const auto all = get("/api/v1/analyses");
    const auto engines = get("/api/v1/engines");
    if (!all || !engines) {
        return blameless(all ? engines : all);
    }
    const std::string engine = (*engines)["engines"][0]["name"]; // the default
    const auto definition = wanted_definition(wanted, engine);
    for (const json& analysis : (*all)["analyses"]) {
        if (definition && shown_definition(analysis) == definition) {
            const std::int64_t id = analysis["id"];
            chosen(id);
            const auto resumed = patch(path_of(id), {{"hold", false}});
            return resumed ? Or<StartedAnalysis>{{id, analysis}} : blameless(resumed);
        }
    }
    const auto made = post("/api/v1/analyses", wanted);
    if (!made) {
        return std::unexpected(made.error());
    }
    const std::int64_t id = (*made)["id"];
    chosen(id);
    return StartedAnalysis{id, nullptr};
}

void Remote::abandon(std::int64_t id) {
    (void)patch(path_of(id), {{"hold", true}});
}

bool LocalRemote::hopeless(const json& analysis) const {
    if (analysis["reason"].is_null() || analysis["in_flight"] != 0) {
        return false;
    }
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
                                                            const std::string& content_type) {
    const auto parsed = http::parse_target(target);
    if (!parsed) {
        return std::unexpected(parsed.error().message);
    }
    if (content_type != text_type) { // an import needs no tree
        service_.wait_until_read();
    }
    const http::Method made = http::method_named(method);
    const http::Response response = service_.answer(
        {made, parsed->path, parsed->query, {{"content-type", content_type}}, body});
    return Reply{response.status, response.body};
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

int with_engines(const CommonOptions& common, const std::string& engine,
                 const std::function<int(Remote&)>& work) {
    block_stop_signals();
    const auto here = [&](Service& service) {
        bool known = engine.empty();
        service.with_core(
            [&](const Core& core) { known = known || core.engines().named(engine) != nullptr; });
        if (!known) {
            return bad_use("no engine is named '" + engine + "' in the config");
        }
        LocalRemote remote{service};
        service.start();
        const int code = work(remote);
        service.stop();
        return code;
    };
    return with_service(common, Missing::made, here, [&](HttpRemote& remote) {
        std::cerr << "the store belongs to the server on " << remote.page()
                  << ", which does the work\n";
        return work(remote);
    });
}

int with_store(const CommonOptions& common, const std::function<int(Remote&)>& work,
               Missing missing) {
    const auto here = [&](Service& service) {
        LocalRemote remote{service};
        return work(remote); // no engine is started
    };
    return with_service(common, missing, here, work);
}

} // namespace adjourn::server
