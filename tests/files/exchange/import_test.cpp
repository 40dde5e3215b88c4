// Importing: what becomes a seed, what a fact, what is reported.
#include "core_fixture.hpp"
#include "test_api.hpp"

#include "base/text.hpp"
#include "chess/pgn.hpp"
#include "core/records/stored_analysis.hpp"
#include "files/import/import.hpp"
#include "http/requests/target.hpp"

namespace {

// A store with one analysis of the initial position.
struct ImportFixture {
    TemporaryDirectory directory;
    std::unique_ptr<storage::Store> store =
        storage::open_store(directory.path(), storage::OpenMode::owner);
    ImportOptions options;

    explicit ImportFixture(const std::string& root_moves = "") {
        storage::AnalysisRecord record;
        record.root_fen = chess::Position::initial().fen();
        record.root_moves = *chess::parse_line(chess::Position::initial(), root_moves);
        store->insert(record, {});
        store->flush();
        options.name = "some.file";
        options.at = 1'700'000'000'000;
        options.target = ImportTarget{analysis::AnalysisId{1}, root_of(record)->root, {}};
    }

    ImportReport take(ImportFormat format, const std::string& text) {
        std::istringstream in{text};
        const auto report = import_text(*store, format, in, options);
        REQUIRE(report);
        return *report;
    }

    // "e4 e5" in the order of the store, each as SAN at its position.
    std::string seeds() const {
        std::string text;
        for (const storage::SeedRecord& seed : store->seeds(analysis::AnalysisId{1})) {
            CHECK(seed.source == "some.file");
            text += chess::to_san(*chess::Position::unpack(seed.position), seed.move) + " ";
        }
        return text;
    }

    std::vector<analysis::Evaluation> facts(const std::string& moves = "") const {
        chess::Position position = chess::Position::initial();
        const auto line = *chess::parse_line(position, moves);
        for (const chess::Move move : line) {
            position.play(move);
        }
        return store->evaluations(position.packed());
    }
    storage::EngineRecord engine_of(const analysis::Evaluation& fact) const {
        for (const storage::EngineRecord& engine : store->engines()) {
            if (engine.id == fact.question.engine) {
                return engine;
            }
        }
        return {};
    }
};

constexpr const char* annotated = "[Event \"A\"]\n\n1. e4 {[%eval 0.3,20]} e5 (1... c5 {[%eval "
                                  "#-3]} 2. Nf3) 2. Nf3 {no score} *\n";

} // namespace

TEST_CASE("import: the moves of games become seeds, variations too") {
    ImportFixture f;
    const ImportReport report = f.take(ImportFormat::pgn, annotated);
    CHECK(report.records == 1);
    CHECK(report.moves == 5);
    CHECK(report.seeds_added == 5);
    CHECK(report.seeds_known == 0);
    CHECK(f.seeds() == "e4 e5 c5 Nf3 Nf3 ");
    const ImportReport again = f.take(ImportFormat::pgn, annotated);
    CHECK(again.seeds_added == 0);
    CHECK(again.seeds_known == 5);
    CHECK(again.evaluations_added == 0);
    CHECK(again.evaluations_known == 2);
}

TEST_CASE("import: main lines alone, one side alone, so many plies alone") {
    const auto seeds_with = [](auto change) {
        ImportFixture f;
        change(f.options);
        f.take(ImportFormat::pgn, annotated);
        return f.seeds();
    };
    CHECK(seeds_with([](ImportOptions& o) { o.variations = false; }) == "e4 e5 Nf3 ");
    CHECK(seeds_with([](ImportOptions& o) { o.side = ImportSide::white; }) == "e4 Nf3 Nf3 ");
    CHECK(seeds_with([](ImportOptions& o) { o.side = ImportSide::black; }) == "e5 c5 ");
    CHECK(seeds_with([](ImportOptions& o) { o.plies = 2; }) == "e4 e5 c5 ");
    CHECK(seeds_with([](ImportOptions& o) { o.target.reset(); }).empty());
}

