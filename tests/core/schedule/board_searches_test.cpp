// Searches of the positions on people's boards, on a core of simulated workers.
#include "core_fixture.hpp"

namespace adjourn::server {

namespace {

struct OnBoard {
    explicit OnBoard(std::size_t processes = 2) {
        bench.processes = processes;
        core.emplace(directory.path(), bench);
        id = core->create(ruy_lopez, 1);
    }

    LongSearches& searches() const { return core->core->long_searches(); }
    const AnalysisRun& run() const { return core->run(id); }
    const BoardSearch& begin(const std::string& moves = "", std::size_t lines = 1,
                             std::size_t from_queue = 1, bool until_stopped = false) {
        const auto look = searches().begin(run(), {line(moves), lines, from_queue, until_stopped});
        REQUIRE(look);
        core->settle_down();
        return **look;
    }
    std::vector<chess::Move> line(const std::string& moves) const {
        return *chess::parse_line(run().root, moves);
    }
    // Lets the process at that place answer its question.
    void answer(std::size_t place = 0) {
        REQUIRE(bench.looking.at(place)->step());
        core->settle_down();
    }
    const engine_bridge::Job& asked(std::size_t place = 0) const {
        return bench.looking.at(place)->queue.back();
    }
    const std::string& why_over(BoardSearchId look) const {
        const BoardSearch* found = searches().find(id, look);
        REQUIRE(found != nullptr);
        return found->ended;
    }
    std::vector<analysis::Evaluation> stored(const chess::Position& position) {
        return core->store->evaluations(position.packed());
    }
    void change(BoardSearchId look, const BoardSearchPatch& patch) {
        REQUIRE(searches().change(run(), look, patch));
        core->settle_down();
    }

