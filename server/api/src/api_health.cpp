// Whether the server is well, and what it has to do.
#include "api_calls.hpp"
#include "records/time_zone.hpp"
#include "views/view.hpp"
#include "work/guard.hpp"

namespace adjourn::server {

using http::Error;
using http::Response;
using nlohmann::json;

std::expected<Response, Error> health(const Core& core) {
    std::size_t running = 0;
    std::size_t queued = 0;
    std::size_t positions = 0;
    for (const auto& run : core.runs()) {
        running += run->record.state == storage::AnalysisState::running ? 1 : 0;
        queued += run->record.state == storage::AnalysisState::queued ? 1 : 0;
        positions += core.expanded_positions(*run);
    }
    const auto up = std::chrono::steady_clock::now() - core.started();
    std::string problem = core.store_problem().empty() ? core.unreadable() : core.store_problem();
    std::uint64_t evaluations = 0;
    const auto count = [&] { evaluations = core.store().evaluation_count(); };
    if (const auto trouble = guarded("GET health", count); trouble && problem.empty()) {
        problem = trouble->what;
    }
    const TimeZone zone = time_zone(core.now());
    json body{{"status", problem.empty() ? "ok" : "store_failed"},
              {"version", ADJOURN_VERSION},
              {"uptime_seconds", std::chrono::duration_cast<std::chrono::seconds>(up).count()},
              {"store", {{"evaluations", evaluations}, {"positions", positions}}},
              {"time_zone", {{"name", zone.name}, {"offset_minutes", zone.offset_minutes}}},
              {"analyses", {{"running", running}, {"queued", queued}}},
              {"tables", tables_json(core.inventory())}};
    if (!problem.empty()) {
        body["problem"] = problem;
    }
    if (!core.set_aside().empty()) {
        body["set_aside"] = core.set_aside();
    }
    Response response;
    response.status = problem.empty() ? 200 : 503;
    response.body = body.dump();
    return response;
}

} // namespace adjourn::server
