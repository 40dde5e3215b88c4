#include "api/webhooks/timed_summary.hpp"
#include "base/text.hpp"

#include <nlohmann/json.hpp>
#include <spdlog/fmt/chrono.h>
#include <spdlog/fmt/fmt.h>

#include <ctime>

namespace adjourn::server {

using nlohmann::json;

namespace {

// What a document has at most. Others are counted.
constexpr std::size_t most_analyses = 20;
constexpr std::size_t most_in_text = 5;
constexpr std::size_t most_of_each = 3; // swings, new best moves
constexpr std::size_t most_plies = 16;
constexpr std::size_t most_played = 20;
constexpr std::size_t longest_digested = 200; // bytes of a name or reason

std::string score_text(const json& score) {
    if (score.is_object() && score.contains("cp")) {
        return fmt::format("{:+.2f}", score["cp"].get<double>() / 100);
    }
    if (score.is_object() && score.contains("mate")) {
        return fmt::format("#{}", score["mate"].get<int>());
    }
    return score.is_object() ? "TB " + score.value("tb", "") : "";
}

json short_line(const json& line) {
    json out = json::array();
    for (const json& move : line) {
        if (out.size() < most_plies) {
            out.push_back(move["san"]);
        }
    }
    return out;
}

json some_of(const json& list, std::size_t most, json (*shown)(const json&)) {
    json out = json::array();
    for (const json& each : list) {
        if (out.size() < most) {
            out.push_back(shown(each));
        }
    }
    return out;
}

json digest_of(const json& analysis) {
    json out{{"id", analysis["id"]},
             {"name", base::shortened(analysis["name"].get<std::string>(), longest_digested)},
             {"state", analysis["state"]},
             {"reason",
              analysis["reason"].is_string()
                  ? json(base::shortened(analysis["reason"].get<std::string>(), longest_digested))
                  : json()},
             {"settled", analysis["settled"]}};
    out["played"] = some_of(analysis["played"], most_played, [](const json& move) -> json {
        return {{"san", move["san"]},
                {"in_tree", move["in_tree"]},
                {"best", move["best"].is_object() ? move["best"]["san"] : json()}};
    });
    const json& changes = analysis["changes"];
    const bool seen = changes.is_object();
    out["best"] = seen ? changes["best"] : json();
    out["alpha"] = seen ? changes["alpha"] : json();
    out["evaluations"] = seen ? changes["evaluations"] : json(0);
    out["new_best"] = some_of(seen ? changes["new_best"] : json::array(), most_of_each,
                              [](const json& each) -> json {
                                  return {{"line", short_line(each["line"])},
                                          {"before", each["before"]["san"]},
                                          {"after", each["after"]["san"]}};
                              });
    out["swings"] = some_of(seen ? changes["swings"] : json::array(), most_of_each,
                            [](const json& each) -> json {
                                return {{"line", short_line(each["line"])},
                                        {"before", each["before"]},
                                        {"after", each["after"]}};
                            });
    return out;
}

std::string sentence_of(const json& analysis) {
    std::string text;
    const auto add = [&](const std::string& what) { text += (text.empty() ? "" : ", ") + what; };
    for (const json& move :
         some_of(analysis["played"], most_of_each, [](const json& each) { return each; })) {
        add(move["san"].get<std::string>() + " was played" +
            (move["in_tree"] == true ? "" : ", which was not in the tree"));
    }
    const json& best = analysis["best"];
    if (best.is_object() && best["after"].is_string()) {
        const bool other = best["before"].is_string() && best["before"] != best["after"];
        add((other ? "new best move " : "best ") + best["after"].get<std::string>() + " " +
            score_text(analysis["alpha"]["after"]) +
            (other ? ", before " + best["before"].get<std::string>() : ""));
    }
    if (analysis["settled"]["after"] > analysis["settled"]["before"]) {
        add("settled to depth " + analysis["settled"]["after"].dump());
    }
    const std::string state = analysis["state"];
    if (state == "exhausted" || state == "failed") {
        add((state == "failed" ? "failed" : "its budget is used") +
            (analysis["reason"].is_string() ? ": " + analysis["reason"].get<std::string>() : ""));
    }
    return analysis["name"].get<std::string>() + ": " + text + ".";
}

std::string moment_text(analysis::UnixMs at, const TimeZone& zone) {
    const std::time_t local = at / 1000 + std::time_t{zone.offset_minutes} * 60;
    std::tm parts{};
    gmtime_r(&local, &parts);
    return fmt::format("{:%Y-%m-%d %H:%M}", parts);
}

} // namespace

std::optional<SummaryDigest> summary_digest(const std::string& answer,
                                            const std::function<TimeZone(analysis::UnixMs)>& zone) {
    const json all = json::parse(answer, nullptr, false);
    if (!all.is_object() || !all.contains("analyses")) {
        return std::nullopt;
    }
    SummaryDigest digest;
    std::size_t others = all["unchanged"];
    const analysis::UnixMs since = all["since"];
    std::string told;
    json list = json::array();
    for (const json& analysis : all["analyses"]) {
        if (analysis["changes"].is_null() && analysis["played"].empty()) {
            ++others; // its tree cannot be looked at, so nothing is known of it
            continue;
        }
        ++digest.changed;
        if (list.size() < most_analyses) {
            list.push_back(digest_of(analysis));
            told += list.size() > most_in_text ? "" : " " + sentence_of(list.back());
        }
    }
    digest.text = fmt::format("{} of {} analyses changed since {}.", digest.changed,
                              digest.changed + others, moment_text(since, zone(since))) +
                  told;
    const json content{{"since", since},
                       {"more", digest.changed - list.size()},
                       {"unchanged", others},
                       {"analyses", std::move(list)}};
    digest.content = content.dump(-1, ' ', false, json::error_handler_t::replace);
    return digest;
}

SummaryDigest with_radar(SummaryDigest digest, const RadarDigest& radar) {
    if (radar.entries.empty()) {
        return digest;
    }
    std::vector<const RadarDigest::Entry*> entries;
    for (const RadarDigest::Entry& entry : radar.entries) {
        entries.push_back(&entry);
    }
    const RadarMessage message = radar_message(entries);
    digest.worth = entries.size();
    digest.text += " Worth a look: " + message.text;
    json content = json::parse(digest.content);
    content["worth_a_look"] = json::parse(message.content);
    digest.content = content.dump(-1, ' ', false, json::error_handler_t::replace);
    return digest;
}

} // namespace adjourn::server
