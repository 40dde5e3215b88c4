#include "core/records/analysis_spec.hpp"

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
#include <limits>

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
    for (const char* name : {"window", "accept", "second_engine", "tags", "game", "my_side",
                             "my_names", "fifty_moves", "renewal"}) {
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
    storage::AnalysisRecord columns; // have none here
    apply(read_settings(reader, SettingsOf::parameters, spec), columns, spec);
    if (findings != nullptr) {
        for (const base::JsonProblem& problem : reader.finish()) {
            findings->push_back(problem.message);
        }
    }
    return spec;
}

AnalysisSpec defining(AnalysisSpec spec) {
    spec.labels = {};
    spec.renewal = {};
    return spec;
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
                    snapshot.value("fen", ""), snapshot.value("renewed", analysis::UnixMs{0})};
    rules.strategy.refine = 0;
    return rules;
}

Renewal read_renewal(const base::JsonObject& given) {
    Renewal read;
    read.engines = given.find("engines").texts(most_accepted).value_or(std::vector<std::string>{});
    read.name = read_text(given.find("name"), 1'000).value_or("");
    read.at = given.find("at").integer(0, 100'000'000'000'000).value_or(0);
    read.level = static_cast<int>(given.find("level").integer(0, 200).value_or(0));
    read.line = given.find("line").texts(2'500).value_or(std::vector<std::string>{});
    for (const base::JsonValue& item : given.find("scores").items(2'500)) {
        const auto code = item.integer(0, std::numeric_limits<std::uint32_t>::max());
        if (const auto score = chess::Score::decode(static_cast<std::uint32_t>(code.value_or(0)))) {
            read.scores.push_back(*score);
        }
    }
    return read;
}

json renewal_json(const Renewal& renewal) {
    json scores = json::array();
    for (const chess::Score score : renewal.scores) {
        scores.push_back(score.encode());
    }
    return {{"engines", renewal.engines}, {"name", renewal.name}, {"at", renewal.at},
            {"level", renewal.level},     {"line", renewal.line}, {"scores", std::move(scores)}};
}

std::optional<std::vector<std::string>> read_tags(const base::JsonValue& given) {
    const auto texts = given.texts(most_tags);
    if (!texts) {
        return std::nullopt;
    }
    std::vector<std::string> tags;
    for (const std::string& text : *texts) {
        std::string tag{base::trimmed(text)};
        if (tag.empty() || tag.size() > longest_tag || base::has_control_characters(tag) ||
            tag.find(',') != std::string::npos) {
            given.wrong(given.path() + " must have 1 to " + std::to_string(longest_tag) +
                        " bytes each, without commas and control characters");
        } else if (std::ranges::find(tags, tag) == tags.end()) {
            tags.push_back(std::move(tag));
        }
    }
    return tags;
}

GameLabels read_game(const base::JsonObject& given, const GameLabels& now) {
    GameLabels game = now;
    read_fields<GameLabels>(given, game_fields, game);
    if (!game.move_by.empty() && !is_day(game.move_by)) {
        given.wrong("move_by", given.path_of("move_by") + " must be a day such as 2026-12-03");
        game.move_by = now.move_by;
    }
    return game;
}

std::optional<chess::Color> my_side_of(const Labels& labels, std::string_view white,
                                       std::string_view black) {
    const std::string& names = labels.my_names;
    const bool is_white =
        names.empty() ? labels.my_side == "white" : base::is_one_of_names(white, names);
    const bool is_black =
        names.empty() ? labels.my_side == "black" : base::is_one_of_names(black, names);
    return is_white   ? std::optional{chess::Color::white}
           : is_black ? std::optional{chess::Color::black}
                      : std::nullopt;
}

} // namespace adjourn::server
