#include "storage/store.hpp"
#include "test.hpp"

using adjourn::storage::CommitTimes;
using namespace std::chrono_literals;

TEST_CASE("commit times: each in the interval whose end it does not pass") {
    CommitTimes times;
    times.add(1ns, 3);
    times.add(500us, 1);
    times.add(500us + 1ns, 1);
    times.add(10s, 1);
    times.add(11s, 2);
    CHECK(times.commits.front() == 2);
    CHECK(times.commits.at(1) == 1);
    CHECK(times.commits.at(CommitTimes::most.size() - 1) == 1);
    CHECK(times.commits.back() == 1);
    CHECK(std::accumulate(times.commits.begin(), times.commits.end(), 0U) == 5);
    CHECK(times.writes == 8);
    CHECK(times.total == 21s + 1ms + 2ns);
}
