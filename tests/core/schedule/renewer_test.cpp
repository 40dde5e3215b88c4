// Another engine in the place of an analysis's: what it is asked first, and what is said of the
// answers that were there.
#include "core/schedule/answer.hpp"
#include "core/schedule/renewal.hpp"
#include "core_fixture.hpp"

#include <algorithm>

using namespace adjourn;
using namespace adjourn::server;

namespace {

struct Renewing : KilledCore {
    Bench first_life, second_life;
    Bench* second = &first_life; // of the engine that takes over
    analysis::EngineId old{};
    std::vector<std::string> facts; // of the engine before

    ~Renewing() { fixture.reset(); }
    explicit Renewing(std::uint64_t seed) {
        for (Bench* life : {&first_life, &second_life}) {
            life->name = "Second 1.0";
            life->seed = seed;
        }
        open();
        fixture->add_second(*second);
        id = fixture->create(ruy_lopez, 3);
        fixture->settle(id);
        old = run().record.engine;
        facts = facts_of(*fixture->store, old);
    }
    void reopen() {
        kill();
        second = &second_life;
        open();
        fixture->add_second(*second);
    }
    void renew() { REQUIRE(fixture->core->renew(id, "second", std::nullopt).wait()); }
    void step() {
        fixture->pass(0);
        second->step();
        fixture->settle_down();
    }
    // A verdict is made in slices, of which each has its time.
    void until(const std::function<bool()>& done) {
        for (int rounds = 0; !done(); ++rounds) {
            REQUIRE(rounds < 100'000);
            step();
        }
    }
    void settle() {
        until([&] { return fixture->settled(id); });
    }
    std::vector<RenewedAnswer> answers() const { return renewed_answers(run()); }
    std::size_t with(RenewedAnswer::State state) const {
        return static_cast<std::size_t>(
            std::ranges::count(answers(), state, &RenewedAnswer::state));
    }
};

} // namespace

TEST_CASE("renew: what was found holds, and what carries the answers is asked before all else") {
    Renewing f{2};
    const auto value = [&] { return f.run().slot->graph().game_value(f.run().root_node); };
    const auto before = value();
    const chess::Move answer = answer_of(f.run())->move;
    f.renew();
    CHECK(f.run().record.profile == "second");
    CHECK(f.run().record.engine != f.old);
    CHECK(f.run().confirming);
    CHECK(settled_level(f.run()) == 0);
    CHECK(f.run().spec.renewal.level == 3);
    CHECK(f.run().spec.renewal.name == "Simulated 1.0");
    CHECK(value() == before); // by the engine before
    REQUIRE(f.answers().size() > 1);
    CHECK(f.answers().front().move == answer);
    CHECK(f.with(RenewedAnswer::State::open) == f.answers().size());
    CHECK(f.second->asked.empty());
    f.until([&] { return !f.run().confirming; });
    const auto& asked = f.second->asked;
    const auto urgent = std::ranges::count_if(asked, &engine_bridge::Job::urgent);
    CHECK(urgent > 0);
    CHECK(std::ranges::is_partitioned(asked, [](const auto& job) { return job.urgent; }));
    f.settle();
    CHECK(std::ranges::count_if(asked, &engine_bridge::Job::urgent) == urgent);
    CHECK(settled_level(f.run()) == 3);
    CHECK_FALSE(is_renewing(f.run()));
    CHECK(f.answers().front().state != RenewedAnswer::State::open);
    const auto tree = f.run().slot->renewed(confirmed_within(f.run()));
    CHECK(tree.searched > 0);
    CHECK(tree.known >= tree.searched);
    CHECK(tree.searched >= tree.confirmed);
    CHECK(facts_of(*f.fixture->store, f.old) == f.facts);
    // The answer is by the new engine's own word.
    const auto now = answer_of(f.run());
    CHECK(f.run().slot->graph().moves(f.run().root_node)[now->index].effort >=
          analysis::effort(f.run().record.limit));
}

TEST_CASE("renew: an engine that says the same confirms what it has searched") {
    Renewing f{1};
    f.renew();
    f.settle();
    const auto tree = f.run().slot->renewed(confirmed_within(f.run()));
    CHECK(tree.known > 1);
    CHECK(tree.searched > 1);
    CHECK(tree.confirmed == tree.searched);
    CHECK(f.with(RenewedAnswer::State::confirmed) > 0);
}

TEST_CASE("renew: it outlives a killed server") {
    Renewing f{2};
    f.renew();
    const Renewal made = f.run().spec.renewal;
    f.until([&] { return f.second->answered.size() >= 3; });
    f.reopen();
    CHECK(f.run().record.profile == "second");
    CHECK(f.run().spec.renewal == made);
    CHECK(f.run().confirming);
    f.settle();
    CHECK_FALSE(f.run().confirming);
    f.reopen();
    CHECK_FALSE(f.run().confirming); // it is done
    CHECK(settled_level(f.run()) == 3);
}

TEST_CASE("renew: a budget that was used up ends nothing, a new one is a moment") {
    Renewing f{2};
    f.fixture->set_budget(f.id, of_positions(1));
    const analysis::UnixMs until = f.fixture->core->now() + 3'600'000;
    REQUIRE(f.fixture->core->renew(f.id, "second", until).wait());
    CHECK(f.run().spec.budget == Budget{{}, {}, until});
    f.step();
    CHECK(f.run().record.state != storage::AnalysisState::exhausted);
}

TEST_CASE("renew: it ends where the game went another way, and answers that it passed are gone") {
    Renewing f{2};
    f.renew();
    const auto answers = f.answers();
    REQUIRE(answers.size() > 1);
    REQUIRE(f.fixture->core->advance(f.id, 0, {answers[0].move}).wait());
    f.fixture->settle_down();
    CHECK(f.answers().size() + 1 <= answers.size());
    CHECK(renewed_line(f.run()).front() == answers[1].move);
    const auto moves = f.run().root.legal_moves();
    const auto other =
        std::ranges::find_if(moves, [&](chess::Move move) { return move != answers[1].move; });
    REQUIRE(f.fixture->core->advance(f.id, 0, {*other}).wait());
    f.fixture->settle_down();
    CHECK(renewed_line(f.run()).empty());
    CHECK(f.answers().empty());
}

TEST_CASE("renew: and back, the first engine's own evaluations are its own again") {
    Renewing f{2};
    f.renew();
    REQUIRE(f.fixture->core->renew(f.id, "simulated", std::nullopt).wait());
    CHECK(f.run().record.engine == f.old);
    CHECK(f.run().spec.renewal.name == "Second 1.0");
    CHECK(f.run().confirming);
}
