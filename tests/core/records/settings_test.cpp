// Every setting of the tables is read from the store as it was written, and held to its range.
#include "core/records/settings.hpp"

#include "core/records/analysis_spec.hpp"
#include "core/records/strategy_json.hpp"
#include "test.hpp"

using namespace adjourn::server;
using nlohmann::json;

namespace {

json::json_pointer pointer_to(const std::string& place) {
    std::string pointer = "/" + place;
    std::replace(pointer.begin(), pointer.end(), '.', '/');
    return json::json_pointer{pointer};
}

// Parameters in which costs are allowed.
json with(const Setting& setting, double value) {
    json out{{"strategy", {{"kind", "dropout"}}}};
    json& place = out[pointer_to(setting.place)];
    switch (setting.kind) {
    case Setting::Kind::flag: place = value != 0; break;
    case Setting::Kind::whole: place = static_cast<std::int64_t>(value); break;
    case Setting::Kind::number: place = value; break;
    }
    return out;
}

bool of_parameters(const Setting& setting) {
    return setting.place.find('.') != std::string::npos && !setting.place.starts_with("limit.");
}

} // namespace

TEST_CASE("settings: each is kept as it was given, from the least to the most") {
    std::size_t looked_at = 0;
    for (const Setting& setting : all_settings()) {
        CAPTURE(setting.place);
        if (!of_parameters(setting)) {
            continue;
        }
        ++looked_at;
        for (const double value : {setting.least, setting.most}) {
            std::vector<std::string> findings;
            const json given = with(setting, value);
            const AnalysisSpec spec = parse_spec(given.dump(), &findings);
            CHECK(findings.empty());
            CHECK(parse_spec(to_text(spec)) == spec);
            const json kept = json::parse(to_text(spec));
            const auto at = pointer_to(setting.place);
            // "floor_sigma": 0 is not written
            CHECK((kept.contains(at) ? kept[at] : json(0)) == given[at]);
        }
    }
    CHECK(looked_at > 12);
}

TEST_CASE("settings: what is stored beyond a range gets its end, and is told") {
    for (const Setting& setting : all_settings()) {
        CAPTURE(setting.place);
        if (!of_parameters(setting) || setting.kind == Setting::Kind::flag) {
            continue;
        }
        for (const auto& [beyond, end] :
             {std::pair{setting.least - 1, setting.least}, {setting.most + 1, setting.most}}) {
            std::vector<std::string> findings;
            CHECK(parse_spec(with(setting, beyond).dump(), &findings) ==
                  parse_spec(with(setting, end).dump()));
            REQUIRE(findings.size() == 1);
            CHECK(findings[0].starts_with(setting.place + " must be "));
        }
    }
}

TEST_CASE("settings: each has a place of its own, a meaning and a default within its range") {
    std::set<std::string> places;
    for (const Setting& setting : all_settings()) {
        CAPTURE(setting.place);
        CHECK(places.insert(setting.place).second);
        CHECK(setting.least < setting.most);
        CHECK_FALSE(setting.meaning.empty());
        CHECK(setting.initial.value_or(setting.least) >= setting.least);
        CHECK(setting.initial.value_or(setting.most) <= setting.most);
        CHECK(find_setting(setting.place) == &setting);
    }
    CHECK(find_setting("strategy") == nullptr);
    CHECK(find_setting("strategy.refine")->initial == 0.0);
    CHECK(find_setting("strategy.move_distance")->initial == 30.0);
    CHECK_FALSE(find_setting("budget.nodes")->initial);
}
