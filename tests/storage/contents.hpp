// All that a store holds, to be compared with what was written.
#pragma once

#include "samples.hpp"

#include "chess/notation.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace adjourn::storage::test {

// Everything of which there are rows, twice.
inline void fill_all_tables(const std::filesystem::path& directory) {
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
        const std::string game = "[Result \"*\"]\n\n1. e4 {mine} e5 *\n";
        store->write(
            FileChange{{{0, id, 0, 0, 1, 0, "games.pgn", 6}, {0, id, 0, 1, 1, 0, game, 6}}}, {});
    }
    for (const char* cloud : {"chessdb", "lichess"}) {
        store->write(CloudRecord{root.packed(), cloud, 7, R"({"status":"ok"})"}, {});
    }
    for (std::uint64_t n = 1; n < 4; ++n) {
        store->fail({{root.packed(), one, {analysis::Limit::Kind::nodes, n}, {}}, "died", 3, 9},
                    {});
    }
    store->flush();
}

// Everything that a server can read, with what it says is damaged left out.
struct AllRows {
    std::vector<Evaluation> facts;  // without their machines
    std::set<std::string> machines; // that made them, with their numbers
    std::vector<EngineRecord> engines;
    std::vector<AnalysisRecord> analyses;
    std::vector<DirectiveRecord> directives;
    std::vector<SnapshotRecord> snapshots;
    std::vector<SeedRecord> seeds;
    std::vector<FileRecord> files;
    std::vector<FailureRecord> failures;
    std::vector<CloudRecord> clouds;
    std::vector<UsageRecord> usages;
    std::vector<EvaluationId> asked;
    std::uint64_t count = 0;
    friend bool operator==(const AllRows&, const AllRows&) = default;
};

inline AllRows read_all(const Store& store, const Damaged& damaged = {}) {
    AllRows all;
    all.engines = store.engines(damaged);
    all.count = store.evaluation_count();
    const auto add = [](auto& to, auto rows) { to.insert(to.end(), rows.begin(), rows.end()); };
    for (const std::int64_t id : {1, 2}) {
        store.for_each_evaluation(
            EngineId{id},
            [&](Evaluation fact) {
                if (const std::string machine = std::exchange(fact.machine, ""); machine != "") {
                    all.machines.insert(std::to_string(static_cast<std::int64_t>(fact.id)) +
                                        " by " + machine);
                }
                all.facts.push_back(std::move(fact));
            },
            damaged);
        add(all.failures, store.failures(EngineId{id}, damaged));
    }
    std::ranges::sort(all.facts, {}, &Evaluation::id);
    const auto sicilian = *chess::parse_line(chess::Position::initial(), "e4 c5");
    all.clouds = store.clouds(chess::Position::initial().after(sicilian).packed(), damaged);
    all.analyses = store.analyses(damaged);
    for (const std::int64_t id : {1, 2}) {
        add(all.directives, store.directives(AnalysisId{id}, damaged));
        add(all.snapshots, store.snapshots(AnalysisId{id}, damaged));
        add(all.seeds, store.seeds(AnalysisId{id}, damaged));
        add(all.files, store.files(AnalysisId{id}, damaged));
        add(all.asked, store.asked(AnalysisId{id}, damaged));
        all.usages.push_back(store.usage(AnalysisId{id}, damaged));
    }
    return all;
}

// Everything read that is not what was written; "" if there is nothing.
inline std::string invented(const AllRows& now, const AllRows& whole) {
    const auto others = [](const auto& some, const auto& all) {
        return std::ranges::any_of(some, [&](const auto& record) {
            return std::ranges::find(all, record) == std::end(all);
        });
    };
    std::string kinds;
    kinds += others(now.facts, whole.facts) ? " facts" : "";
    const bool named = std::ranges::all_of(now.machines, [&](const std::string& machine) {
        return whole.machines.contains(machine) || machine.find("lost machine ") != machine.npos;
    });
    kinds += named ? "" : " machines";
    kinds += others(now.engines, whole.engines) ? " engines" : "";
    kinds += others(now.analyses, whole.analyses) ? " analyses" : "";
    kinds += others(now.directives, whole.directives) ? " directives" : "";
    kinds += others(now.snapshots, whole.snapshots) ? " snapshots" : "";
    kinds += others(now.seeds, whole.seeds) ? " seeds" : "";
    kinds += others(now.files, whole.files) ? " files" : "";
    kinds += others(now.failures, whole.failures) ? " failures" : "";
    kinds += others(now.clouds, whole.clouds) ? " clouds" : "";
    kinds += others(now.asked, whole.asked) ? " asked" : "";
    for (const UsageRecord& usage : now.usages) { // zeros where it is damaged
        kinds += usage == UsageRecord{.analysis = usage.analysis} ||
                         std::ranges::find(whole.usages, usage) != whole.usages.end()
                     ? ""
                     : " usages";
    }
    return kinds;
}

} // namespace adjourn::storage::test
