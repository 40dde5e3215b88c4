#include "core/records/analysis_spec.hpp"

#include "base/json_text.hpp"
#include "core/records/strategy_json.hpp"

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

std::expected<TimeWindow, std::string> TimeWindow::parse(std::string_view text) {
    const std::size_t dash = text.find('-');
    const bool two = dash != std::string_view::npos;
    const auto from = two ? minute(text.substr(0, dash)) : std::nullopt;
    const auto to = two ? minute(text.substr(dash + 1)) : std::nullopt;
    if (!from || !to) {
        return std::unexpected("window must look like \"22:00-07:00\"");
    }
    if (text.starts_with("24")) {
        return std::unexpected("window cannot begin at 24:00; midnight is 00:00 there");
    }
    if (*from == *to && *from != 0) {
        return std::unexpected("window begins and ends at the same time; the whole day is "
                               "\"00:00-24:00\", or no window");
    }
    return TimeWindow{*from, *to};
}

std::string TimeWindow::text() const {
    const int end = to_minute == 0 ? 24 * 60 : to_minute;
    return fmt::format("{:02}:{:02}-{:02}:{:02}", from_minute / 60, from_minute % 60, end / 60,
                       end % 60);
}

int TimeWindow::minutes_left(int minute_of_day) const {
    constexpr int day = 24 * 60;
    const int left = (to_minute - minute_of_day + day) % day;
    return left == 0 || from_minute == to_minute ? day : left;
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
    json out;
    write_fields<analysis::StopRules>(out, stop_fields, stop);
    return out;
}

json budget_json(const Budget& budget) {
    json out = json::object();
    write_fields<Budget>(out, budget_fields, budget);
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
    if (!spec.fifty_moves) {
        out["fifty_moves"] = false;
    }
    if (!spec.labels.tags.empty()) {
        out["tags"] = spec.labels.tags;
    }
    if (spec.labels.game != GameLabels{}) {
        out["game"] = game_json(spec.labels.game);
    }
    return out.dump();
}

std::optional<Budget> read_budget(const base::JsonObject& reader) {
    const auto given = reader.find("budget");
    std::optional<Budget> budget;
    if (given.there()) {
        read_fields<Budget>(given.object(), budget_fields, budget.emplace());
    }
    return budget;
}

std::optional<analysis::StopRules> read_stop(const base::JsonObject& reader,
                                             const analysis::StopRules& base) {
    const auto given = reader.find("stop");
    std::optional<analysis::StopRules> stop;
    if (given.there()) {
        read_fields<analysis::StopRules>(given.object(), stop_fields, stop.emplace(base));
    }
    return stop;
}

std::optional<TimeWindow> read_window(const base::JsonObject& reader) {
    const auto text = reader.find("window").text();
    if (!text) {
        return std::nullopt;
    }
    const auto window = TimeWindow::parse(*text);
    if (!window) {
        reader.wrong("window", window.error());
        return std::nullopt;
    }
    return *window;
}

std::optional<std::vector<std::string>> read_accept(const base::JsonObject& reader) {
    return reader.find("accept").texts(most_accepted);
}

AnalysisSpec parse_spec(const std::string& text, std::vector<std::string>* findings) {
    AnalysisSpec spec;
    const auto in = base::parse_json(text);
    if (!in && findings != nullptr) {
        findings->push_back(in.error());
    }
    if (!in) {
        return spec;
    }
    const base::JsonObject reader{*in, base::JsonPolicy::lenient};
    if (const auto strategy = reader.find("strategy"); strategy.there()) {
        spec.strategy = read_strategy(strategy.object(), spec.strategy);
    }
    spec.budget = read_budget(reader).value_or(spec.budget);
    spec.window = read_window(reader);
    spec.stop = read_stop(reader, spec.stop).value_or(spec.stop);
    spec.accept = read_accept(reader).value_or(spec.accept);
    spec.fifty_moves = reader.find("fifty_moves").boolean().value_or(spec.fifty_moves);
    spec.labels.tags = read_tags(reader).value_or(spec.labels.tags);
    spec.labels.game = read_game(reader, spec.labels.game).value_or(spec.labels.game);
    if (findings != nullptr) {
        for (const base::JsonProblem& problem : reader.finish()) {
            findings->push_back(problem.message);
        }
    }
    return spec;
}

} // namespace adjourn::server
