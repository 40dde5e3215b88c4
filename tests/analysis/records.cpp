#include "facts.hpp"

#include "analysis/records.hpp"
#include "chess/notation.hpp"
#include "test.hpp"

using namespace adjourn::analysis;
using adjourn::chess::Move;

TEST_CASE("effort rises strictly within a kind and puts the kinds on one scale") {
    using Kind = Limit::Kind;
    for (const Kind kind : {Kind::depth, Kind::nodes, Kind::movetime}) {
        for (std::uint64_t amount = 1; amount < 200; ++amount) {
            REQUIRE(effort({kind, amount}) < effort({kind, amount + 1}));
        }
        REQUIRE(effort({kind, 100'000'000}) < effort({kind, 100'000'001}));
    }
    CHECK(effort({Kind::nodes, 1'024}) == Approx(10.0));
    CHECK(effort({Kind::movetime, 7}) == Approx(effort({Kind::nodes, 7'000})));
    CHECK(effort({Kind::depth, 20}) == Approx(18.5));
    CHECK(effort({Kind::depth, 1}) == Approx(7.1));
}

TEST_CASE("questions that differ in anything are different, and mostly hash differently") {
    const Question question{{}, EngineId{1}, {Limit::Kind::depth, 20}, {}};
    std::vector<Question> others(5, question);
    others[0].engine = EngineId{2};
    others[1].limit.amount = 21;
    others[2].limit.kind = Limit::Kind::nodes;
    others[3].position.bytes[5] = 1;
    others[4].excluded = {Move::from_raw(0)};
    for (const Question& other : others) {
        CHECK_FALSE(other == question);
        CHECK(QuestionHash{}(other) != QuestionHash{}(question));
    }
    CHECK(QuestionHash{}(question) == QuestionHash{}(Question{question}));
}

TEST_CASE("limits: an effort beyond every number of nodes gives the largest, not none") {
    const double deepest = effort({Limit::Kind::depth, std::uint64_t{1} << 62});
    for (const Limit::Kind kind : {Limit::Kind::nodes, Limit::Kind::movetime}) {
        const Limit limit = limit_of(kind, deepest);
        CHECK(limit.amount > std::uint64_t{1} << 62);
        CHECK(limit.amount < std::uint64_t{1} << 63);
    }
}

TEST_CASE("before the root, only what occurred twice is history") {
    using Positions = std::vector<chess::Position>;
    const chess::Position start = chess::Position::initial();
    const auto repeated = [&](std::string_view line) {
        return repeated_before(start, chess::parse_line(start, line).value());
    };
    CHECK(repeated("").empty());
    CHECK(repeated("1. Nf3 Nf6 2. Ng1").empty()); // the start position was there once
    CHECK(repeated("1. Nf3 Nf6 2. Ng1 Ng8").empty());
    // Twice the start position, and no longer the last one.
    CHECK(repeated("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3") == Positions{start});
    CHECK(repeated("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6") == Positions{start, facts::after("1. Nf3")});
    CHECK(repeated("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8").size() == 3); // the root is not
    CHECK(repeated("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 e5").empty());                 // irreversible
}
