// The recorder alone: a store, and a thread's queue of tasks that the test runs by hand.
#include "core/engines/recorder.hpp"
#include "storage/open.hpp"
#include "temporary_directory.hpp"
#include "test.hpp"

namespace adjourn::server {

namespace {

using engine_bridge::Answer;
using engine_bridge::BestLine;
using engine_bridge::Failure;
using engine_bridge::JobId;

const chess::Move e4 = chess::Position::initial().legal_moves()[0];

struct Recording {
    Recording() {
        storage::EngineRecord record;
        record.name = "Some 1.0";
        engine = store->engine(record);
        storage::AnalysisRecord wanted;
        wanted.root_fen = chess::Position::initial().fen();
        wanted.engine = engine;
        store->insert(wanted, [](const auto&) {});
        store->flush();
        analysis = store->analyses().front().id;
    }
    ~Recording() { store->flush(); }

    analysis::Question question(std::uint64_t depth = 8) const {
        return {
            chess::Position::initial().packed(), engine, {chess::Limit::Kind::depth, depth}, {}};
    }
    static Answer answer(int cp) {
        return {e4, chess::Score::cp(cp), chess::Bound::exact, 8, 0, 700, 30, {e4}, 0};
    }
    // What is told until nothing more comes.
    void run() {
        do {
            store->flush();
            context.restart();
        } while (context.poll() > 0);
    }

