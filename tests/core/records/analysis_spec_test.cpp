#include "core/records/analysis_spec.hpp"

#include <catch2/catch.hpp>

using namespace adjourn;
using namespace adjourn::server;

TEST_CASE("time window: may span midnight") {
    const auto night = TimeWindow::parse("22:00-07:00");
    REQUIRE(night);
    CHECK(night->text() == "22:00-07:00");
    CHECK(night->contains(23 * 60));
    CHECK(night->contains(0));
    CHECK(night->contains(6 * 60 + 59));
    CHECK_FALSE(night->contains(7 * 60));
    CHECK_FALSE(night->contains(12 * 60));
    CHECK(TimeWindow::parse("09:00-17:00")->contains(9 * 60));
    CHECK(TimeWindow::parse("00:00-24:00")->contains(700));
    CHECK(TimeWindow::parse("09:00-17:00")->minutes_left(9 * 60) == 8 * 60);
    CHECK(TimeWindow::parse("22:00-07:00")->minutes_left(23 * 60 + 59) == 7 * 60 + 1);
    CHECK(TimeWindow::parse("22:00-07:00")->minutes_left(6 * 60 + 59) == 1);
    CHECK(TimeWindow::parse("00:00-24:00")->minutes_left(700) == 24 * 60); // it never ends
    CHECK(TimeWindow::parse("00:00-24:00")->text() == "00:00-24:00");
    CHECK(TimeWindow::parse("22:00-24:00")->text() == "22:00-24:00");
    CHECK(TimeWindow::parse("00:00-00:00")->contains(700)); // as older versions wrote the whole day
    CHECK(TimeWindow::parse("24:00-06:00").error().find("24:00") != std::string::npos);
    CHECK(TimeWindow::parse("02:30-02:30").error().find("same time") != std::string::npos);
    for (const char* text : {"24:00-06:00", "24:00-24:00", "02:30-02:30", "", "22-7", "22:00",
                             "24:30-07:00", "22:00-07:60", "aa:bb-cc:dd"}) {
        CHECK_FALSE(TimeWindow::parse(text));
    }
}

TEST_CASE("analysis spec: nobody names a strategy: it is the default one everywhere") {
    CHECK(AnalysisSpec{}.strategy == analysis::default_parameters(analysis::default_strategy));
    CHECK(parse_spec("{}").strategy.kind == analysis::default_strategy);
    CHECK(analysis::to_text(analysis::default_strategy) == "anchored");
}

TEST_CASE("analysis spec: text and back") {
    AnalysisSpec spec;
    spec.strategy.move_distance = 17;
    spec.strategy.refine = 4;
    spec.budget.positions = 100;
    spec.budget.nodes = 123'456'789'012;
    spec.budget.engine_seconds = 2.5;
    spec.window = TimeWindow{60, 120};
    CHECK(parse_spec(to_text(spec)) == spec);
    // What an analysis of before was stored with.
    AnalysisSpec joint;
    joint.strategy = analysis::default_parameters(analysis::StrategyKind::interest);
    joint.strategy.level_budget = analysis::LevelBudget::joint;
    std::string before = to_text(joint);
    before.replace(before.find("level_budget"), std::string{"level_budget"}.size(), "purse");
    CHECK(parse_spec(before) == joint);
    CHECK(parse_spec("garbage") == AnalysisSpec{});
    CHECK(parse_spec("") == AnalysisSpec{});
}
