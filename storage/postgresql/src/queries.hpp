// Queries: the reads, as statements on one read connection. One thread at a time.
#pragma once

#include "connection.hpp"
#include "storage_base/checksum.hpp"

#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace adjourn::storage::postgresql {

class Queries {
public:
    // Throws PostgresError.
    Queries(const std::string& url, const std::string& shown)
        : connection_{url, shown, Access::read} {}

    Connection& connection() { return connection_; }

    std::optional<EngineId> find_engine(const std::string& fingerprint);
    std::vector<EngineRecord> engines(const Damaged& damaged);
    // From that row on, in one snapshot; until `visit` returns false.
    void visit_evaluations(EngineId engine, EvaluationId after,
                           const std::function<bool(const Evaluation&)>& visit,
                           const Damaged& damaged, const Wanted& wanted = {});
    std::vector<Evaluation> evaluations(const chess::PackedPosition& position,
                                        const Damaged& damaged);
    // Those of the table `changes` after one row, up to another, in that order; and of each who
    // asked for it. What is damaged is left out.
    std::vector<std::pair<Evaluation, AnalysisId>> followed(std::int64_t after, std::int64_t last);
    std::optional<Evaluation> answer(const Question& question);
    std::uint64_t evaluation_count();
    std::vector<FailureRecord> failures(EngineId engine, const Damaged& damaged);
    std::vector<AnalysisRecord> analyses(const Damaged& damaged);
    std::vector<DirectiveRecord> directives(AnalysisId analysis, const Damaged& damaged);
    std::vector<SnapshotRecord> snapshots(AnalysisId analysis, const Damaged& damaged);
    std::vector<SeedRecord> seeds(AnalysisId analysis, const Damaged& damaged);
    UsageRecord usage(AnalysisId analysis, const Damaged& damaged);
    std::vector<EvaluationId> asked(AnalysisId analysis, const Damaged& damaged);

private:
    // Appends what `read` makes of each row, unless it is damaged: `read` says why.
    template <class Record, class Read>
    std::vector<Record> take(const Rows& rows, const Damaged& damaged, Read read);
    void tell(const Damaged& damaged, const std::string& row, const std::string& why);
    std::string fingerprint(EngineId engine);

    Connection connection_;
    std::unordered_map<EngineId, std::string> fingerprints_; // engines never change
};

} // namespace adjourn::storage::postgresql