TEST_CASE("import: seeds begin where a line meets the root, by whatever moves") {
    ImportFixture f{"1. e4 c5 2. Nf3"};
    f.options.plies = 2;
    const ImportReport report = f.take(
        ImportFormat::pgn, "1. Nf3 c5 2. e4 d6 3. d4 cxd4 *\n\n[Event \"B\"]\n\n1. d4 d5 *\n");
    CHECK(f.seeds() == "d6 d4 ");
    CHECK(report.skipped == 1); // the game that never comes there
}

TEST_CASE("import: [%eval] is an evaluation of the move before it, under its own fingerprint") {
    ImportFixture f;
    const ImportReport report = f.take(ImportFormat::pgn, annotated);
    CHECK(report.evaluations_added == 2);
    const auto first = f.facts();
    REQUIRE(first.size() == 1);
    const chess::Position start = chess::Position::initial();
    CHECK(first[0].move == *chess::parse_uci(start, "e2e4"));
    CHECK(first[0].score == chess::Score::cp(30));
    CHECK(first[0].question.limit == analysis::Limit{analysis::Limit::Kind::depth, 20});
    CHECK(first[0].question.excluded.size() == 19); // said of this move alone
    CHECK(std::is_sorted(first[0].question.excluded.begin(), first[0].question.excluded.end()));
    CHECK(f.engine_of(first[0]).name == "pgn %eval");
    CHECK(f.engine_of(first[0]).options == "File=some.file\n");
    // After 1. e4 c5 White is mated in three: c5 mates, a ply more away.
    const auto second = f.facts("e2e4");
    REQUIRE(second.size() == 1);
    CHECK(second[0].score == chess::Score::mated_in(6).backed_up());
    CHECK(second[0].score->is_win());
    CHECK(second[0].question.limit.amount == 1); // nothing is known of the effort
}

TEST_CASE("import: a broken game is reported with its place, and the rest goes on") {
    ImportFixture f;
    f.options.records_before = 10;
    f.options.lines_before = 100;
    const ImportReport report = f.take(
        ImportFormat::pgn, "1. e4 e5 *\n\n[Event \"B\"]\n\n1. e4\ne6 2. Ke3 d5 *\n\n1. d4 d5 *\n");
    CHECK(report.records == 3);
    CHECK(report.broken == 1);
    REQUIRE(report.errors.size() == 1);
    CHECK(report.errors[0].record == 12);
    CHECK(report.errors[0].line == 106);
    CHECK(to_text(report.errors[0], ImportFormat::pgn, "a.pgn")
              .starts_with("a.pgn: game 12, line 106: column 7: 'Ke3'"));
    CHECK(f.seeds() == "e4 e5 e6 d4 d5 ");
}

TEST_CASE("import: all best moves of an EPD record are seeds, those to avoid are none") {
    ImportFixture f;
    const std::string start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - ";
    const ImportReport report = f.take(ImportFormat::epd, start + "bm Nf3 d4; am h4;\n");
    CHECK(report.errors.empty());
    CHECK(report.skipped == 0);
    CHECK(f.seeds() == "Nf3 d4 ");
}

TEST_CASE("import: EPD records are evaluations and seeds") {
    ImportFixture f;
    const std::string start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - ";
    const ImportReport report =
        f.take(ImportFormat::epd, "# comment\n" + start + "acd 12; acn 500; ce 25; pv e4 e5;\n" +
                                      start + "bm d4;\n" + start + "id \"nothing\";\n" + start +
                                      "bm d5;\n" + start + "acd 9; ce -3;\n");
    CHECK(report.records == 5);
    CHECK(report.evaluations_added == 2);
    CHECK(report.skipped == 1);
    REQUIRE(report.errors.size() == 1);
    CHECK(report.errors[0] == ImportError{4, 5, report.errors[0].message});
    CHECK(report.errors[0].message.starts_with("bm: 'd5'"));
    CHECK(f.seeds() == "e4 e5 d4 ");
    const auto facts = f.facts();
    REQUIRE(facts.size() == 2);
    CHECK(facts[0].question.limit == analysis::Limit{analysis::Limit::Kind::depth, 12});
    CHECK(facts[0].question.excluded.empty());
    CHECK(facts[0].nodes == 500);
    CHECK(facts[0].score == chess::Score::cp(25));
    CHECK(facts[0].pv.size() == 2);
    CHECK_FALSE(facts[1].move); // a score of the position alone
    CHECK(f.engine_of(facts[0]).name == "epd");
}

