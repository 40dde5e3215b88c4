// Queries: the reads, as statements on one read connection. One thread at a time.
#pragma once

#include "database.hpp"
#include "seals.hpp"
#include "storage_base/blobs.hpp"
#include "storage_base/checksum.hpp"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace adjourn::storage {

class Queries {
public:
    // `damage` as of Database. What is damaged beyond a row is told like a damaged row, and the
    // rest is read. Throws SqliteError.
    Queries(const std::filesystem::path& file, Access access, DamageNote* damage = nullptr);

    Database& database() { return database_; }

    std::optional<EngineId> find_engine(const std::string& fingerprint);
    std::vector<EngineRecord> engines(const Damaged& damaged = {});
    void for_each_evaluation(EngineId engine, const std::function<void(const Evaluation&)>& visit,
                             const Damaged& damaged, const Wanted& wanted);
    std::vector<Evaluation> evaluations_after(EngineId engine, EvaluationId after, std::size_t most,
                                              const Damaged& damaged = {});
    std::vector<Evaluation> evaluations(const chess::PackedPosition& position,
                                        const Damaged& damaged = {});
    std::optional<Evaluation> answer(const Question& question);
    std::uint64_t evaluation_count();
    std::vector<FailureRecord> failures(EngineId engine, const Damaged& damaged = {});
    std::vector<AnalysisRecord> analyses(const Damaged& damaged = {});
    std::vector<DirectiveRecord> directives(AnalysisId analysis, const Damaged& damaged = {});
    std::vector<SnapshotRecord> snapshots(AnalysisId analysis, const Damaged& damaged = {});
    std::vector<SeedRecord> seeds(AnalysisId analysis, const Damaged& damaged = {});
    UsageRecord usage(AnalysisId analysis, const Damaged& damaged = {});
    std::vector<EvaluationId> asked(AnalysisId analysis, const Damaged& damaged = {});

private:
    // Appends what `read` makes of each row, ascending by the number in the first column, and goes
    // on behind what cannot be read. `bind` as in read_around.
    template <class Record, class Bind, class Read>
    void take_around(std::vector<Record>& records, const std::string& sql, const char* table,
                     const Damaged& damaged, Bind bind, Read read);
    // What an analysis has of a sealed table whose column 0 is the row's number: by the index of
    // analyses, and without it where that is damaged.
    template <class Record, class Read>
    std::vector<Record> of_analysis(const Seal& seal, const std::string& columns,
                                    const std::string& joins, AnalysisId analysis,
                                    const Damaged& damaged, Read read);
    // From that row on; until `visit` returns false.
    void visit_evaluations(EngineId engine, EvaluationId after,
                           const std::function<bool(const Evaluation&)>& visit,
                           const Damaged& damaged, const Wanted& wanted = {});
    bool engines_stand();
    // The sum that an evaluation's begins with: of its engine's fingerprint.
    Checksum begun_with(EngineId engine);
    std::optional<std::int64_t> position(const chess::PackedPosition& packed);

    Database database_;
    Statement find_position_, of_position_, find_engine_, count_, find_fingerprint_, usage_;
    std::unordered_map<EngineId, Checksum> begun_; // engines never change
};

// Throws DamagedRow.
[[noreturn]] void throw_damaged(const Database& database, const std::string& row,
                                const std::string& why);

} // namespace adjourn::storage
