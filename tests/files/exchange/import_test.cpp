// Importing: what becomes a seed, what a fact, what is reported.
#include "api_fixture.hpp"

#include "base/text.hpp"
#include "chess/pgn.hpp"
#include "core/records/stored_analysis.hpp"
#include "files/collections/collect.hpp"
#include "files/import/import.hpp"

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
    // The only one.
    analysis::Evaluation fact(const std::string& moves) const {
        const auto found = facts(moves);
        REQUIRE(found.size() == 1);
        return found.front();
    }
    std::multimap<std::string, analysis::Evaluation>
    facts_by_source(const std::string& moves) const {
        std::multimap<std::string, analysis::Evaluation> found;
        for (const analysis::Evaluation& fact : facts(moves)) {
            found.emplace(engine_of(fact).name, fact);
        }
        return found;
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

// Games that are imported for what they say alone.
struct Target : ImportFixture {
    Target() { options.target.reset(); }
    ImportReport take_evals(const std::string& pgn) { return take(ImportFormat::pgn, pgn); }
};

analysis::Limit depth(std::uint64_t plies) {
    return {analysis::Limit::Kind::depth, plies};
}

// Games that an analysis keeps.
struct LosingImport : ImportFixture {
    LosingImport() { options.name = "x"; }
    ImportReport take(ImportFormat format, const std::string& text) {
        GamesText games = format == ImportFormat::pgn ? read_games_text(text) : GamesText{};
        if (games.games.empty()) {
            return ImportFixture::take(format, text);
        }
        const auto report = import_games(*store, text, std::move(games), options);
        REQUIRE(report);
        return *report;
    }
};

std::vector<std::string> messages(const std::vector<ImportError>& list) {
    std::vector<std::string> texts;
    for (const ImportError& one : list) {
        texts.push_back(to_text(one, ImportFormat::pgn, "x"));
    }
    return texts;
}

const std::string open_brace =
    "[White \"First\"]\n[Result \"*\"]\n\n1. e4 {this one is never closed e5 2. Nf3 *\n\n[White "
    "\"Second\"]\n[Result \"1-0\"]\n\n1. d4 d5 1-0\n\n[White \"Third\"]\n[Result \"*\"]\n\n1. c4 "
    "{closed} c5 *\n";

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

TEST_CASE("import: EPD records are evaluations and seeds") {
    ImportFixture f;
    const std::string start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - ";
    const ImportReport report =
        f.take(ImportFormat::epd, "# comment\n" + start + "acd 12; acn 500; ce 25; pv e4 e5;\n" +
                                      start + "bm Nf3 d4; am h4;\n" + start + "id \"nothing\";\n" +
                                      start + "bm d5;\n" + start + "acd 9; ce -3;\n");
    CHECK(report.records == 5);
    CHECK(report.evaluations_added == 2);
    CHECK(report.skipped == 1);
    REQUIRE(report.errors.size() == 1);
    CHECK(report.errors[0] == ImportError{4, 5, report.errors[0].message});
    CHECK(report.errors[0].message.starts_with("bm: 'd5'"));
    CHECK(f.seeds() == "e4 e5 Nf3 d4 ");
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
    ApiFixture f;
    const analysis::AnalysisId id = f.core.create("", 1, 5);
    f.core.work_until([&] { return f.core.settled(id); });
    const auto node = [&] { return f.get("/analyses/1/node"); };
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
        f.send_text(http::Method::post, "/import?format=pgn&name=mine.pgn&analysis=1",
                    "1. " + outsider + " e5 2. a4 *\n");
    REQUIRE(response.status == 200);
    CHECK(json::parse(response.body)["seeds"]["added"] == 3);
    const std::size_t answers = f.core.work_until([&] { return f.core.settled(id); });
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
        const http::Response refused = f.send_text(http::Method::post, target, "1. e4 *");
        CHECK(refused.status >= 400);
        CHECK(json::parse(refused.body)["error"]["where"] == where);
    }
}