    TemporaryDirectory directory;
    Bench bench;
    std::optional<CoreFixture> core;
    analysis::AnalysisId id{};
};

} // namespace

TEST_CASE("board search: each finished depth is stored, and the next one asked at once") {
    OnBoard here;
    const BoardSearch& look = here.begin();
    REQUIRE(here.bench.looking.size() == 1);
    CHECK(here.bench.looking[0]->processes == 1);
    for (int depth = LongSearches::first_depth; depth < LongSearches::first_depth + 5; ++depth) {
        CAPTURE(depth);
        REQUIRE(look.question);
        CHECK(look.question->depth == depth);
        CHECK(here.asked().limit ==
              chess::Limit{chess::Limit::Kind::depth, static_cast<std::uint64_t>(depth)});
        CHECK(here.asked().watched);
        here.answer();
        CHECK(look.depth == depth);
        REQUIRE(look.found.size() == 1);
        CHECK(look.found[0].question.limit.amount == static_cast<std::uint64_t>(depth));
        const auto facts = here.stored(look.position);
        CHECK(std::ranges::count(facts, look.found[0]) == 1);
    }
    CHECK(here.run().usage.nodes == 0); // nobody pays
    CHECK(here.core->store->usage(here.id).nodes == 0);
}

TEST_CASE(
    "board search: what it finds is part of the graph, where that rests on such evaluations") {
    OnBoard here;
    const BoardSearch& look = here.begin(); // the analysis rests on depth 8 or more
    here.answer();
    const AnalysisRun& run = here.run();
    REQUIRE(run.slot != nullptr);
    const auto before = run.slot->graph().moves(run.root_node);
    REQUIRE(before.size() == 1);
    CHECK(before[0].evaluation == look.found[0].id);
    for (int i = 0; i < 4; ++i) {
        here.answer();
    }
    const auto later = run.slot->graph().moves(run.root_node);
    const auto best = std::ranges::find(later, *look.found[0].move, &analysis::GraphMove::move);
    REQUIRE(best != later.end());
    CHECK(best->evaluation == look.found[0].id);
    CHECK(look.found[0].question.limit.amount == 12);
}

TEST_CASE(
    "board search: the best moves are searched one after the other, each without the better ones") {
    OnBoard here;
    const BoardSearch& look = here.begin("", 3);
    for (int depth = LongSearches::first_depth; depth < LongSearches::first_depth + 3; ++depth) {
        for (std::size_t number = 0; number < 3; ++number) {
            CAPTURE(depth, number);
            REQUIRE(look.question);
            CHECK(look.question->depth == depth);
            CHECK(look.question->number == number);
            const std::size_t legal = look.position.legal_moves().size();
            CHECK(here.asked().searchmoves.size() == (number == 0 ? 0 : legal - number));
            here.answer();
        }
        CHECK(look.depth == depth);
        REQUIRE(look.found.size() == 3);
        CHECK(look.found[0].move != look.found[1].move);
        CHECK(look.found[2].question.excluded.size() == 2);
    }
    here.change(look.id, {{}, 1});
    CHECK(look.found.size() == 1);
    CHECK(look.depth == LongSearches::first_depth + 2);
    CHECK(look.question->depth == LongSearches::first_depth + 3);
    here.change(look.id, {{}, 4}); // what is known of the others is not asked again
    CHECK(look.found.size() == 3);
    CHECK(look.question->number == 3);
    CHECK(look.question->depth == LongSearches::first_depth);
}

TEST_CASE("board search: it begins behind what is stored, and shows that at once") {
    OnBoard here;
    const BoardSearchId first = here.begin("", 2).id;
    for (int i = 0; i < 10; ++i) {
        here.answer();
    }
    here.searches().stop(first);
    here.core->settle_down();
    const BoardSearch& again = here.begin("", 2);
    CHECK(again.found.size() == 2);
    CHECK(again.depth == LongSearches::first_depth + 4);
    CHECK(again.question->depth == LongSearches::first_depth + 5);
    CHECK(here.bench.looking.size() == 1); // the same process, still warm
}

TEST_CASE("board search: moves that people excluded are no answer") {
    OnBoard here;
    here.begin();
    here.answer();
    const BoardSearch& look = *here.searches().of(here.id).front();
    const chess::Move best = *look.found[0].move;
    here.core->direct(here.id, {best}, "exclude");
    here.core->settle_down();
    here.answer(); // was out before
    for (int i = 0; i < 3; ++i) {
        CHECK_FALSE(here.asked().searchmoves.empty());
        CHECK(std::ranges::count(here.asked().searchmoves, best) == 0);
        here.answer();
        CHECK(look.found[0].move != best);
    }
}

TEST_CASE("board search: the queue leaves it as many processes as were said, and no more") {
    Bench* bench = nullptr;
    const auto out = [&] { return bench->queue.size(); };
    OnBoard here{4};
    bench = &here.bench;
    here.core->create("", 6, 60);
    here.core->work_until([&] { return out() == 8; });
    REQUIRE(out() == 8);      // two for each process
    const auto steady = [&] { // what the queue holds when it has been given all it may have
        for (int i = 0; i < 12; ++i) {
            here.bench.step();
            here.core->settle_down();
        }
        return out();
    };
    const auto from_queue = GENERATE(0u, 1u, 3u, 4u, 9u);
    CAPTURE(from_queue);
    const BoardSearch& look = here.begin("", 1, from_queue);
    CHECK(out() == 8); // what is out stays
    CHECK(steady() == (from_queue == 0 ? 8 : 4 - std::min(from_queue, 4u)));
    here.answer();
    CHECK(out() <= 8);
    here.change(look.id, {{}, {}, 1});
    CHECK(steady() == 3);
    here.searches().stop(look.id);
    here.core->settle_down();
    CHECK(steady() == 8);
}

TEST_CASE("board search: it ends when nobody renews it, unless it is to go on") {
    OnBoard here;
    const BoardSearchId looked = here.begin("", 1, 1).id;
    const BoardSearchId stays = here.begin("Nf6", 1, 0, true).id;
    here.core->pass(LongSearches::patience - 1);
    CHECK(here.why_over(looked).empty());
    here.change(looked, {});
    here.core->pass(LongSearches::patience - 1);
    CHECK(here.why_over(looked).empty());
    here.core->told->forget();
    here.core->pass(1);
    CHECK(here.why_over(looked) == "nobody looked any more");
    REQUIRE_FALSE(here.core->told->boards.empty());
    CHECK(here.core->told->boards.back().ended == "nobody looked any more");
    CHECK(here.bench.looking[0]->cancelled.size() == 1);
    CHECK(here.core->core->engines().dispatcher()->lent(0) == 0);
    CHECK(here.why_over(stays).empty());
    here.core->pass(LongSearches::kept);
    CHECK(here.searches().find(here.id, looked) == nullptr);
    CHECK(here.why_over(stays).empty());
}

TEST_CASE("board search: nobody sets the clock by which it ends, and its process is sent away") {
    const analysis::UnixMs by = GENERATE(-86'400'000, 0, 86'400'000);
    CAPTURE(by);
    OnBoard here;
    const BoardSearchId look = here.begin().id;
    here.core->pass(200);
    here.core->set_by = by;
    here.core->pass(LongSearches::patience - 201);
    CHECK(here.why_over(look).empty());
    here.core->pass(1);
    CHECK(here.why_over(look) == "nobody looked any more");
    here.core->set_by = 0;
    here.core->pass(LongSearches::warm - 1);
    CHECK_FALSE(here.bench.looking[0]->stopped);
    here.core->set_by = by;
    here.core->pass(1);
    CHECK(here.bench.looking[0]->stopped);
    CHECK(here.core->core->engines().dispatcher()->reserved() == 0);
    here.begin();
    CHECK(here.bench.looking.size() == 2);
}

TEST_CASE("board search: who moves on takes the look along, with the same process") {
    OnBoard here;
    const BoardSearch& look = here.begin();
    here.answer();
    const chess::Position before = look.position;
    here.change(look.id, {here.line("Nf6")});
    CHECK(look.position != before);
    CHECK(look.found.empty());
    CHECK(look.depth == 0);
    CHECK(here.bench.looking.size() == 1);
    CHECK(here.bench.looking[0]->cancelled.size() == 1);
    CHECK(here.asked().position == look.position);
    here.answer(); // of the position before: it is stored, but not shown
    CHECK(look.found.empty());
    here.answer();
    CHECK(look.depth == LongSearches::first_depth);
    CHECK(here.stored(before).size() == 2);
}

TEST_CASE("board search: it ends, with the reason, where nothing more can be found") {
    SECTION("the engine dies of the position") {
        OnBoard here;
        const BoardSearch& look = here.begin();
        here.bench.looking[0]->poison.insert(look.position.engine_fen());
        here.answer();
        CHECK(look.ended.find("died of signal 11") != std::string::npos);
        CHECK(here.bench.looking[0]->queue.empty());
        CHECK(here.core->store->failures(here.run().record.engine).size() == 1);
    }
    SECTION("the engine goes no deeper") {
        OnBoard here;
        here.bench.deepest = 10;
        const BoardSearch& look = here.begin();
        std::size_t answers = 0;
        while (look.ended.empty() && answers < 100) {
            here.answer();
            ++answers;
        }
        CHECK(look.ended == "the engine goes no deeper than depth 10");
        CHECK(answers == 6);
        CHECK(here.bench.looking[0]->queue.empty());
    }
    SECTION("a mate is found") {
        OnBoard here;
        here.id = here.core->create("1. f3 e5 2. g4", 1);
        const BoardSearch& look = here.begin();
        here.answer();
        CHECK(look.ended == "the game is decided: it ends in mate");
        CHECK(look.found[0].score == chess::Score::mate_in(1));
        CHECK(here.bench.looking[0]->queue.empty());
        here.change(look.id, {{}, 2}); // the second best goes on
        CHECK(look.ended.empty());
        CHECK(look.question->number == 1);
    }
    SECTION("there is one legal move") {
        OnBoard here;
        here.id = here.core->create("1. e4 f5 2. Qh5", 1);
        const BoardSearch& look = here.begin("", 5);
        REQUIRE(look.position.legal_moves().size() == 1);
        here.answer();
        CHECK(look.found.size() == 1);
        CHECK(look.depth == LongSearches::first_depth);
    }
    SECTION("all moves are excluded") {
        OnBoard here;
        here.id = here.core->create("1. e4 f5 2. Qh5", 1);
        here.core->direct(here.id, here.line("g6"), "exclude");
        here.core->settle_down();
        CHECK(here.begin().ended == "all its moves are excluded");
    }
    SECTION("the engine cannot be started") {
        OnBoard here;
        here.bench.missing = "no such file";
        CHECK(here.begin().ended == "the engine does not work: no such file");
    }
    SECTION("the analysis is deleted") {
        OnBoard here;
        const BoardSearchId look = here.begin().id;
        REQUIRE(here.core->core->remove(here.id).wait());
        here.core->settle_down();
        CHECK(here.searches().find(here.id, look) == nullptr);
        CHECK(here.core->told->boards.back().ended == "the analysis was deleted");
    }
}

TEST_CASE("board search: where nothing can be searched nobody begins to look") {
    OnBoard here;
    SECTION("the game is over") {
        here.id = here.core->create("1. f3 e5 2. g4", 1);
        const auto look = here.searches().begin(here.run(), {here.line("Qh4#")});
        REQUIRE_FALSE(look);
        CHECK(look.error().kind == WorkError::Kind::futile_line);
        const BoardSearch& before = here.begin();
        BoardSearchPatch patch;
        patch.line = here.line("Qh4#");
        REQUIRE_FALSE(here.searches().change(here.run(), before.id, patch));
        CHECK(before.ended == "the game is over in this position");
        here.change(before.id, {here.line("")}); // and back
        CHECK(before.ended.empty());
        CHECK(before.question);
    }
    SECTION("four positions are looked at") {
        for (const char* moves : {"", "Nf6", "a6", "d6"}) {
            here.begin(moves, 1, 0);
        }
        const auto fifth = here.searches().begin(here.run(), {});
        REQUIRE_FALSE(fifth);
        CHECK(fifth.error().kind == WorkError::Kind::no_board_search);
        CHECK(here.bench.looking.size() == 4);
        const BoardSearchId first = here.searches().of(here.id).front()->id;
        here.searches().stop(first);
        here.begin();
        CHECK(here.bench.looking.size() == 4);
    }
    SECTION("there is none, or it is another analysis's") {
        const auto other = here.core->create("1. d4", 1);
        CHECK(here.searches().find(here.id, BoardSearchId{5}) == nullptr);
        CHECK(here.searches().find(other, here.begin().id) == nullptr);
    }
}

TEST_CASE("board search: an engine that leaves the configuration takes what is looked at along") {
    OnBoard here;
    const BoardSearch& look = here.begin();
    engine_bridge::Profile other = here.core->core->engines().all().front()->profile;
    other.count = 1;
    here.core->core->set_engines({other});
    here.core->settle_down();
    CHECK(look.ended == "the engine was changed in the configuration");
    CHECK(here.core->core->engines().dispatcher()->reserved() == 0);
    here.change(look.id, {here.line("")});
    CHECK(look.ended.empty());
    CHECK(here.bench.looking.size() == 2);
}

TEST_CASE("board search: what is told often is told a few times a second") {
    OnBoard here;
    const BoardSearch& look = here.begin();
    here.core->told->forget();
    for (int i = 0; i < 20; ++i) {
        here.answer();
    }
    CHECK(here.core->told->boards.empty()); // no time has passed
    here.core->pass(200);
    REQUIRE(here.core->told->boards.size() == 1);
    CHECK(here.core->told->boards.back().depth == look.depth);
}

} // namespace adjourn::server
