#include "engine_bridge/dispatch/job_queue.hpp"
#include "test.hpp"

using namespace adjourn::engine_bridge;

namespace {

using Suits = JobQueue::Suits;

JobQueue::Waiting job(JobId id, std::uint64_t affinity = 0, bool urgent = false) {
    return {id, affinity, urgent};
}

JobId take(JobQueue& queue, std::size_t process, const JobQueue::Choice& suits = {}) {
    return queue.take(process, suits).value_or(0);
}

} // namespace

TEST_CASE("jobs without affinity are taken in order") {
    JobQueue queue;
    queue.push(job(1));
    queue.push(job(2));
    queue.push(job(3));
    CHECK(take(queue, 5) == 1);
    CHECK(take(queue, 0) == 2);
    CHECK(take(queue, 5) == 3);
    CHECK(take(queue, 5) == 0);
}

TEST_CASE("urgent jobs go before retries, and these before all others") {
    JobQueue queue;
    queue.push(job(1));
    queue.push(job(2, 0, true));
    queue.push(job(3, 0, true));
    queue.push_retry(job(4));
    CHECK(queue.size() == 4);
    queue.push_retry(job(5, 0, true));
    CHECK(take(queue, 0) == 5);
    CHECK(take(queue, 0) == 2);
    CHECK(take(queue, 0) == 3);
    CHECK(take(queue, 0) == 4);
    CHECK(take(queue, 0) == 1);
    CHECK(queue.empty());
}

TEST_CASE("a higher priority goes before affinity and retries, and behind what is urgent") {
    JobQueue queue;
    const auto of = [](JobId id, int priority, std::uint64_t affinity = 0) {
        return JobQueue::Waiting{id, affinity, false, false, priority};
    };
    queue.push(of(1, 0, 10));
    CHECK(take(queue, 0) == 1); // it serves this affinity from now on
    queue.push(of(2, 0, 10));
    queue.push_retry(of(3, 0));
    queue.push(of(4, 5));
    queue.push(of(5, 5));
    queue.push_retry(of(6, 5));
    queue.push(of(7, -1, 10));
    queue.push(job(8, 0, true));
    for (const JobId next : {8, 6, 4, 5, 3, 2, 7}) {
        CHECK(take(queue, 0) == next);
    }
    CHECK(queue.empty());
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

TEST_CASE("a waiting job can be made urgent") {
    JobQueue queue;
    queue.push(job(1, 10));
    queue.push(job(2, 10));
    queue.push_retry(job(3));
    queue.push(job(4, 0, true));
    queue.hurry(2);
    queue.hurry(3);
    queue.hurry(77); // not here
    CHECK(queue.size() == 4);
    CHECK(take(queue, 0) == 4);
    CHECK(take(queue, 0) == 2);
    CHECK(take(queue, 0) == 3);
    CHECK(take(queue, 0) == 1);
}

TEST_CASE("equal affinities go to the process that took the first") {
    JobQueue queue;
    for (JobId id = 1; id <= 6; ++id) {
        queue.push(job(id, id % 2 == 0 ? 20 : 10));
    }
    CHECK(take(queue, 0) == 1);
    CHECK(take(queue, 1) == 2);
    CHECK(queue.server_of(10) == 0);
    CHECK(queue.server_of(20) == 1);
    CHECK(take(queue, 1) == 4);
    CHECK(take(queue, 0) == 3);
    CHECK(take(queue, 0) == 5);
}

TEST_CASE("a process without jobs of its own steals from the one with most") {
    JobQueue queue;
    queue.push(job(1, 10));
    queue.push(job(2, 20));
    CHECK(take(queue, 0) == 1);
    CHECK(take(queue, 1) == 2);
    queue.push(job(3, 10));
    queue.push(job(4, 20));
    queue.push(job(5, 20));
    CHECK(take(queue, 2) == 4);
    CHECK(queue.server_of(20) == 1); // stealing does not move the rest
    CHECK(take(queue, 1) == 5);
    CHECK(take(queue, 1) == 3); // nor does a process idle for the sake of warmth
    CHECK(queue.empty());
}

TEST_CASE("jobs that nobody serves go before stolen ones") {
    JobQueue queue;
    queue.push(job(1, 10));
    CHECK(take(queue, 0) == 1);
    queue.push(job(2, 10));
    queue.push(job(3, 30));
    CHECK(take(queue, 1) == 3);
    CHECK(queue.server_of(30) == 1);
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

TEST_CASE("a replaced process serves nothing any more") {
    JobQueue queue;
    queue.push(job(1, 10));
    CHECK(take(queue, 0) == 1);
    queue.forget(0);
    CHECK(queue.server_of(10) == std::nullopt);
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

TEST_CASE("waiting jobs can be removed, and are told") {
    JobQueue queue;
    queue.push(job(1));
    queue.push(job(2, 0, true));
    queue.push(job(3));
    REQUIRE(queue.remove(3));
    CHECK_FALSE(queue.remove(3));
    CHECK(queue.all() == std::vector<JobId>{2, 1});
}
