#include "core/graphs/graph_lock.hpp"
#include "test.hpp"

using namespace adjourn::server;

TEST_CASE("graph lock: a change waits while somebody reads, and is called when nobody does") {
    GraphLock lock;
    int called = 0;
    lock.set_free([&] { ++called; });
    lock.enter();
    lock.enter();
    CHECK_FALSE(lock.wanted());
    CHECK_FALSE(lock.try_write());
    CHECK_FALSE(lock.try_write());
    CHECK(lock.wanted());
    lock.enter(); // it has not waited for long
    lock.leave();
    lock.leave();
    CHECK(called == 0);
    lock.leave();
    CHECK(called == 1);
    REQUIRE(lock.try_write());
    lock.written();
    CHECK_FALSE(lock.wanted());
    CHECK(called == 1);
}

TEST_CASE("graph lock: a change that cannot wait is let in between two steps of a reader, and what "
          "waited before waits on") {
    GraphLock lock;
    int called = 0;
    lock.set_free([&] { ++called; });
    std::atomic<bool> reading = false, changed = false;
    int value = 0; // ThreadSanitizer sees whether two use it at once
    std::thread reader{[&] {
        const GraphReading read{&lock};
        int seen = value;
        reading = true;
        while (!changed) {
            read.breathe();
            seen = value;
        }
        CHECK(seen == 1);
    }};
    while (!reading) {
        std::this_thread::yield();
    }
    CHECK_FALSE(lock.try_write());
    {
        const GraphWriting writing{lock};
        value = 1;
        changed = true;
    }
    reader.join();
    CHECK(called > 0);
    CHECK(lock.wanted());
    CHECK(lock.try_write());
    lock.written();
    CHECK_FALSE(lock.wanted());
}
