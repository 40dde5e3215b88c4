// Merging stores, and evaluations of others that an analysis accepts.
#include "api_fixture.hpp"

#include "files/import/import.hpp"
#include "files/kept/kept_file.hpp"

namespace {

std::vector<analysis::Evaluation> all_facts(const storage::Store& store) {
    std::vector<analysis::Evaluation> facts;
    for (const storage::EngineRecord& engine : store.engines()) {
        store.for_each_evaluation(engine.id,
                                  [&](const analysis::Evaluation& fact) { facts.push_back(fact); });
    }
    return facts;
}

std::uint64_t digest(const CoreFixture& core) {
    return core.run(analysis::AnalysisId{1}).slot->graph().digest();
}

} // namespace

TEST_CASE("merge: two halves of an analysis made apart equal the analysis made whole") {
    TemporaryDirectory whole_directory;
    TemporaryDirectory first_directory;
    TemporaryDirectory second_directory;
    Bench bench;
    std::vector<analysis::Evaluation> all;
    std::uint64_t expected = 0;
    storage::EngineRecord engine;
    {
        CoreFixture whole{whole_directory.path(), bench, true};
        const auto id = whole.create("", 2, 40);
        whole.work_until([&] { return whole.settled(id); });
        REQUIRE(whole.settled(id));
        all = all_facts(*whole.store);
        expected = digest(whole);
        engine = whole.store->engines().front();
    }
    REQUIRE(all.size() > 40);
    {
        CoreFixture first{first_directory.path(), bench, true};
        first.create("", 2, 40);
        first.work_until([] { return false; }, all.size() / 2);
        CHECK(digest(first) != expected);
    }
    {
        // The other half, in a store that has met other positions and engines before.
        const auto second = storage::open_store(second_directory.path(), storage::OpenMode::owner);
        second->engine({{}, "another engine", "", "", ""});
        const analysis::EngineId id = second->engine(engine);
        const auto first = storage::open_store(first_directory.path(), storage::OpenMode::read);
        const analysis::EngineId theirs = first->engines().front().id;
        std::size_t copied = 0;
        for (auto fact = all.rbegin(); fact != all.rend(); ++fact) {
            analysis::Evaluation copy = *fact;
            copy.question.engine = theirs;
            if (!first->answer(copy.question)) {
                copy.question.engine = id;
                second->append(copy, {});
                ++copied;
            }
        }
        second->flush();
        REQUIRE(copied > 10);
        REQUIRE(copied < all.size());
    }
    const auto merge = [](const std::filesystem::path& into, const std::filesystem::path& from) {
        const auto store = storage::open_store(into, storage::OpenMode::owner);
        const auto other = storage::open_store(from, storage::OpenMode::read);
        const auto report = import_store(*store, *other);
        REQUIRE(report);
        CHECK(store->check().empty());
        return *report;
    };
    const auto require_whole = [&](const std::filesystem::path& directory) {
        CoreFixture merged{directory, bench, true};
        CHECK(digest(merged) == expected);
        CHECK(merged.work_until([] { return false; }) == 0); // nothing is left to ask
        CHECK(all_facts(*merged.store).size() == all.size());
        CHECK(merged.run(analysis::AnalysisId{1}).slot->graph().verify().empty());
    };
    // Either way round; the analysis itself comes with the half that has it.
    const ImportReport there = merge(second_directory.path(), first_directory.path());
    CHECK(there.analyses_added == 1);
    CHECK(there.evaluations_known == 0);
    const ImportReport here = merge(first_directory.path(), second_directory.path());
    CHECK(here.analyses_added == 0);
    CHECK(here.evaluations_added + here.evaluations_known == here.records);
    CHECK(merge(first_directory.path(), second_directory.path()).evaluations_added == 0);
    require_whole(first_directory.path());
    require_whole(second_directory.path());
}

