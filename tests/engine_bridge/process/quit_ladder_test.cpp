#include "engine_bridge/process/child.hpp"
#include "engine_bridge/process/profile.hpp"
#include "test.hpp"

using adjourn::engine_bridge::QuitLadder;
using Step = QuitLadder::Step;

namespace {

QuitLadder::Time at(int ms) {
    return QuitLadder::Time{} + std::chrono::milliseconds{ms};
}

} // namespace

TEST_CASE("pitfall 5: the quit ladder takes each step once and in order") {
    QuitLadder ladder{std::chrono::milliseconds{100}};
    CHECK_FALSE(ladder.begun());
    CHECK(ladder.step(at(5)) == std::nullopt);
    CHECK(ladder.deadline() == std::nullopt);
    ladder.begin(false, at(10));
    CHECK(ladder.begun());
    CHECK(ladder.step(at(10)) == Step::quit);
    CHECK(ladder.deadline() == at(110));
    ladder.search_over(at(20)); // hastens nothing any more
    CHECK(ladder.step(at(109)) == std::nullopt);
    CHECK(ladder.step(at(110)) == Step::terminate);
    CHECK(ladder.step(at(150)) == std::nullopt);
    CHECK(ladder.step(at(250)) == Step::kill);
    CHECK(ladder.deadline() == std::nullopt);
    CHECK(ladder.step(at(9999)) == std::nullopt);
    CHECK(ladder.begun());
    CHECK(3 * adjourn::engine_bridge::Timeouts{}.quit < std::chrono::seconds{5}); // all of it
}

TEST_CASE("pitfall 5: in mid-search stop comes first, and quit waits for bestmove") {
    QuitLadder deaf{std::chrono::milliseconds{100}};
    deaf.begin(true, at(0));
    CHECK(deaf.step(at(0)) == Step::stop);
    CHECK(deaf.step(at(99)) == std::nullopt);
    CHECK(deaf.step(at(100)) == Step::quit);
    CHECK(deaf.deadline() == at(200));

    QuitLadder quick{std::chrono::milliseconds{100}};
    quick.begin(true, at(0));
    quick.search_over(at(0)); // not before stop
    CHECK(quick.step(at(0)) == Step::stop);
    quick.search_over(at(3));
    CHECK(quick.step(at(3)) == Step::quit);
    CHECK(quick.step(at(4)) == std::nullopt);
}