    TemporaryDirectory directory;
    std::unique_ptr<storage::Store> store =
        storage::open_store(directory.path(), storage::OpenMode::owner);
    analysis::EngineId engine{};
    analysis::AnalysisId analysis{};
    boost::asio::io_context context;
    std::optional<base::TaskScope> scope{std::in_place, context};
    std::vector<std::pair<JobId, Recorder::Ending>> endings;
    std::vector<std::pair<JobId, BestLine>> reported;
    std::vector<bool> durable; // whether the answer was, when its end was told
    Recorder recorder{*store, std::make_shared<Moments>([] { return analysis::UnixMs{5'000}; }),
                      scope->poster(), "here"};
    std::map<JobId, engine_bridge::Dispatcher::Done> expected;

    void expect(JobId job, const analysis::Question& asked, std::optional<analysis::AnalysisId> by,
                int attempts = 0, bool at_once = false) {
        Recorder::Expected what{asked, by, attempts, [this, job](Recorder::Ending ending) {
                                    durable.push_back(store->answer(question()).has_value());
                                    endings.emplace_back(job, std::move(ending));
                                }};
        if (at_once) {
            what.reported = [this, job](BestLine line) { reported.emplace_back(job, line); };
        }
        expected.emplace(job, recorder.expect(std::move(what)));
    }
    void answered(JobId job, engine_bridge::Result result) { expected.at(job)(std::move(result)); }
};

} // namespace

TEST_CASE("an answer is told on the core's thread, and durable with its cost by then",
          "[recorder]") {
    Recording here;
    here.expect(1, here.question(), here.analysis);
    std::thread{[&] { here.answered(1, Recording::answer(25)); }}.join();
    CHECK(here.endings.empty());
    here.run();
    REQUIRE(here.endings.size() == 1);
    CHECK(here.durable == std::vector{true});
    const auto& answered = std::get<Answered>(here.endings[0].second.outcome);
    CHECK(answered.fresh);
    CHECK(answered.nodes == 700);
    CHECK(answered.fact == here.store->answer(here.question()));
    CHECK(answered.fact.at == 5'000);
    CHECK(answered.fact.machine == "here");
    CHECK(here.store->usage(here.analysis).nodes == 700);
    CHECK(here.store->usage(here.analysis).engine_ms == 30);
    CHECK(here.reported.empty());
}

TEST_CASE("the first answer to a question stands, and the second costs what it cost",
          "[recorder]") {
    Recording here;
    here.expect(1, here.question(), here.analysis);
    here.expect(2, here.question(), here.analysis);
    here.answered(1, Recording::answer(25));
    here.answered(2, Recording::answer(90));
    here.run();
    REQUIRE(here.endings.size() == 2);
    const auto& first = std::get<Answered>(here.endings[0].second.outcome);
    const auto& second = std::get<Answered>(here.endings[1].second.outcome);
    CHECK_FALSE(second.fresh);
    CHECK(second.fact == first.fact);
    CHECK(second.nodes == 700);
    CHECK(here.store->evaluation_count() == 1);
    CHECK(here.store->usage(here.analysis).nodes == 1'400);
}

TEST_CASE("what has to be heard at once is told before it is durable", "[recorder]") {
    Recording here;
    here.expect(1, here.question(), {}, 0, true);
    here.answered(1, Recording::answer(25));
    CHECK(here.context.poll_one() == 1);
    REQUIRE(here.reported.size() == 1);
    CHECK(here.reported[0].second.score == chess::Score::cp(25));
    here.run();
    CHECK(here.endings.size() == 1);
    CHECK(here.store->usage(here.analysis).nodes == 0); // nobody pays
}

TEST_CASE("a question without an answer is recorded with all its attempts", "[recorder]") {
    Recording here;
    here.expect(1, here.question(), here.analysis, 3);
    here.expect(2, here.question(9), here.analysis);
    here.answered(1, std::unexpected(Failure{Failure::Kind::crashed, "it died", 3}));
    Answer without_score = Recording::answer(0);
    without_score.score.reset();
    here.answered(2, without_score);
    here.run();
    REQUIRE(here.endings.size() == 2);
    const auto& failed = std::get<Unanswered>(here.endings[0].second.outcome);
    CHECK(failed.reason == "it died");
    CHECK(failed.attempts == 3);
    CHECK(std::get<Unanswered>(here.endings[1].second.outcome).attempts == 1);
    const auto rows = here.store->failures(here.engine);
    REQUIRE(rows.size() == 2);
    CHECK(std::max(rows[0].attempts, rows[1].attempts) == 6);
    CHECK(here.store->evaluation_count() == 0);
}

TEST_CASE("what was cancelled, or cannot be asked now, leaves nothing in the store", "[recorder]") {
    Recording here;
    here.expect(1, here.question(), here.analysis);
    here.expect(2, here.question(), here.analysis);
    Failure stopped{Failure::Kind::cancelled, "stopped", 1};
    stopped.found = BestLine{chess::Score::cp(7), chess::Bound::exact, 3, 0, {e4}};
    here.answered(1, std::unexpected(stopped));
    here.answered(2, std::unexpected(Failure{Failure::Kind::unavailable, "no file", 0}));
    here.run();
    REQUIRE(here.endings.size() == 2);
    CHECK(std::holds_alternative<Dropped>(here.endings[0].second.outcome));
    REQUIRE(here.endings[0].second.found);
    CHECK(here.endings[0].second.found->score == chess::Score::cp(7));
    CHECK(here.endings[0].second.engine_problem.empty());
    CHECK(here.endings[1].second.engine_problem == "no file");
    CHECK(here.store->failures(here.engine).empty());
}

TEST_CASE("an answer that the store refuses is told with the reason", "[recorder]") {
    Recording here;
    analysis::Question strange = here.question();
    strange.engine = analysis::EngineId{77};
    here.expect(1, strange, here.analysis);
    here.answered(1, Recording::answer(25));
    here.run();
    REQUIRE(here.endings.size() == 1);
    CHECK(std::holds_alternative<Dropped>(here.endings[0].second.outcome));
    CHECK(here.endings[0].second.not_stored.find("no engine 77") != std::string::npos);
    CHECK(here.endings[0].second.refused); // unlike one that the disk could not take
}

TEST_CASE("nobody is told when the owner is gone; the answer is stored all the same",
          "[recorder]") {
    Recording here;
    here.expect(1, here.question(), here.analysis);
    here.answered(1, Recording::answer(25));
    here.scope.reset();
    here.run();
    CHECK(here.endings.empty());
    CHECK(here.store->evaluation_count() == 1);
}

} // namespace adjourn::server
