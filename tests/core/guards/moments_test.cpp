#include "core/guards/guard.hpp"
#include "test.hpp"

using namespace adjourn::server;
using adjourn::analysis::UnixMs;

TEST_CASE("moments: the wall clock, and never back") {
    UnixMs wall = 1'000;
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

TEST_CASE("moments: a fact from far in the future counts for nothing") {
    UnixMs wall = 1'000;
    Moments moments{[&] { return wall; }};
    moments.seen(wall + Moments::most_ahead + 1);
    CHECK(moments.next() == 1'000);
    moments.seen(wall + Moments::most_ahead);
    CHECK(moments.next() == 1'000 + Moments::most_ahead);
}
