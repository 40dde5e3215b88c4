#include "core/records/analysis_spec.hpp"

#include "analysis/strategy.hpp"
#include "test.hpp"

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
    CHECK(analysis::default_strategy == "anchored");
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
    CHECK(parse_spec("garbage") == AnalysisSpec{});
    CHECK(parse_spec("") == AnalysisSpec{});
}

TEST_CASE("analysis spec: one of a strategy that is gone goes on as uniform, and says so") {
    // As they were stored.
    const std::string numbers =
        R"("growth":1.0,"horizon":4.0,"loosening":0.125,"other_side":0.5,"per_cp":0.05,)"
        R"("per_ply":0.25,"per_rank":0.0,"shuffle":1.0,"step":1.0,"threshold":20.0)";
    for (const std::string kind : {"interest", "consistency", "minmax"}) {
        for (const bool window : {true, false}) {
            INFO(kind << window);
            std::vector<std::string> findings;
            const AnalysisSpec spec = parse_spec(
                R"({"strategy":{"kind":")" + kind +
                    R"(","refine":3,"level_budget":"joint","bonus":1.0,"carry":1.0,"dullness":0.8,)" +
                    R"("spread":1.0,)" + (window ? R"("move_distance":17,"floor":8,)" : "") +
                    numbers + R"(},"budget":{"positions":9}})",
                &findings);
            AnalysisSpec wanted;
            wanted.strategy = analysis::default_parameters("uniform");
            wanted.strategy.move_distance = window ? 17 : wanted.strategy.move_distance;
            wanted.strategy.floor = window ? 8 : wanted.strategy.floor;
            wanted.strategy.refine = 3;
            wanted.budget.positions = 9;
            CHECK(spec == wanted);
            REQUIRE(findings.size() == 1);
            CHECK(findings[0] == "there is no strategy '" + kind +
                                     "' any more; uniform goes on with its facts and its window");
        }
    }
    // What dropout did by numbers that are gone is told where it was something else.
    std::vector<std::string> findings;
    const std::string before =
        R"({"strategy":{"kind":"dropout","level_budget":"in_turn",)" + numbers;
    AnalysisSpec wanted;
    wanted.strategy = analysis::default_parameters("dropout");
    wanted.strategy.own = {0.25, 0.05, 0.5};
    CHECK(parse_spec(before + "}}", &findings) == wanted);
    CHECK(findings.empty());
    CHECK(parse_spec(before + R"(,"carry":0.5}})", &findings) == wanted);
    CHECK(findings ==
          std::vector<std::string>{"strategy.carry is no number of a strategy any more"});
}
