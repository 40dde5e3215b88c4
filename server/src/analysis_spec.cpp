#include "server/analysis_spec.hpp"

#include "server/strategy_json.hpp"

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

std::string to_text(const AnalysisSpec& spec) {
    json out;
    out["strategy"] = strategy_json(spec.strategy);
    json budget = json::object();
    if (spec.budget.positions) {
        budget["positions"] = *spec.budget.positions;
    }
    if (spec.budget.engine_seconds) {
        budget["engine_seconds"] = *spec.budget.engine_seconds;
    }
    if (spec.budget.until) {
        budget["until"] = *spec.budget.until;
    }
    out["budget"] = std::move(budget);
    if (spec.window) {
        out["window"] = spec.window->text();
    }
    out["stop"] = stop_json(spec.stop);
    if (!spec.accept.empty()) {
        out["accept"] = spec.accept;
    }
    return out.dump();
}

AnalysisSpec parse_spec(const std::string& text) {
    AnalysisSpec spec;
    const json in = json::parse(text, nullptr, false);
    if (!in.is_object()) {
        return spec;
    }
    if (const auto found = in.find("strategy"); found != in.end()) {
        spec.strategy = parse_strategy_json(*found);
    }
    if (const auto found = in.find("budget"); found != in.end() && found->is_object()) {
        if (found->contains("positions")) {
            spec.budget.positions = found->at("positions").get<std::uint64_t>();
        }
        if (found->contains("engine_seconds")) {
            spec.budget.engine_seconds = found->at("engine_seconds").get<double>();
        }
        if (found->contains("until")) {
            spec.budget.until = found->at("until").get<analysis::UnixMs>();
        }
    }
    if (const auto found = in.find("window"); found != in.end() && found->is_string()) {
        spec.window = TimeWindow::parse(found->get<std::string>());
    }
    if (const auto found = in.find("stop"); found != in.end() && found->is_object()) {
        spec.stop.proven = found->value("proven", spec.stop.proven);
        spec.stop.lead = found->value("lead", spec.stop.lead);
        spec.stop.levels = found->value("levels", spec.stop.levels);
    }
    if (const auto found = in.find("accept"); found != in.end() && found->is_array()) {
        for (const json& name : *found) {
            if (name.is_string()) {
                spec.accept.push_back(name.get<std::string>());
            }
        }
    }
    return spec;
}

} // namespace adjourn::server