TEST_CASE("import: whole numbers with a depth are centipawns") {
    Target target;
    const ImportReport report =
        target.take_evals("1. e4 {[%eval -77,23]} c5 {[%eval 1706,29]} "
                          "2. Nf3 {[%eval -#6,11]} d6 {[%eval 297.53,30]} *");
    CHECK(report.evaluations_added == 4);
    CHECK(report.evaluations_unread == 0);
    CHECK(target.fact("").score == chess::Score::cp(-77));
    CHECK(target.fact("").question.limit == depth(23));
    CHECK(target.fact("1. e4").score == chess::Score::cp(-1706));
    CHECK(target.fact("1. e4 c5").score == chess::Score::mate_in(11).backed_up());
    CHECK(target.fact("1. e4 c5 2. Nf3").score == chess::Score::cp(-29'753));
}

TEST_CASE("import: scores and depths beyond what engines may say are left out and named") {
    Target target;
    const ImportReport report = target.take_evals(
        "1. e4 {[%eval #247]} e5 {[%eval 297.54]} 2. Nf3 {[%eval 0.35,246]} Nc6 {[%eval -99999,9]} "
        "3. Bb5 {+999.99/18 1s} a6 {+M999/20 1s} 4. Ba4 {+0.30/999 1s} Nf6 {d=300, wv=0.1} "
        "5. d3 {[%eval #245]} d6 {[%eval #-246,245]} 6. O-O {+297.53/245 1s} *");
    CHECK(report.evaluations_unread == 8);
    CHECK(report.evaluations_added == 3);
    REQUIRE(report.warnings.size() == 8);
    CHECK(report.warnings[0].message == "the evaluation '[%eval #247]' is out of range");
    CHECK(report.warnings[4].message == "the evaluation '+999.99/18 1s' is out of range");
}

TEST_CASE("import: an evaluation that is not understood is counted and named with its place") {
    Target target;
    const ImportReport report = target.take_evals(
        "1. e4 {[%eval 0.3]} e5 *\n\n[Event \"B\"]\n\n1. d4\n{[%eval good,23]} d5 "
        "{[%eval]} 2. c4 {[%eval 0.1,x]} *\n");
    CHECK(report.evaluations_added == 1);
    CHECK(report.evaluations_unread == 3);
    CHECK(report.broken == 0);
    CHECK(report.warned == 3);
    REQUIRE(report.warnings.size() == 3);
    CHECK(to_text(report.warnings[0], ImportFormat::pgn, "games.pgn") ==
          "games.pgn: game 2, line 6: the evaluation '[%eval good,23]' cannot be understood");
    CHECK(report.warnings[1].message.find("'[%eval]'") != std::string::npos);
}

TEST_CASE("import: scores of engine matches are of the search that chose the move") {
    Target target;
    const ImportReport report = target.take_evals(
        "1. e4 {book} c5 {-0.31/18 0.38s, n=4711} 2. Nf3 {+0.25/20 3s} (2. c3 {(d5) +0.11/9 1s}) "
        "d6 {d=33, sd=48, mt=53840, n=11231475551, pv=d6 d4, wv=0.14, R50=50,} 3. d4 "
        "{[%eval 0.3,12] +0.9/9 1s} *");
    CHECK(report.evaluations_added == 5);
    CHECK(report.sources == std::set<std::string>{"pgn %eval", "pgn cutechess", "pgn tcec"});
    const analysis::Evaluation black = target.fact("1. e4");
    CHECK(black.score == chess::Score::cp(-31)); // the mover's
    CHECK(black.depth == 18);
    CHECK(black.nodes == 4711);
    CHECK(black.question.limit == depth(18));
    CHECK(black.question.excluded.empty());
    CHECK(black.move ==
          *chess::parse_uci(*chess::Position::from_fen(
                                "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"),
                            "c7c5"));
    const auto both = target.facts_by_source("1. e4 c5");
    CHECK(both.count("pgn cutechess") == 2);
    const auto tcec = target.facts_by_source("1. e4 c5 2. Nf3");
    REQUIRE(tcec.count("pgn tcec") == 1);
    CHECK(tcec.find("pgn tcec")->second.score == chess::Score::cp(-14)); // White's, and Black moved
    CHECK(tcec.find("pgn tcec")->second.question.limit == depth(33));
    CHECK(target.facts_by_source("1. e4 c5 2. Nf3 d6").count("pgn %eval") ==
          1); // the command goes first
}

TEST_CASE("import: a move that mates is evaluated by the rules where its game is evaluated") {
    const std::string moves = "1. f3 e5 {[%eval -1.0,20]} 2. g4 Qh4#";
    for (const std::string end : {"", " {[%eval #-1,20]}", " {[%eval #-0]}"}) {
        Target target;
        INFO(end);
        CHECK(target.take_evals(moves + end + " 0-1").evaluations_added == 2);
        CHECK(target.fact("1. f3 e5 2. g4").score == chess::Score::mate_in(1));
    }
    Target plain; // games alone make no facts
    CHECK(plain.take_evals("1. f3 e5 2. g4 Qh4# 0-1").evaluations_added == 0);
}

TEST_CASE("import: mate in none is no score of a move that does not mate") {
    Target target;
    const ImportReport report =
        target.take_evals("1. e4 {[%eval #0,20]} e5 {[%eval #-0]} 2. Nf3 {[%eval 0.3,20]} *");
    CHECK(report.evaluations_added == 1);
    CHECK(report.evaluations_unread == 2);
    REQUIRE(report.warnings.size() == 2);
    CHECK(report.warnings[0].message == "the evaluation '[%eval #0,20]' cannot be understood");
    const std::string start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - ";
    const ImportReport records = target.take(
        ImportFormat::epd, start + "dm 0; bm e4;\n" + start + "ce -32767;\n" + start + "ce 3;\n");
    CHECK(records.evaluations_added == 1);
    CHECK(records.broken == 2);
}

TEST_CASE("import: a comment that is not closed hides no game, and is told with its place") {
    LosingImport import;
    const ImportReport report = import.take(ImportFormat::pgn, open_brace);
    CHECK(report.records == 3);
    CHECK(report.broken == 1);
    CHECK(report.seeds_added == 5);
    CHECK(messages(report.errors) ==
          std::vector<std::string>{
              "x: game 1, line 4: column 7: a comment is not closed; it ends before the tags "
              "of line 6"});
    REQUIRE(report.file);
    CHECK(report.file->games == 3);
    CHECK(report.file->told.refused == 1);
    CHECK(to_text(report.file->told.notes.at(0))
              .starts_with("game 1, line 4, column 7: a comment is not closed"));
    CHECK(report.file->told.notes.at(0).main_line);

    std::istringstream in{open_brace};
    const auto collected =
        collections::collect(in, "x", {}, import.directory.path() / "x.games", {});
    REQUIRE(collected);
    CHECK(collected->damaged == 1);
    CHECK(collected->games == 1);
    CHECK(collected->without_result == 1);
    REQUIRE(collected->errors.size() == 1);
    CHECK(to_text(collected->errors[0]).starts_with("game 1, line 4, column 7: "));
}

TEST_CASE("import: what is left out beside the games is told") {
    LosingImport import;
    const ImportReport report = import.take(
        ImportFormat::pgn, "{one}\n[White \"A\"]\n{two}\n[Black \"B\"]\n\n1. e4 ~ e5 $999 1-0 "
                           "{three} 2. Nf3 *\n\nremark\n% four\n\n[White \"C\"]\n\n1. d4 *\n");
    CHECK(report.broken == 1);
    CHECK(messages(report.errors) ==
          std::vector<std::string>{
              "x: game 2, line 6: column 29: what follows a result without tags, and does not "
              "begin with move 1, is no game"});
    CHECK(messages(report.warnings) ==
          std::vector<std::string>{
              "x: game 1, line 1: column 1: a comment before tags or behind a game is left out",
              "x: game 1, line 3: column 1: a comment before tags or behind a game is left out",
              "x: game 1, line 6: column 7: '~' is left out",
              "x: game 1, line 6: column 12: '$999' is left out",
              "x: game 2, line 6: column 21: a comment before tags or behind a game is left out",
              "x: game 2, line 8: column 1: 'remark' is left out: it is in no game",
              "x: game 2, line 9: column 1: a line behind % is left out"});
}

TEST_CASE("import: lines of comments in an EPD file are counted") {
    LosingImport import;
    const ImportReport report =
        import.take(ImportFormat::epd, "\n# a\n8/8/8/8/8/8/k7/3K4 w - - bm Kc2;\n; b\n//c\n");
    CHECK(report.moves == 1);
    CHECK(report.warned == 1);
    CHECK(
        messages(report.warnings) ==
        std::vector<std::string>{"x: game 1, line 2: left out as comments, from here on: 3 lines"});
}

TEST_CASE("import: lines end with CR, too") {
    const std::string epd = "8/8/8/8/8/8/k7/3K4 w - - - bm Kc2; id \"1\";\n"
                            "8/8/8/8/8/k7/8/3K4 w - - c0 \"text\" bm Kc2;\n"
                            "8/8/8/8/k7/8/8/3K4 w - - bm Kc2 c0 \"text\";\n";
    const std::string object =
        R"({"fen":"8/8/8/8/8/8/k7/3K4 w - -","evals":[{"pvs":[{"cp":0,"line":"d1c2"}],"depth":9}]})";
    for (const std::string end : {"\n", "\r", "\r\n"}) {
        LosingImport import;
        std::string text = base::replaced(epd, "\n", end);
        const ImportReport records = import.take(ImportFormat::epd, text);
        CHECK(records.records == 3);
        CHECK(records.moves == 3);
        CHECK(records.broken == 0);
        CHECK(messages(records.warnings) ==
              std::vector<std::string>{
                  "x: game 1, line 1: column 26: '-' is left out: it has no opcode"});
        const ImportReport lines =
            import.take(ImportFormat::lichess, object + end + object + end + "x" + end);
        CHECK(lines.records == 3);
        CHECK(lines.moves == 2);
        REQUIRE(lines.errors.size() == 1);
        CHECK(lines.errors[0].line == 3);
        // In parts, as the command sends them.
        text = base::replaced(open_brace, "\n", end);
        std::istringstream in{text};
        ImportParts parts{in, ImportFormat::pgn, std::size_t{4} << 20};
        const auto part = parts.next();
        REQUIRE(part);
        CHECK(part->lines == 14);
        std::istringstream again{text};
        ImportParts by_line{again, ImportFormat::epd, 1};
        std::size_t count = 0;
        while (by_line.next()) {
            ++count;
        }
        CHECK(count == 14);
    }
}

TEST_CASE("import: what was put right in a game is a warning") {
    Target target;
    const ImportReport report = target.take_evals(
        "[FEN \"4k3/8/8/8/8/8/8/R3K3 w KQ - 0 1\"]\n\n1. O-O-O {[%eval 5.0,9]} *\n");
    CHECK(report.broken == 0);
    CHECK(report.evaluations_added == 1);
    REQUIRE(report.warnings.size() == 1);
    CHECK(report.warnings[0].line == 1);
    CHECK(report.warnings[0].message.find("castling right 'K' dropped") != std::string::npos);
}

TEST_CASE("import: of a line of lichess' export all is read, or told, or the line is refused") {
    const auto line = [](const std::string& root, const std::string& eval, const std::string& pv) {
        return R"({"fen":"8/8/8/8/8/8/k7/3K4 w - -",)" + root + R"("evals":[{)" + eval +
               R"("pvs":[)" + pv + "]}]}";
    };
    const std::string depth = R"("depth":9,)", pv = R"({"cp":0,"line":"d1c2"})";
    const auto told = [](const std::string& text) { return parse_lichess_line(text).value().told; };
    CHECK(told(line("", depth + R"("knodes":1,)", pv)).empty());
    CHECK(told(line(R"("a":1,)", depth + R"("b":2,)", R"({"cp":0,"line":"d1c2","c":3})")) ==
          std::vector<std::string>{"a is left out: it is unknown",
                                   "evals[0].b is left out: it is unknown",
                                   "evals[0].pvs[0].c is left out: it is unknown"});
    const std::pair<std::string, const char*> refused[] = {
        {"{oops}", "the line is not JSON at column 2"},
        {R"({"fen":"8/8/8/8/8/8/k7/3K4 w - -"})", "an object with fen and evals is wanted"},
        {R"({"fen":"x","evals":[]})", "fen: "},
        {line("", "", pv), "evals[0]: pvs and a depth of 1 to 245 are wanted"},
        {line("", depth + R"("knodes":-1,)", pv), "evals[0]: knodes of 0 to "},
        {line("", depth, R"({"cp":0,"line":"e2e4"})"), "evals[0].pvs[0]: 'e2e4'"},
        {line("", depth, R"({"cp":0,"line":"1. d1c2"})"),
         "evals[0].pvs[0]: a line of moves alone is wanted"},
        {line("", depth, pv + "," + pv), "evals[0].pvs[1]: a move of its own is wanted first"}};
    for (const auto& [text, why] : refused) {
        INFO(text);
        CHECK(parse_lichess_line(text).error().starts_with(why));
    }
}
