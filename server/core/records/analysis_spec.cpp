#include "core/records/analysis_spec.hpp"

#include "analysis/strategy.hpp"
#include "base/json_reader.hpp"
#include "base/number.hpp"
#include "base/text.hpp"
#include "chess/notation.hpp"
#include "core/records/strategy_json.hpp"

#include <nlohmann/json.hpp>
#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <chrono>
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

namespace {

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

// null: none is wanted.
std::optional<std::optional<TimeWindow>> read_window(const base::JsonObject& reader) {
    if (reader.is_null("window")) {
        return std::optional<TimeWindow>{};
    }
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

} // namespace

void apply(const SpecPatch& patch, AnalysisSpec& spec) {
    // All of them by name: one more does not compile before it stands here.
    const auto& [strategy, budget, window, stop, accept, tags, game, fifty_moves] = patch;
    spec.strategy = strategy.value_or(spec.strategy);
    spec.budget = budget.value_or(spec.budget);
    spec.window = window.value_or(spec.window);
    spec.stop = stop.value_or(spec.stop);
    spec.accept = accept.value_or(spec.accept);
    spec.labels.tags = tags.value_or(spec.labels.tags);
    spec.labels.game = game.value_or(spec.labels.game);
    spec.fifty_moves = fifty_moves.value_or(spec.fifty_moves);
}

SpecPatch read_spec(const base::JsonObject& reader, const AnalysisSpec& base) {
    SpecPatch patch;
    if (const auto strategy = reader.find("strategy"); strategy.there()) {
        patch.strategy = read_strategy(strategy.object(), base.strategy);
    }
    patch.stop = read_stop(reader, base.stop);
    patch.budget = read_budget(reader);
    patch.window = read_window(reader);
    patch.accept = reader.find("accept").texts(most_accepted);
    patch.fifty_moves = reader.find("fifty_moves").boolean();
    patch.tags = read_tags(reader);
    patch.game = read_game(reader, base.labels.game);
    return patch;
}

json spec_json(const AnalysisSpec& spec) {
    const auto& [strategy, budget, window, stop, accept, labels, fifty_moves] = spec;
    json out{{"strategy", strategy_json(strategy)},
             {"budget", json::object()},
             {"window", window ? json(window->text()) : json(nullptr)},
             {"stop", json::object()},
             {"accept", accept},
             {"tags", labels.tags},
             {"game", game_json(labels.game)},
             {"fifty_moves", fifty_moves}};
    write_fields<Budget>(out["budget"], budget_fields, budget);
    write_fields<analysis::StopRules>(out["stop"], stop_fields, stop);
    return out;
}

bool same_growth(AnalysisSpec one, const AnalysisSpec& other) {
    one.budget = other.budget;
    one.window = other.window;
    one.accept = other.accept;
    one.labels = other.labels;
    return one == other;
}

std::string to_text(const AnalysisSpec& spec) {
    json out = spec_json(spec);
    const json usual = spec_json({});
    for (const char* name : {"window", "accept", "tags", "game", "fifty_moves"}) {
        if (out[name] == usual[name]) {
            out.erase(name);
        }
    }
    return out.dump();
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
    apply(read_spec(reader, spec), spec);
    if (findings != nullptr) {
        for (const base::JsonProblem& problem : reader.finish()) {
            findings->push_back(problem.message);
        }
    }
    return spec;
}

using nlohmann::json;

AnalysisSpec without_labels(AnalysisSpec spec) {
    spec.labels = {};
    return spec;
}

AnalysisDefinition definition_of(const storage::AnalysisRecord& record) {
    return {record.root_fen, record.root_moves, record.profile, record.limit,
            without_labels(parse_spec(record.parameters))};
}

json definition_json(const storage::AnalysisRecord& record, const AnalysisSpec& spec,
                     const chess::Position& start, const std::vector<chess::Move>& moves) {
    json uci = json::array();
    chess::Position position = start;
    for (const chess::Move move : moves) {
        uci.push_back(chess::to_uci(position, move));
        position.play(move);
    }
    return {{"id", static_cast<std::int64_t>(record.id)},
            {"name", record.name},
            {"start_fen", record.root_fen},
            {"moves", std::move(uci)},
            {"engine", record.profile},
            {"limit", limit_json(record.limit)},
            {"strategy", strategy_json(spec.strategy)}};
}

std::optional<TreeRules> rules_of_snapshot(const json& snapshot) {
    if (!snapshot.is_object() || !snapshot.contains("limit") || !snapshot.contains("strategy")) {
        return std::nullopt;
    }
    const auto limit = parse_limit_json(snapshot["limit"]);
    if (!limit) {
        return std::nullopt;
    }
    const json kind =
        snapshot["strategy"].is_object() ? snapshot["strategy"].value("kind", json{}) : json{};
    if (kind.is_string() &&
        analysis::find_strategy(kind.get_ref<const std::string&>()) == nullptr) {
        return std::nullopt; // it is gone: levels of other strategies are no levels of it
    }
    json of_tree{{"strategy", snapshot["strategy"]}}; // not all that was recorded is read again
    if (snapshot.contains("accept")) {
        of_tree["accept"] = snapshot["accept"];
    }
    AnalysisSpec spec = parse_spec(of_tree.dump());
    TreeRules rules{*limit, std::move(spec.strategy), std::move(spec.accept),
                    snapshot.value("fen", "")};
    rules.strategy.refine = 0;
    return rules;
}

namespace {

bool is_day(std::string_view text) {
    if (text.size() != 10 || text[4] != '-' || text[7] != '-') {
        return false;
    }
    const auto year = base::parse_number<int>(text.substr(0, 4));
    const auto month = base::parse_number<unsigned>(text.substr(5, 2));
    const auto day = base::parse_number<unsigned>(text.substr(8, 2));
    return year && month && day &&
           std::chrono::year_month_day{std::chrono::year{*year}, std::chrono::month{*month},
                                       std::chrono::day{*day}}
               .ok();
}

std::string trouble_of(const GameField& field, const std::string& text) {
    if (text.size() > field.most) {
        return "must have at most " + std::to_string(field.most) + " bytes";
    }
    if (base::has_control_characters(text)) {
        return "must have no control characters";
    }
    if (field.member == &GameLabels::move_by && !text.empty() && !is_day(text)) {
        return "must be a day such as 2026-12-03";
    }
    return "";
}

} // namespace

nlohmann::json game_json(const GameLabels& game) {
    nlohmann::json out = nlohmann::json::object();
    for (const GameField& field : game_fields) {
        if (const std::string& text = game.*field.member; !text.empty()) {
            out[std::string{field.name}] = text;
        }
    }
    return out;
}

std::optional<std::vector<std::string>> read_tags(const base::JsonObject& reader) {
    const auto texts = reader.find("tags").texts(most_tags);
    if (!texts) {
        return std::nullopt;
    }
    std::vector<std::string> tags;
    for (const std::string& text : *texts) {
        std::string tag{base::trimmed(text)};
        if (tag.empty() || tag.size() > longest_tag || base::has_control_characters(tag) ||
            tag.find(',') != std::string::npos) {
            reader.wrong("tags", reader.path_of("tags") + " must have 1 to " +
                                     std::to_string(longest_tag) +
                                     " bytes each, without commas and control characters");
        } else if (std::ranges::find(tags, tag) == tags.end()) {
            tags.push_back(std::move(tag));
        }
    }
    return tags;
}

std::optional<GameLabels> read_game(const base::JsonObject& reader, const GameLabels& base) {
    const auto given = reader.find("game");
    if (!given.there()) {
        return std::nullopt;
    }
    const auto object = given.object();
    GameLabels game = base;
    for (const GameField& field : game_fields) {
        auto text = object.find(field.name).text();
        if (!text) {
            continue;
        }
        if (const std::string trouble = trouble_of(field, *text); !trouble.empty()) {
            object.wrong(field.name, object.path_of(field.name) + " " + trouble);
        } else {
            game.*field.member = std::move(*text);
        }
    }
    return game;
}

} // namespace adjourn::server
