// A second engine: what it is asked, when, and what of it counts.
#include "core/schedule/answer.hpp"
#include "core_fixture.hpp"

#include <algorithm>
#include <array>
#include <span>

using namespace adjourn;
using namespace adjourn::server;

namespace {

struct TwoEngines : KilledCore {
    std::array<Bench, 3> lives; // of the second engine
    std::size_t life = 0;

    ~TwoEngines() { fixture.reset(); }
    explicit TwoEngines(const std::string& named = "second") {
        for (Bench& each : lives) {
            each.name = "Second 1.0";
            each.seed = 2;
        }
        open();
        fixture->add_second(second());
        NewAnalysis wanted = wanted_at(chess::Position::initial(), ruy_lopez, 3);
        wanted.spec.strategy.move_distance = 20;
        wanted.spec.second_engine = named;
        id = fixture->create(std::move(wanted));
    }
    void reopen() {
        kill();
        ++life;
        open();
        fixture->add_second(second());
    }
    Bench& second() { return lives.at(life); }
    void step(bool of_second = true) {
        fixture->pass(0);
        bench.step();
        if (of_second) {
            second().step();
        }
        fixture->settle_down();
    }
    // A verdict is made in slices, of which each has its time.
    void until(const std::function<bool()>& done, bool of_second = true) {
        for (int rounds = 0; !done(); ++rounds) {
            REQUIRE(rounds < 100'000);
            step(of_second);
        }
    }
    void settle() {
        until([&] { return fixture->settled(id); });
    }
    analysis::EngineId second_id() { return fixture->core->engines().named("second")->id; }
    std::vector<SecondQuestion> questions() const {
        const auto search = verdict_search(run(), {});
        REQUIRE(search != nullptr);
        while (search->go_on()) {
        }
        const auto verdict = search->take();
        REQUIRE(verdict);
        return second_questions(run(), run().root_node, *verdict);
    }
    void name_second(const std::string& name) {
        AnalysisPatch patch;
        patch.second_engine = name;
        fixture->change(id, patch);
    }
};

bool same_question(const engine_bridge::Job& one, const engine_bridge::Job& other) {
    return one.position == other.position && one.limit == other.limit &&
           one.searchmoves == other.searchmoves;
}

} // namespace

TEST_CASE("second engine: it is asked about the answer, its rival and what carries it, no more") {
    TwoEngines f;
    f.settle();
    const auto questions = f.questions();
    REQUIRE(questions.size() >= 2);
    const chess::Move answer = answer_of(f.run())->move;
    CHECK(questions[0].about.move == answer);
    CHECK(questions[0].position.packed() == f.run().root.after(answer).packed());
    for (const SecondQuestion& each : questions) {
        CHECK(second_answer(*f.fixture->store, f.second_id(), each));
    }
    const auto& asked = f.second().asked;
    REQUIRE_FALSE(asked.empty());
    for (std::size_t i = 0; i < asked.size(); ++i) {
        CHECK_FALSE(asked[i].urgent);
        CHECK(analysis::effort(asked[i].limit) >= analysis::effort(f.run().record.limit));
        CHECK(std::none_of(asked.begin(), asked.begin() + static_cast<std::ptrdiff_t>(i),
                           [&](const auto& before) { return same_question(before, asked[i]); }));
    }
    // The analysis pays.
    CHECK(f.run().usage.evaluations_new == f.bench.answered.size() + f.second().answered.size());
    // And none of its values has a part in it.
    CHECK(f.run().slot->key().engines() == std::vector{f.run().record.engine});
    const chess::Position root = f.run().root;
    const GraphSlot own{*f.fixture->store, f.run().slot->engine(), nullptr, f.run().slot->key(),
                        nullptr,           std::span{&root, 1}};
    CHECK(own.graph().digest() == f.run().slot->graph().digest());
}

TEST_CASE("second engine: the next level waits for its questions, and the end for its answers") {
    TwoEngines f;
    std::vector<std::size_t> by_level;
    f.until(
        [&] {
            if (f.run().plan.settled > static_cast<int>(by_level.size()) && !f.run().second_due) {
                by_level.push_back(f.second().asked.size());
            }
            return f.run().plan.finished && !f.run().second_due;
        },
        false);
    REQUIRE_FALSE(by_level.empty());
    CHECK(by_level.front() > 0);
    CHECK(f.run().plan.settled == 3); // without an answer of it
    CHECK(f.second().answered.empty());
    CHECK(f.run().record.state == storage::AnalysisState::running);
    f.settle();
    CHECK(f.second().answered.size() == f.second().asked.size());
}

TEST_CASE("second engine: over a killed server nothing that it has answered is asked again") {
    TwoEngines f;
    f.until([&] { return f.second().answered.size() >= 2; });
    f.reopen();
    f.settle();
    for (const engine_bridge::Job& job : f.lives[1].asked) {
        CHECK(std::ranges::none_of(f.lives[0].answered, [&](const engine_bridge::Job& before) {
            return same_question(before, job);
        }));
    }
    f.reopen();
    f.until([&] { return f.run().has_graph() && f.run().plan.finished && !f.run().second_due; });
    CHECK(f.fixture->settled(f.id));
    CHECK(f.lives[2].asked.empty());
    for (const SecondQuestion& each : f.questions()) {
        CHECK(second_answer(*f.fixture->store, f.second_id(), each));
    }
}

TEST_CASE("second engine: none is asked until it is named, and one that had no answer is let be") {
    TwoEngines f{""};
    f.settle();
    CHECK(f.second().asked.empty());
    for (const SecondQuestion& each : f.questions()) {
        f.second().poison.insert(each.position.engine_fen());
    }
    f.name_second("second");
    f.settle();
    const std::size_t asked = f.second().asked.size();
    CHECK(asked == f.questions().size());
    CHECK(f.second().answered.empty());
    f.second().poison.clear();
    f.name_second("");
    f.settle();
    f.name_second("second");
    f.settle();
    CHECK(f.second().asked.size() == asked);
    f.name_second("simulated"); // its own
    f.settle();
    CHECK(second_engine_of(f.run(), f.fixture->core->engines()) == nullptr);
}

TEST_CASE("second engine: they disagree beyond the noise of both, or in the chances") {
    const chess::Position start = chess::Position::initial();
    const chess::Move e4 = *chess::parse_uci(start, "e2e4");
    const auto told = [&](std::optional<chess::Move> move, chess::Score own, chess::Score second,
                          double noise) {
        SecondQuestion asked{{}, 0, {}, move ? start.after(*move) : start};
        asked.about.move = move;
        asked.about.score = own;
        analysis::Evaluation answer;
        answer.score = second;
        return disagreement(asked, answer, noise);
    };
    using chess::Score;
    const auto apart = told(e4, Score::cp(30), Score::cp(30), 50); // -30 for White
    REQUIRE(apart);
    CHECK(apart->own == Score::cp(30));
    CHECK(apart->second == Score::cp(-30));
    CHECK(apart->chances == Approx(-5.5).margin(0.1));
    CHECK_FALSE(told(e4, Score::cp(30), Score::cp(30), 70));
    CHECK(told(e4, Score::cp(100), Score::cp(100), 300));            // 18 %
    CHECK_FALSE(told(e4, Score::cp(1'200), Score::mated_in(8), 50)); // both are lost for Black
    // What is said of moves that were not asked is a bound.
    CHECK(told({}, Score::cp(0), Score::cp(90), 50));
    CHECK_FALSE(told({}, Score::cp(0), Score::cp(-90), 50));
    // Of a move of Black's the scores are turned.
    const chess::Position black = start.after(e4);
    SecondQuestion asked{{}, 0, {}, black.after(*chess::parse_uci(black, "e7e5"))};
    asked.about.move = *chess::parse_uci(black, "e7e5");
    asked.about.score = Score::cp(-20);
    analysis::Evaluation answer;
    answer.score = Score::cp(100);
    const auto turned = disagreement(asked, answer, 10);
    REQUIRE(turned);
    CHECK(turned->own == Score::cp(20));
    CHECK(turned->second == Score::cp(100));
    CHECK(turned->chances > 0);
}
