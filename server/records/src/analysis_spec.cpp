#include "records/analysis_spec.hpp"

#include "records/stored_json.hpp"
#include "records/strategy_json.hpp"

#include <nlohmann/json.hpp>
#include <spdlog/fmt/fmt.h>

#include <ctime>

namespace adjourn::server {

using nlohmann::json;

namespace {

std::optional<int> minute(std::string_view text) {
    if (text.size() != 5 || text[2] != ':') {
        return std::nullopt;
    }
    for (const std::size_t i : {0, 1, 3, 4}) {
        if (text[i] < '0' || text[i] > '9') {
            return std::nullopt;
        }
    }
    const int hours = (text[0] - '0') * 10 + (text[1] - '0');
    const int minutes = (text[3] - '0') * 10 + (text[4] - '0');
    if (hours > 24 || minutes > 59 || (hours == 24 && minutes != 0)) {
        return std::nullopt;
    }
    return (hours % 24) * 60 + minutes;
}

} // namespace

std::optional<TimeWindow> TimeWindow::parse(std::string_view text) {
    const std::size_t dash = text.find('-');
    if (dash == std::string_view::npos) {
        return std::nullopt;
    }
    const auto from = minute(text.substr(0, dash));
    const auto to = minute(text.substr(dash + 1));
    if (!from || !to) {
        return std::nullopt;
    }
    return TimeWindow{*from, *to};
}

std::string TimeWindow::text() const {
    return fmt::format("{:02}:{:02}-{:02}:{:02}", from_minute / 60, from_minute % 60,
                       to_minute / 60, to_minute % 60);
}

bool TimeWindow::contains(int minute_of_day) const {
    if (from_minute == to_minute) {
        return true;
    }
    if (from_minute < to_minute) {
        return minute_of_day >= from_minute && minute_of_day < to_minute;
    }
    return minute_of_day >= from_minute || minute_of_day < to_minute;
}

int local_minute_of_day(analysis::UnixMs at) {
    const std::time_t seconds = at / 1000;
    std::tm local{};
    localtime_r(&seconds, &local);
    return local.tm_hour * 60 + local.tm_min;
}

json stop_json(const analysis::StopRules& stop) {
    return {{"proven", stop.proven}, {"lead", stop.lead}, {"levels", stop.levels}};
}

json budget_json(const Budget& budget) {
    json out = json::object();
    if (budget.positions) {
        out["positions"] = *budget.positions;
    }
    if (budget.nodes) {
        out["nodes"] = *budget.nodes;
    }
    if (budget.engine_seconds) {
        out["engine_seconds"] = *budget.engine_seconds;
    }
    if (budget.until) {
        out["until"] = *budget.until;
    }
    return out;
}

std::string to_text(const AnalysisSpec& spec) {
    json out;
    out["strategy"] = strategy_json(spec.strategy);
    out["budget"] = budget_json(spec.budget);
    if (spec.window) {
        out["window"] = spec.window->text();
    }
    out["stop"] = stop_json(spec.stop);
    if (!spec.accept.empty()) {
        out["accept"] = spec.accept;
    }
    return out.dump();
}

namespace {

Budget parse_budget(const json& in, Findings& findings) {
    StoredObject reader{in, "budget", findings};
    Budget budget;
    if (const auto positions = reader.integer("positions", 1, spec_range::most_positions)) {
        budget.positions = static_cast<std::uint64_t>(*positions);
    }
    if (const auto nodes = reader.integer("nodes", 1, spec_range::most_nodes)) {
        budget.nodes = static_cast<std::uint64_t>(*nodes);
    }
    budget.engine_seconds =
        reader.number("engine_seconds", spec_range::least_seconds, spec_range::most_seconds);
    budget.until = reader.integer("until", 1, spec_range::last_moment);
    return budget;
}

analysis::StopRules parse_stop(const json& in, Findings& findings) {
    StoredObject reader{in, "stop", findings};
    analysis::StopRules stop;
    stop.proven = reader.boolean("proven").value_or(stop.proven);
    stop.lead = reader.number("lead", 0, spec_range::most_lead).value_or(stop.lead);
    stop.levels = static_cast<int>(
        reader.integer("levels", 1, spec_range::most_levels).value_or(stop.levels));
    return stop;
}

std::vector<std::string> parse_accept(const json& in, StoredObject& reader) {
    std::vector<std::string> accept;
    for (const json& name : in) {
        if (!name.is_string()) {
            reader.find("accept", "must be a list of texts");
        } else if (accept.size() == spec_range::most_accepted) {
            reader.find("accept", "has more than 100 entries");
            break;
        } else {
            accept.push_back(name.get<std::string>());
        }
    }
    return accept;
}

} // namespace

AnalysisSpec parse_spec(const std::string& text, std::vector<std::string>* told) {
    Findings findings;
    AnalysisSpec spec;
    if (const json in = parse_stored_json(text, findings); findings.empty()) {
        StoredObject reader{in, "", findings};
        if (const json* strategy = reader.object("strategy")) {
            spec.strategy = parse_strategy_json(*strategy, "strategy", findings);
        }
        if (const json* budget = reader.object("budget")) {
            spec.budget = parse_budget(*budget, findings);
        }
        if (const auto window = reader.text("window")) {
            spec.window = TimeWindow::parse(*window);
            if (!spec.window) {
                reader.find("window", "must look like \"22:00-07:00\"");
            }
        }
        if (const json* stop = reader.object("stop")) {
            spec.stop = parse_stop(*stop, findings);
        }
        if (const json* accept = reader.array("accept")) {
            spec.accept = parse_accept(*accept, reader);
        }
    }
    if (told != nullptr) {
        told->insert(told->end(), findings.begin(), findings.end());
    }
    return spec;
}

} // namespace adjourn::server
