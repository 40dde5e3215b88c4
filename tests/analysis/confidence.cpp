// What is said of answers, against recorded ones (docs/measurements/how-sure.md).
#include "analysis/root_answer.hpp"
#include "test.hpp"

using analysis::confidence_of;

TEST_CASE("confidence: grows with the cost, and the letters with it") {
    double before = 0;
    for (const double cost : {0.0, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 100.0}) {
        const double chance = confidence_of(cost).chance;
        CHECK(chance > before);
        before = chance;
    }
    CHECK(confidence_of(std::numeric_limits<double>::infinity()).chance == 0.99);
    CHECK(confidence_of(std::numeric_limits<double>::infinity()).letter == 'A');
    CHECK(confidence_of(0).letter == 'F');
    CHECK(confidence_of(5).letter == 'C');
}

TEST_CASE("confidence: of recorded answers of the test half as many stood as was said") {
    std::ifstream file{std::string{ADJOURN_TEST_DATA} + "/confidence/contested.txt"};
    REQUIRE(file);
    struct Group {
        double said = 0, stood = 0, count = 0;
    };
    std::array<Group, 10> groups{};
    Group all;
    std::string set;
    int part = 0;
    double cost = 0;
    int stood = 0;
    while (file >> set >> part >> cost >> stood) {
        if (set != "test") {
            continue;
        }
        const double chance = confidence_of(cost).chance;
        for (Group* group : {&groups.at(static_cast<std::size_t>(10 * chance)), &all}) {
            group->said += chance;
            group->stood += stood;
            ++group->count;
        }
    }
    REQUIRE(all.count == 1'020);
    CHECK(all.stood / all.count == Approx(all.said / all.count).margin(0.05));
    int told = 0;
    for (const Group& group : groups) {
        if (group.count >= 30) {
            ++told;
            CHECK(group.stood / group.count == Approx(group.said / group.count).margin(0.07));
        }
    }
    CHECK(told == 6);
}

TEST_CASE("confidence: holds where it was tested") {
    using analysis::confidence_is_tested;
    const analysis::Limit limit{analysis::Limit::Kind::nodes, 8'000};
    CHECK(confidence_is_tested("Stockfish 15.1", limit, 25));
    CHECK_FALSE(confidence_is_tested("Stockfish 16", limit, 25));
    CHECK_FALSE(confidence_is_tested("Stockfish 15.1", limit, 5'000));
    CHECK_FALSE(
        confidence_is_tested("Stockfish 15.1", {analysis::Limit::Kind::nodes, 1'000'000}, 25));
}
