// Dispatcher: each question ends exactly once, whatever places do; who is told of questions and may
// take them: places that wait, are lent, or are reserved.
#include "engine_bridge/dispatch/dispatcher.hpp"
#include "test.hpp"

using namespace adjourn::engine_bridge;
namespace chess = adjourn::chess;
using namespace std::chrono_literals;

namespace {

const Dispatcher::Time noon{std::chrono::hours{12}};

Answer found() {
    const chess::Move move = chess::Position::initial().legal_moves()[0];
    return {move, chess::Score::cp(5), chess::Bound::exact, 8, 8, 100, 3, {move}, 0, std::nullopt};
}

std::unexpected<Failure> none(Failure::Kind kind) {
    return std::unexpected(Failure{kind, "for a test", 1});
}

struct Table {
    explicit Table(std::size_t machines = 2, std::size_t here = 0) {
        for (std::size_t i = 0; i < machines + here; ++i) {
            enter(i < machines ? "m" + std::to_string(i + 1) : "");
        }
    }
    PlaceId enter(const std::string& machine, std::size_t processes = 4) {
        const auto at = std::make_shared<PlaceId>(0);
        *at = book.enter([this, at] { looked.push_back(*at); }, machine);
        book.offer(*at, profile, {processes, processes});
        places.push_back(*at);
        return *at;
    }
    void ask(JobId id, std::uint64_t affinity = 0, const std::function<void(Job&)>& with = {}) {
        Job job{id, chess::Position::initial(), {chess::Limit::Kind::depth, 8}, {}, affinity};
        if (with) {
            with(job);
        }
        book.submit(profile, std::move(job), [this, id](Result result) {
            REQUIRE(ended.emplace(id, std::move(result)).second);
        });
    }
    // Ids of the jobs.
    std::vector<JobId> take(PlaceId place, std::size_t most, Dispatcher::Time now = noon) {
        std::vector<JobId> jobs;
        for (const auto& lease : book.take(place, profile, most, now)) {
            jobs.push_back(lease.job.id);
            leases[lease.job.id] = lease.id;
        }
        return jobs;
    }
    const Failure& failed(JobId id) { return ended.at(id).error(); }

    Dispatcher book{{.life = 10s, .first = 100}};
    ProfileId profile = book.add("some");
    std::vector<PlaceId> places;
    std::vector<PlaceId> looked;
    std::map<JobId, Result> ended;
    std::map<JobId, LeaseId> leases; // the last of each
};

using Jobs = std::vector<JobId>;

} // namespace

TEST_CASE("a question is taken, answered, and gone; lease ids go on") {
    Table f;
    f.ask(7);
    f.ask(8);
    CHECK(f.book.room(f.profile) == 6);
    CHECK(f.take(1, 1) == Jobs{7});
    CHECK(f.take(2, 5) == Jobs{8});
    CHECK(f.leases == std::map<JobId, LeaseId>{{7, 100}, {8, 101}});
    CHECK(f.take(1, 1).empty());
    CHECK(f.book.leases(1) == 1);
    CHECK(f.book.answer(100, 1, found()));
    CHECK(f.ended.at(7));
    CHECK_FALSE(f.book.answer(100, 1, found())); // told twice
    CHECK_FALSE(f.book.question(100, 1));
    CHECK_FALSE(f.book.question(101, 1)); // another machine's
    CHECK_FALSE(f.book.answer(101, 1, found()));
    CHECK_FALSE(f.book.answer(999, 1, found()));
    CHECK(f.book.room(f.profile) == 7);
}

TEST_CASE("what is put back waits again with the tries that it had, behind a higher priority") {
    Table f{0, 1};
    f.ask(1);
    CHECK(f.take(1, 1) == Jobs{1});
    f.book.answer(f.leases[1], 1, none(Failure::Kind::crashed));
    CHECK(f.take(1, 1) == Jobs{1}); // its second try
    f.ask(2, 0, [](Job& job) { job.priority = 1; });
    CHECK(f.book.waits(2));
    CHECK_FALSE(f.book.waits(1));
    f.book.put_back(2); // nobody has it
    f.book.put_back(99);
    CHECK(f.book.news(1).empty());
    f.book.put_back(1);
    CHECK(f.book.news(1).withdrawn == std::vector<LeaseId>{f.leases[1]});
    CHECK_FALSE(f.book.answer(f.leases[1], 1, none(Failure::Kind::cancelled)));
    CHECK(f.ended.empty());
    CHECK(f.book.waits(1));
    CHECK(f.take(1, 1) == Jobs{2});
    CHECK(f.take(1, 1) == Jobs{1});
    f.book.answer(f.leases[1], 1, none(Failure::Kind::crashed));
    CHECK(f.failed(1).attempts == 2); // as many as this place may have
}

