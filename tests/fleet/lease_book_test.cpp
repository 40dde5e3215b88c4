// LeaseBook: each question ends exactly once, whatever machines do.
#include "fleet/lease_book.hpp"

#include <catch2/catch.hpp>

#include <random>

using namespace adjourn;
using namespace adjourn::server;
using namespace std::chrono_literals;
using engine_bridge::Answer;
using engine_bridge::Failure;
using engine_bridge::Job;

namespace {

const LeaseBook::Time noon{std::chrono::hours{12}};

Job job_of(engine_bridge::JobId id, std::uint64_t affinity = 0) {
    Job job{id, chess::Position::initial(), {chess::Limit::Kind::depth, 8}, {}};
    job.affinity = affinity;
    return job;
}

Answer found() {
    const chess::Move move = chess::Position::initial().legal_moves()[0];
    return {move, chess::Score::cp(5), chess::Bound::exact, 8, 8, 100, 3, {move}, 0, std::nullopt};
}

std::unexpected<Failure> none(Failure::Kind kind, int attempts = 3) {
    return std::unexpected(Failure{kind, "for a test", attempts});
}

// Two machines for one profile.
struct Two {
    LeaseBook book{{10s, 3, 100}};
    Two() {
        book.set_capacity(1, 0, 4);
        book.set_capacity(2, 0, 4);
    }
};

} // namespace

TEST_CASE("leases: a question is taken, answered, and gone; ids go on") {
    Two f;
    f.book.offer(0, job_of(7));
    f.book.offer(0, job_of(8));
    CHECK(f.book.capacity(0) == 8);
    const auto first = f.book.take(1, 0, 1, noon);
    const auto second = f.book.take(2, 0, 5, noon);
    REQUIRE(first.size() == 1);
    REQUIRE(second.size() == 1);
    CHECK(first[0].id == 100);
    CHECK(second[0].id == 101);
    CHECK(f.book.take(1, 0, 1, noon).empty());
    CHECK(f.book.leases(1) == 1);
    const auto ended = f.book.answer(100, 1, found());
    REQUIRE(ended);
    CHECK(ended->job == 7);
    CHECK(ended->result);
    CHECK_FALSE(f.book.answer(100, 1, found())); // told twice
    CHECK(f.book.question(100, 1) == nullptr);
    CHECK(f.book.question(101, 1) == nullptr); // another machine's
    CHECK_FALSE(f.book.answer(101, 1, found()));
    CHECK_FALSE(f.book.answer(999, 1, found()));
    CHECK(f.book.open(0) == 1);
}

TEST_CASE("leases: a beat keeps those that the machine has, and no others") {
    Two f;
    f.book.offer(0, job_of(1));
    f.book.offer(0, job_of(2));
    const auto leases = f.book.take(1, 0, 2, noon);
    REQUIRE(leases.size() == 2);
    f.book.beat(1, {leases[0].id}, noon + 9s);
    CHECK(f.book.expire(noon + 10s).empty());
    CHECK(f.book.leases(1) == 1);
    CHECK(f.book.waiting(0) == 1);
    f.book.beat(2, {leases[0].id}, noon + 11s); // it is not his
    CHECK(f.book.news(2).withdrawn == std::vector{leases[0].id});
    CHECK(f.book.expire(noon + 19s).empty());
    CHECK(f.book.leases(1) == 0);
}

TEST_CASE("leases: what expired goes out first, elsewhere; who is first has answered it") {
    Two f;
    f.book.offer(0, job_of(1));
    const LeaseId old = f.book.take(1, 0, 1, noon).at(0).id;
    f.book.offer(0, job_of(2));
    CHECK(f.book.expire(noon + 10s).empty());
    const auto again = f.book.take(2, 0, 1, noon + 10s);
    REQUIRE(again.size() == 1);
    CHECK(again[0].job.id == 1);
    CHECK(again[0].id != old);
    f.book.beat(1, {old}, noon + 11s); // it has slept; its answer is still good
    CHECK(f.book.news(1).empty());
    CHECK_FALSE(f.book.answer(old, 1, none(Failure::Kind::crashed))); // a failure is not
    CHECK(f.book.leases(2) == 1);
    const auto ended = f.book.answer(old, 1, found());
    REQUIRE(ended);
    CHECK(ended->job == 1);
    CHECK(f.book.news(2).withdrawn == std::vector{again[0].id});
    CHECK_FALSE(f.book.answer(again[0].id, 2, found()));
    f.book.beat(1, {old}, noon + 12s);
    CHECK(f.book.news(1).withdrawn == std::vector{old});
}

TEST_CASE("leases: three places without an answer are enough") {
    LeaseBook book{{10s, 3, 1}};
    for (const PlaceId place : {1, 2, 3}) {
        book.set_capacity(place, 0, 1);
    }
    book.offer(0, job_of(1));
    for (const PlaceId place : {1, 2}) {
        const auto taken = book.take(place, 0, 1, noon);
        REQUIRE(taken.size() == 1);
        CHECK_FALSE(book.answer(taken[0].id, place, none(Failure::Kind::crashed)));
    }
    const auto last = book.take(3, 0, 1, noon);
    REQUIRE(last.size() == 1);
    const auto ended = book.answer(last[0].id, 3, none(Failure::Kind::crashed));
    REQUIRE(ended);
    REQUIRE_FALSE(ended->result);
    CHECK(ended->result.error().kind == Failure::Kind::crashed);
    CHECK(ended->result.error().attempts == 9);
    CHECK(book.open(0) == 0);
}