TEST_CASE("merge: where both have answered, the answer that is here stands") {
    TemporaryDirectory ours;
    TemporaryDirectory theirs;
    const auto fill = [](const std::filesystem::path& directory, int cp) {
        const auto store = storage::open_store(directory, storage::OpenMode::owner);
        analysis::Evaluation fact;
        fact.question.position = chess::Position::initial().packed();
        fact.question.engine = store->engine({{}, "engine", "1", "", ""});
        fact.question.limit = {analysis::Limit::Kind::depth, 9};
        fact.move = *chess::parse_uci(chess::Position::initial(), "e2e4");
        fact.pv = {*fact.move};
        fact.score = chess::Score::cp(cp);
        store->append(fact, {});
        store->flush();
    };
    fill(ours.path(), 10);
    fill(theirs.path(), 99);
    const auto store = storage::open_store(ours.path(), storage::OpenMode::owner);
    const auto other = storage::open_store(theirs.path(), storage::OpenMode::read);
    const auto report = import_store(*store, *other);
    REQUIRE(report);
    CHECK(report->evaluations_known == 1);
    REQUIRE(all_facts(*store).size() == 1);
    CHECK(all_facts(*store).front().score == chess::Score::cp(10));
}

TEST_CASE(
    "merge: files come with an analysis, once, and those that went on differently are both kept") {
    TemporaryDirectory ours;
    TemporaryDirectory theirs;
    const auto make = [](const std::filesystem::path& directory) {
        auto store = storage::open_store(directory, storage::OpenMode::owner);
        storage::AnalysisRecord record;
        record.name = "same";
        record.root_fen = chess::Position::initial().fen();
        record.profile = "engine";
        record.limit = {analysis::Limit::Kind::depth, 9};
        record.parameters = "{}";
        store->insert(record, {});
        return store;
    };
    const auto merge = [&](storage::Store& into, const storage::Store& from) {
        const auto report = import_store(into, from);
        INFO((report ? "" : report.error().message));
        REQUIRE(report);
        CHECK(into.check().empty());
        return kept_files(into, analysis::AnalysisId{1});
    };
    const auto edit = [](storage::Store& store, const KeptFile& file, const char* pgn) {
        store.write(file.with_game(1, read_games_text(pgn).games.front(), 300), {});
        store.flush();
    };
    const auto store = make(ours.path()), other = make(theirs.path());
    REQUIRE(keep(*other, analysis::AnalysisId{1}, "a.pgn", read_games_text("1. e4 *").games, 100));
    edit(*other, kept_files(*other, analysis::AnalysisId{1}).front(), "1. e4 e5 *");
    auto here = merge(*store, *other);
    REQUIRE(here.size() == 1);
    CHECK(here[0].game(1)->version == 2);
    CHECK(here[0].game(1)->text.find("e5") != std::string::npos);
    CHECK(here[0].undone(1, 400)); // its versions came along
    CHECK(merge(*store, *other).size() == 1);
    edit(*store, here[0], "1. e4 c5 *");
    CHECK(merge(*store, *other).size() == 1); // all of theirs is in ours
    edit(*other, kept_files(*other, analysis::AnalysisId{1}).front(), "1. e4 e6 *");
    here = merge(*store, *other);
    REQUIRE(here.size() == 2);
    CHECK(here[0].game(1)->text.find("c5") != std::string::npos);
    CHECK(here[1].game(1)->text.find("e6") != std::string::npos);
}

