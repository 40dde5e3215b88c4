// What goes in comes out; the same question is answered once; a refused write harms no other.
#include "place.hpp"

using namespace adjourn::storage;
using namespace adjourn::storage::test;
using Catch::Contains;
using namespace std::chrono_literals;

namespace {

// Collects what `done` gets; read it after flush().
class Answers {
public:
    Done done() {
        return [this](const Outcome& result) {
            const std::lock_guard lock{mutex_};
            results_.push_back(result);
            threads_.push_back(std::this_thread::get_id());
        };
    }
    std::vector<Outcome> results() const {
        const std::lock_guard lock{mutex_};
        return results_;
    }
    std::vector<std::thread::id> threads() const {
        const std::lock_guard lock{mutex_};
        return threads_;
    }

private:
    mutable std::mutex mutex_;
    std::vector<Outcome> results_;
    std::vector<std::thread::id> threads_;
};

} // namespace

TEST_CASE("evaluations come back as they went in, after reopening too") {
    const Place place{GENERATE(kinds())};
    std::vector<Evaluation> facts;
    EngineId engine{}, other{};
    {
        const auto store = open_owner(place);
        engine = store->engine(sample_engine(1));
        other = store->engine(sample_engine(2));
        REQUIRE(engine != other);
        for (std::uint64_t n = 0; n < 700; ++n) {
            facts.push_back(sample_fact(n % 3 == 0 ? other : engine, n));
        }
        for (Evaluation& fact : facts) {
            store->append(fact, [&fact](const auto& written) {
                fact.id = static_cast<EvaluationId>(written.value().id);
            });
        }
        store->flush();
        CHECK(store->evaluation_count() == facts.size());
    }
    const auto store = open_owner(place);
    CHECK(store->check().empty());
    CHECK(store->evaluation_count() == facts.size());
    for (const EngineId which : {engine, other}) {
        std::vector<Evaluation> wanted;
        std::ranges::copy_if(facts, std::back_inserter(wanted),
                             [&](const Evaluation& fact) { return fact.question.engine == which; });
        std::ranges::sort(wanted, {}, &Evaluation::id);
        REQUIRE(wanted.size() > 200);
        CHECK(all_facts(*store, which) == wanted);
    }
    for (const Evaluation& fact : facts) {
        REQUIRE(store->answer(fact.question) == fact);
    }
    CHECK(all_facts(*store, EngineId{99}).empty());
}

