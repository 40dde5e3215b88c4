// Queries: the reads, as statements on one read connection. One thread at a time.
#pragma once

#include "blobs.hpp"
#include "database.hpp"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace adjourn::storage {

class Queries {
public:
    // Throws SqliteError.
    Queries(const std::filesystem::path& file, Access access);

    Database& database() { return database_; }

    std::optional<EngineId> find_engine(const std::string& fingerprint);
    std::vector<EngineRecord> engines();
    void for_each_evaluation(EngineId engine, const std::function<void(const Evaluation&)>& visit);
    std::vector<Evaluation> evaluations_after(EngineId engine, EvaluationId after,
                                              std::size_t most);
    std::vector<Evaluation> evaluations(const chess::PackedPosition& position);
    std::optional<Evaluation> answer(const Question& question);
    std::uint64_t evaluation_count();
    std::vector<FailureRecord> failures(EngineId engine, const Damaged& damaged = {});
    std::vector<AnalysisRecord> analyses(const Damaged& damaged = {});
    std::vector<DirectiveRecord> directives(AnalysisId analysis, const Damaged& damaged = {});
    std::vector<SnapshotRecord> snapshots(AnalysisId analysis);
    std::vector<SeedRecord> seeds(AnalysisId analysis, const Damaged& damaged = {});
    UsageRecord usage(AnalysisId analysis);
    std::vector<EvaluationId> asked(AnalysisId analysis);

private:
    // From that row on; until `visit` returns false.
    void visit_evaluations(EngineId engine, EvaluationId after,
                           const std::function<bool(const Evaluation&)>& visit);
    std::optional<std::int64_t> position(const chess::PackedPosition& packed);

    Database database_;
    Statement find_position_, of_position_, find_engine_, count_, usage_;
};

// Throws DamagedRow.
[[noreturn]] void throw_damaged(const Database& database, const std::string& row,
                                const std::string& why);

} // namespace adjourn::storage