TEST_CASE("import: lichess evaluations, each PV without the moves before it, White's side") {
    ImportFixture f;
    const std::string black = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -";
    const ImportReport report = f.take(
        ImportFormat::lichess,
        R"({"fen":")" + black +
            R"(","evals":[{"pvs":[{"cp":20,"line":"c7c5 g1f3"},{"mate":4,"line":"e7e5"}],"knodes":7,"depth":30}]})"
            "\n\n{\"fen\":\"x\",\"evals\":[]}\nnonsense\n" +
            R"({"fen":")" + black + R"(","evals":[{"pvs":[{"cp":1,"line":"e2e4"}],"depth":1}]})");
    CHECK(report.records == 4);
    CHECK(report.evaluations_added == 2);
    REQUIRE(report.errors.size() == 3);
    CHECK(report.errors[0].line == 3);
    CHECK(report.errors[0].message.starts_with("fen: "));
    CHECK(report.errors[2].message.starts_with("evals[0].pvs[0]: 'e2e4'"));
    const auto facts = f.facts("e2e4");
    REQUIRE(facts.size() == 2);
    CHECK(facts[0].score == chess::Score::cp(-20));
    CHECK(facts[0].nodes == 7'000);
    CHECK(facts[1].score == chess::Score::mated_in(8));
    CHECK(facts[1].question.excluded == std::vector<chess::Move>{*facts[0].move});
    CHECK(f.engine_of(facts[0]).name == "lichess");
}

TEST_CASE("import: lichess evaluations whose numbers do not fit are broken") {
    ImportFixture f;
    std::string lines;
    for (const char* score :
         {R"("cp":-9223372036854775808)", R"("cp":18446744073709551615)", R"("cp":1e300)",
          R"("mate":-9223372036854775808)", R"("mate":18446744073709551615)", R"("mate":247)",
          R"("mate":-247)", R"("cp":29754)", R"("cp":-29754)", R"("cp":1,"mate":1)"}) {
        lines += R"({"fen":"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -","evals":[)"
                 R"({"pvs":[{"line":"c7c5",)" +
                 std::string{score} + "}],\"depth\":30}]}\n";
    }
    const ImportReport report = f.take(ImportFormat::lichess, lines);
    CHECK(report.evaluations_added == 0);
    CHECK(report.errors.size() == 10);
    for (const auto& error : report.errors) {
        CHECK(error.message ==
              "evals[0].pvs[0]: cp within 29,753 or mate within 246, and line are wanted");
    }
}

TEST_CASE("import: a file in parts says the same as in one") {
    std::string text;
    for (int game = 0; game < 50; ++game) {
        text += "[Event \"" + std::to_string(game) + "\"]\n[White \"M\xfcller\"]\n\n1. e4 e5\n2. " +
                (game % 7 == 3 ? std::string{"Ke3"} : "Nf3") + " *\n\n";
    }
    ImportFixture whole;
    const ImportReport expected = whole.take(ImportFormat::pgn, text);
    CHECK(expected.broken == 7);
    ImportFixture parts;
    ImportReport sum;
    std::istringstream in{text};
    ImportParts cut{in, ImportFormat::pgn, 300};
    std::size_t count = 0;
    while (const auto part = cut.next()) {
        CHECK(base::to_utf8(part->text) == part->text);
        parts.options.records_before = sum.records;
        parts.options.lines_before = part->lines_before;
        sum.add(parts.take(ImportFormat::pgn, part->text));
        ++count;
    }
    CHECK(count > 5);
    CHECK(sum.records == expected.records);
    CHECK(sum.errors == expected.errors);
    CHECK(sum.seeds_added == expected.seeds_added);
    CHECK(parts.seeds() == whole.seeds());
}

