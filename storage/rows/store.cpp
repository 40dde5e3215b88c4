// What every store does the same way: its reads, by Reads on some connection.
#include "storage/store.hpp"

#include "storage/rows/reads.hpp"

#include <future>

namespace adjourn::storage {

namespace {

template <class Work>
auto result_of(const Store& store, Work work) {
    std::optional<decltype(work(std::declval<Reads&>()))> result;
    store.read([&](Reads& reads) { result.emplace(work(reads)); });
    return std::move(*result);
}

} // namespace

EngineId Store::engine(const EngineRecord& engine) {
    const std::string fingerprint = engine.fingerprint();
    if (const auto known =
            result_of(*this, [&](Reads& reads) { return reads.find_engine(fingerprint); })) {
        return *known;
    }
    std::promise<Outcome> promise;
    write(engine, [&promise](const auto& outcome) { promise.set_value(outcome); });
    const auto written = promise.get_future().get();
    if (!written) {
        throw StoreError{written.error().why};
    }
    return EngineId{written->id};
}

std::vector<EngineRecord> Store::engines(const Damaged& damaged) const {
    return result_of(*this, [&](Reads& reads) { return reads.engines(damaged); });
}

void Store::for_each_evaluation(EngineId engine,
                                const std::function<void(const Evaluation&)>& visit,
                                const Damaged& damaged, const Wanted& wanted) const {
    const auto always = [&](const Evaluation& evaluation) {
        visit(evaluation);
        return true;
    };
    read([&](Reads& reads) { reads.visit_evaluations(engine, {}, always, damaged, wanted); });
}

std::vector<Evaluation> Store::evaluations_after(EngineId engine, EvaluationId after,
                                                 std::size_t most, const Damaged& damaged) const {
    return result_of(
        *this, [&](Reads& reads) { return reads.evaluations_after(engine, after, most, damaged); });
}

std::vector<Evaluation> Store::evaluations(const chess::PackedPosition& position,
                                           const Damaged& damaged) const {
    return result_of(*this, [&](Reads& reads) { return reads.evaluations(position, damaged); });
}

std::optional<Evaluation> Store::answer(const Question& question) const {
    return result_of(*this, [&](Reads& reads) { return reads.answer(question); });
}

std::uint64_t Store::evaluation_count() const {
    return result_of(*this, [&](Reads& reads) { return reads.evaluation_count(); });
}

std::vector<FailureRecord> Store::failures(EngineId engine, const Damaged& damaged) const {
    return result_of(*this, [&](Reads& reads) { return reads.failures(engine, damaged); });
}

std::vector<AnalysisRecord> Store::analyses(const Damaged& damaged) const {
    return result_of(*this, [&](Reads& reads) { return reads.analyses(damaged); });
}

std::vector<DirectiveRecord> Store::directives(AnalysisId analysis, const Damaged& damaged) const {
    return result_of(*this, [&](Reads& reads) { return reads.directives(analysis, damaged); });
}

std::vector<SnapshotRecord> Store::snapshots(AnalysisId analysis, const Damaged& damaged) const {
    return result_of(*this, [&](Reads& reads) { return reads.snapshots(analysis, damaged); });
}

std::vector<SeedRecord> Store::seeds(AnalysisId analysis, const Damaged& damaged) const {
    return result_of(*this, [&](Reads& reads) { return reads.seeds(analysis, damaged); });
}

std::vector<FileRecord> Store::files(AnalysisId analysis, const Damaged& damaged) const {
    return result_of(*this, [&](Reads& reads) { return reads.files(analysis, damaged); });
}

std::vector<FileRecord> Store::versions(std::int64_t file, const Damaged& damaged) const {
    return result_of(*this, [&](Reads& reads) { return reads.versions(file, damaged); });
}

std::vector<CloudRecord> Store::clouds(const chess::PackedPosition& position,
                                       const Damaged& damaged) const {
    return result_of(*this, [&](Reads& reads) { return reads.clouds(position, damaged); });
}

UsageRecord Store::usage(AnalysisId analysis, const Damaged& damaged) const {
    return result_of(*this, [&](Reads& reads) { return reads.usage(analysis, damaged); });
}

std::vector<EvaluationId> Store::asked(AnalysisId analysis, const Damaged& damaged) const {
    return result_of(*this, [&](Reads& reads) { return reads.asked(analysis, damaged); });
}

} // namespace adjourn::storage
