// One bit of the file is another than was written, wherever it is: then all that is read is what
// was written, or the damage is found and named. Nothing else is ever believed.
#include "raw.hpp"
#include "samples.hpp"

#include "chess/notation.hpp"

#include <catch2/catch.hpp>

#include <iostream>
#include <random>
#include <set>
#include <sstream>

using namespace adjourn;
using namespace adjourn::storage;
using namespace adjourn::storage::test;

namespace {

// Everything of which there are rows, twice.
void fill_all_tables(const std::filesystem::path& directory) {
    const auto store = open_owner(directory);
    const EngineId one = store->engine(sample_engine(1)), two = store->engine(sample_engine(2));
    const AnalysisId first{insert_and_wait(*store, sample_analysis(one, "first", 1)).id};
    const AnalysisId second{insert_and_wait(*store, sample_analysis(two, "second", 2)).id};
    for (std::uint64_t n = 0; n < 60; ++n) {
        store->append(sample_fact(n % 5 == 0 ? two : one, n),
                      n % 3 == 0   ? std::optional{first}
                      : n % 3 == 1 ? std::optional{second}
                                   : std::nullopt,
                      {});
    }
    const auto line = *chess::parse_line(chess::Position::initial(), "e4 c5");
    const auto root = chess::Position::initial().after(line[0]).after(line[1]);
    for (const AnalysisId id : {first, second}) {
        for (std::size_t i = 0; i < 3; ++i) {
            store->append(DirectiveRecord{0,
                                          id,
                                          root.packed(),
                                          root.legal_moves()[i],
                                          {},
                                          "include",
                                          "",
                                          static_cast<UnixMs>(i)},
                          {});
            store->append(SnapshotRecord{0, id, static_cast<int>(i), 4, R"({"pv":["g1f3"]})"}, {});
            store->append(SeedRecord{id, root.packed(), root.legal_moves()[i], "games.pgn", 5}, {});
        }
    }
    for (std::uint64_t n = 1; n < 4; ++n) {
        store->fail({{root.packed(), one, {analysis::Limit::Kind::nodes, n}, {}}, "died", 3, 9},
                    {});
    }
    store->flush();
}

std::string text_of(const Evaluation& e) {
    std::ostringstream out;
    for (const auto byte : e.question.position.bytes) {
        out << static_cast<int>(byte) << ',';
    }
    out << row(e.id) << ' ' << row(e.question.engine) << ' '
        << static_cast<int>(e.question.limit.kind) << ' ' << e.question.limit.amount << " -";
    for (const auto move : e.question.excluded) {
        out << ' ' << move.raw();
    }
    out << " = " << (e.move ? e.move->raw() : -1) << ' ' << (e.score ? e.score->encode() : 0) << ' '
        << static_cast<int>(e.bound) << ' ' << e.depth << ' ' << e.seldepth << ' ' << e.nodes << ' '
        << e.time_ms << ' ' << e.at;
    for (const auto move : e.pv) {
        out << ' ' << move.raw();
    }
    return out.str();
}

// Everything that a server can read, with what it says is damaged left out.
struct Contents {
    std::set<std::string> facts;
    std::vector<EngineRecord> engines;
    std::vector<AnalysisRecord> analyses;
    std::vector<DirectiveRecord> directives;
    std::vector<SnapshotRecord> snapshots;
    std::vector<SeedRecord> seeds;
    std::vector<FailureRecord> failures;
    std::vector<UsageRecord> usages;
    std::vector<EvaluationId> asked;
    std::uint64_t count = 0;
    friend bool operator==(const Contents&, const Contents&) = default;
};

Contents read_all(const Store& store) {
    Contents all;
    all.engines = store.engines();
    all.count = store.evaluation_count();
    const auto add = [](auto& to, auto rows) { to.insert(to.end(), rows.begin(), rows.end()); };
    for (const std::int64_t id : {1, 2}) {
        store.for_each_evaluation(EngineId{id},
                                  [&](const Evaluation& e) { all.facts.insert(text_of(e)); });
        add(all.failures, store.failures(EngineId{id}));
    }
    all.analyses = store.analyses();
    for (const std::int64_t id : {1, 2}) {
        add(all.directives, store.directives(AnalysisId{id}));
        add(all.snapshots, store.snapshots(AnalysisId{id}));
        add(all.seeds, store.seeds(AnalysisId{id}));
        add(all.asked, store.asked(AnalysisId{id}));
        all.usages.push_back(store.usage(AnalysisId{id}));
    }
    return all;
}

// Everything read that is not what was written; "" if there is nothing.
std::string invented(const Contents& now, const Contents& whole) {
    const auto others = [](const auto& some, const auto& all) {
        return std::ranges::any_of(some, [&](const auto& record) {
            return std::ranges::find(all, record) == std::end(all);
        });
    };
    std::string kinds;
    kinds += others(now.facts, whole.facts) ? " facts" : "";
    kinds += others(now.engines, whole.engines) ? " engines" : "";
    kinds += others(now.analyses, whole.analyses) ? " analyses" : "";
    kinds += others(now.directives, whole.directives) ? " directives" : "";
    kinds += others(now.snapshots, whole.snapshots) ? " snapshots" : "";
    kinds += others(now.seeds, whole.seeds) ? " seeds" : "";
    kinds += others(now.failures, whole.failures) ? " failures" : "";
    kinds += others(now.asked, whole.asked) ? " asked" : "";
    for (const UsageRecord& usage : now.usages) { // zeros where it is damaged
        kinds += usage == UsageRecord{.analysis = usage.analysis} ||
                         std::ranges::find(whole.usages, usage) != whole.usages.end()
                     ? ""
                     : " usages";
    }
    return kinds;
}

struct Tally {
    std::size_t flips = 0, harmless = 0, refused = 0, named = 0;
};

// Flips `count` bits, one at a time, spread over the whole file.
Tally flip(std::size_t count) {
    const TemporaryDirectory directory;
    fill_all_tables(directory);
    const std::string whole = read_file(database_file(directory));
    const Contents contents = read_all(*open_store(directory, OpenMode::read));
    REQUIRE(open_store(directory, OpenMode::read)->check().empty());
    REQUIRE(contents.facts.size() == 60);
    REQUIRE(contents.asked.size() == 40);
    std::mt19937_64 random{2'026};
    Tally tally;
    // The header and the schema, bit by bit as far as it goes; then anywhere where something
    // stands.
    while (tally.flips < count) {
        const std::size_t n = tally.flips;
        const std::size_t bit = n % 5 == 0 ? random() % (100 * 8) : random() % (whole.size() * 8);
        if (n % 5 != 0 && whole[bit / 8] == 0 && random() % 8 != 0) {
            continue; // mostly free room
        }
        ++tally.flips;
        std::string damaged = whole;
        damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ 1 << bit % 8);
        CAPTURE(bit / 8, bit % 8);
        write_file(database_file(directory), damaged);
        try {
            const auto store = open_store(directory, OpenMode::read);
            const std::vector<std::string> findings = store->check();
            CAPTURE(findings);
            Contents now;
            try {
                now = read_all(*store);
            } catch (const StoreError&) { // says what is wrong: nothing is believed
                REQUIRE_FALSE(findings.empty());
                ++tally.named;
                continue;
            }
            REQUIRE(invented(now, contents) == "");
            REQUIRE((now == contents || !findings.empty()));
            ++(findings.empty() ? tally.harmless : tally.named);
        } catch (const StoreError& error) {
            REQUIRE_FALSE(std::string{error.what()}.empty());
            ++tally.refused;
        }
    }
    return tally;
}

} // namespace

TEST_CASE("flips: one bit is another, and nothing that it changes is believed") {
    const Tally tally = flip(200);
    CHECK(tally.named > 40);
}

TEST_CASE("flips: 5,000 single bits, one at a time", "[.][exhaustive]") {
    const Tally tally = flip(5'000);
    std::cout << "reliability: single bits flipped in a store | " << tally.flips << " | 0 | "
              << tally.named << " named by check, " << tally.refused << " refused at opening, "
              << tally.harmless << " without effect\n";
    CHECK(tally.named > 1'000);
}