TEST_CASE("room beside what is of lower priority, and processes that have nothing") {
    Table f{0, 1};
    CHECK(f.book.idle(f.profile) == 4);
    for (JobId id = 1; id <= 5; ++id) {
        f.ask(id);
    }
    CHECK(f.book.room(f.profile) == 0);
    CHECK(f.book.room(f.profile, 2) == 1);
    CHECK(f.book.room(f.profile, 99) == 4);
    CHECK(f.take(1, 3).size() == 3);
    CHECK(f.book.idle(f.profile) == 1);
}

TEST_CASE("a beat keeps the leases that a machine has, and no others") {
    Table f;
    f.ask(1);
    f.ask(2);
    CHECK(f.take(1, 2).size() == 2);
    f.book.beat(1, {100}, noon + 9s);
    f.book.look_after(noon + 10s);
    CHECK(f.book.leases(1) == 1);
    f.book.beat(2, {100}, noon + 11s); // it is not his
    CHECK(f.book.news(2).withdrawn == std::vector<LeaseId>{100});
    f.book.look_after(noon + 19s);
    CHECK(f.book.leases(1) == 0);
    CHECK(f.ended.empty());
}

TEST_CASE("what expired goes out first, elsewhere; who is first has answered it") {
    Table f;
    f.ask(1);
    f.take(1, 1);
    f.ask(2);
    f.book.look_after(noon + 10s);
    CHECK(f.take(2, 1, noon + 10s) == Jobs{1});
    const LeaseId again = f.leases[1];
    CHECK(again != 100);
    f.book.beat(1, {100}, noon + 11s); // it has slept; its answer is still good
    CHECK(f.book.news(1).empty());
    CHECK_FALSE(f.book.answer(100, 1, none(Failure::Kind::crashed))); // a failure is not
    CHECK(f.book.leases(2) == 1);
    CHECK(f.book.answer(100, 1, found()));
    CHECK(f.ended.at(1));
    CHECK(f.book.news(2).withdrawn == std::vector{again});
    CHECK_FALSE(f.book.answer(again, 2, found()));
    f.book.beat(1, {100}, noon + 12s);
    CHECK(f.book.news(1).withdrawn == std::vector<LeaseId>{100});
}

// Whoever may have the question tries it and dies of it. Returns the deaths.
TEST_CASE(
    "a killer position costs three engines at most, wherever they are, and two of one place") {
    std::mt19937_64 random{7};
    for (std::size_t here = 0; here <= 3; ++here) {
        for (std::size_t machines = 0; machines <= 3; ++machines) {
            if (here + machines == 0) {
                continue;
            }
            for (int round = 0; round < 20; ++round) {
                CAPTURE(here, machines, round);
                Table f{machines, here};
                std::map<PlaceId, int> deaths;
                f.ask(1);
                while (f.ended.empty()) {
                    std::ranges::shuffle(f.places, random);
                    for (const PlaceId place : f.places) {
                        if (f.take(place, 1) == Jobs{1}) {
                            ++deaths[place];
                            f.book.answer(f.leases[1], place, none(Failure::Kind::crashed));
                        }
                    }
                }
                int all = 0;
                for (const auto& [place, times] : deaths) {
                    all += times;
                    CHECK(times <= 2);
                }
                CHECK(all == (here + machines == 1 ? 2 : 3)); // alone there is no third place
                CHECK(f.failed(1).kind == Failure::Kind::crashed);
                CHECK(f.failed(1).attempts == all);
            }
        }
    }
}

TEST_CASE("what is tried again goes elsewhere, and back only where nobody else may have it") {
    Table f{0, 2};
    f.ask(1);
    CHECK(f.take(1, 1) == Jobs{1});
    f.ask(2);
    f.book.answer(f.leases[1], 1, none(Failure::Kind::crashed));
    CHECK(f.take(1, 1) == Jobs{2}); // the other one first
    CHECK(f.take(2, 1) == Jobs{1});
    f.book.offer(1, f.profile, {1, 0}); // gone for good
    f.book.answer(f.leases[1], 2, none(Failure::Kind::hung));
    CHECK(f.take(2, 1) == Jobs{1});
    f.book.answer(f.leases[1], 2, none(Failure::Kind::no_result));
    CHECK(f.failed(1).kind == Failure::Kind::no_result);
    CHECK(f.failed(1).attempts == 3);
    f.ask(3);
    CHECK(f.take(2, 1) == Jobs{3});
    f.book.answer(f.leases[3], 2, none(Failure::Kind::unfit)); // nobody can be asked that
    CHECK(f.failed(3).attempts == 1);
}

