// Stores that older programs wrote (tests/data/storage), and what is in them.
#pragma once

#include "raw.hpp"
#include "samples.hpp"

#include "chess/notation.hpp"
#include "test.hpp"

namespace adjourn::storage::test {

inline const std::filesystem::path v1_file =
    std::filesystem::path{ADJOURN_TEST_DATA} / "storage" / "v1.db";
inline const std::filesystem::path v2_file =
    std::filesystem::path{ADJOURN_TEST_DATA} / "storage" / "v2.db";
inline const std::filesystem::path v3_file =
    std::filesystem::path{ADJOURN_TEST_DATA} / "storage" / "v3.db";

inline const std::filesystem::path v4_file =
    std::filesystem::path{ADJOURN_TEST_DATA} / "storage" / "v4.db";

inline const std::filesystem::path v5_file =
    std::filesystem::path{ADJOURN_TEST_DATA} / "storage" / "v5.db";

inline const std::filesystem::path v6_file =
    std::filesystem::path{ADJOURN_TEST_DATA} / "storage" / "v6.db";

inline chess::Position after(const char* line) {
    chess::Position position = chess::Position::initial();
    const auto moves = *chess::parse_line(position, line);
    for (const auto move : moves) {
        position.play(move);
    }
    return position;
}

inline std::vector<chess::Move> moves(const chess::Position& position, const char* line) {
    return *chess::parse_line(position, line);
}

inline const char* const endgame = "8/8/8/8/8/k1K5/8/7R w - - 0 1";

// What v1.db holds: one of everything. Spelt out, so that no change of the program changes it.
struct Contents {
    EngineRecord engine{EngineId{1}, "Stockfish 15.1", "", "Hash=64\nThreads=1",
                        "nn-ad9b42354671.nnue"};
    EngineRecord other{EngineId{2}, "Ethereal", "14.00", "", ""};
    std::vector<Evaluation> facts;
    std::vector<AnalysisRecord> analyses;
    std::vector<DirectiveRecord> directives;
    std::vector<SnapshotRecord> snapshots;
    std::vector<SeedRecord> seeds;
    std::vector<FailureRecord> failures;
    std::vector<FileRecord> files;
    UsageRecord usage{AnalysisId{1}, 4, 1'234'567'890'123, 98'765};
    std::vector<std::size_t> asked; // by the analysis, as indices of `facts`

    Contents() {
        const chess::Position start = chess::Position::initial(), sicilian = after("e4 c5");
        const chess::Position mate = *chess::Position::from_fen(endgame);
        const chess::Position castle = after("e4 e5 Nf3 Nc6 Bc4 Bc5");
        const auto fact = [&](const chess::Position& position, EngineId id, analysis::Limit limit,
                              const char* excluded, const char* pv,
                              std::optional<chess::Score> score) {
            Evaluation& e = facts.emplace_back();
            e.question = {position.packed(), id, limit, {}};
            e.question.excluded = moves(position, excluded);
            e.pv = moves(position, pv);
            if (!e.pv.empty()) {
                e.move = e.pv.front();
            }
            e.score = score;
            e.depth = 18;
            e.seldepth = 25;
            e.nodes = 456'789;
            e.time_ms = 512;
            e.at = 1'767'225'600'000 + static_cast<std::int64_t>(facts.size());
        };
        using Kind = analysis::Limit::Kind;
        fact(start, engine.id, {Kind::depth, 18}, "", "e4 e5 Nf3", chess::Score::cp(32));
        fact(start, engine.id, {Kind::depth, 18}, "e4", "d4 d5 c4", chess::Score::cp(-7));
        fact(start, other.id, {Kind::nodes, 1'000'000}, "", "c4", chess::Score::cp(100'000));
        fact(sicilian, engine.id, {Kind::movetime, 2'000}, "", "Nf3 d6 d4 cxd4 Nxd4",
             chess::Score::cp(0));
        fact(mate, engine.id, {Kind::depth, 18}, "", "Ra1#", chess::Score::mate_in(1));
        fact(mate, other.id, {Kind::depth, 18}, "Ra1", "Kc4",
             chess::Score::tablebase(chess::Wdl::win, 12));
        fact(castle, engine.id, {Kind::depth, 18}, "", "O-O Nf6 d3 O-O", std::nullopt);
        facts.back().bound = analysis::Bound::lower;
        fact(castle, engine.id, {Kind::depth, 20}, "", "", std::nullopt); // found nothing
        fact(castle, engine.id, {Kind::depth, 22}, "", "b4", chess::Score::mated_in(8));
        facts.back().pv.clear(); // a move alone
        facts.back().bound = analysis::Bound::upper;

        AnalysisRecord& a = analyses.emplace_back();
        a.id = AnalysisId{1};
        a.name = "Sicilian ♞";
        a.root_fen = start.fen();
        a.root_moves = moves(start, "e4 c5");
        a.profile = "stockfish";
        a.engine = engine.id;
        a.limit = {Kind::depth, 18};
        a.parameters = R"({"strategy":{"kind":"halving","move_distance":50}})";
        a.priority = 3;
        a.rank = -1.5;
        a.state = AnalysisState::exhausted;
        a.state_reason = "budget";
        a.created_at = 1'767'225'600'777;
        directives = {
            {1, a.id, sicilian.packed(), moves(sicilian, "Nc3").front(), {}, "include", "", 5},
            {2, a.id, after("e4 c5 Nf3").packed(), std::nullopt, moves(sicilian, "Nf3"), "note",
             "main line", 6}};
        snapshots = {{1, a.id, 1, 7, R"({"pv":["g1f3"]})"}};
        seeds = {{a.id, sicilian.packed(), moves(sicilian, "c3").front(), "alapin.pgn", 8}};
        failures = {{{after("d4").packed(), engine.id, {Kind::depth, 18}, {}}, "crashed", 3, 9}};
    }
};

inline void write(Store& store, const Contents& contents) {
    store.engine(contents.engine);
    store.engine(contents.other);
    for (const AnalysisRecord& analysis : contents.analyses) {
        store.insert(analysis, {});
    }
    store.write(Spent{contents.usage.analysis, {contents.usage.nodes, contents.usage.engine_ms}},
                {});
    for (std::size_t i = 0; i < contents.facts.size(); ++i) {
        const bool asked = std::ranges::find(contents.asked, i) != contents.asked.end();
        store.write(Answered{contents.facts[i], asked ? std::optional{AnalysisId{1}} : std::nullopt,
                             Cost{}},
                    {});
    }
    for (const DirectiveRecord& directive : contents.directives) {
        store.append(directive, {});
    }
    for (const SnapshotRecord& snapshot : contents.snapshots) {
        store.append(snapshot, {});
    }
    for (const SeedRecord& seed : contents.seeds) {
        store.append(seed, {});
    }
    for (const FailureRecord& failure : contents.failures) {
        store.fail(failure, {});
    }
    if (!contents.files.empty()) {
        store.write(FileChange{contents.files}, {});
    }
    store.flush();
}

inline void require_holds(const Store& store, const Contents& contents) {
    CHECK(store.check() == std::vector<std::string>{});
    CHECK(store.engines() == std::vector{contents.engine, contents.other});
    CHECK(store.evaluation_count() == contents.facts.size());
    for (const Evaluation& fact : contents.facts) {
        const auto answer = store.answer(fact.question);
        REQUIRE(answer);
        CHECK(without_id(*answer) == fact);
    }
    CHECK(all_facts(store, EngineId{1}).size() + all_facts(store, EngineId{2}).size() ==
          contents.facts.size());
    CHECK(store.analyses() == contents.analyses);
    CHECK(store.directives(AnalysisId{1}) == contents.directives);
    CHECK(store.snapshots(AnalysisId{1}) == contents.snapshots);
    CHECK(store.seeds(AnalysisId{1}) == contents.seeds);
    CHECK(store.files(AnalysisId{1}) == contents.files);
    CHECK(store.failures(EngineId{1}) == contents.failures);
    CHECK(store.usage(AnalysisId{1}) == contents.usage);
    std::vector<EvaluationId> asked;
    for (const std::size_t i : contents.asked) {
        asked.push_back(store.answer(contents.facts[i].question).value().id);
    }
    std::ranges::sort(asked);
    CHECK(store.asked(AnalysisId{1}) == asked);
}

inline void take(const std::filesystem::path& file, const std::filesystem::path& directory) {
    REQUIRE(std::filesystem::exists(file));
    std::filesystem::copy_file(file, database_file(directory),
                               std::filesystem::copy_options::overwrite_existing);
    std::filesystem::permissions(database_file(directory), std::filesystem::perms::owner_write,
                                 std::filesystem::perm_options::add);
}

inline void take_v1(const std::filesystem::path& directory) {
    take(v1_file, directory);
}

// What version 2 added: who asked.
inline Contents contents_2() {
    Contents contents;
    contents.asked = {0, 1, 3};
    return contents;
}

// What version 5 added: files. Ids and the file's number are those that it gave.
inline Contents contents_5() {
    Contents contents = contents_2();
    contents.files = {{1, AnalysisId{1}, 1, 0, 1, 0, "alapin.pgn", 10},
                      {2, AnalysisId{1}, 1, 1, 1, 0, "1. e4 c5 2. c3 {the plan} *\n", 10}};
    return contents;
}

} // namespace adjourn::storage::test
