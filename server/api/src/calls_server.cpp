// The server itself: whether it is well, its metrics, its description.
#include "api/views/view.hpp"
#include "call.hpp"
#include "core/records/time_zone.hpp"
#include "request_parts.hpp"

extern const char adjourn_openapi_json[];

namespace adjourn::server {

namespace {

// 200, or 503 with the reason where the store cannot be used. Of what is in memory alone.
Answer get_health(Context& call) {
    std::size_t running = 0;
    std::size_t queued = 0;
    std::size_t positions = 0;
    for (const auto& run : call.core.queue().runs()) {
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

constexpr bool any_query = true; // which nobody reads

constexpr std::array server_calls{
    Call{Method::get, "/api/v1/health", get_health},
    Call{Method::post, "/api/v1/health/known", acknowledge},
    Call{Method::get, "/api/v1/openapi.json", get_description},
    Call{Method::get, "/metrics", get_metrics, any_query},
};

} // namespace

std::span<const Call> calls_of_server() {
    return server_calls;
}

} // namespace adjourn::server
