// The server itself: whether it is well, its engines, its metrics, its description.
#include "call.hpp"
#include "records/time_zone.hpp"
#include "request_parts.hpp"
#include "views/view.hpp"

extern const char adjourn_openapi_json[];

namespace adjourn::server {

using http::Error;
using http::Method;
using http::PathParameters;
using http::Request;
using http::Response;
using nlohmann::json;

namespace {

const char* word(Role role) {
    switch (role) {
    case Role::writer: return "writer";
    case Role::reader: return "reader";
    case Role::stand_by: return "stand_by";
    }
    return "writer";
}

// 200, or 503 with the reason where the store cannot be used. Of what is in memory alone.
std::expected<Response, Error> get_health(Core& core, const Request&, const PathParameters&) {
    std::size_t running = 0;
    std::size_t queued = 0;
    std::size_t positions = 0;
    for (const auto& run : core.runs()) {
        running += run->record.state == storage::AnalysisState::running ? 1 : 0;
        queued += run->record.state == storage::AnalysisState::queued ? 1 : 0;
        positions += core.expanded_positions(*run);
    }
    const auto up = std::chrono::steady_clock::now() - core.started();
    const std::string problem =
        core.store_problem().empty() ? core.unreadable() : core.store_problem();
    const TimeZone zone = time_zone(core.now());
    json body{
        {"status", problem.empty() ? "ok" : "store_failed"},
        {"version", ADJOURN_VERSION},
        {"role", word(core.role())},
        {"uptime_seconds", std::chrono::duration_cast<std::chrono::seconds>(up).count()},
        {"store", {{"evaluations", core.evaluations().value_or(0)}, {"positions", positions}}},
        {"time_zone", {{"name", zone.name}, {"offset_minutes", zone.offset_minutes}}},
        {"analyses", {{"running", running}, {"queued", queued}}},
        {"tables", tables_json(core.inventory())}};
    if (core.role() != Role::writer) {
        body["writer_there"] = core.writer_there();
    }
    if (!problem.empty()) {
        body["problem"] = problem;
    }
    if (!core.set_aside().empty()) {
        body["set_aside"] = core.set_aside();
        body["known"] = core.known_rows();
    }
    Response response;
    response.status = problem.empty() ? 200 : 503;
    response.body = body.dump();
    return response;
}

// Somebody has seen what health tells, and wants to go on with what is there.
std::expected<Response, Error> acknowledge(Core& core, const Request& request,
                                           const PathParameters& path) {
    core.acknowledge();
    return get_health(core, request, path);
}

std::expected<Response, Error> list_engines(Core& core, const Request&, const PathParameters&) {
    json list = json::array();
    for (const auto& engine : core.engines()) {
        list.push_back(engine_json(core, *engine, list.empty()));
    }
    return json_response({{"engines", std::move(list)}});
}

std::expected<Response, Error> get_metrics(Core& core, const Request&, const PathParameters&) {
    Response response;
    response.content_type = "text/plain; version=0.0.4; charset=utf-8";
    response.body = metrics_text(core);
    return response;
}

std::expected<Response, Error> get_description(Core&, const Request&, const PathParameters&) {
    Response response;
    response.body = adjourn_openapi_json;
    return response;
}

constexpr bool any_query = true; // which nobody reads

constexpr std::array server_calls{
    Call{Method::get, "/api/v1/health", get_health},
    Call{Method::post, "/api/v1/health/known", acknowledge},
    Call{Method::get, "/api/v1/engines", list_engines},
    Call{Method::get, "/api/v1/openapi.json", get_description},
    Call{Method::get, "/metrics", get_metrics, any_query},
};

} // namespace

std::span<const Call> calls_of_server() {
    return server_calls;
}

} // namespace adjourn::server