TEST_CASE("merge: seeds and directives come with an analysis") {
    TemporaryDirectory ours;
    TemporaryDirectory theirs;
    Bench bench;
    {
        CoreFixture core{theirs.path(), bench};
        const auto id = core.create("", 1);
        REQUIRE(core.core->direct(id, {}, "note", "look here").wait());
        REQUIRE(core.core->share(id, {"link-0123456789abcdef", "Ann", 0}).wait());
        REQUIRE(core.core->share(id, {"link-fedcba9876543210", "a review", 1}).wait());
        ImportOptions options;
        options.name = "a.pgn";
        options.target = ImportTarget{id, core.run(id).root, {}};
        std::istringstream in{"1. a4 a5 *"};
        REQUIRE(import_text(*core.store, ImportFormat::pgn, in, options));
    }
    CoreFixture core{ours.path(), bench};
    const auto id = core.create("", 1);
    const auto other = storage::open_store(theirs.path(), storage::OpenMode::read);
    const auto notify = core.core->when_imported();
    for (int i = 0; i < 2; ++i) {
        const auto report = import_store(*core.store, *other);
        REQUIRE(report);
        CHECK(report->analyses_added == 0);
        CHECK(report->seeds_added == (i == 0 ? 2 : 0));
        notify({std::nullopt, report->engines, true});
        core.settle_down();
        CHECK(core.run(id).seeds->size() == 2);
        REQUIRE(in_force(core.run(id).directives).size() == 1);
        CHECK(core.run(id).directives.front().action == Action{Note{"look here"}});
        // One to a file does not: the number is perhaps another file's here.
        CHECK(core.core->links() == Core::Links{{"link-0123456789abcdef", {id, 0}}});
    }
    CHECK(core.core->queue().runs().size() == 1);
}

TEST_CASE("merge: no request can name a file outside the data directory") {
    ApiFixture f;
    for (const char* name :
         {"..", "staged-..%2f..", "%2Fetc", "other", "staged-a.b", "staged-none"}) {
        const auto response =
            f.send(http::Method::post, std::string{"/import?format=db&name="} + name);
        INFO(response.body);
        CHECK(response.status == 400);
        CHECK(json::parse(response.body)["error"]["where"] == "query.name");
    }
}

TEST_CASE("accept: imported evaluations count where an analysis asks for them, and nowhere else") {
    ApiFixture f;
    CoreFixture& core = f.core;
    const auto plain = core.create("", 1, 0);
    const auto create = [&](const char* accept) {
        const json body{{"position", json::object()},
                        {"limit", {{"depth", 8}}},
                        {"accept", {accept}},
                        {"strategy", {{"kind", "halving"}, {"move_distance", 0}, {"refine", 1}}}};
        return analysis::AnalysisId{f.post(body)};
    };
    const auto any = create("any");
    const auto named = create("lichess");
    const auto other = create("epd");
    // Much deeper than the engine, and full of praise for the rook's pawn.
    const std::string line =
        R"({"fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -","evals":)"
        R"([{"pvs":[{"cp":900,"line":"a2a4"}],"knodes":1,"depth":60}]})";
    const auto response =
        f.send_text(http::Method::post, "/import?format=jsonl&name=evals.jsonl", line);
    INFO(response.body);
    REQUIRE(response.status == 200);
    CHECK(json::parse(response.body)["evaluations"]["added"] == 1);
    core.work_until([&] {
        return core.settled(plain) && core.settled(any) && core.settled(named) &&
               core.settled(other);
    });
    const auto best = [&](analysis::AnalysisId id) {
        const std::string number = std::to_string(static_cast<std::int64_t>(id));
        return f.get("/analyses/" + number + "/node")["moves"][0];
    };
    CHECK(best(plain)["san"] != "a4");
    CHECK(best(other)["san"] != "a4");
    for (const auto id : {any, named}) {
        REQUIRE(core.settled(id));
        CHECK(best(id)["san"] == "a4");
        CHECK(best(id)["alpha"]["cp"] == 900);
        CHECK(best(id)["engine"]["engine"] == "lichess");
        CHECK(best(id)["source"] == "import");
    }
    // One answer of the engine serves every analysis; none is asked for twice.
    std::set<std::pair<std::vector<chess::Move>, std::int64_t>> questions;
    for (const analysis::Evaluation& fact : all_facts(*core.store)) {
        CHECK(questions
                  .emplace(fact.question.excluded, static_cast<std::int64_t>(fact.question.engine))
                  .second);
    }
    // A word taken back.
    const std::string id = std::to_string(static_cast<std::int64_t>(named));
    REQUIRE(f.send_text(http::Method::patch, "/analyses/" + id, R"({"accept":[]})").status == 200);
    core.work_until([&] { return core.settled(named); });
    CHECK(best(named)["san"] != "a4");
}

