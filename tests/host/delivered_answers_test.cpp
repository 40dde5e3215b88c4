#include "delivered_answers.hpp"

#include <catch2/catch.hpp>

using namespace adjourn;
using namespace adjourn::server;
using Numbers = std::vector<std::int64_t>;

TEST_CASE("delivered answers: a row may go when its answer is durable, and not before") {
    std::vector<storage::Done> asked; // flushes that the store has not done yet
    int told = 0;
    DeliveredAnswers answers{[&](storage::Done done) { asked.push_back(std::move(done)); },
                             [&] { ++told; }};
    answers.store();
    CHECK(asked.empty()); // nothing to store
    answers.add(Numbers{1, 2});
    answers.store();
    REQUIRE(asked.size() == 1);
    CHECK(answers.durable().empty());
    answers.add(Numbers{3});
    answers.store();
    REQUIRE(asked.size() == 1); // one at a time
    asked[0](storage::Written{});
    CHECK(told == 1);
    CHECK(answers.durable() == Numbers{1, 2}); // the third came after it
    answers.store();
    REQUIRE(asked.size() == 2);
    asked[1](std::unexpected("no space left"));
    CHECK(told == 1);
    CHECK(answers.durable() == Numbers{1, 2});
    answers.store(); // again
    REQUIRE(asked.size() == 3);
    answers.remove(Numbers{1, 2});
    CHECK(answers.all() == Numbers{3});
    asked[2](storage::Written{});
    CHECK(answers.durable() == Numbers{3});
    answers.remove(Numbers{3});
    CHECK(answers.all().empty());
    CHECK(answers.durable().empty());
}

TEST_CASE("delivered answers: the store may tell when they have gone") {
    storage::Done late;
    int told = 0;
    {
        DeliveredAnswers answers{[&](storage::Done done) { late = std::move(done); },
                                 [&] { ++told; }};
        answers.add(Numbers{1});
        answers.store();
    }
    late(storage::Written{});
    CHECK(told == 1);
}
