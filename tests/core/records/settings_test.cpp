// Every setting of the tables is read from the store as it was written, and held to its range.
#include "core/records/settings.hpp"

#include "core/records/analysis_spec.hpp"
#include "core/records/strategy_json.hpp"
#include "described_settings.hpp"
#include "test.hpp"

using namespace adjourn::server;
using nlohmann::json;

namespace {

// Parameters in which it is allowed.
json with(const Setting& setting, double value) {
    json out{{"strategy", {{"kind", kind_with(setting.place)}}}};
    out[pointer_to(setting.place)] = value_for(setting, value);
    return out;
}

// Those that are numbers, or a yes or no, and have no column of their own.
std::vector<Setting> parameters() {
    std::vector<Setting> all = all_settings();
    std::erase_if(all, [](const Setting& each) {
        const json shown = spec_json(AnalysisSpec{});
        return each.kind == Setting::Kind::text || each.kind == Setting::Kind::other ||
               !shown.contains(each.place.substr(0, each.place.find('.')));
    });
    return all;
}

} // namespace

TEST_CASE("settings: each is kept as it was given, from the least to the most") {
    CHECK(parameters().size() > 12);
    for (const Setting& setting : parameters()) {
        CAPTURE(setting.place);
        for (const double value : {setting.least, setting.most}) {
            std::vector<std::string> findings;
            const json given = with(setting, value);
            const AnalysisSpec spec = parse_spec(given.dump(), &findings);
            CHECK(findings.empty());
            CHECK(parse_spec(to_text(spec)) == spec);
            const json kept = json::parse(to_text(spec));
            const auto at = pointer_to(setting.place);
            const json usual = spec_json(AnalysisSpec{}).value(at, json(0)); // is not written
            CHECK(kept.value(at, usual) == given[at]);
        }
    }
}

TEST_CASE("settings: what is stored beyond a range gets its end, and is told") {
    for (const Setting& setting : parameters()) {
        CAPTURE(setting.place);
        if (setting.kind == Setting::Kind::flag) {
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
        CHECK((setting.posted || setting.patched));
        if (setting.kind != Setting::Kind::other) {
            CHECK(setting.least < setting.most);
            CHECK_FALSE(setting.meaning.empty());
        }
        CHECK(setting.initial.value_or(setting.least) >= setting.least);
        CHECK(setting.initial.value_or(setting.most) <= setting.most);
        CHECK(find_setting(setting.place) == &setting);
    }
    CHECK(find_setting("strategy") == nullptr);
    CHECK(parse_spec("garbage") == AnalysisSpec{});
    CHECK(parse_spec("") == AnalysisSpec{});
}

TEST_CASE("value json: a limit is read back as it was written") {
    using Kind = analysis::Limit::Kind;
    for (const LimitField& field : limit_fields) {
        for (const std::int64_t amount : {std::int64_t{1}, field.most}) {
            const analysis::Limit limit{field.kind, static_cast<std::uint64_t>(amount)};
            CHECK(limit_json(limit) == json{{field.name, amount}});
            CHECK(parse_limit_json(limit_json(limit)) == limit);
        }
    }
    CHECK(parse_limit_json({{"depth", 8}, {"remark", "x"}}) == analysis::Limit{Kind::depth, 8});
}

TEST_CASE("value json: what is no limit, or more than one, is none") {
    for (const char* text :
         {"null", "[]", "8", "\"depth\"", "{}", R"({"depth":0})", R"({"depth":-3})",
          R"({"depth":246})", R"({"depth":8.0})", R"({"depth":"8"})", R"({"depth":null})",
          R"({"nodes":1000000000001})", R"({"nodes":18446744073709551615})",
          R"({"movetime_ms":86400001})", R"({"depth":8,"nodes":8})"}) {
        CAPTURE(text);
        CHECK_FALSE(parse_limit_json(json::parse(text)));
    }
}
