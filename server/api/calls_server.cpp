// The server itself: whether it is well, its metrics, its description.
#include "api/views/view.hpp"

#include "api/call.hpp"
#include "api/request_parts.hpp"
#include "api/webhooks/webhooks.hpp"
#include "base/text.hpp"
#include "core/engines/installed_engines.hpp"
#include "core/guards/guard.hpp"
#include "core/records/time_zone.hpp"
#include "http/tokens.hpp"

#include <nlohmann/json.hpp>

#include <functional>
#include <utility>

extern const char adjourn_openapi_json[];

namespace adjourn::server {

namespace {

// 200, or 503 with the reason where the store cannot be used. Of what is in memory alone.
Answer get_health(Context& call) {
    std::size_t running = 0;
    std::size_t queued = 0;
    std::size_t positions = 0;
    for (const auto& run : call.core.queue().runs()) {
        if (run->transient) { // a seat's
            continue;
        }
        running += run->record.state == storage::AnalysisState::running ? 1 : 0;
        queued += run->record.state == storage::AnalysisState::queued ? 1 : 0;
        positions += Planner::expanded_positions(*run);
    }
    const auto up = std::chrono::steady_clock::now() - call.core.started();
    const std::string problem = call.core.health().store_problem().empty()
                                    ? call.core.health().unreadable()
                                    : call.core.health().store_problem();
    const TimeZone zone = time_zone(call.core.now());
    json body{
        {"status", problem.empty() ? "ok" : "store_failed"},
        {"version", ADJOURN_VERSION},
        {"uptime_seconds", std::chrono::duration_cast<std::chrono::seconds>(up).count()},
        {"store",
         {{"evaluations", call.core.health().evaluations().value_or(0)}, {"positions", positions}}},
        {"time_zone", {{"name", zone.name}, {"offset_minutes", zone.offset_minutes}}},
        {"analyses", {{"running", running}, {"queued", queued}}},
        {"tables", tables_json(call.core.inventory())}};
    if (!problem.empty()) {
        body["problem"] = problem;
    }
    if (!call.core.health().set_aside().empty()) {
        body["set_aside"] = call.core.health().set_aside();
        body["known"] = call.core.health().known_rows();
    }
    Response response;
    response.status = problem.empty() ? 200 : 503;
    response.body = body.dump();
    return response;
}

// Somebody has seen what health tells, and wants to go on with what is there.
Answer acknowledge(Context& call) {
    call.core.acknowledge();
    return get_health(call);
}

Answer get_metrics(Context& call) {
    Response response;
    response.content_type = "text/plain; version=0.0.4; charset=utf-8";
    response.body = metrics_text(call.core);
    return response;
}

Answer get_description(Context&) {
    Response response;
    response.body = adjourn_openapi_json;
    return response;
}

// Engines: those at work, and those that people add of what is installed.

Answer list_engines(Context& call) {
    json list = json::array();
    for (const auto& engine : call.core.engines().all()) {
        list.push_back(engine_json(call.core, *engine, list.empty()));
    }
    return json_response({{"engines", std::move(list)}});
}

const char* word(InstalledEngine::State state) {
    using State = InstalledEngine::State;
    return state == State::free ? "free" : state == State::added ? "added" : "configured";
}

Error to_http(const InstalledEngines::Refusal& refusal) {
    using Kind = InstalledEngines::Refusal::Kind;
    switch (refusal.kind) {
    case Kind::unknown: return {ErrorCode::unknown_engine, refusal.message, "installed"};
    case Kind::taken:
    case Kind::unusable: return {ErrorCode::conflict, refusal.message, "installed"};
    case Kind::not_saved: break;
    }
    return {ErrorCode::unavailable, refusal.message, ""};
}

// `task` where engines are looked for; what it returns is called on the core's thread and has the
// response.
using OnCore = std::function<Response()>;
Api::Reply elsewhere(Context& call, std::function<OnCore()> task) {
    const auto begin = [&call, &task](std::function<void(Response)> came) {
        call.installed->elsewhere([came = std::move(came), task = std::move(task),
                                   core = call.core.poster(), place = place_of(call.request)] {
            OnCore on_core;
            const auto trouble = guarded(place, [&] { on_core = task(); });
            core.post([came, trouble, on_core = std::move(on_core)] {
                came(trouble ? http::to_response(error_of(*trouble)) : on_core());
            });
        });
    };
    // Engines that are asked who they are have less; others may be asked before.
    return when_came(call, 4 * InstalledEngines::usual_patience,
                     "the engines have not answered in time", begin);
}

Answer list_installed(InstalledEngines& installed, Context& call) {
    return elsewhere(call, [&installed, now = call.core.now()]() -> OnCore {
        json list = json::array();
        for (const InstalledEngine& engine : installed.look()) {
            const auto year = release_year(engine.identity);
            list.push_back({{"name", engine.name},
                            {"state", word(engine.state)},
                            {"identity", text_or_no_text(engine.identity)},
                            {"year", year ? json(*year) : json(nullptr)},
                            {"advice", text_or_no_text(advice_on(engine.identity, now))},
                            {"problem", text_or_no_text(engine.problem)},
                            {"processes", engine.state == InstalledEngine::State::added
                                              ? json(engine.processes)
                                              : json(nullptr)}});
        }
        return [list = std::move(list)] {
            return json_response(
                {{"installed", list}, {"most_processes", InstalledEngines::most_processes()}});
        };
    });
}

Answer add_engine(InstalledEngines& installed, Context& call) {
    return with_body(call, [&](const JsonObject& reader) -> Answer {
        const auto name = reader.at("installed").text();
        const auto processes =
            reader.find("processes")
                .integer(1, static_cast<std::int64_t>(InstalledEngines::most_processes()));
        if (auto done = http::finished(reader); !done) {
            return std::unexpected(done.error());
        }
        return elsewhere(
            call,
            [&installed, &core = call.core, name = *name,
             processes = static_cast<std::size_t>(processes.value_or(1))]() -> OnCore {
                const auto added = installed.add(name, processes);
                if (!added) {
                    return [error = to_http(added.error())] { return http::to_response(error); };
                }
                return [&installed, &core, name] {
                    core.set_engines(installed.profiles());
                    const EngineSlot* engine = core.engines().named(name);
                    return engine == nullptr // taken out again meanwhile
                               ? http::to_response(Error{ErrorCode::conflict,
                                                         "engine '" + name + "' was taken out", ""})
                               : json_response(engine_json(core, *engine, false), 201);
                };
            });
    });
}

Answer remove_engine(InstalledEngines& installed, Context& call) {
    return elsewhere(
        call, [&installed, &core = call.core, name = call.path.text("name")]() -> OnCore {
            const auto removed = installed.remove(name);
            if (!removed && removed.error().kind == InstalledEngines::Refusal::Kind::unknown) {
                return [message = removed.error().message] {
                    return http::to_response(Error{ErrorCode::not_found, message, "path.name"});
                };
            }
            if (!removed) {
                return [error = to_http(removed.error())] {
                    return http::to_response({error.code, error.message, "path.name"});
                };
            }
            return [&installed, &core] {
                core.set_engines(installed.profiles());
                return no_content();
            };
        });
}

template <auto handler>
Answer with_installed(Context& call) {
    if (call.installed == nullptr) {
        return refuse(ErrorCode::conflict, "this server adds no engines", "");
    }
    return handler(*call.installed, call);
}

// Addresses that are told what happened. They are the configuration's: no call changes them.

Answer list_webhooks(Webhooks& webhooks, Context&) {
    json list = json::array();
    for (const Webhooks::State& state : webhooks.states()) {
        list.push_back({{"name", state.name},
                        {"events", state.events},
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
Answer test_webhooks(Webhooks& webhooks, Context& call) {
    if (webhooks.states().empty()) {
        return refuse(ErrorCode::conflict, "no webhook is in the configuration", "");
    }
    const auto now = std::chrono::duration_cast<std::chrono::milliseconds>(
        std::chrono::system_clock::now().time_since_epoch());
    // News and another test may be under way.
    return when_came(call, 3 * webhooks.patience(), "a webhook has not answered in time",
                     [&](std::function<void(Response)> came) {
                         webhooks.test(now.count(), [came, core = call.core.poster()](
                                                        std::vector<WebhookTested> all) {
                             core.post([came, all] { came(json_response(tested_json(all))); });
                         });
                     });
}

template <auto handler>
Answer with_webhooks(Context& call) {
    if (call.webhooks == nullptr) {
        return refuse(ErrorCode::conflict, "this server tells no webhooks", "");
    }
    return handler(*call.webhooks, call);
}

// Links: an analysis is shown to people who have no token (decision 125).

constexpr std::size_t longest_link_name = 100; // bytes

// `path`: below the address of the page. What comes after '#' is never sent to a server.
json link_json(analysis::AnalysisId analysis, std::int64_t id, analysis::UnixMs at,
               const Share& link) {
    const std::string number = std::to_string(static_cast<std::int64_t>(analysis));
    const std::string place = link.file == 0
                                  ? "/analysis/" + number
                                  : "/review/" + number + "/file/" + std::to_string(link.file);
    return {{"id", id},
            {"name", link.name},
            {"file", link.file == 0 ? json(nullptr) : json(link.file)},
            {"at", at},
            {"secret", link.secret},
            {"path", "/#/shared/" + link.secret + place}};
}

Answer list_links(Context&, const AnalysisRun& run) {
    json list = json::array();
    for (const Directive* said : links_in(run.directives)) {
        list.push_back(link_json(run.record.id, said->id, said->at, std::get<Share>(said->action)));
    }
    return json_response({{"links", std::move(list)}});
}

Change making(Core& core, analysis::AnalysisId id, Share link) {
    return [&core, id, link = std::move(link)] {
        return core.share(id, link).map([id, link](Core::Given given) {
            return json_response(link_json(id, given.id, given.at, link), 201);
        });
    };
}

// {name?, file?}
Answer post_link(Context& call, const AnalysisRun& run) {
    return with_body(call, [&](const JsonObject& reader) -> Answer {
        const auto name = reader.find("name").text(longest_link_name);
        if (name && base::has_control_characters(*name)) {
            reader.wrong("name", "name must have no control characters");
        }
        const auto file = reader.find("file").integer(1, most_number);
        if (auto done = http::finished(reader); !done) {
            return std::unexpected(done.error());
        }
        const Change make =
            making(call.core, run.record.id,
                   {std::string{http::link_prefix} + base::random_secret(),
                    std::string{base::trimmed(name.value_or(""))}, file.value_or(0)});
        if (!file) {
            return when_durable(call, make());
        }
        const FilePlace place{call.core.store(), run.record.id, *file};
        return when_changed(call, [place, make]() -> std::expected<Change, Response> {
            const auto found = place.read();
            return found ? std::expected<Change, Response>{make}
                         : std::unexpected(http::to_response(found.error()));
        });
    });
}

// Durable, and refused from then on, when it is answered.
Answer delete_link(Context& call, const AnalysisRun& run) {
    const auto link = call.path.integer("link");
    if (!link) {
        return refuse(ErrorCode::not_found, "the analysis has no link " + call.path.text("link"),
                      "link");
    }
    return when_durable(call, call.core.revoke(run.record.id, *link).map([](analysis::AnalysisId) {
        return no_content();
    }));
}

constexpr bool any_query = true; // which nobody reads

constexpr std::array server_calls{
    Call{Method::get, "/api/v1/health", get_health},
    Call{Method::post, "/api/v1/health/known", acknowledge},
    Call{Method::get, "/api/v1/openapi.json", get_description},
    Call{Method::get, "/metrics", get_metrics, any_query},
    Call{Method::get, "/api/v1/engines", list_engines},
    Call{Method::post, "/api/v1/engines", with_installed<add_engine>, false, json_body},
    Call{Method::get, "/api/v1/engines/installed", with_installed<list_installed>, false,
         for_full()},
    Call{Method::del, "/api/v1/engines/{name}", with_installed<remove_engine>},
    Call{Method::get, "/api/v1/webhooks", with_webhooks<list_webhooks>},
    Call{Method::post, "/api/v1/webhooks/test", with_webhooks<test_webhooks>},
    // It has the secrets.
    Call{Method::get, "/api/v1/analyses/{id}/links", of_run<list_links>, false, for_full()},
    Call{Method::post, "/api/v1/analyses/{id}/links", of_run<post_link>, false, json_body},
    Call{Method::del, "/api/v1/analyses/{id}/links/{link}", of_run<delete_link>},
};

} // namespace

std::span<const Call> calls_of_server() {
    return server_calls;
}

} // namespace adjourn::server