TEST_CASE_METHOD(Opened, "the facts of a position: any engine, oldest first") {
    const EngineId engines[] = {store->engine(sample_engine(1)), store->engine(sample_engine(2))};
    std::vector<Evaluation> wanted;
    for (std::uint64_t n = 14; n < 21; ++n) { // the third position
        store->append(sample_fact(engines[0], n + 100), {});
        Evaluation fact = sample_fact(engines[n % 2], n);
        fact.id = static_cast<EvaluationId>(append_and_wait(*store, fact).id);
        wanted.push_back(fact);
    }
    CHECK(store->evaluations(sample_position(2).packed()) == wanted);
    CHECK(store->evaluations(sample_position(3'000).packed()).empty());
}

TEST_CASE_METHOD(Opened, "a question that is answered already is not answered again") {
    const Evaluation first = sample_fact(engine, 1);
    Evaluation second = first;
    second.score = chess::Score::cp(999);
    second.at += 1'000;
    const Written written = append_and_wait(*store, first);
    CHECK(written.inserted);
    CHECK(written.id != 0);

    const auto again = append_and_wait(*store, second);
    CHECK_FALSE(again.inserted);
    CHECK(again.id == written.id);
    REQUIRE(again.stands != nullptr);
    CHECK(without_id(*again.stands) == first);
    CHECK(again.stands->id == static_cast<EvaluationId>(written.id));
    CHECK(written.stands == nullptr);
    // Within one group just as well.
    const Evaluation third = sample_fact(engine, 2);
    Answers answers;
    store->append(third, answers.done());
    store->append(third, answers.done());
    store->flush();
    REQUIRE(answers.results().size() == 2);
    CHECK(answers.results()[0]->inserted);
    CHECK_FALSE(answers.results()[1]->inserted);
    CHECK(answers.results()[0]->id == answers.results()[1]->id);
    // And after reopening.
    reopen();
    CHECK_FALSE(append_and_wait(*store, second).inserted);
    CHECK(without_id(*store->answer(first.question)) == first);
    CHECK(store->evaluation_count() == 2);
}

TEST_CASE_METHOD(Opened, "an answer without exact score is none: one that has it is added, once") {
    Evaluation exact = sample_fact(engine, 1);
    exact.score = chess::Score::cp(31);
    exact.bound = analysis::Bound::exact;
    REQUIRE(exact.move);
    Evaluation bare = exact;
    bare.score.reset();
    Evaluation bound = exact;
    bound.bound = analysis::Bound::lower;
    CHECK(append_and_wait(*store, bare).inserted);
    CHECK_FALSE(append_and_wait(*store, bound).inserted); // no better
    CHECK(without_id(*store->answer(exact.question)) == bare);
    CHECK(append_and_wait(*store, exact).inserted);
    CHECK(without_id(*store->answer(exact.question)) == exact);
    for (const Evaluation& late : {exact, bare, bound}) {
        CHECK_FALSE(append_and_wait(*store, late).inserted);
    }
    reopen();
    CHECK(without_id(*store->answer(exact.question)) == exact);
    CHECK(store->evaluation_count() == 2);
    CHECK(store->check().empty());
}

TEST_CASE_METHOD(
    Opened, "a question differs by position, engine, kind and amount of limit, and exclusions") {
    Evaluation fact;
    fact.question = {
        chess::Position::initial().packed(), engine, {analysis::Limit::Kind::depth, 10}, {}};
    std::vector<Evaluation> variants(6, fact);
    variants[1].question.position = sample_position(5).packed();
    variants[2].question.engine = store->engine(sample_engine(2));
    variants[3].question.limit.kind = analysis::Limit::Kind::nodes;
    variants[4].question.limit.amount = 11;
    variants[5].question.excluded = {chess::Move::normal(chess::Square{12}, chess::Square{28})};
    for (const Evaluation& variant : variants) {
        CHECK_FALSE(store->answer(variant.question).has_value());
        CHECK(append_and_wait(*store, variant).inserted);
    }
    for (const Evaluation& variant : variants) {
        CHECK_FALSE(append_and_wait(*store, variant).inserted);
    }
    CHECK(store->evaluation_count() == 6);
    CHECK(store->check().empty());
}

TEST_CASE_METHOD(Opened, "a refused write says why and harms no neighbour") {
    Evaluation unsorted = sample_fact(engine, 1);
    unsorted.question.excluded = {chess::Move::from_raw(20), chess::Move::from_raw(10)};
    AnalysisRecord no_rank = sample_analysis(engine, "not a number", 0);
    no_rank.rank = std::numeric_limits<double>::quiet_NaN(); // only the database notices this one
    AnalysisRecord stranger = sample_analysis(EngineId{77}, "engine unknown", 0);

    Answers answers;
    store->append(sample_fact(engine, 2), answers.done());              // 0
    store->append(unsorted, answers.done());                            // 1
    store->append(sample_fact(EngineId{77}, 3), answers.done());        // 2
    store->append(sample_fact(engine, 4), answers.done());              // 3
    store->insert(no_rank, answers.done());                             // 4
    store->append(sample_fact(engine, 5), answers.done());              // 5
    store->insert(stranger, answers.done());                            // 6
    store->write(Spent{AnalysisId{5}, {}}, answers.done());             // 7
    store->insert(sample_analysis(engine, "good", 1), answers.done());  // 8
    store->update(sample_analysis(engine, "no id", 1), answers.done()); // 9
    store->remove(AnalysisId{44}, answers.done());                      // 10
    store->flush();
    const auto results = answers.results();
    REQUIRE(results.size() == 11);
    for (const std::size_t good : {0, 3, 5, 8}) {
        CHECK(results[good].has_value());
    }
    for (const std::size_t bad : {1, 2, 4, 6, 7, 9, 10}) {
        CHECK_FALSE(results[bad].has_value());
    }
    CHECK_THAT(results[1].error().why, Contains("not sorted"));
    CHECK_THAT(results[2].error().why, Contains("no engine 77"));
    CHECK_THAT(results[4].error().why, Contains("analyses.rank"));
    CHECK_THAT(results[6].error().why, Contains("foreign key", Catch::CaseSensitive::No));
    CHECK_THAT(results[7].error().why, Contains("no analysis 5"));
    CHECK(store->evaluation_count() == 3);
    CHECK(all_facts(*store, engine).size() == 3);
    CHECK(store->analyses().size() == 1);
    CHECK(store->check().empty());
}

TEST_CASE_METHOD(Opened, "flush tells of refusals that nobody else was told of, once") {
    store->append(sample_fact(EngineId{77}, 1), {});
    CHECK_THROWS_WITH(store->flush(), Contains("no engine 77"));
    CHECK_NOTHROW(store->flush());
    store->append(sample_fact(EngineId{77}, 1), [](const auto&) {});
    CHECK_NOTHROW(store->flush());
}

TEST_CASE_METHOD(Opened, "done is called in order, on one thread, after the fact can be read") {
    Answers answers;
    std::vector<std::uint64_t> order;
    std::size_t unreadable = 0;
    for (std::uint64_t n = 0; n < 200; ++n) {
        const Evaluation fact = sample_fact(engine, n);
        store->append(fact, [&, n, question = fact.question](const auto&) {
            order.push_back(n);
            unreadable += store->answer(question) ? 0 : 1;
        });
        store->append(fact, answers.done());
    }
    store->flush();
    CHECK(std::ranges::is_sorted(order));
    CHECK(order.size() == 200);
    CHECK(unreadable == 0);
    const auto threads = answers.threads();
    CHECK(std::ranges::count(threads, threads.front()) == 200);
    CHECK(threads.front() != std::this_thread::get_id());
}

TEST_CASE_METHOD(Opened, "closing waits for everything that is queued") {
    std::size_t told = 0;
    for (std::uint64_t n = 0; n < 500; ++n) {
        store->append(sample_fact(engine, n),
                      [&told](const auto& result) { told += result ? 1 : 0; });
    }
    store.reset();
    CHECK(told == 500);
    reopen();
    CHECK(store->evaluation_count() == 500);
}

TEST_CASE("engines: one for each fingerprint") {
    const Place place{GENERATE(kinds())};
    EngineRecord engine = sample_engine();
    {
        const auto store = open_owner(place);
        engine.id = store->engine(engine);
        CHECK(store->engine(sample_engine()) == engine.id);
        EngineRecord other = engine;
        other.options = "Hash=128\nThreads=1";
        CHECK(store->engine(other) != engine.id);
    }
    const auto store = open_owner(place);
    CHECK(store->engine(sample_engine()) == engine.id);
    REQUIRE(store->engines().size() == 2);
    CHECK(store->engines()[0] == engine);
}

TEST_CASE_METHOD(Opened,
                 "a walk over all facts sees one moment, and may read and write meanwhile") {
    for (std::uint64_t n = 0; n < 100; ++n) {
        store->append(sample_fact(engine, n), {});
    }
    store->flush();
    std::size_t seen = 0;
    store->for_each_evaluation(engine, [&](const Evaluation& fact) {
        ++seen;
        REQUIRE(store->answer(fact.question) == fact);
        append_and_wait(*store, sample_fact(engine, 1'000 + seen));
    });
    CHECK(seen == 100);
    CHECK(store->evaluation_count() == 200);
}

TEST_CASE_METHOD(Opened, "only the evaluations that are wanted are read, each by its mark") {
    const EngineId other = store->engine(sample_engine(2));
    for (std::uint64_t n = 0; n < 500; ++n) {
        append_and_wait(*store, sample_fact(n % 5 == 0 ? other : engine, n));
    }
    const std::vector<Evaluation> all = all_facts(*store, engine);
    const std::size_t every = GENERATE(1, 3, 150, 1'000); // the next one: near, far, none
    std::vector<Evaluation> expected, read;
    for (std::size_t i = 0; i < all.size(); i += every) {
        expected.push_back(all[i]);
    }
    std::size_t seen = 0;
    std::set<std::int64_t> checksums;
    store->for_each_evaluation(
        engine, [&](const Evaluation& fact) { read.push_back(fact); }, {},
        [&](const EvaluationMark& mark) {
            CHECK(mark.id == all[seen].id);
            CHECK(mark.at == all[seen].at);
            checksums.insert(mark.checksum);
            return seen++ % every == 0;
        });
    CHECK(seen == all.size());
    CHECK(read == expected);
    CHECK(checksums.size() > all.size() - 3); // they tell the rows apart
}

TEST_CASE_METHOD(Opened, "readers on many threads beside the writer see only what is committed") {
    constexpr std::uint64_t count = 1'500;
    std::atomic<std::uint64_t> acknowledged = 0;
    std::atomic<int> wrong = 0;
    std::vector<std::thread> threads;
    for (unsigned seed = 0; seed < 4; ++seed) {
        threads.emplace_back([&, seed] {
            std::uint64_t n = seed;
            while (acknowledged < count) {
                const std::uint64_t known = acknowledged;
                if (known > 0) {
                    const Evaluation fact = sample_fact(engine, n++ % known);
                    const auto answer = store->answer(fact.question);
                    wrong += answer && without_id(*answer) == fact ? 0 : 1;
                }
                wrong += store->evaluation_count() >= known ? 0 : 1;
                wrong += store->engine(sample_engine()) == engine ? 0 : 1;
                if (n % 64 == seed) {
                    std::uint64_t seen = 0;
                    store->for_each_evaluation(engine, [&](const Evaluation&) { ++seen; });
                    wrong += seen >= known ? 0 : 1;
                }
            }
        });
    }
    for (std::uint64_t n = 0; n < count; ++n) {
        store->append(sample_fact(engine, n),
                      [&](const auto& result) { acknowledged += result ? 1 : 0; });
        if (n % 50 == 0) {
            store->flush();
        }
    }
    store->flush();
    for (auto& thread : threads) {
        thread.join();
    }
    CHECK(wrong == 0);
    CHECK(store->check().empty());
}

TEST_CASE_METHOD(Opened, "portions of an engine's facts, one after the other, are all of them") {
    const EngineId one = store->engine(sample_engine(1)), two = store->engine(sample_engine(2));
    for (std::uint64_t n = 0; n < 300; ++n) {
        store->append(sample_fact(n % 3 == 0 ? two : one, n), {});
    }
    store->flush();
    for (const EngineId engine : {one, two}) {
        for (const std::size_t most : {1, 7, 100, 1'000}) {
            std::vector<Evaluation> facts;
            EvaluationId last{};
            while (true) {
                const auto portion = store->evaluations_after(engine, last, most);
                facts.insert(facts.end(), portion.begin(), portion.end());
                if (portion.size() < most) {
                    break;
                }
                last = portion.back().id;
            }
            CHECK(facts == all_facts(*store, engine));
        }
    }
    CHECK(store->evaluations_after(EngineId{9}, {}, 10).empty());
}

TEST_CASE_METHOD(Opened,
                 "a damaged fact is left out, with its number told, and can be asked again") {
    std::vector<Evaluation> facts;
    for (const std::uint64_t n : {1, 2}) { // of one position
        facts.push_back(sample_fact(engine, n));
        facts.back().id = EvaluationId{append_and_wait(*store, facts.back()).id};
    }
    store.reset();
    damage_rows(place,
                "UPDATE evaluations SET at = at + 1 WHERE id = (SELECT max(id) FROM evaluations)");
    reopen();
    std::vector<std::string> told;
    const auto tell = [&](const std::string& row) { told.push_back(row); };
    const std::vector<Evaluation> sound{facts[0]};
    CHECK(all_facts(*store, engine) == sound);
    store->for_each_evaluation(
        engine, [](const Evaluation&) {}, tell);
    CHECK(store->evaluations_after(engine, {}, 9, tell) == sound);
    CHECK(store->evaluations(facts[0].question.position, tell) == sound);
    REQUIRE(told.size() == 3);
    const std::string number = std::to_string(static_cast<std::int64_t>(facts[1].id));
    for (const std::string& row : told) {
        CHECK_THAT(row, Contains(shown(place.location())) &&
                            Contains(": evaluation " + number + " is damaged"));
    }
    CHECK_THAT(store->check().at(0),
               Contains("evaluation " + number + ": its checksum is another"));
    CHECK_FALSE(store->answer(facts[1].question));
    const Written again = append_and_wait(*store, facts[1]);
    CHECK(again.inserted);
    CHECK(EvaluationId{again.id} == facts[1].id);
    CHECK(store->answer(facts[1].question) == facts[1]);
    CHECK(store->evaluation_count() == 2);
    CHECK(store->check().empty());
    store.reset();
    CHECK_THROWS_WITH(run_sql(place, "UPDATE evaluations SET at = 5"), Contains("never changed"));
}

TEST_CASE_METHOD(
    Opened,
    "a done that throws ends no process: from then on nothing is stored, and that is told") {
    for (int i = 0; i < 2; ++i) {
        store->append(sample_fact(engine, 1), [i](const auto&) {
            if (i == 0) {
                throw std::runtime_error{"nobody listens"};
            }
            throw 5;
        });
    }
    CHECK_THROWS_WITH(store->flush(), Contains("could not be told"));
    CHECK_THROWS_WITH(append_and_wait(*store, sample_fact(engine, 2)),
                      Contains("could not be told"));
    CHECK(all_facts(*store, engine).size() == 1);
    reopen();
    CHECK(store->check().empty());
}

TEST_CASE("commit times: each in the interval whose end it does not pass") {
    CommitTimes times;
    times.add(1ns, 3);
    times.add(500us, 1);
    times.add(500us + 1ns, 1);
    times.add(10s, 1);
    times.add(11s, 2);
    CHECK(times.commits.front() == 2);
    CHECK(times.commits.at(1) == 1);
    CHECK(times.commits.at(CommitTimes::most.size() - 1) == 1);
    CHECK(times.commits.back() == 1);
    CHECK(std::accumulate(times.commits.begin(), times.commits.end(), 0U) == 5);
    CHECK(times.writes == 8);
    CHECK(times.total == 21s + 1ms + 2ns);
}
