// What is said of answers, against recorded ones (docs/measurements/how-sure.md).
#include "analysis/confidence.hpp"
#include "test.hpp"

using analysis::AnswerGroup;
using analysis::AnswerKind;
using analysis::Calibration;
using analysis::Fate;

namespace {

constexpr AnswerKind usual{AnswerGroup::contested, 401};

analysis::Confidence confidence_of(double cost) {
    return Calibration{}.confidence(cost, {});
}

// So many answers, of which so many stood.
std::vector<Fate> fates(int answers, int stood, AnswerKind kind = usual, double cost = 4) {
    std::vector<Fate> all;
    for (int i = 0; i < answers; ++i) {
        all.push_back({kind, cost, 0.75, i < stood});
    }
    return all;
}

double chance(const std::vector<Fate>& all, AnswerKind kind = usual, double cost = 4) {
    return Calibration{all}.confidence(cost, kind).chance;
}

} // namespace

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
        void add(double chance, int stands) {
            said += chance;
            stood += stands;
            ++count;
        }
    };
    std::array<Group, 10> groups{};
    Group all, disagree, by_curve;
    const Calibration built_in;
    std::string set;
    int part = 0, stands = 0;
    double cost = 0;
    // A sixteenth, an eighth and a quarter of each tree: of the last one it is known whether its
    // answer is that of the first one.
    bool changed = false;
    while (file >> set >> part >> cost >> stands) {
        changed = part == 16 ? stands == 0 : changed;
        if (set != "test") {
            continue;
        }
        const double chance = confidence_of(cost).chance;
        groups.at(static_cast<std::size_t>(10 * chance)).add(chance, stands);
        all.add(chance, stands);
        if (part == 4 && changed) {
            disagree.add(built_in.confidence(cost, {AnswerGroup::hard, 0}).chance, stands);
            by_curve.add(chance, stands);
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
    // Where the depths disagree, too.
    REQUIRE(disagree.count == 125);
    CHECK(disagree.said / 125 == Approx(disagree.stood / 125).margin(0.08));
    CHECK(disagree.said / 125 < by_curve.said / 125 - 0.05);
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

TEST_CASE("calibration: few answers change little, many are followed") {
    const double built_in = confidence_of(4).chance;
    REQUIRE(built_in == Approx(0.756).margin(0.001));
    CHECK(chance({}) == built_in);
    CHECK(chance(fates(4, 3)) == Approx(built_in).margin(0.005));
    CHECK(chance(fates(1, 0)) == Approx(built_in - 0.04).margin(0.01));
    CHECK(chance(fates(200, 100)) == Approx(0.5).margin(0.01));
    CHECK(chance(fates(400, 40)) == Approx(0.1).margin(0.01));
    // The order of the curve stays.
    CHECK(chance(fates(200, 100), usual, 1) < chance(fates(200, 100), usual, 4));
}

TEST_CASE("calibration: another size learns from an engine's answers, another group less") {
    const std::vector<Fate> all = fates(200, 100);
    const double built_in = confidence_of(4).chance;
    const double other = chance(all, {AnswerGroup::contested, 302});
    const double clear = chance(all, {AnswerGroup::clear, 401});
    CHECK(other > chance(all));
    CHECK(clear > other);
    CHECK(built_in > clear + 0.1);
    CHECK(Calibration{all}.like({AnswerGroup::contested, 302}).answers == 0);
    // What is known of both: each is followed.
    std::vector<Fate> both = all;
    for (const Fate& fate : fates(200, 180, {AnswerGroup::hard, 401})) {
        both.push_back(fate);
    }
    CHECK(chance(both) == Approx(0.5).margin(0.03));
    CHECK(chance(both, {AnswerGroup::hard, 401}) == Approx(0.9).margin(0.03));
}

TEST_CASE("calibration: where all stood, or fell, it is a number, and surer than 99 % nothing") {
    for (const double cost : {0.0, 4.0, std::numeric_limits<double>::infinity()}) {
        for (const int stood : {0, 400}) {
            const double all = chance(fates(400, stood, usual, cost), usual, cost);
            CHECK(std::isfinite(all));
            CHECK(all > 0);
            CHECK(all <= 0.99);
        }
    }
    CHECK(chance(fates(400, 400)) > 0.97);
    CHECK(chance(fates(400, 0)) < 0.05);
}

TEST_CASE("calibration: says how many answers like this there were, and how many stood") {
    const Calibration calibration{fates(214, 167)};
    const analysis::LikeThis like = calibration.like(usual);
    CHECK(like.answers == 214);
    CHECK(like.said == Approx(0.75));
    CHECK(like.stood == Approx(167.0 / 214));
    CHECK(like.low == Approx(0.720).margin(0.001)); // Wilson's, 95 %
    CHECK(like.high == Approx(0.831).margin(0.001));
    const analysis::LikeThis few = Calibration{fates(5, 5)}.like(usual);
    CHECK(few.low == Approx(0.566).margin(0.001));
    CHECK(few.high == Approx(1));
    CHECK(calibration.like({AnswerGroup::hard, 401}).answers == 0);
}

TEST_CASE("calibration: sizes are classes of a factor of eight") {
    using analysis::Limit;
    const auto of = [](std::uint64_t nodes, std::uint64_t evaluations) {
        return analysis::size_class({Limit::Kind::nodes, nodes}, evaluations);
    };
    CHECK(of(8'000, 20) == of(30'000, 60));
    CHECK(of(8'000, 20) != of(40'000, 20));
    CHECK(of(8'000, 20) != of(8'000, 70));
    CHECK(of(1, 0) == of(7, 1));
    // A limit that no engine reaches has one, too.
    CHECK(analysis::size_class({Limit::Kind::depth, ~std::uint64_t{0}}, 1) > 0);
}