TEST_CASE("accept: a question whose answer an accepted one outweighs is not asked again") {
    ApiFixture f;
    CoreFixture& core = f.core;
    // Two lines of unlike depth, both far deeper than the engine.
    const std::string line =
        R"({"fen":"6k1/6p1/8/4K3/4NN2/8/8/8 w - -","evals":)"
        R"([{"pvs":[{"mate":15,"line":"e5e6"}],"depth":95},{"pvs":[{"mate":20,"line":"e4g5"}],"depth":34}]})";
    REQUIRE(f.send_text(http::Method::post, "/import?format=jsonl&name=e.jsonl", line).status ==
            200);
    const json body{{"position", {{"fen", "6k1/6p1/8/4K3/4NN2/8/8/8 w - - 0 1"}}},
                    {"limit", {{"nodes", 3000}}},
                    {"accept", {"any"}},
                    {"strategy", {{"refine", 1}}}};
    const analysis::AnalysisId id{f.post(body)};
    const std::size_t answers = core.work_until([&] { return core.settled(id); }, 200);
    CHECK(core.settled(id));
    CHECK(answers < 50);
}

TEST_CASE("accept: what is accepted is there after a restart") {
    TemporaryDirectory directory;
    Bench bench;
    analysis::AnalysisId id{};
    {
        CoreFixture core{directory.path(), bench};
        NewAnalysis wanted{"", chess::Position::initial(), {}, "", {}, {}, 0, false};
        wanted.spec.strategy = analysis::default_parameters("halving");
        wanted.limit = {analysis::Limit::Kind::depth, 8};
        wanted.spec.strategy.refine = 1;
        wanted.spec.accept = {"any"};
        id = *core.core->create(std::move(wanted)).wait();
        ImportOptions options;
        options.name = "x.epd";
        std::istringstream in{"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - "
                              "acd 40; ce 700; pv h4;"};
        REQUIRE(import_text(*core.store, ImportFormat::epd, in, options));
    }
    CoreFixture core{directory.path(), bench};
    const AnalysisRun& run = core.run(id);
    REQUIRE(run.slot != nullptr);
    CHECK(run.slot->accepted().size() == 1);
    CHECK(run.slot->graph().game_value(run.root_node) == chess::Score::cp(700));
}

TEST_CASE("accept: who adds sources at the same time loses none") {
    ApiFixture f;
    CoreFixture& core = f.core;
    const auto id = core.create("", 1, 0);
    const auto adds = [&](std::vector<std::string> names) {
        AnalysisPatch patch;
        patch.accept_also = std::move(names);
        return core.core->change(id, std::move(patch));
    };
    // Both are asked for before one is durable.
    const auto first = adds({"lichess"}), second = adds({"epd", "lichess"});
    REQUIRE(first.wait());
    REQUIRE(second.wait());
    const std::vector<std::string> both{"lichess", "epd"};
    CHECK(core.run(id).spec.accept == both);
    const std::string target = "/analyses/" + std::to_string(static_cast<std::int64_t>(id));
    const auto response =
        f.send_text(http::Method::patch, target, R"({"accept_also":["epd","pgn %eval"]})");
    REQUIRE(response.status == 200);
    CHECK(json::parse(response.body)["accept"] == json{"lichess", "epd", "pgn %eval"});
    json many = json::array();
    for (std::size_t i = 0; i + 2 < most_accepted; ++i) {
        many.push_back(std::to_string(i));
    }
    CHECK(f.send_text(http::Method::patch, target, json{{"accept_also", many}}.dump()).status ==
          409);
    CHECK(core.run(id).spec.accept.size() == 3);
}
