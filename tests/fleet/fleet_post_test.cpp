// Machines that meet the fleet in tables: what is lost, late and told twice there changes nothing
// of what is found.
#include "post_fixture.hpp"

#include <random>

using namespace adjourn;
using namespace adjourn::server;
using namespace std::chrono_literals;
using Number = FleetPost::Number;

TEST_CASE("post: whatever happens to tables and machines, the facts are those of one machine") {
    std::vector<std::string> alone;
    {
        PostFixture f{true};
        f.core->create(ruy_lopez, 2);
        f.core->work_until([&] { return f.settled(); });
        REQUIRE(f.settled());
        alone = f.facts();
    }
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        CAPTURE(seed);
        std::mt19937_64 random{seed};
        PostFixture f{true};
        f.core->create(ruy_lopez, 2);
        std::vector<std::pair<Number, std::vector<Granted>>> machines; // and what they hold
        for (int step = 0; step < 20'000 && !f.settled(); ++step) {
            if (machines.size() < 3) {
                machines.emplace_back(f.tables.enter("m" + std::to_string(step)),
                                      std::vector<Granted>{});
            }
            auto& [machine, held] = machines[random() % machines.size()];
            switch (random() % 10) {
            case 0: f.bench.step(); break;
            case 1:
            case 2:
                if (f.tables.welcomed[machine] == true) {
                    for (const LeaseId lease : f.tables.take(machine, random() % 4)) {
                        held.push_back(f.tables.rows.at(lease).offer.granted);
                    }
                }
                break;
            case 3:
            case 4:
                for (const Granted& granted : held) {
                    f.give(machine, granted);
                }
                if (random() % 4 > 0) { // else told twice
                    held.clear();
                }
                break;
            case 5:
            case 6: f.exchange(random() % 6 == 0); break;
            case 7:
                f.pass(std::chrono::seconds{random() % 8});
                if (f.tables.knows(machine) && random() % 3 > 0) {
                    ++f.tables.machines[machine].beats;
                }
                break;
            case 8: // the database lost what it had not written down yet
                if (random() % 4 == 0 && !f.tables.rows.empty()) {
                    auto row = f.tables.rows.begin();
                    std::advance(row, static_cast<std::ptrdiff_t>(random() % f.tables.rows.size()));
                    if (random() % 2 == 0) {
                        f.tables.rows.erase(row);
                    } else {
                        row->second.machine.reset();
                    }
                }
                break;
            case 9:
                if (random() % 4 == 0) {
                    if (random() % 2 == 0 && f.tables.knows(machine)) {
                        f.tables.machines[machine].gone = true;
                        std::erase_if(f.tables.rows, [gone = machine](const auto& each) {
                            return each.second.machine == gone;
                        });
                    }
                    std::erase_if(machines, [gone = machine](const auto& each) {
                        return each.first == gone;
                    });
                }
                break;
            }
            f.core->settle_down();
        }
        REQUIRE(f.settled());
        CHECK(f.facts() == alone);
    }
}

TEST_CASE("post: what machines find counts, is shown, and a late answer does not") {
    PostFixture f;
    const Number a = f.tables.enter("a");
    f.exchange();
    CHECK(f.tables.welcomed[a] == true);
    f.core->create(ruy_lopez, 3);
    const auto granted = f.taken(a, 3);
    CHECK(f.view("a").state == MachineView::State::working);
    CHECK(f.view("a").parts.at(0).leases == 3);
    f.give(a, granted[0]);
    f.exchange();
    CHECK(f.view("a").answered == 1);
    CHECK(f.tables.answers.empty());
    // It sleeps; its questions go to others, and what nobody answered meanwhile is taken yet.
    const Number b = f.tables.enter("b");
    f.exchange();
    f.pass(6s);
    ++f.tables.machines[b].beats;
    f.exchange();
    f.pass(6s);
    f.exchange();
    CHECK(f.view("a").state == MachineView::State::away);
    std::map<std::string, Granted> again; // b answers everything else
    for (int i = 0; i < 100 && again.size() < 2; ++i) {
        for (const LeaseId lease : f.tables.take(b, 4)) {
            const Granted taken = f.tables.rows.at(lease).offer.granted;
            if (taken.question == granted[1].question || taken.question == granted[2].question) {
                again.emplace(taken.question, taken);
            } else {
                f.give(b, taken);
            }
        }
        f.exchange();
    }
    REQUIRE(again.size() == 2);
    const Granted second = again.at(granted[1].question), third = again.at(granted[2].question);
    const auto answered = f.view("b").answered;
    f.give(b, second);
    f.exchange();
    CHECK_FALSE(f.tables.rows.contains(granted[1].lease)); // withdrawn
    CHECK(f.tables.rows.contains(granted[2].lease));       // open: it may go on
    f.give(a, granted[1]);
    f.give(a, granted[2]);
    f.exchange();
    CHECK(f.view("a").answered == 2);
    CHECK(f.view("a").late == 1);
    CHECK(f.view("b").answered == answered + 1);
    f.exchange();
    CHECK_FALSE(f.tables.rows.contains(third.lease));
}

