// Writes: what is written, as statements on the writer's connection. Each runs inside the
// transaction that the caller holds. A refusal in the result left nothing behind; an SqliteError
// may have left the first statements of its write, to be rolled back.
#pragma once

#include "database.hpp"
#include "storage_base/blobs.hpp"
#include "storage_base/checksum.hpp"

#include <expected>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>

namespace adjourn::storage {

class Writes {
public:
    explicit Writes(Database& database);

    Outcome append(const Evaluation& evaluation, std::optional<AnalysisId> asked_by = {});
    Outcome fail(const FailureRecord& failure);
    Outcome clear_failures(EngineId engine);
    Outcome insert(const AnalysisRecord& analysis);
    Outcome update(const AnalysisRecord& analysis);
    Outcome remove(AnalysisId analysis);
    Outcome append(const DirectiveRecord& directive);
    Outcome append(const SnapshotRecord& snapshot);
    Outcome append(const SeedRecord& seed);
    Outcome set(const UsageRecord& usage);
    Outcome engine(const EngineRecord& engine); // inserted = false: it was there

    // Writes, but changes nothing.
    Outcome probe();

    // Brings the totals up to date: the caller's last call before COMMIT or a savepoint's end.
    void settle();
    // After a rollback, whole or to a savepoint: forgets what is true no longer.
    void after_rollback();

private:
    template <class Key>
    Written found_or_added(Statement& find, Statement& add, const Key& key);
    std::int64_t position(const chess::PackedPosition& packed); // found or added
    std::int64_t source(const std::string& text);               // found or added
    void spend(AnalysisId analysis, const Evaluation& evaluation,
               std::optional<std::int64_t> added);
    std::shared_ptr<const Evaluation> stored_answer(Checksum checksum, const Question& question);
    bool is_asked(std::int64_t evaluation);
    Written sealed(Statement& seal);
    bool has_engine(EngineId engine); // and known_engines_ has it then
    bool has_analysis(AnalysisId analysis);

    Database& database_;
    Statement find_position_, find_key_, add_position_;
    Statement find_answers_, add_evaluation_, replace_evaluation_;
    Statement add_failure_, seal_failure_, drop_failure_, drop_failures_;
    Statement find_engine_id_, find_engine_, add_engine_;
    Statement find_analysis_, add_analysis_, change_analysis_, seal_analysis_, drop_analysis_;
    Statement add_directive_, seal_directive_, add_snapshot_, seal_snapshot_;
    Statement find_source_, add_source_, find_seed_, add_seed_, seal_seed_;
    Statement set_usage_, add_usage_, add_asked_, is_asked_, add_to_sum_, add_to_total_;

    std::unordered_map<EngineId, Checksum> known_engines_; // what the sums of its facts begin with
    std::map<AnalysisId, std::int64_t> unsummed_;          // rows of `asked` not in the sums yet
    bool has_failures_;                                    // false: surely none
    std::int64_t uncounted_ = 0; // evaluations that are not in the total yet
    Buffer excluded_, answer_;   // reused
};

} // namespace adjourn::storage
