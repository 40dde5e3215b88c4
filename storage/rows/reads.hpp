// Reads: all that is read of a store on one connection. What rows mean, what proves them and who is
// told of those that do not stand is here, once; how rows are fetched is for each kind of store.
// One thread at a time.
#pragma once

#include "storage/rows/records.hpp"

#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace adjourn::storage {

// Rows of which one column is that.
struct Where {
    std::size_t column = 0;
    Cell is;
};

// Who gets rows.
struct RowSink {
    std::function<void(Cells)> take; // as select_rows() has them
    // What cannot be read at all, for people.
    std::function<void(const std::string&)> tell;
    // All that came so far comes again.
    std::function<void()> anew;
};

class Reads {
public:
    Reads() = default;
    Reads(const Reads&) = delete;
    Reads& operator=(const Reads&) = delete;
    virtual ~Reads() = default;

    // As the functions of Store.
    std::vector<EngineRecord> engines(const Damaged& damaged = {});
    std::vector<FailureRecord> failures(EngineId engine, const Damaged& damaged = {});
    std::vector<AnalysisRecord> analyses(const Damaged& damaged = {});
    std::vector<DirectiveRecord> directives(AnalysisId analysis, const Damaged& damaged = {});
    std::vector<SnapshotRecord> snapshots(AnalysisId analysis, const Damaged& damaged = {});
    std::vector<SeedRecord> seeds(AnalysisId analysis, const Damaged& damaged = {});
    std::vector<FileRecord> files(AnalysisId analysis, const Damaged& damaged = {});
    std::vector<FileRecord> versions(std::int64_t file, const Damaged& damaged = {});
    std::vector<CloudRecord> clouds(const chess::PackedPosition& position,
                                    const Damaged& damaged = {});
    UsageRecord usage(AnalysisId analysis, const Damaged& damaged = {});
    std::vector<EvaluationId> asked(AnalysisId analysis, const Damaged& damaged = {});
    std::optional<EngineId> find_engine(const std::string& fingerprint);
    // From that row on; until `visit` returns false.
    void visit_evaluations(EngineId engine, EvaluationId after,
                           const std::function<bool(const Evaluation&)>& visit,
                           const Damaged& damaged, const Wanted& wanted = {});
    std::vector<Evaluation> evaluations_after(EngineId engine, EvaluationId after, std::size_t most,
                                              const Damaged& damaged = {});
    std::vector<Evaluation> evaluations(const chess::PackedPosition& position,
                                        const Damaged& damaged = {});
    std::optional<Evaluation> answer(const Question& question);
    virtual std::uint64_t evaluation_count() = 0;

    // The name of the machine of that number; "": there is none that can be believed.
    const std::string& machine(std::int64_t number, const Damaged& damaged = {});
    // The sum of an engine's fingerprint and the position's key.
    Checksum shared(std::int64_t engine, Bytes key);

    // ---- what kinds of store differ in ----

    // What messages call the store.
    virtual std::string place() const = 0;
    // Rows of a table in the order of their keys, as far as they can be read.
    virtual void each(const Table& table, const std::optional<Where>& where,
                      const RowSink& sink) = 0;
    // Facts in the order of their ids, of one engine or of all, from that row on, until `visit`
    // returns false; and the key of the position, null if that is missing.
    using VisitFact = std::function<bool(const FactRow&, const std::optional<Bytes>& key)>;
    virtual void each_fact(std::optional<EngineId> engine, EvaluationId after, const Wanted& wanted,
                           const VisitFact& visit,
                           const std::function<void(const std::string&)>& tell) = 0;
    // All facts about one position.
    virtual void each_fact_of(const chess::PackedPosition& position,
                              const std::function<void(const FactRow&)>& visit,
                              const std::function<void(const std::string&)>& tell) = 0;
    // What `work` reads is of one moment.
    virtual void at_once(const std::function<void()>& work) = 0;

protected:
    void tell(const Damaged& damaged, const std::string& what) const;
    void tell_row(const Damaged& damaged, const std::string& row, const std::string& why) const;

private:
    template <class Record>
    std::vector<Record> records(const std::optional<Where>& where, const Damaged& damaged);

    std::unordered_map<std::int64_t, Checksum> begun_; // of fingerprints: engines never change
    std::unordered_map<std::int64_t, std::string> machines_; // names; likewise
};

} // namespace adjourn::storage
