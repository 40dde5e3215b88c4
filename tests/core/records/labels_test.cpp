#include "core/records/analysis_spec.hpp"
#include "test.hpp"

#include <nlohmann/json.hpp>

using namespace adjourn::server;
using nlohmann::json;

TEST_CASE("labels: tags and game are kept with the settings, and define nothing") {
    AnalysisSpec spec;
    CHECK(to_text(spec).find("tags") == std::string::npos);
    CHECK(to_text(spec).find("game") == std::string::npos);
    spec.labels.tags = {"Najdorf", "für Anna"};
    std::size_t number = 0;
    for (const base::Field<GameLabels>& field : game_fields) {
        spec.labels.game.*std::get<std::string GameLabels::*>(field.member) =
            field.name == "move_by" ? "2026-12-03" : std::to_string(++number);
    }
    std::vector<std::string> findings;
    CHECK(parse_spec(to_text(spec), &findings) == spec);
    CHECK(findings.empty());
    CHECK(spec_json(spec)["game"].size() == game_fields.size());
    CHECK(defining(spec) == AnalysisSpec{});
}

TEST_CASE("labels: of what is stored, what cannot be is left out and told") {
    const auto read = [](const json& stored, std::vector<std::string> told) {
        std::vector<std::string> findings;
        const Labels labels = parse_spec(stored.dump(), &findings).labels;
        CHECK(findings.size() == told.size());
        for (std::size_t i = 0; i < std::min(findings.size(), told.size()); ++i) {
            CHECK(findings[i].starts_with(told[i]));
        }
        return labels;
    };
    CHECK(read({{"tags", {"a", " a ", "b"}}}, {}).tags == std::vector<std::string>{"a", "b"});
    CHECK(read({{"tags", "a"}}, {"tags must be an array"}) == Labels{});
    CHECK(read({{"tags", {"", "  ", "a\nb", std::string(51, 'x'), 3, "a,b", "c"}}},
               {"tags[4] must be text", "tags ", "tags ", "tags ", "tags ", "tags "})
              .tags == std::vector<std::string>{"c"});
    CHECK(
        read({{"tags", std::vector<std::string>(21, "x")}}, {"tags must be an array of at most 20"})
            .tags.size() == 1);
    CHECK(read({{"game", 1}}, {"game must be an object"}) == Labels{});
    const Labels some =
        read({{"game",
               {{"white", "Short"}, {"black", 7}, {"event", std::string(201, 'x')}, {"who", "?"}}}},
             {"game.black must be text", "game.event must have at most 200 bytes",
              "there is no field game.who"});
    CHECK(some.game.white == "Short");
    CHECK(some.game.event.empty());
    for (const char* day : {"2026-02-30", "2026-13-01", "2026-1-1", "03.12.2026", "2026-12-0x",
                            "0x26-12-03", "2026-12-003"}) {
        CAPTURE(day);
        CHECK(read({{"game", {{"move_by", day}}}}, {"game.move_by "}) == Labels{});
    }
    CHECK(read({{"game", {{"move_by", "2028-02-29"}}}}, {}).game.move_by == "2028-02-29");
}

TEST_CASE("labels: my side is that of my name, without names the one that was said") {
    using chess::Color;
    Labels labels;
    CHECK_FALSE(my_side_of(labels, "A", "B"));
    labels.my_side = "black";
    CHECK(my_side_of(labels, "A", "B") == Color::black);
    labels.my_names = "Lasker; em_lasker";
    CHECK(my_side_of(labels, "Lasker, Emanuel", "Tarrasch") == Color::white);
    CHECK(my_side_of(labels, "Tarrasch", "EM_LASKER") == Color::black);
    CHECK_FALSE(my_side_of(labels, "Laskerov", ""));

    AnalysisSpec spec;
    spec.labels = labels;
    CHECK(parse_spec(to_text(spec)) == spec);
    std::vector<std::string> findings;
    CHECK(parse_spec(R"({"my_side": "both"})", &findings).labels == Labels{});
    CHECK(findings.size() == 1);
}
