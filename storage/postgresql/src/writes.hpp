// Writes: what is written, as statements on the writer's connection. Each runs inside the
// transaction that the caller holds. A refusal in the result left nothing behind; a PostgresError
// may have left the first statements of its write, to be rolled back.
#pragma once

#include "connection.hpp"
#include "journal.hpp"
#include "storage_base/blobs.hpp"
#include "storage_base/checksum.hpp"
#include "storage_base/columns.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace adjourn::storage::postgresql {

// An answer, and who asked.
struct Fact {
    Evaluation evaluation;
    std::optional<AnalysisId> asked_by;
};

class Writes {
public:
    explicit Writes(Connection& connection) : connection_{connection} {}

    // As one by one, in a few statements for all.
    std::vector<Outcome> append(std::span<const Fact* const> facts);
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

    // How others reach the owner.
    Outcome announce(const std::map<std::string, std::string>& properties);
    // Writes, but changes nothing.
    Outcome probe();
    // At the begin of a transaction, and after it was rolled back, whole or to a savepoint: forgets
    // what may be true no longer.
    void forget();
    // How many there are, once what was done is committed. Asks only where it is not known.
    std::uint64_t evaluations();
    // What is done in the transaction, for those who follow.
    Journal& journal() { return journal_; }

private:
    // What is known of a position while a group is written.
    struct Known;
    struct Columns;
    struct Group;

    std::string trouble_of(const Evaluation& evaluation);
    void find_positions(Group& group);
    void find_answers(Group& group);
    Outcome decide(Group& group, const Fact& fact);
    void add(const Group& group);
    std::map<AnalysisId, std::pair<UsageRecord, std::int64_t>> spent_so_far(const Group& group);
    void spend(const Group& group);
    void count(const Group& group);
    void write(Group& group);

    std::int64_t next_id(const char* table);
    std::int64_t position(const chess::PackedPosition& packed); // found or added
    bool has_engine(EngineId engine);                           // and engines_ has it then
    std::string fingerprint(EngineId engine);
    bool has_analysis(AnalysisId analysis);
    bool has_failures();

    Connection& connection_;
    std::unordered_map<EngineId, std::string> engines_; // fingerprints, which never change
    std::set<AnalysisId> analyses_;                     // surely there
    std::optional<bool> failures_;                      // whether there are any
    std::optional<std::uint64_t> evaluations_;
    Journal journal_;
};

// The sums that rows prove themselves by (docs/internals/database-format.md), as they are written
// and read.
std::int64_t failure_sum(const FailureRecord& failure, const std::string& fingerprint);
std::int64_t analysis_sum(const AnalysisRecord& analysis, Bytes root_moves,
                          const std::string& fingerprint);
std::int64_t directive_sum(const DirectiveRecord& directive, Bytes line);
std::int64_t snapshot_sum(const SnapshotRecord& snapshot);
std::int64_t seed_sum(std::int64_t id, const SeedRecord& seed);
std::int64_t usage_sum(const UsageRecord& usage);
std::int64_t asked_sum(AnalysisId analysis, EvaluationId evaluation);

// Where evaluations are read, these columns in this order.
inline const std::string evaluation_columns =
    "id, engine, limit_kind, limit_amount, excluded, at, answer, checksum";
// All but the position. `shared`: the sum of the engine's fingerprint and the position's key.
// Returns why the row is damaged, "" if it is sound.
std::string read_evaluation(const Rows& rows, int row, Checksum shared, Evaluation& out);

} // namespace adjourn::storage::postgresql
