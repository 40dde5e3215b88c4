// Writes: all that is written, on the writer's connection, inside the transaction that the caller
// holds. What a write needs and becomes is here, once; how many facts are written together is for
// each kind of store. A refusal in the result left nothing behind; an exception may have left the
// first statements of its write, to be rolled back.
#pragma once

#include "storage/rows/records.hpp"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace adjourn::storage {

class Writes {
public:
    Writes() = default;
    Writes(const Writes&) = delete;
    Writes& operator=(const Writes&) = delete;
    virtual ~Writes() = default;

    Outcome write(const Change& change);
    // As one by one.
    virtual std::vector<Outcome> append(std::span<const Answered* const> facts) = 0;
    // Writes, but changes nothing.
    Outcome probe();

    // Brings up to date what is summed up: before a savepoint's end, and before COMMIT.
    void settle();
    // After a rollback, to a savepoint or of all: forgets what may be true no longer.
    virtual void forget();
    // How many there are, once what was done is committed. Asks only where it is not known.
    std::uint64_t evaluations();

    // Called in long writes, in which the database goes on answering. May be empty.
    std::function<void()> on_progress;

protected:
    using TakeRow = std::function<void(Cells)>;
    // One statement, one of few.
    virtual void run(const std::string& sql, Cells parameters, const TakeRow& take) = 0;
    // A number that no row of the table had.
    virtual std::int64_t next_id(const Table& table) = 0;
    struct Place {
        std::int64_t id = 0;
        bool added = false; // so nothing refers to it
    };
    virtual Place position(const chess::PackedPosition& packed);        // found or added
    virtual void ask(AnalysisId analysis, std::int64_t evaluation) = 0; // adds a row

    void run(const std::string& sql, Cells parameters) { run(sql, parameters, {}); }
    // "" if it can be written.
    std::string trouble_of(const Evaluation& evaluation);
    bool has_engine(EngineId engine); // and fingerprint() has it then
    const std::string& fingerprint(EngineId engine) const { return engines_.at(engine); }
    Checksum shared(const Question& question) const {
        return Checksum{begun_.at(question.engine)}.add(position_key(question.position));
    }
    bool is_counted(const Answered& fact);
    std::int64_t machine(const std::string& name);         // found or added; 0 for ""
    const std::string& machine_name(std::int64_t machine); // "": there is none
    // What follows from an answer to a question that has one ...
    void known(const Answered& fact, bool counted);
    // ... and from one that was added or took a damaged one's place.
    void stored(const Answered& fact, bool counted, const FactRow& row, bool replaced);

private:
    Outcome write(const Answered& fact);
    Outcome write(const FailureRecord& failure);
    Outcome write(const ClearedFailures& cleared);
    Outcome write(const NewAnalysis& added);
    Outcome write(const ChangedAnalysis& changed);
    Outcome write(const RemovedAnalysis& removed);
    Outcome write(const DirectiveRecord& directive);
    Outcome write(const SnapshotRecord& snapshot);
    Outcome write(const SeedRecord& seed);
    Outcome write(const EngineRecord& engine);
    Outcome write(const FileChange& change);
    Outcome write(const Spent& spent);
    Outcome write(const CloudRecord& cloud);

    void put(const Table& table, const RecordRow& row);
    // By its columns behind the id; nullopt: there is none.
    std::optional<std::int64_t> find(const Table& table, Cells values);
    // All columns but the id. Returns the id.
    std::int64_t add(const Table& table, Cells values);
    std::int64_t add_to(const Table& table, Cells key_and_value); // returns the sum
    bool has_analysis(AnalysisId analysis);
    std::string fingerprint_of(const AnalysisRecord& analysis);
    bool has_failures();
    std::int64_t source(const std::string& text); // found or added
    std::optional<AnalysisId> owner_of_file(std::int64_t file);
    // Makes it the version after the last; the row of a sound one that is there already, if any.
    std::optional<std::int64_t> follow_last(FileRecord& file);
    void spend(AnalysisId analysis, const Cost& cost);
    void spend(const Answered& fact, bool added);

    std::unordered_map<EngineId, std::string> engines_; // fingerprints, which never change
    std::unordered_map<EngineId, Checksum> begun_;      // of them
    std::map<std::string, std::int64_t> machines_;      // by name
    std::set<AnalysisId> analyses_;                     // surely there
    std::optional<bool> failures_;                      // false: surely none
    std::optional<std::pair<std::string, std::int64_t>> last_source_;
    std::map<const Table*, std::string> puts_; // statements
    std::optional<std::uint64_t> evaluations_;
    // What was done since settle().
    std::map<AnalysisId, UsageRecord> spent_;
    std::map<AnalysisId, std::int64_t> asked_; // sums of new rows of `asked`
    std::int64_t added_ = 0;                   // evaluations
};

} // namespace adjourn::storage
