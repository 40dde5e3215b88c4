// What `GET metrics` says, in the text format of Prometheus 0.0.4: one family after the other, each
// with its help and type before its samples; base units; counters end in _total.
#include "api/views/view.hpp"

#include <spdlog/fmt/fmt.h>

#include <array>
#include <chrono>

namespace adjourn::server {

namespace {

using Seconds = std::chrono::duration<double>;

class Families {
public:
    void begin(const char* name, const char* type, const char* help) {
        name_ = name;
        out_ += fmt::format("# HELP {0} {2}\n# TYPE {0} {1}\n", name, type, help);
    }
    // `labels`: "" or "{name="value",…}".
    template <class Number>
    void sample(const Number& value, const std::string& labels = "") {
        part("", value, labels);
    }
    // Of a histogram: "_bucket", "_sum" or "_count".
    template <class Number>
    void part(const char* which, const Number& value, const std::string& labels = "") {
        out_ += fmt::format("{}{}{} {}\n", name_, which, labels, value);
    }
    template <class Number>
    void only(const char* name, const char* type, const char* help, const Number& value) {
        begin(name, type, help);
        sample(value);
    }
    std::string text() && { return std::move(out_); }

private:
    std::string out_;
    std::string name_;
};

// Of a label: backslash, quote and line feed are escaped by the format's rules.
std::string escaped(const std::string& value) {
    std::string out;
    for (const char c : value) {
        out += c == '\\' ? "\\\\" : c == '"' ? "\\\"" : c == '\n' ? "\\n" : std::string{c};
    }
    return out;
}

void tell_commits(Families& out, const storage::CommitTimes& times) {
    const char* const name = "adjourn_store_commit_seconds";
    out.begin(name, "histogram", "Time from the start of a transaction until it was durable.");
    std::uint64_t so_far = 0;
    for (std::size_t i = 0; i < times.commits.size(); ++i) {
        so_far += times.commits.at(i);
        const std::string end =
            i < times.most.size() ? fmt::format("{}", Seconds(times.most.at(i)).count()) : "+Inf";
        out.part("_bucket", so_far, fmt::format("{{le=\"{}\"}}", end));
    }
    out.part("_sum", Seconds(times.total).count());
    out.part("_count", so_far);
    out.only("adjourn_store_writes_total", "counter", "Writes that became durable.", times.writes);
}

void tell_store(Families& out, const Core& core) {
    const storage::StoreEnvironment& around = core.health().environment();
    out.only("adjourn_store_up", "gauge", "1 while the store works, 0 while it is store_failed.",
             core.health().store_problem().empty() ? 1 : 0);
    out.only("adjourn_store_rows_set_aside", "gauge",
             "Rows that are not used since they are not sound, the first hundred.",
             core.health().set_aside().size());
    if (const auto evaluations = core.health().evaluations()) {
        out.only("adjourn_evaluations_stored", "gauge", "Evaluations in the store.", *evaluations);
    }
    tell_commits(out, core.store().commit_times());
    if (around.bytes) {
        out.only("adjourn_store_bytes", "gauge", "Size of the store's files.", *around.bytes);
    }
    if (around.free_bytes) {
        out.only("adjourn_store_disk_free_bytes", "gauge", "Free on the store's disk.",
                 *around.free_bytes);
    }
}

void tell_analyses(Families& out, const Core& core) {
    constexpr std::array names{"queued", "running", "paused", "settled", "exhausted", "failed"};
    std::array<std::size_t, names.size()> states{};
    std::size_t in_flight = 0;
    for (const auto& run : core.queue().runs()) {
        states.at(static_cast<std::size_t>(run->record.state)) += run->transient ? 0 : 1;
        in_flight += run->out.in_flight;
    }
    out.begin("adjourn_analyses", "gauge", "Analyses by state.");
    for (std::size_t i = 0; i < names.size(); ++i) {
        out.sample(states.at(i), fmt::format("{{state=\"{}\"}}", names.at(i)));
    }
    out.only("adjourn_questions_in_flight", "gauge", "Questions that engines have now.", in_flight);
}

void tell_thread(Families& out, const Core& core) {
    const auto& all = core.watch().held();
    const auto label = [](const auto& task) { return fmt::format("{{task=\"{}\"}}", task); };
    out.begin("adjourn_core_held_seconds_max", "gauge",
              "Longest time that a task of this kind held the thread that owns the graphs.");
    for (const auto& [task, held] : all) {
        out.sample(Seconds(held.longest).count(), label(task));
    }
    out.begin("adjourn_core_held_seconds_total", "counter", "All of that time.");
    for (const auto& [task, held] : all) {
        out.sample(Seconds(held.total).count(), label(task));
    }
}

void tell_engines(Families& out, const Core& core) {
    using Status = engine_bridge::ProcessStatus;
    std::vector<std::pair<std::string, Status>> all;
    for (const auto& engine : core.engines().all()) {
        std::size_t index = 0;
        for (Status& status : engine->status()) {
            if (!status.machine.empty()) {
                continue;
            }
            all.emplace_back(fmt::format("{{engine=\"{}\",process=\"{}\"}}",
                                         escaped(engine->profile.name), index++),
                             std::move(status));
        }
    }
    const auto family = [&](const char* name, const char* type, const char* help, auto value) {
        out.begin(name, type, help);
        for (const auto& [labels, status] : all) {
            out.sample(value(status), labels);
        }
    };
    family("adjourn_engine_up", "gauge", "1 if the process can work.", [](const Status& status) {
        return status.state == Status::State::idle || status.state == Status::State::searching ? 1
                                                                                               : 0;
    });
    family("adjourn_engine_jobs_total", "counter", "Searches that an engine process finished.",
           [](const Status& status) { return status.jobs_done; });
    family("adjourn_engine_busy_seconds_total", "counter", "Time between go and bestmove.",
           [](const Status& status) { return Seconds(status.busy).count(); });
    family("adjourn_engine_restarts_total", "counter", "Processes started again.",
           [](const Status& status) { return status.restarts; });
    family("adjourn_engine_nodes_per_second", "gauge", "Speed of the running or last search.",
           [](const Status& status) { return status.nps; });
}

} // namespace

std::string metrics_text(const Core& core) {
    Families out;
    out.only("adjourn_uptime_seconds", "gauge", "Time since the start.",
             Seconds(std::chrono::steady_clock::now() - core.started()).count());
    tell_store(out, core);
    tell_analyses(out, core);
    tell_thread(out, core);
    tell_engines(out, core);
    return std::move(out).text();
}

} // namespace adjourn::server