TEST_CASE("post: an answer to another question than that of its lease is refused") {
    PostFixture f;
    const Number a = f.tables.enter("a");
    f.exchange();
    f.core->create(ruy_lopez, 3);
    auto granted = f.taken(a, 2);
    std::swap(granted[0].lease, granted[1].lease);
    f.give(a, granted[0]);
    f.exchange();
    CHECK(f.view("a").refused == 1);
    CHECK(f.view("a").answered == 0);
}

TEST_CASE("post: what prefers and avoids a machine is told with the question") {
    PostFixture f;
    const Number a = f.tables.enter("a");
    f.exchange();
    f.core->create(ruy_lopez, 3);
    const auto granted = f.taken(a, 2);
    f.tables.enter("b"); // it could have what "a" has no answer to
    f.give(a, granted[0]);
    // No answer to the other one.
    FleetPost::Seen::Answer failed = f.answer(a, granted[1]);
    failed.number = f.tables.next_answer++;
    failed.delivery.found =
        engine_bridge::Failure{engine_bridge::Failure::Kind::crashed, "for a test", 3};
    f.tables.rows.erase(granted[1].lease);
    f.tables.answers[failed.number] = failed;
    f.exchange();
    bool avoids = false, prefers = false;
    for (const auto& [lease, row] : f.tables.rows) {
        avoids =
            avoids || (row.offer.granted.question == granted[1].question && row.offer.avoids == a);
        prefers = prefers || row.offer.prefers == a;
    }
    CHECK(avoids);
    CHECK(prefers);
    CHECK(f.view("a").failed == 1);
}

TEST_CASE("post: a machine is drained, another engine is refused, and who says goodbye is gone") {
    PostFixture f;
    const Number a = f.tables.enter("a"), other = f.tables.enter("other", "Simulated 2.0");
    f.exchange();
    CHECK(f.tables.welcomed[other] == false);
    REQUIRE(f.fleet->refusals().size() == 1);
    f.core->create(ruy_lopez, 3);
    const auto granted = f.taken(a, 2);
    CHECK(f.fleet->drain(f.view("a").id, true));
    f.exchange();
    CHECK(f.tables.drained[a]);
    CHECK(
        std::ranges::none_of(f.tables.rows, [](const auto& each) { return !each.second.machine; }));
    CHECK(f.tables.rows.contains(granted[0].lease)); // it finishes what it has
    f.tables.machines[a].gone = true;
    f.tables.rows.clear();
    f.exchange();
    CHECK_FALSE(f.tables.machines.contains(a));
    CHECK(f.fleet->machines().empty());
    f.core->work_until([&] { return f.settled(); }); // what it had is asked here
    CHECK(f.settled());
}

TEST_CASE(
    "post: after a restart of the server its machines are known, and what they found counts") {
    PostFixture f;
    const Number a = f.tables.enter("a");
    f.exchange();
    f.core->create(ruy_lopez, 3);
    const auto granted = f.taken(a, 3);
    f.end();
    f.give(a, granted[0]); // while there is no server
    f.now += 1s;
    f.begin();
    f.exchange();
    CHECK(f.tables.answers.empty());
    CHECK(f.tables.rows.contains(granted[1].lease)); // the machine may go on with it
    f.give(a, granted[1]);
    f.exchange();
    for (int i = 0; i < 20'000 && !f.settled(); ++i) {
        for (const LeaseId lease : f.tables.take(a, 4)) {
            f.give(a, f.tables.rows.at(lease).offer.granted);
        }
        f.exchange();
        f.bench.step();
        f.core->settle_down();
    }
    REQUIRE(f.settled());
    CHECK(f.view("a").answered >= 1);
    CHECK(f.view("a").late <= 2); // they came before their questions
}

TEST_CASE("post: nobody is blamed for a database that is away") {
    PostFixture f;
    const Number a = f.tables.enter("a");
    f.exchange();
    f.core->create(ruy_lopez, 3);
    const auto granted = f.taken(a, 2);
    for (int i = 0; i < 5; ++i) {
        f.post->excuse();
        f.pass(6s);
    }
    CHECK(f.view("a").state == MachineView::State::working);
    f.give(a, granted[0]);
    f.exchange();
    CHECK(f.view("a").answered == 1);
    for (int i = 0; i < 2; ++i) {
        f.pass(6s);
        f.exchange();
    }
    CHECK(f.view("a").state == MachineView::State::away);
}

TEST_CASE("post: who is called for a question may not want it; then all others are") {
    PostFixture f;
    f.core->create(ruy_lopez, 2);
    const Number one = f.tables.enter("one"), two = f.tables.enter("two");
    for (int i = 0; i < 20 && f.tables.rows.empty(); ++i) {
        f.exchange();
        f.bench.step();
        f.core->settle_down();
    }
    REQUIRE_FALSE(f.tables.rows.empty());
    const auto woken = [&] {
        FleetPost::Orders orders = f.post->exchange(f.tables.look(f.post->known()));
        const std::set<Number> called = orders.woken;
        f.tables.apply(std::move(orders));
        return called;
    };
    woken();
    CHECK(woken().empty());
    f.now += 1s;
    CHECK(woken() == std::set<Number>{one, two});
    CHECK(woken().empty()); // once a second
    f.now += 1s;
    f.tables.take(one, 100);
    CHECK(woken().empty());
}
