// What a person has given to verify: how long it holds, and what takes it away.
#include "core_fixture.hpp"

#include <cmath>

using namespace adjourn;
using namespace adjourn::server;

namespace {

struct Verifying : KilledCore {
    Verifying() {
        open();
        id = fixture->create(ruy_lopez, 4);
        fixture->work_until([&] { return fixture->run(id).plan.refine > 2; });
    }
    void reopen() {
        kill();
        open();
    }
    std::expected<Core::Given, WorkError> give(std::vector<chess::Move> line, std::uint64_t count) {
        return fixture->core->verify(id, std::move(line), {count, std::nullopt}).wait();
    }
    const Verify* left() const { return fixture->core->verifier().left(id); }
    const Directive* stored() const { return verified_in(fixture->run(id).directives); }
    // Evaluations that nobody but the verifier asks for are urgent.
    std::size_t urgent() const {
        return static_cast<std::size_t>(
            std::ranges::count_if(bench.asked, &engine_bridge::Job::urgent));
    }
    // A verdict is made in slices, of which each has its time.
    void verify() {
        for (int rounds = 0; left() != nullptr; ++rounds) {
            REQUIRE(rounds < 100'000);
            fixture->pass(0);
            fixture->work_until([] { return false; }, 1);
        }
        fixture->settle_down();
    }
    void pause(bool on) {
        fixture->hold(id, on);
        fixture->settle_down();
    }
};

} // namespace

TEST_CASE("verifier: over any number of kills it spends what was given, and what was out") {
    for (const bool by_nodes : {false, true}) {
        CAPTURE(by_nodes);
        Verifying f;
        std::size_t first = f.bench.answered.size();
        const auto spent = [&] {
            std::uint64_t all = 0;
            for (std::size_t i = first; i < f.bench.answered.size(); ++i) {
                const engine_bridge::Job& job = f.bench.answered[i];
                const auto nodes =
                    static_cast<std::uint64_t>(std::exp2(analysis::effort(job.limit)));
                all += !job.urgent ? 0 : by_nodes ? nodes : 1;
            }
            return all;
        };
        const std::uint64_t given = by_nodes ? 20'000 : 6;
        const Verify work = by_nodes ? Verify{{}, given} : Verify{given, {}};
        REQUIRE(f.fixture->core->verify(f.id, {}, work).wait());
        std::size_t kills = 0;
        for (std::uint64_t before = 0; before < given; before = spent()) {
            REQUIRE(++kills < 100);
            for (int tries = 0; spent() == before; ++tries) {
                REQUIRE(tries < 100'000);
                f.fixture->pass(0);
                f.fixture->work_until([&] { return spent() > before; }, 1);
            }
            f.fixture->settle_down();
            f.reopen();
            if (spent() < given) {
                REQUIRE(f.left() != nullptr);
                CHECK((by_nodes ? f.left()->nodes : f.left()->evaluations) == given - spent());
            }
        }
        CHECK(kills > 2);
        const std::uint64_t all = spent();
        f.verify();
        CHECK(spent() == all);
        CHECK(f.stored() == nullptr);
    }
}

TEST_CASE("verifier: what nothing can be asked about is refused, with the reason") {
    Verifying f;
    const std::string fen = "6rk/8/8/8/8/8/8/7K w - - 0 1"; // one legal move
    NewAnalysis wanted{fen, chess::Position::from_fen(fen).value(), {}, "", {}, {}, 0, false};
    wanted.limit = {analysis::Limit::Kind::depth, 8};
    const auto id = f.fixture->create(std::move(wanted));
    f.fixture->work_until([&] { return f.fixture->run(id).plan.refine > 2; }, 500);
    const auto refused = f.fixture->core->verify(id, {}, {3, std::nullopt}).wait();
    REQUIRE_FALSE(refused);
    CHECK(refused.error().kind == WorkError::Kind::no_verifying);
    CHECK(refused.error().message.starts_with("not now: "));
    CHECK(f.fixture->core->verifier().left(id) == nullptr);
    CHECK(verified_in(f.fixture->run(id).directives) == nullptr);
}

TEST_CASE("verifier: it waits while the analysis is paused") {
    Verifying f;
    REQUIRE(f.give({}, 9));
    REQUIRE(f.give({}, 2)); // the latest counts
    f.pause(true);
    const std::size_t before = f.urgent();
    for (int i = 0; i < 20; ++i) {
        f.fixture->pass(200);
    }
    CHECK(f.urgent() == before);
    CHECK(f.left() != nullptr);
    CHECK_FALSE(f.give({}, 1)); // not now
    CHECK(f.left()->evaluations == 2U);
    f.pause(false);
    f.verify();
    CHECK(f.urgent() > before);
    f.reopen();
    CHECK(f.left() == nullptr); // and the one before it does not come back
}

TEST_CASE("verifier: it ends where the game goes another way, and follows it otherwise") {
    for (const char* played : {"a7a6", "g8f6"}) {
        Verifying f;
        const AnalysisRun& run = f.fixture->run(f.id);
        const chess::Move reply = *chess::parse_uci(run.root, "a7a6");
        REQUIRE(f.give({reply}, 2));
        REQUIRE(f.fixture->core->advance(f.id, 0, {*chess::parse_uci(run.root, played)}).wait());
        CHECK(f.left() != nullptr);
        const std::size_t before = f.urgent();
        f.verify();
        CHECK((f.urgent() > before) == (std::string{played} == "a7a6"));
        CHECK(f.stored() == nullptr);
    }
}
