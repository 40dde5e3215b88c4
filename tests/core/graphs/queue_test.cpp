// The queue alone: a store and nothing that works.
#include "temporary_directory.hpp"

#include "chess/notation.hpp"
#include "core/graphs/queue.hpp"
#include "storage/open.hpp"
#include "test.hpp"

namespace adjourn::server {

namespace {

struct QueueAlone {
    NewAnalysis wanted(const std::string& name) const {
        const chess::Position start = chess::Position::initial();
        NewAnalysis wanted{name, start, *chess::parse_line(start, "e2e4"), "", {}, {}, 0, false};
        wanted.spec.strategy = analysis::default_parameters("halving");
        return wanted;
    }
    AnalysisRun& add(const std::string& name) {
        const auto run = queue.create(wanted(name), "some", {}).wait();
        REQUIRE(run);
        return **run;
    }
    std::vector<std::string> names() const {
        std::vector<std::string> names;
        for (const auto& run : queue.runs()) {
            names.push_back(run->record.name);
        }
        return names;
    }
    // What another program would read.
    std::vector<storage::AnalysisRecord> stored() {
        store->flush();
        return store->analyses();
    }

    boost::asio::io_context context; // longer than the store, whose thread posts there
    base::TaskScope scope{context};
    TemporaryDirectory directory;
    std::unique_ptr<storage::Store> store =
        storage::open_store(directory.path(), storage::OpenMode::owner);
    Health health{*store, {}};
    analysis::UnixMs clock = 1'000;
    Queue queue{*store, health, [this] { return clock; }, scope.poster()};
};

} // namespace

TEST_CASE("a new analysis is last, durable, and read again by the next queue", "[queue]") {
    QueueAlone here;
    here.add("first");
    here.clock = 2'000;
    here.add("second");
    CHECK(here.names() == std::vector<std::string>{"first", "second"});
    CHECK(here.store->analyses().size() == 2);
    CHECK(here.store->analyses()[1].created_at == 2'000);

    Queue next{*here.store, here.health, [] { return analysis::UnixMs{0}; }, here.scope.poster()};
    const auto read = next.take(Queue::contents(*here.store, next.known()));
    REQUIRE(read.size() == 2);
    CHECK(read[0]->record == here.queue.runs()[0]->record);
    CHECK(read[1]->root == here.queue.runs()[1]->root);
    CHECK(next.take(Queue::contents(*here.store, next.known())).empty()); // they are here
}

TEST_CASE("priority goes before the place; a newcomer is the last of its own", "[queue]") {
    QueueAlone here;
    const auto usual = here.add("usual").record.id;
    NewAnalysis wanted = here.wanted("high");
    wanted.priority = 1;
    REQUIRE(here.queue.create(std::move(wanted), "some", {}).wait());
    const auto later = here.add("later").record.id;
    CHECK(here.names() == std::vector<std::string>{"high", "usual", "later"});

    AnalysisPatch place;
    place.rank = 0.5;
    const auto changed = here.queue.change(later, place).wait();
    REQUIRE(changed);
    CHECK_FALSE(changed->tree);
    CHECK(here.names() == std::vector<std::string>{"high", "later", "usual"});

    AnalysisPatch priority;
    priority.priority = 1;
    REQUIRE(here.queue.change(usual, priority).wait());
    CHECK(here.names() == std::vector<std::string>{"usual", "high", "later"});
}

TEST_CASE("what no engine of the config could do, or not in time, is not taken", "[queue]") {
    QueueAlone here;
    const auto nobody = here.queue.create(here.wanted("one"), "", {}).wait();
    REQUIRE_FALSE(nobody);
    CHECK(nobody.error().kind == WorkError::Kind::no_engine);

    NewAnalysis wanted = here.wanted("one");
    wanted.spec.budget.until = here.clock;
    const auto late = here.queue.create(wanted, "some", {}).wait();
    REQUIRE_FALSE(late);
    CHECK(late.error().kind == WorkError::Kind::past_moment);
    CHECK(here.store->analyses().empty());

    wanted.spec.budget.until = here.clock + 1;
    const auto run = here.queue.create(wanted, "some", {}).wait();
    REQUIRE(run);
    here.clock += 2;
    AnalysisPatch patch;
    patch.budget = (*run)->spec.budget;
    CHECK(here.queue.change((*run)->record.id, patch).wait()); // what was set before may stay
    patch.budget->until = here.clock;
    const auto past = here.queue.change((*run)->record.id, patch).wait();
    REQUIRE_FALSE(past);
    CHECK(past.error().kind == WorkError::Kind::past_moment);
}

TEST_CASE("a change tells whether the plan is made of it", "[queue]") {
    QueueAlone here;
    const auto id = here.add("one").record.id;
    AnalysisPatch name;
    name.name = "two";
    CHECK_FALSE(here.queue.change(id, name).wait()->tree);
    AnalysisPatch limit;
    limit.limit = analysis::Limit{analysis::Limit::Kind::depth, 17};
    CHECK(here.queue.change(id, limit).wait()->tree);
    CHECK_FALSE(here.queue.change(id, limit).wait()->tree); // it has that limit
    CHECK(here.stored().front().name == "two");
    CHECK(here.stored().front().limit.amount == 17);
}

TEST_CASE("a removed analysis is here until nobody knows it any more", "[queue]") {
    QueueAlone here;
    const auto id = here.add("one").record.id;
    const auto removed = here.queue.remove(id).wait();
    REQUIRE(removed);
    CHECK(here.stored().empty());
    CHECK(here.queue.find(id) == *removed);
    here.queue.erase(**removed);
    CHECK(here.queue.find(id) == nullptr);
}

TEST_CASE("a transient analysis leaves nothing in the store", "[queue]") {
    QueueAlone here;
    NewAnalysis wanted = here.wanted("for a while");
    wanted.transient = true;
    const auto run = here.queue.create(std::move(wanted), "some", {}).wait();
    REQUIRE(run);
    CHECK(static_cast<std::int64_t>((*run)->record.id) < 0);
    here.queue.save(**run);
    CHECK(here.stored().empty());
}

TEST_CASE("what is said about a move needs one, and is stored where it applies", "[queue]") {
    QueueAlone here;
    AnalysisRun& run = here.add("one");
    const auto id = run.record.id;
    CHECK(here.queue.directive(id, {}, "exclude", "").error().kind == WorkError::Kind::needs_move);
    const auto line = *chess::parse_line(run.root, "e7e5 g1f3");
    const auto said = here.queue.directive(id, line, "exclude", "");
    REQUIRE(said);
    CHECK(said->directive.action == Action{Exclude{line[1]}});
    CHECK(said->position == run.root.after(line[0]));
    CHECK(run.directives.empty()); // not yet
    const auto stored = here.queue.give(id, line, "exclude", "").wait();
    REQUIRE(stored);
    const std::int64_t number = stored->directive.id;
    REQUIRE(here.store->directives(id).size() == 1);
    CHECK(here.store->directives(id)[0].id == number);
    REQUIRE(run.directives.size() == 1);
    CHECK(record_of(run.directives[0], id) == here.store->directives(id)[0]);
}

TEST_CASE("a note is taken back by its moment, also after a restart", "[queue]") {
    QueueAlone here;
    const auto id = here.add("one").record.id;
    const auto say = [&](const std::string& action, const std::string& text) {
        const auto said = here.queue.give(id, {}, action, text).wait();
        REQUIRE(said);
        return said->directive.at;
    };
    const analysis::UnixMs first = say("note", "e5 losses");
    const analysis::UnixMs second = say("note", "e5 loses"); // in the same millisecond
    CHECK(second > first);
    CHECK(notes_of(here.queue.find(id)->directives).size() == 2);
    say("retract", std::to_string(first));

    Queue next{*here.store, here.health, [] { return analysis::UnixMs{0}; }, here.scope.poster()};
    (void)next.take(Queue::contents(*here.store, next.known()));
    for (const Queue* queue : {&here.queue, &next}) {
        const auto notes = notes_of(queue->find(id)->directives);
        REQUIRE(notes.size() == 1);
        CHECK(notes[0]->action == Action{Note{"e5 loses"}});
        const auto again = queue->directive(id, {}, "retract", std::to_string(first));
        REQUIRE_FALSE(again);
        CHECK(again.error().kind == WorkError::Kind::no_note);
        const auto elsewhere =
            queue->directive(id, *chess::parse_line(queue->find(id)->root, "e7e5"), "retract",
                             std::to_string(second));
        CHECK_FALSE(elsewhere);
    }
}

TEST_CASE("a change takes effect once it is durable, and what the work saves follows it",
          "[queue]") {
    QueueAlone here;
    AnalysisRun& run = here.add("one");
    AnalysisPatch name, priority;
    name.name = "another";
    priority.priority = 3;
    const auto renamed = here.queue.change(run.record.id, name);
    CHECK(run.record.name == "one"); // it is being written
    run.record.state = storage::AnalysisState::running;
    here.queue.save(run);
    const auto raised = here.queue.change(run.record.id, priority); // after the first
    const auto gone = here.queue.remove(analysis::AnalysisId{7});
    REQUIRE(renamed.wait());
    CHECK(run.record.name == "another");
    CHECK(run.record.state == storage::AnalysisState::running);
    REQUIRE(raised.wait());
    CHECK(gone.wait().error().kind == WorkError::Kind::no_analysis);
    CHECK(run.record.priority == 3);
    REQUIRE(here.stored().size() == 1);
    CHECK(here.stored()[0] == run.record);
}

TEST_CASE("an analysis has a hundred links at most, and a link is said by no other way",
          "[queue]") {
    QueueAlone here;
    const auto id = here.add("one").record.id;
    for (int i = 0; i < 100; ++i) {
        REQUIRE(here.queue.share(id, {"link-0123456789abc" + std::to_string(i), "", 0}).wait());
    }
    const auto last = here.queue.share(id, {"link-fedcba9876543210", "", 0}).wait();
    REQUIRE_FALSE(last);
    CHECK(last.error().kind == WorkError::Kind::too_many_links);
    const auto& directives = here.queue.find(id)->directives;
    CHECK(links_in(directives).size() == 100);
    CHECK(in_force(directives).empty());
    const std::string at = std::to_string(directives.front().at);
    CHECK_FALSE(here.queue.directive(id, {}, "retract", at)); // least of all taken back as a note
}

} // namespace adjourn::server
