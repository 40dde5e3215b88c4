// What `GET metrics` says, in the text format of Prometheus.
#include "views/view.hpp"

#include <spdlog/fmt/fmt.h>

#include <array>
#include <chrono>

namespace adjourn::server {

std::string metrics_text(const Core& core) {
    std::string out;
    const auto metric = [&out](const char* name, const char* kind, const char* help) {
        out += fmt::format("# HELP {0} {2}\n# TYPE {0} {1}\n", name, kind, help);
    };
    metric("adjourn_evaluations_stored", "gauge", "Evaluations in the store.");
    out += fmt::format("adjourn_evaluations_stored {}\n", core.store().evaluation_count());
    metric("adjourn_analyses", "gauge", "Analyses by state.");
    constexpr std::array names{"queued", "running", "paused", "settled", "exhausted", "failed"};
    std::array<int, names.size()> states{};
    for (const auto& run : core.runs()) {
        ++states.at(static_cast<std::size_t>(run->record.state));
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
        out += fmt::format("adjourn_analyses{{state=\"{}\"}} {}\n", names.at(i), states.at(i));
    }
    metric("adjourn_core_held_seconds_max", "gauge",
           "Longest time that a task of this kind held the thread that owns the graphs.");
    std::string total;
    for (const auto& [task, held] : core.watch().held()) {
        using Seconds = std::chrono::duration<double>;
        out += fmt::format("adjourn_core_held_seconds_max{{task=\"{}\"}} {:.6f}\n", task,
                           Seconds(held.longest).count());
        total += fmt::format("adjourn_core_held_seconds_total{{task=\"{}\"}} {:.6f}\n", task,
                             Seconds(held.total).count());
    }
    metric("adjourn_core_held_seconds_total", "counter", "All of that time.");
    out += total;
    metric("adjourn_engine_jobs_total", "counter", "Searches that an engine process finished.");
    std::string busy;
    std::string restarts;
    for (const auto& engine : core.engines()) {
        std::size_t index = 0;
        for (const engine_bridge::ProcessStatus& status : engine->workers->status()) {
            // Label values: backslash, quote and line feed are escaped by the format's rules.
            std::string name;
            for (const char c : engine->profile.name) {
                name += c == '\\' ? "\\\\" : c == '"' ? "\\\"" : c == '\n' ? "\\n" : std::string{c};
            }
            const std::string labels =
                fmt::format("{{engine=\"{}\",process=\"{}\"}}", name, index++);
            out += fmt::format("adjourn_engine_jobs_total{} {}\n", labels, status.jobs_done);
            busy += fmt::format("adjourn_engine_busy_seconds_total{} {:.3f}\n", labels,
                                std::chrono::duration<double>(status.busy).count());
            restarts +=
                fmt::format("adjourn_engine_restarts_total{} {}\n", labels, status.restarts);
        }
    }
    metric("adjourn_engine_busy_seconds_total", "counter", "Time between go and bestmove.");
    out += busy;
    metric("adjourn_engine_restarts_total", "counter", "Processes started again.");
    out += restarts;
    return out;
}

} // namespace adjourn::server