TEST_CASE("import: reports survive the way over HTTP") {
    ImportFixture f;
    const ImportReport report = f.take(ImportFormat::pgn, std::string{annotated} + "1. e5 *");
    const auto back = report_of(report_json(report));
    REQUIRE(back);
    CHECK(report_json(*back) == report_json(report));
    CHECK(back->errors == report.errors);
    CHECK_FALSE(report_of(json::object()));
}

TEST_CASE("import: formats by the file's name") {
    CHECK(import_format_of("a/b.pgn") == ImportFormat::pgn);
    CHECK(import_format_of("b.PGN.zst") == ImportFormat::pgn);
    CHECK(import_format_of("b.pgn.gz") == ImportFormat::pgn);
    CHECK(import_format_of("b.epd") == ImportFormat::epd);
    CHECK(import_format_of("lichess_db_eval.jsonl.zst") == ImportFormat::lichess);
    CHECK_FALSE(import_format_of("b.txt"));
    CHECK_FALSE(open_import_file("/no/such/file.pgn"));
}

TEST_CASE("import: POST import seeds a living analysis, which scores what its walk reaches") {
    TemporaryDirectory directory;
    Bench bench;
    CoreFixture core{directory.path(), bench};
    const TestApi api{core};
    const analysis::AnalysisId id = core.create("", 1, 5);
    core.work_until([&] { return core.settled(id); });
    const auto send = [&](http::Method method, const std::string& target, const std::string& body) {
        const auto parsed = http::parse_target("/api/v1" + target);
        REQUIRE(parsed);
        return api(http::Request{method, parsed->path, parsed->query, {}, body});
    };
    const auto node = [&] {
        return json::parse(send(http::Method::get, "/analyses/1/node", "").body);
    };
    const json before = node();
    std::string outsider;
    for (const chess::Move move : chess::Position::initial().legal_moves()) {
        const std::string san = chess::to_san(chess::Position::initial(), move);
        const auto listed = [&](const json& entry) { return entry["san"] == san; };
        if (std::none_of(before["moves"].begin(), before["moves"].end(), listed)) {
            outsider = san;
        }
    }
    REQUIRE_FALSE(outsider.empty());
    const http::Response response =
        send(http::Method::post, "/import?format=pgn&name=mine.pgn&analysis=1",
             "1. " + outsider + " e5 2. a4 *\n");
    REQUIRE(response.status == 200);
    CHECK(json::parse(response.body)["seeds"]["added"] == 3);
    const std::size_t answers = core.work_until([&] { return core.settled(id); });
    CHECK(answers == 1); // of the root alone
    const json after = node();
    CHECK(after["proposals"]["import"] == 1);
    CHECK(after["proposals"]["engine"] == before["proposals"]["engine"]);
    for (const json& move : after["moves"]) {
        CHECK((move["source"] == "import") == (move["san"] == outsider));
    }
    for (const auto& [target, where] : std::vector<std::pair<std::string, std::string>>{
             {"/import?name=a", "query.format"},
             {"/import?format=pgn", "query.name"},
             {"/import?format=doc&name=a", "query.format"},
             {"/import?format=pgn&name=a&analysis=9", "query.analysis"},
             {"/import?format=pgn&name=a&side=left", "query.side"},
             {"/import?format=pgn&name=a&file=/etc/passwd", "query.file"}}) {
        const http::Response refused = send(http::Method::post, target, "1. e4 *");
        CHECK(refused.status >= 400);
        CHECK(json::parse(refused.body)["error"]["where"] == where);
    }
}

TEST_CASE("import: seeds are there after a restart") {
    TemporaryDirectory directory;
    Bench bench;
    {
        CoreFixture core{directory.path(), bench};
        core.create("", 1);
        ImportOptions options;
        options.name = "a.pgn";
        options.target = ImportTarget{analysis::AnalysisId{1}, chess::Position::initial(), {}};
        std::istringstream in{"1. a4 a5 *"};
        CHECK(import_text(*core.store, ImportFormat::pgn, in, options)->seeds_added == 2);
    }
    CoreFixture core{directory.path(), bench};
    CHECK(core.run(analysis::AnalysisId{1}).seeds->size() == 2);
}