TEST_CASE("leases: what is given back is not counted; alone, a failure is the end") {
    LeaseBook book{{10s, 3, 1}};
    book.set_capacity(1, 0, 1);
    book.offer(0, job_of(1));
    for (int i = 0; i < 10; ++i) {
        const auto taken = book.take(1, 0, 1, noon);
        REQUIRE(taken.size() == 1);
        CHECK_FALSE(book.answer(taken[0].id, 1, none(Failure::Kind::unavailable, 0)));
    }
    for (int i = 0; i < 10; ++i) {
        REQUIRE(book.take(1, 0, 1, noon).size() == 1);
        CHECK(book.leave(1, false).empty());
        book.set_capacity(1, 0, 1);
    }
    const auto taken = book.take(1, 0, 1, noon);
    const auto ended = book.answer(taken.at(0).id, 1, none(Failure::Kind::hung));
    REQUIRE(ended);
    CHECK(ended->result.error().attempts == 3);
}

TEST_CASE("leases: what nobody waits for is told where it is, and late when it comes") {
    Two f;
    f.book.offer(0, job_of(1));
    f.book.offer(0, job_of(2));
    const auto taken = f.book.take(1, 0, 1, noon);
    CHECK(f.book.hurry(1));
    CHECK(f.book.news(1).hurried == std::vector{taken.at(0).id});
    CHECK(f.book.withdraw(1));
    CHECK(f.book.has_news(1));
    CHECK(f.book.news(1).withdrawn == std::vector{taken.at(0).id});
    CHECK_FALSE(f.book.has_news(1));
    CHECK_FALSE(f.book.answer(taken.at(0).id, 1, found()));
    CHECK(f.book.withdraw(2));
    CHECK_FALSE(f.book.withdraw(2));
    CHECK(f.book.take(1, 0, 5, noon).empty());
}

TEST_CASE("leases: what is urgent goes first; lines that belong together stay together") {
    Two f;
    f.book.offer(0, job_of(1, 11));
    f.book.offer(0, job_of(2, 22));
    CHECK(f.book.take(1, 0, 1, noon).at(0).job.id == 1);
    CHECK(f.book.take(2, 0, 1, noon).at(0).job.id == 2);
    f.book.offer(0, job_of(3, 22));
    f.book.offer(0, job_of(4, 11));
    f.book.offer(0, job_of(5, 22));
    CHECK(f.book.hurry(5));
    CHECK(f.book.server_of(0, 11) == PlaceId{1});
    CHECK(f.book.take(1, 0, 1, noon).at(0).job.id == 5);
    CHECK(f.book.take(1, 0, 1, noon).at(0).job.id == 4);
    CHECK(f.book.take(1, 0, 1, noon).at(0).job.id == 3); // better than nothing
    f.book.leave(1, false);
    CHECK_FALSE(f.book.server_of(0, 11));
}

TEST_CASE("leases: in any order of what may happen, each question ends once") {
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        CAPTURE(seed);
        std::mt19937_64 random{seed};
        LeaseBook book{{10s, 3, 1}};
        LeaseBook::Time now = noon;
        std::map<engine_bridge::JobId, int> ends;
        std::set<LeaseId> ids;
        std::map<PlaceId, std::vector<LeaseId>> had; // ever
        engine_bridge::JobId next = 1;
        const auto over = [&](const LeaseBook::Ended& ended) { ++ends.at(ended.job); };
        for (PlaceId place = 1; place <= 4; ++place) {
            for (const ProfileIndex profile : {0, 1}) {
                book.set_capacity(place, profile, 3);
            }
        }
        for (int step = 0; step < 400; ++step) {
            const PlaceId place = 1 + random() % 4;
            const ProfileIndex profile = random() % 2;
            const auto lease = [&] {
                const auto& all = had[place];
                return all.empty() ? LeaseId{0} : all[random() % all.size()];
            };
            switch (random() % 10) {
            case 0:
            case 1:
                ends[next] = 0;
                book.offer(profile, job_of(next++, random() % 5));
                break;
            case 2:
            case 3:
                for (const auto& taken : book.take(place, profile, random() % 3, now)) {
                    CHECK(ids.insert(taken.id).second);
                    had[place].push_back(taken.id);
                }
                break;
            case 4: book.beat(place, {lease(), lease()}, now); break;
            case 5:
                if (const auto ended = book.answer(lease(), place, found())) {
                    over(*ended);
                }
                break;
            case 6:
                if (const auto ended =
                        book.answer(lease(), place,
                                    none(random() % 2 == 0 ? Failure::Kind::crashed
                                                           : Failure::Kind::unavailable))) {
                    over(*ended);
                }
                break;
            case 7:
                now += std::chrono::seconds{random() % 6};
                for (const auto& ended : book.expire(now)) {
                    over(ended);
                }
                break;
            case 8: {
                const engine_bridge::JobId job = 1 + random() % next;
                if (random() % 2 == 0) {
                    book.hurry(job);
                } else if (book.withdraw(job)) {
                    ++ends.at(job);
                }
                break;
            }
            case 9:
                if (random() % 4 == 0) {
                    for (const auto& ended : book.leave(place, random() % 2 == 0)) {
                        over(ended);
                    }
                    book.set_capacity(place, profile, random() % 4);
                }
                break;
            }
            std::size_t open = 0;
            for (const auto& [job, times] : ends) {
                REQUIRE(times <= 1);
                open += times == 0 ? 1 : 0;
            }
            REQUIRE(book.open(0) + book.open(1) == open);
            std::size_t leased = 0;
            for (PlaceId each = 1; each <= 4; ++each) {
                leased += book.leases(each);
            }
            REQUIRE(leased + book.waiting(0) + book.waiting(1) == open);
        }
        // Whatever is left can still be had and answered.
        book.expire(now + 1h);
        for (const ProfileIndex profile : {0, 1}) {
            for (const auto& left : book.take_back(profile)) {
                ++ends.at(left.id);
            }
            CHECK(book.open(profile) == 0);
        }
    }
}
