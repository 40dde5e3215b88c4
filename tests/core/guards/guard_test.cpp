#include "core/guards/guard.hpp"
#include "storage/store.hpp"
#include "test.hpp"

#include <new>

using namespace adjourn::server;

TEST_CASE("guard: whatever a task throws is told with its place and its kind") {
    using Kind = Trouble::Kind;
    CHECK_FALSE(guarded("nothing", [] {}));
    const auto damaged = guarded("reading", [] { throw storage::DamagedRow{"row 5"}; });
    REQUIRE(damaged);
    CHECK(damaged->kind == Kind::damaged);
    CHECK(to_text(*damaged) == "in reading: row 5");
    CHECK(guarded("w", [] { throw storage::StoreError{"full"}; })->kind == Kind::store);
    CHECK(guarded("w", [] { throw std::bad_alloc{}; })->kind == Kind::other);
    CHECK(guarded("w", [] { throw 5; })->what == "an exception of unknown type");
}

TEST_CASE("watch: a task inside a task is a part of it, and the longest is kept by name") {
    HoldWatch watch;
    {
        const HoldWatch::Hold outer{watch, "outer"};
        const HoldWatch::Hold inner{watch, "inner"};
    }
    { const HoldWatch::Hold again{watch, "outer"}; }
    REQUIRE(watch.held().size() == 1);
    const HoldWatch::Held& held = watch.held().at("outer");
    CHECK(held.times == 2);
    CHECK(held.total >= held.longest);
    CHECK(watch.longest() == held.longest);
    watch.forget();
    CHECK(watch.held().empty());
}

TEST_CASE("moments: the wall clock, and never back") {
    adjourn::analysis::UnixMs wall = 1'000;
    Moments moments{[&] { return wall; }};
    CHECK(moments.next() == 1'000);
    wall = 400; // set back
    CHECK(moments.next() == 1'000);
    CHECK(moments.wall() == 400);
    moments.seen(1'500);
    CHECK(moments.next() == 1'500);
    wall = 1'600;
    CHECK(moments.next() == 1'600);
}

TEST_CASE("moments: what is under way is not complete, and later facts come later") {
    const auto moments = std::make_shared<Moments>([] { return analysis::UnixMs{1'000}; });
    CHECK(moments->complete() == 1'000);
    const auto first = moments->begin();
    CHECK(*first == 1'001); // else "since 1,000" would leave it out
    auto second = moments->begin();
    CHECK(moments->complete() == 1'000);
    second.reset();
    CHECK(moments->complete() == 1'000);
    CHECK(moments->next() > *first);
}

TEST_CASE("moments: a fact from far in the future counts for nothing") {
    adjourn::analysis::UnixMs wall = 1'000;
    Moments moments{[&] { return wall; }};
    moments.seen(wall + Moments::most_ahead + 1);
    CHECK(moments.next() == 1'000);
    moments.seen(wall + Moments::most_ahead);
    CHECK(moments.next() == 1'000 + Moments::most_ahead);
}