TEST_CASE("where nobody is left, and nobody comes back, questions end and say why") {
    Table f{0, 1};
    f.ask(1);
    f.book.offer(1, f.profile, {1, 0, true}); // it starts again
    CHECK(f.ended.empty());
    CHECK(f.book.room(f.profile) == 0);
    f.book.offer(1, f.profile, {1, 0, false, "no such program"});
    CHECK(f.failed(1).kind == Failure::Kind::unavailable);
    CHECK(f.failed(1).reason == "no such program");
    f.ask(2);
    CHECK(f.failed(2).reason == "no such program");
    f.enter("m"); // a machine has it
    f.ask(3);
    CHECK(f.take(2, 1) == Jobs{3});
    f.ask(4, 0, [](Job& job) { job.here = true; });
    CHECK(f.failed(4).kind == Failure::Kind::unavailable);
}

TEST_CASE("what is given back was not tried") {
    Table f{1};
    f.ask(1);
    for (int i = 0; i < 10; ++i) {
        CHECK(f.take(1, 1) == Jobs{1});
        CHECK_FALSE(f.book.answer(f.leases[1], 1, none(Failure::Kind::unavailable)));
    }
    f.enter("second");
    CHECK(f.take(1, 1) == Jobs{1});
    f.book.leave(1);
    CHECK(f.take(2, 1) == Jobs{1});
    f.book.vacate(2, true); // without a word: that counts, and nobody else is there
    CHECK(f.failed(1).kind == Failure::Kind::unavailable);
}

TEST_CASE("what is called off ends at once, but here it may have something to tell") {
    Table f{1, 1};
    f.ask(1);
    f.ask(2);
    f.ask(3);
    CHECK(f.take(1, 1) == Jobs{1});
    CHECK(f.take(2, 1) == Jobs{2});
    f.book.hurry(1);
    CHECK(f.book.news(1).hurried == std::vector{f.leases[1]});
    for (const JobId id : {1, 2, 3}) {
        f.book.cancel(id);
    }
    CHECK(f.book.news(1).withdrawn == std::vector{f.leases[1]});
    CHECK(f.book.news(1).empty());
    CHECK(f.failed(1).kind == Failure::Kind::cancelled);
    CHECK(f.failed(3).kind == Failure::Kind::cancelled);
    CHECK_FALSE(f.book.answer(f.leases[1], 1, found()));
    CHECK_FALSE(f.ended.contains(2));
    CHECK(f.book.news(2).withdrawn == std::vector{f.leases[2]});
    Failure failure{Failure::Kind::crashed, "in the same moment", 1};
    failure.found.emplace().score = chess::Score::cp(3);
    f.book.answer(f.leases[2], 2, std::unexpected(failure));
    CHECK(f.failed(2).kind == Failure::Kind::cancelled);
    CHECK(f.failed(2).found);
    f.book.cancel(2); // long over
}

TEST_CASE("a profile that is closed answers all, also what comes later") {
    Table f{1, 1};
    f.book.identify(f.profile, {"Some 1", "", {}, ""});
    CHECK(f.book.named("some")->identity->name == "Some 1");
    for (const JobId id : {1, 2, 3}) {
        f.ask(id);
    }
    f.take(1, 1);
    f.take(2, 1);
    f.book.close(f.profile);
    CHECK(f.ended.size() == 3);
    f.ask(4);
    CHECK(f.failed(4).kind == Failure::Kind::cancelled);
    CHECK_FALSE(f.book.named("some"));
    CHECK(f.book.closed(f.profile));
    CHECK(f.book.room(f.profile) == 0);
    CHECK(f.book.news(1).withdrawn == std::vector{f.leases[1]});
}

TEST_CASE("what somebody has answered already is not asked") {
    Table f;
    f.book.set_known([](ProfileId, const Job& job) {
        return job.id == 1 ? std::optional{found()} : std::nullopt;
    });
    f.ask(1);
    CHECK(f.ended.at(1));
    f.ask(2);
    f.take(1, 1);
    CHECK(f.book.find(f.profile, [](const Job& job) { return job.id == 2; })->id == 2);
    CHECK(f.book.answer_open(2, found()));
    CHECK_FALSE(f.book.answer_open(2, found()));
    CHECK(f.book.news(1).withdrawn == std::vector{f.leases[2]});
}

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
