#include "engine_bridge/dispatch/job_queue.hpp"
#include "test.hpp"

using namespace adjourn::engine_bridge;

namespace {

using Suits = JobQueue::Suits;

JobQueue::Waiting job(JobId id, std::uint64_t affinity = 0, bool urgent = false, int priority = 0) {
    return {id, affinity, urgent, false, priority};
}

JobId take(JobQueue& queue, std::size_t process, const JobQueue::Choice& suits = {}) {
    return queue.take(process, suits).value_or(0);
}

// So many, one after the other.
std::vector<JobId> take_all(JobQueue& queue, std::size_t process) {
    std::vector<JobId> taken;
    while (!queue.empty()) {
        taken.push_back(take(queue, process));
    }
    return taken;
}

} // namespace

TEST_CASE("what is urgent goes first, then a higher priority, retries, affinity, and in order") {
    JobQueue queue;
    queue.push(job(1, 10));
    CHECK(take(queue, 0) == 1); // it serves this affinity from now on
    queue.push(job(11));
    queue.push(job(2, 10));
    queue.push_retry(job(3));
    queue.push(job(4, 0, false, 5));
    queue.push(job(5, 0, false, 5));
    queue.push_retry(job(6, 0, false, 5));
    queue.push(job(7, 10, false, -1));
    queue.push(job(8, 0, true));
    queue.push(job(9, 0, true));
    queue.push_retry(job(10, 0, true));
    CHECK(queue.size() == 10);
    CHECK(take_all(queue, 0) == std::vector<JobId>{10, 8, 9, 6, 4, 5, 3, 2, 11, 7});
    CHECK(take(queue, 0) == 0);
}

TEST_CASE("a higher priority that this place may not have does not keep it from others") {
    JobQueue queue;
    queue.push({1, 0, false, true, 5});
    queue.push({2, 0, false, false, 0});
    const auto none = [](JobId) { return Suits::no; };
    CHECK(take(queue, 0, none) == 2);
    CHECK(take(queue, 0, none) == 0);
    CHECK(take(queue, 0) == 1);
}

TEST_CASE("a waiting job can be made urgent, or be removed") {
    JobQueue queue;
    queue.push(job(1, 10));
    queue.push(job(2, 10));
    queue.push_retry(job(3));
    queue.push(job(4, 0, true));
    queue.push(job(5));
    queue.hurry(2);
    queue.hurry(3);
    queue.hurry(77); // not here
    REQUIRE(queue.remove(5));
    CHECK_FALSE(queue.remove(5));
    CHECK(queue.all().size() == 4);
    CHECK(take_all(queue, 0) == std::vector<JobId>{4, 2, 3, 1});
}

TEST_CASE("equal affinities go to the process that took the first, and none idles for that") {
    JobQueue queue;
    queue.push(job(1, 10));
    queue.push(job(2, 20));
    CHECK(take(queue, 0) == 1);
    CHECK(take(queue, 1) == 2);
    CHECK(queue.server_of(10) == 0);
    CHECK(queue.server_of(20) == 1);
    queue.push(job(3, 10));
    queue.push(job(4, 20));
    queue.push(job(5, 20));
    queue.push(job(6, 10));
    queue.push(job(7, 30));
    queue.push(job(8, 20));
    CHECK(take(queue, 0) == 3);
    CHECK(take(queue, 2) == 7); // what nobody serves goes before stolen ones
    CHECK(queue.server_of(30) == 2);
    CHECK(take(queue, 2) == 4);      // of who has most
    CHECK(queue.server_of(20) == 1); // stealing does not move the rest
    CHECK(take(queue, 1) == 5);
    CHECK(take(queue, 1) == 8);
    CHECK(take(queue, 1) == 6);
    CHECK(queue.empty());
    queue.forget(0); // it was replaced
    CHECK(queue.server_of(10) == std::nullopt);
}

TEST_CASE(
    "a choosy job goes where it suits, and where it does not quite if nothing else is there") {
    JobQueue queue;
    const auto suits = [](Suits how) { return [how](JobId) { return how; }; };
    queue.push(job(1));
    queue.push_retry({2, 0, false, true});
    CHECK(take(queue, 0, suits(Suits::at_last)) == 1);
    CHECK(take(queue, 0, suits(Suits::no)) == 0);
    CHECK(take(queue, 0, suits(Suits::at_last)) == 2);
    queue.push({3, 0, false, true});
    queue.push({4, 0, true, true});
    queue.push(job(5));
    CHECK(take(queue, 0, suits(Suits::no)) == 5);
    CHECK(take(queue, 0, suits(Suits::yes)) == 4);
    CHECK(take(queue, 0, suits(Suits::yes)) == 3);
}

TEST_CASE("affinities are forgotten, oldest first, beyond a limit") {
    JobQueue queue;
    for (std::uint64_t affinity = 1; affinity <= JobQueue::max_affinities + 1; ++affinity) {
        queue.push(job(affinity, affinity));
        take(queue, 0);
    }
    CHECK(queue.server_of(1) == std::nullopt);
    CHECK(queue.server_of(2) == 0);
    CHECK(queue.server_of(JobQueue::max_affinities + 1) == 0);
}
