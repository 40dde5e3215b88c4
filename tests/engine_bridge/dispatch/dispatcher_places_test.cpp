// Dispatcher: who is told of questions and may take them: places that wait, are lent, or are
// reserved.
#include "dispatcher_table.hpp"

using namespace adjourn::engine_bridge;
using namespace adjourn::engine_bridge::testing;
namespace chess = adjourn::chess;
using namespace std::chrono_literals;

TEST_CASE("a place that waits is told, the warm one first; who has enough leaves others one each") {
    Table f{1, 2};
    for (const PlaceId place : f.places) {
        f.take(place, 1);
        f.book.wait(place, true);
    }
    f.ask(1, 11);
    CHECK(f.looked == Jobs{2}); // one here
    CHECK(f.take(3, 1) == Jobs{1});
    f.book.answer(f.leases[1], 3, found());
    f.take(3, 1);
    f.looked.clear();
    f.ask(2, 11);
    CHECK(f.looked == Jobs{3});

    Table scarce{2, 0};
    scarce.book.offer(1, scarce.profile, {1, 4});
    scarce.book.offer(2, scarce.profile, {1, 4});
    scarce.ask(1);
    scarce.ask(2);
    scarce.ask(3);
    CHECK(scarce.take(1, 4) == Jobs{1, 2});
    CHECK(scarce.take(2, 4) == Jobs{3});
}

TEST_CASE("processes that are lent get nothing new") {
    Table f{0, 0};
    for (int i = 0; i < 3; ++i) {
        f.enter("", 1);
    }
    f.book.set_reserving(f.profile, {[](PlaceId, std::size_t) {}, [](PlaceId) {}, [](PlaceId) {}});
    const PlaceId one = f.book.reserve(f.profile, {1});
    const PlaceId other = f.book.reserve(f.profile, {2});
    f.book.lend(one, 1);
    f.book.lend(other, 3);
    CHECK(f.book.lent(f.profile) == 4);
    f.book.lend(other, 1);
    CHECK(f.book.lent(f.profile) == 2);
    f.ask(1);
    f.ask(2);
    CHECK(f.take(1, 1) == Jobs{1});
    CHECK(f.take(2, 1).empty());
    f.looked.clear();
    f.book.answer(f.leases[1], 1, found());
    CHECK(f.looked == Jobs{2}); // it has waited
    CHECK(f.take(2, 1) == Jobs{2});
    f.ask(3);
    f.looked.clear();
    CHECK(f.take(1, 1).empty());
    f.ask(4, 0, [](Job& job) { job.urgent = true; }); // somebody waits for that
    CHECK(f.take(1, 1) == Jobs{4});
    f.book.release(one, noon);
    CHECK(f.book.lent(f.profile) == 1);
    f.book.release(other, noon);
    CHECK(f.book.lent(f.profile) == 0);
    CHECK(std::ranges::count(f.looked, PlaceId{1}) == 1);
    CHECK(f.take(3, 1) == Jobs{3});
}

TEST_CASE("a reserved place takes its own questions, is kept warm, and goes for others") {
    Table f{0, 1};
    std::vector<PlaceId> opened, closed, looked;
    const Dispatcher::Reserving reserving{
        [&](PlaceId place, std::size_t) { opened.push_back(place); },
        [&](PlaceId place) { closed.push_back(place); },
        [&](PlaceId place) { looked.push_back(place); }};
    f.book.set_reserving(f.profile, reserving);
    const PlaceId first = f.book.reserve(f.profile, {7});
    CHECK(opened == Jobs{first});
    CHECK_FALSE(f.book.works(first));
    f.ask(1, 0, [&](Job& job) { job.place = first; }); // it waits for its process
    f.book.offer(first, f.profile, {1, 1});
    CHECK(f.book.works(first));
    CHECK(f.book.room(f.profile) == 4); // no question of the queue
    CHECK(f.take(1, 4).empty());
    f.ask(2);
    CHECK(f.take(first, 4) == Jobs{1});
    f.book.answer(f.leases[1], first, none(Failure::Kind::crashed));
    CHECK(f.take(first, 1) == Jobs{1});
    f.book.answer(f.leases[1], first, none(Failure::Kind::crashed));
    CHECK(f.failed(1).attempts == 2);

    const PlaceId second = f.book.reserve(f.profile, {8});
    f.book.release(first, noon);
    f.book.release(second, noon + 1s);
    CHECK(f.book.reserve(f.profile, {8}) == second); // the one that knows it
    CHECK(f.book.reserve(f.profile, {9}) == first);
    CHECK(opened == Jobs{first, second});
    f.book.release(first, noon + 2s);
    f.book.dismiss_idle(noon + 61s, 60s);
    CHECK(closed.empty());
    f.book.dismiss_idle(noon + 62s, 60s);
    CHECK(closed == Jobs{first});

    const ProfileId other = f.book.add("other");
    f.book.set_reserving(other, reserving);
    f.book.release(second, noon);
    for (int i = 0; i < 4; ++i) {
        f.book.reserve(other, {1});
    }
    CHECK(closed == Jobs{first, second}); // four at most
    CHECK(f.book.reserved() == 4);
    f.book.close(other);
    CHECK(f.book.reserved() == 0);
}
