#include "storage/rows/reads.hpp"

#include <algorithm>
#include <utility>

namespace adjourn::storage {

namespace {

// The table of engines: it has no second place, and nothing proves itself without it.
class Unreadable : public StoreError {
public:
    using StoreError::StoreError;
    bool damage() const override { return true; }
};

} // namespace

void Reads::tell(const Damaged& damaged, const std::string& what) const {
    if (damaged) {
        damaged(place() + ": " + what);
    }
}

void Reads::tell_row(const Damaged& damaged, const std::string& row, const std::string& why) const {
    tell(damaged, row + " is damaged (" + why +
                      "); restore a backup, or see what else 'adjourn check' finds");
}

template <class Record>
std::vector<Record> Reads::records(const std::optional<Where>& where, const Damaged& damaged) {
    const Table& table = *table_of<Record>;
    std::vector<Record> found;
    std::vector<std::string> told;
    const Damaged tell_later = [&](const std::string& what) { told.push_back(what); };
    const auto take = [&](Cells row) {
        Record record;
        std::string why = is_sound(table, row) ? read(row, record) : wrong_checksum;
        if (why.empty()) {
            found.push_back(std::move(record));
        } else {
            tell_row(tell_later, row_name(table, row), why);
        }
    };
    each(table, where,
         {take, [&](const std::string& what) { tell(tell_later, what); },
          [&] {
              found.clear();
              told.clear();
          }});
    if (damaged) {
        std::ranges::for_each(told, damaged);
    }
    return found;
}

std::vector<EngineRecord> Reads::engines(const Damaged& damaged) {
    return records<EngineRecord>({}, damaged);
}

std::vector<FailureRecord> Reads::failures(EngineId engine, const Damaged& damaged) {
    auto found = records<FailureRecord>(Where{0, row(engine)}, damaged);
    std::ranges::stable_sort(found, {}, &FailureRecord::at);
    return found;
}

std::vector<AnalysisRecord> Reads::analyses(const Damaged& damaged) {
    auto found = records<AnalysisRecord>({}, damaged);
    std::ranges::sort(found, [](const AnalysisRecord& a, const AnalysisRecord& b) {
        return std::pair{a.rank, a.id} < std::pair{b.rank, b.id};
    });
    return found;
}

std::vector<DirectiveRecord> Reads::directives(AnalysisId analysis, const Damaged& damaged) {
    return records<DirectiveRecord>(Where{1, row(analysis)}, damaged);
}

std::vector<SnapshotRecord> Reads::snapshots(AnalysisId analysis, const Damaged& damaged) {
    auto found = records<SnapshotRecord>(Where{1, row(analysis)}, damaged);
    std::ranges::stable_sort(found, {}, &SnapshotRecord::at);
    return found;
}

std::vector<SeedRecord> Reads::seeds(AnalysisId analysis, const Damaged& damaged) {
    return records<SeedRecord>(Where{1, row(analysis)}, damaged);
}

std::vector<FileRecord> Reads::files(AnalysisId analysis, const Damaged& damaged) {
    if (analysis != AnalysisId{}) {
        return records<FileRecord>(Where{1, row(analysis)}, damaged);
    }
    auto all = records<FileRecord>({}, damaged);
    std::erase_if(all, [](const FileRecord& file) { return file.analysis != AnalysisId{}; });
    return all;
}

std::vector<FileRecord> Reads::versions(std::int64_t file, const Damaged& damaged) {
    return records<FileRecord>(Where{2, file}, damaged);
}

std::vector<CloudRecord> Reads::clouds(const chess::PackedPosition& position,
                                       const Damaged& damaged) {
    return records<CloudRecord>(Where{0, position_key(position)}, damaged);
}

UsageRecord Reads::usage(AnalysisId analysis, const Damaged& damaged) {
    const auto found = records<UsageRecord>(Where{0, row(analysis)}, damaged);
    return found.empty() ? UsageRecord{.analysis = analysis} : found.front();
}

std::vector<EvaluationId> Reads::asked(AnalysisId analysis, const Damaged& damaged) {
    const Where of_analysis{0, row(analysis)};
    std::vector<EvaluationId> found;
    std::int64_t sum = 0, known = 0;
    std::string trouble;
    const auto tell_later = [&](const std::string& what) { trouble = what; };
    at_once([&] {
        each(tables::asked, of_analysis,
             {[&](Cells row) {
                  found.push_back(EvaluationId{integer(row[1])});
                  sum += asked_checksum(integer(row[0]), integer(row[1]));
              },
              tell_later,
              [&] {
                  found.clear();
                  sum = 0;
              }});
        each(tables::asked_sums, of_analysis,
             {[&](Cells row) { known = integer(row[1]); }, tell_later, [] {}});
    });
    const std::string what = "what analysis " + std::to_string(row(analysis)) + " asked for ";
    if (!trouble.empty() || known != sum) {
        found.clear(); // which of them is wrong cannot be seen
        tell(damaged, what + (trouble.empty() ? std::string{"is damaged ("} + wrong_checksum + ")"
                                              : "cannot be read: " + trouble));
    }
    return found;
}

// By the table: it is small, and nothing depends on its index.
std::optional<EngineId> Reads::find_engine(const std::string& fingerprint) {
    std::optional<EngineId> found;
    each(tables::engines, {},
         {[&](Cells row) {
              if (!found && text(row[1]) == fingerprint) {
                  found = EngineId{integer(row[0])};
              }
          },
          [](const std::string&) {}, [] {}});
    return found;
}

const std::string& Reads::machine(std::int64_t number, const Damaged& damaged) {
    static const std::string none;
    if (number == 0) {
        return none;
    }
    if (!machines_.contains(number)) {
        for (MachineRecord& machine : records<MachineRecord>({}, damaged)) {
            machines_.emplace(machine.id, std::move(machine.name));
        }
    }
    return machines_[number]; // also where it is lost: that is not looked up again
}

Checksum Reads::shared(std::int64_t engine, Bytes key) {
    auto known = begun_.find(engine);
    if (known == begun_.end()) {
        std::optional<Checksum> begun;
        each(tables::engines, Where{0, engine},
             {[&](Cells row) { begun = begun_with(bytes(row[1])); },
              [](const std::string& why) { throw Unreadable{why}; }, [] {}});
        if (!begun) {
            return begun_with({}).add(key); // proves nothing
        }
        known = begun_.emplace(engine, *begun).first;
    }
    return Checksum{known->second}.add(key);
}

void Reads::visit_evaluations(EngineId engine, EvaluationId after,
                              const std::function<bool(const Evaluation&)>& visit,
                              const Damaged& damaged, const Wanted& wanted) {
    Evaluation evaluation;
    std::int64_t position = -1; // whose key stands in `evaluation`
    std::int64_t machine = 0;
    Checksum of_position;
    const auto take = [&](const FactRow& fact, const std::optional<Bytes>& key) {
        std::string why;
        if (fact.engine != row(engine)) {
            why = "its engine is missing";
        } else if (!key) {
            why = "its position is missing";
        } else if (position != fact.id >> position_shift) {
            const auto packed = decode_key(*key);
            position = packed ? fact.id >> position_shift : -1;
            why = packed ? "" : packed.error();
            evaluation.question.position = packed.value_or(chess::PackedPosition{});
            of_position = shared(fact.engine, *key);
        }
        if (why.empty()) {
            why = checksum(fact, of_position) == fact.checksum ? read(fact, evaluation, machine)
                                                               : wrong_checksum;
        }
        if (why.empty()) {
            evaluation.machine = this->machine(machine, damaged);
            return visit(evaluation);
        }
        tell_row(damaged, "evaluation " + std::to_string(fact.id), why);
        return true;
    };
    at_once([&] {
        each_fact(engine, after, wanted, take,
                  [&](const std::string& what) { tell(damaged, what); });
    });
}

std::vector<Evaluation> Reads::evaluations_after(EngineId engine, EvaluationId after,
                                                 std::size_t most, const Damaged& damaged) {
    std::vector<Evaluation> found;
    const auto visit = [&](const Evaluation& evaluation) {
        found.push_back(evaluation);
        return found.size() < most;
    };
    visit_evaluations(engine, after, visit, damaged);
    return found;
}

std::vector<Evaluation> Reads::evaluations(const chess::PackedPosition& position,
                                           const Damaged& damaged) {
    std::vector<Evaluation> found;
    const auto take = [&](const FactRow& fact) {
        Evaluation evaluation;
        evaluation.question.position = position;
        const Checksum begun = shared(fact.engine, position_key(position));
        std::int64_t machine = 0;
        const std::string why = checksum(fact, begun) == fact.checksum
                                    ? read(fact, evaluation, machine)
                                    : wrong_checksum;
        if (why.empty()) {
            evaluation.machine = this->machine(machine, damaged);
            found.push_back(std::move(evaluation));
        } else {
            tell_row(damaged, "evaluation " + std::to_string(fact.id), why);
        }
    };
    each_fact_of(position, take, [&](const std::string& what) { tell(damaged, what); });
    return found;
}

std::optional<Evaluation> Reads::answer(const Question& question) {
    if (!question_trouble(question).empty()) {
        return std::nullopt;
    }
    std::optional<Evaluation> found; // the last one: any before it has no exact score
    for (Evaluation& evaluation : evaluations(question.position)) {
        if (evaluation.question == question) {
            found = std::move(evaluation);
        }
    }
    return found;
}

} // namespace adjourn::storage
