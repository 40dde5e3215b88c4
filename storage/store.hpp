// Store: the facts, kept for good. open_store() (storage/open.hpp) makes one: a file of SQLite in a
// data directory, or a database of PostgreSQL. What only a data directory can (backup,
// repair) is in storage/maintenance.hpp.
//
// Threads: reads may come from any thread and block for the disk. Writes are queued to one writer
// thread, which commits them in groups, in order; they never block for the disk. `done` is called
// on the writer thread after the commit is durable and must only hand the message on. A broken
// environment (disk full, corrupt file) makes `done` get the error and every later write fail
// likewise, until recover() finds that it works again.
#pragma once

#include "analysis/records.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace adjourn::storage {

// CommitTimes: how long transactions took to become durable, as a histogram.
struct CommitTimes {
    using Time = std::chrono::nanoseconds;
    // Upper ends of the intervals, included; the last interval has none.
    static constexpr std::array most{Time{500'000},       Time{1'000'000},     Time{2'500'000},
                                     Time{5'000'000},     Time{10'000'000},    Time{25'000'000},
                                     Time{50'000'000},    Time{100'000'000},   Time{250'000'000},
                                     Time{500'000'000},   Time{1'000'000'000}, Time{2'500'000'000},
                                     Time{10'000'000'000}};

    std::array<std::uint64_t, most.size() + 1> commits{}; // by interval
    std::uint64_t writes = 0;                             // in all of them
    Time total{};

    void add(Time took, std::size_t writes_of_it) {
        const auto interval = std::ranges::lower_bound(most, took) - most.begin();
        ++commits.at(static_cast<std::size_t>(interval));
        writes += writes_of_it;
        total += took;
    }
};

using analysis::AnalysisId;
using analysis::EngineId;
using analysis::Evaluation;
using analysis::EvaluationId;
using analysis::Question;
using analysis::UnixMs;

// The room's one exception: open or read failed. The message names the file and what to do.
class StoreError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
    // What is stored is damaged, beyond single rows: no later try goes better.
    virtual bool damage() const { return false; }
};

// A row that cannot be read; everything else can. Names the file and the row.
class DamagedRow : public StoreError {
    using StoreError::StoreError;
};

// An engine as evaluations know it. The fingerprint is a function of the other fields.
struct EngineRecord {
    EngineId id{};
    std::string name;    // as the engine says ("Stockfish 15.1")
    std::string version; // "" where the engine tells none apart from its name
    std::string options; // canonical "Name=value" lines, sorted; only what changes answers
    std::string network; // "" or the network file's name

    std::string fingerprint() const; // hex SHA-256 prefix or the like, stable for ever
    friend bool operator==(const EngineRecord&, const EngineRecord&) = default;
};

enum class AnalysisState : std::uint8_t { queued, running, paused, settled, exhausted, failed };

struct AnalysisRecord {
    AnalysisId id{};
    std::string name;
    std::string root_fen;                // of the start position, with its clocks
    std::vector<chess::Move> root_moves; // from there to the root
    std::string profile;                 // engine profile name from the config
    EngineId engine{};                   // the fingerprint it was started with
    analysis::Limit limit;
    std::string parameters; // JSON text of strategy, budget, window; opaque here
    int priority = 0;
    double rank = 0; // place in the queue, ascending
    AnalysisState state = AnalysisState::queued;
    std::string state_reason; // why failed or exhausted
    UnixMs created_at = 0;

    friend bool operator==(const AnalysisRecord&, const AnalysisRecord&) = default;
};

// What people said about a position of an analysis. Appended; the latest of a kind counts.
struct DirectiveRecord {
    std::int64_t id = 0;
    AnalysisId analysis{};
    chess::PackedPosition position;  // where
    std::optional<chess::Move> move; // of that position; none for the position itself
    std::vector<chess::Move> line;   // how one came there from the root
    std::string action;              // include | exclude | clear | deepen | now | note
    std::string text;                // note, or JSON of further arguments
    UnixMs at = 0;

    friend bool operator==(const DirectiveRecord&, const DirectiveRecord&) = default;
};

// A settled level of an analysis, as it was at that moment.
struct SnapshotRecord {
    std::int64_t id = 0;
    AnalysisId analysis{};
    int refine = 0;
    UnixMs at = 0;
    std::string data; // JSON text: root scores, PV, counts; opaque here

    friend bool operator==(const SnapshotRecord&, const SnapshotRecord&) = default;
};

// A question that no engine could answer.
struct FailureRecord {
    Question question;
    std::string reason;
    int attempts = 0;
    UnixMs at = 0;

    friend bool operator==(const FailureRecord&, const FailureRecord&) = default;
};

// What an analysis has spent, kept up in the transactions of its answers.
struct UsageRecord {
    AnalysisId analysis{};
    std::uint64_t evaluations_new = 0; // facts that it asked for
    // Of all answers to its questions, also of one that was known already when it came.
    std::uint64_t nodes = 0;
    std::uint64_t engine_ms = 0;

    friend bool operator==(const UsageRecord&, const UsageRecord&) = default;
};

// A move that a person or a game brought into an analysis, counted apart from engine proposals. Of
// one analysis, position and move the first seed stays; further ones are not inserted.
struct SeedRecord {
    AnalysisId analysis{};
    chess::PackedPosition position;
    chess::Move move = chess::Move::from_raw(0); // of that position
    std::string source;                          // "person", or the name of the file it came from
    UnixMs at = 0;

    friend bool operator==(const SeedRecord&, const SeedRecord&) = default;
};

// A version of a file of games that a person brought, or of a game in it. Appended; of one file and
// number the last version counts.
struct FileRecord {
    std::int64_t id = 0;
    AnalysisId analysis{};    // 0: it belongs to none
    std::int64_t file = 0;    // the id of the file's first row
    std::int64_t number = 0;  // of the game, from 1; 0: the file itself
    std::int64_t version = 0; // from 1
    std::int64_t before = 0;  // the version that undoing brings back; 0: none
    // The file's name, or the game as chess/pgn_writer.hpp writes it; "": it is deleted.
    std::string text;
    UnixMs at = 0;

    friend bool operator==(const FileRecord&, const FileRecord&) = default;
};

// What a cloud, a collection of evaluations elsewhere, said of a position. It is foreign: nothing
// is derived of it. Of one position and source the last one stays.
struct CloudRecord {
    chess::PackedPosition position;
    std::string source;
    UnixMs at = 0;    // when it came
    std::string text; // as it came; "": the cloud does not know the position

    friend bool operator==(const CloudRecord&, const CloudRecord&) = default;
};

// Row numbers are opaque: 64-bit, and those of evaluations neither dense nor in order of time
// across positions (docs/internals/database-format.md).
struct Written {
    std::int64_t id = 0;  // of the row; where a record has no row number, of its analysis or engine
    bool inserted = true; // false: the same is there already; id is the old row's
    // Of an evaluation that was not inserted: the one that is there; null if it cannot be read.
    std::shared_ptr<const Evaluation> stands = nullptr;
};
struct NotWritten {
    NotWritten(std::string why_, bool broken_ = false) : why{std::move(why_)}, broken{broken_} {}
    std::string why;
    bool broken; // the environment is, so that no later write works; else its data are refused
};
using Outcome = std::expected<Written, NotWritten>;
using Done = std::function<void(const Outcome&)>; // may be empty

// Told of each row that is left out since it cannot be read: file, row and why. May be empty.
using Damaged = std::function<void(const std::string&)>;

// `id >> 16` of an evaluation is its position (docs/internals/database-format.md).
constexpr int position_shift = 16;
constexpr std::int64_t position_of(EvaluationId id) {
    return static_cast<std::int64_t>(id) >> position_shift;
}

// What is seen of an evaluation before it is read: enough to know it again, since none is changed.
struct EvaluationMark {
    EvaluationId id{};
    UnixMs at = 0;
    std::int64_t checksum = 0; // of the row as it was written
};
// Which evaluations are to be read, and proved. Empty: all.
using Wanted = std::function<bool(const EvaluationMark&)>;

// What a store stands on.
struct StoreEnvironment {
    std::string problem; // why what is written now would be lost; "" if nothing is seen
    std::optional<std::uint64_t> free_bytes;  // on the disk, for this user; none: cannot be seen
    std::optional<std::uint64_t> bytes;       // of the store's files; none: it has no files here
    std::optional<std::uint64_t> evaluations; // none: they could not be counted
    // The first of what reads have found damaged beyond single rows; "" if none.
    std::string damage = {};
    // What was acknowledged once and is not there any more; "" if nothing is.
    std::string missing = {};
};

// What the writer's thread is at.
struct Writing {
    std::string broken; // why it takes no writes, till recover(); "" if it does, or there is none
    std::chrono::nanoseconds silent{}; // how long disk or database have not answered it
    // As of the last commit; none where the store is for reading only.
    std::optional<std::uint64_t> evaluations;
};

// ---- what is written; besides, each record that is appended (above) ----
// What searches have cost.
struct Cost {
    std::uint64_t nodes = 0;
    std::uint64_t engine_ms = 0; // of all their threads

    friend bool operator==(const Cost&, const Cost&) = default;
};
// An answer, and which analysis asked for it: in the same transaction its cost is added to that
// analysis's usage, and if the fact is new, it is noted and counted there who asked for it.
// If there is no such analysis (any more), only the fact is written.
// The first answer to a question stays and further ones are not inserted; but one without exact
// score is none, and an answer that has one is added to it. One that is damaged is replaced.
struct Answered {
    Evaluation evaluation;
    std::optional<AnalysisId> asked_by; // none: a fact that no analysis asked for
    std::optional<Cost> cost = {};      // what was not paid before; none: the evaluation's
    bool on_the_way = false; // to the answer of a search: paid for, and not noted who asked for it
    // Takes the place of the directive of this id: an order, by what is left of it now.
    std::optional<DirectiveRecord> order{};
};
// What searches of the analysis have cost that have no answer yet: added to its usage.
struct Spent {
    AnalysisId analysis{};
    Cost cost;
};
struct ClearedFailures {
    EngineId engine{};
};
struct NewAnalysis {
    AnalysisRecord record; // the id is given by the store
};
struct ChangedAnalysis {
    AnalysisRecord record; // all columns, by id
};
struct RemovedAnalysis { // its evaluations stay
    AnalysisId id{};
};
// Versions of one file, all or none. `file` 0: a new one, of which the first row is the file
// itself. `version` is one more than the last that is known; where somebody has written that one
// already, nothing is inserted. The result's id is that of the first row: of a new file its number.
struct FileChange {
    std::vector<FileRecord> rows;
};
// A failure takes the place of the one that is there; an engine is found by its fingerprint, or
// added.
using Change = std::variant<Answered, FailureRecord, ClearedFailures, NewAnalysis, ChangedAnalysis,
                            RemovedAnalysis, DirectiveRecord, SnapshotRecord, SeedRecord,
                            EngineRecord, FileChange, Spent, CloudRecord>;

class Reads;

class Store {
public:
    Store() = default;
    Store(const Store&) = delete;
    Store& operator=(const Store&) = delete;
    virtual ~Store() = default; // waits until everything queued is durable

    // ---- writes ----
    // Queued; durable when `done` is called.
    virtual void write(Change change, Done done) = 0;

    void append(const Evaluation& evaluation, std::optional<AnalysisId> asked_by, Done done) {
        write(Answered{evaluation, asked_by}, std::move(done));
    }
    void append(const Evaluation& evaluation, Done done) {
        write(Answered{evaluation, {}}, std::move(done));
    }
    void append(const DirectiveRecord& directive, Done done) { write(directive, std::move(done)); }
    void append(const SnapshotRecord& snapshot, Done done) { write(snapshot, std::move(done)); }
    void append(const SeedRecord& seed, Done done) { write(seed, std::move(done)); }
    void fail(const FailureRecord& failure, Done done) { write(failure, std::move(done)); }
    void clear_failures(EngineId engine, Done done) {
        write(ClearedFailures{engine}, std::move(done));
    }
    void insert(const AnalysisRecord& analysis, Done done) {
        write(NewAnalysis{analysis}, std::move(done));
    }
    void update(const AnalysisRecord& analysis, Done done) {
        write(ChangedAnalysis{analysis}, std::move(done));
    }
    void remove(AnalysisId analysis, Done done) {
        write(RemovedAnalysis{analysis}, std::move(done));
    }
    // Blocks until everything queued before is durable. Throws StoreError if the environment is
    // broken, or if since the last flush a write without `done` was refused. Not to be called in
    // `done`.
    virtual void flush() = 0;

    // Tells others how to reach the owner of this store; only the owner may call it. Who opens the
    // store gets `url` (an HTTP address) as StoreInUse::holder; announced_to_workers() reads
    // `to_workers`, which a directory does not keep (storage/open.hpp). Throws StoreError.
    virtual void announce(const std::string& url, const std::string& to_workers) = 0;

    // ---- the environment ----
    // Looks whether it can be read, too; writes nothing. Any thread; blocks for the disk.
    virtual StoreEnvironment environment() const = 0;
    // Any thread; does not block for the disk.
    virtual Writing writing() const = 0;
    // Whether somebody else has become the owner after the connection was lost: nothing is stored
    // until that one ends. Any thread; does not block.
    virtual bool taken() const { return false; }
    // Of its own transactions since it was opened. Any thread; does not block for the disk.
    virtual CommitTimes commit_times() const = 0;
    // After a failure of the environment: tries a write that changes nothing, and where it is
    // durable, writes are taken again. Blocks for the disk. Throws StoreError where it is not, and
    // where the store has failed for good (a damaged file, somebody who could not be told). Not to
    // be called in `done`.
    virtual void recover() = 0;
    // Somebody knows what is missing (StoreEnvironment): it is not told again. Blocks for the disk.
    virtual void accept_missing() {}

    // ---- reads (committed data only) ----
    // Runs `work` on a connection that nobody else uses meanwhile (storage_rows/reads.hpp); by it
    // the functions below read. Throws StoreError.
    virtual void read(const std::function<void(Reads&)>& work) const = 0;
    // Finds by fingerprint or creates; durable on return. Throws StoreError. Not to be called in
    // `done`.
    EngineId engine(const EngineRecord& engine);
    // Every row proves itself by its checksum. One that does not, or is no record, is left out as
    // if it were not there: text is UTF-8, numbers are finite. Whether positions, moves and lines
    // are legal and what text means is for the caller to see.
    std::vector<EngineRecord> engines(const Damaged& damaged = {}) const;
    // All facts of one engine in the order of their ids, or those of them that are wanted.
    void for_each_evaluation(EngineId engine, const std::function<void(const Evaluation&)>& visit,
                             const Damaged& damaged = {}, const Wanted& wanted = {}) const;
    // The first `most` facts of one engine after that row, in the order of their ids.
    std::vector<Evaluation> evaluations_after(EngineId engine, EvaluationId after, std::size_t most,
                                              const Damaged& damaged = {}) const;
    // All facts about one position, any engine, oldest first.
    std::vector<Evaluation> evaluations(const chess::PackedPosition& position,
                                        const Damaged& damaged = {}) const;
    std::optional<Evaluation> answer(const Question& question) const;
    std::uint64_t evaluation_count() const;
    std::vector<FailureRecord> failures(EngineId engine, const Damaged& damaged = {}) const;
    // By rank, then id.
    std::vector<AnalysisRecord> analyses(const Damaged& damaged = {}) const;
    std::vector<DirectiveRecord> directives(AnalysisId analysis, const Damaged& damaged = {}) const;
    // By moment: one that could not be stored at first has a later row than those after it.
    std::vector<SnapshotRecord> snapshots(AnalysisId analysis, const Damaged& damaged = {}) const;
    // Oldest first.
    std::vector<SeedRecord> seeds(AnalysisId analysis, const Damaged& damaged = {}) const;
    // All versions, oldest first; of analysis 0 those of files that belong to none.
    std::vector<FileRecord> files(AnalysisId analysis, const Damaged& damaged = {}) const;
    std::vector<FileRecord> versions(std::int64_t file, const Damaged& damaged = {}) const;
    // By source.
    std::vector<CloudRecord> clouds(const chess::PackedPosition& position,
                                    const Damaged& damaged = {}) const;
    UsageRecord usage(AnalysisId analysis, const Damaged& damaged = {}) const; // zeros if none
    // The facts that this analysis asked for, ascending; also of one that was removed. None of them
    // if one is damaged: which one cannot be seen.
    std::vector<EvaluationId> asked(AnalysisId analysis, const Damaged& damaged = {}) const;
    // Schema and references, checksums, and that every stored row decodes to legal moves; of a file
    // its page structure, too. One line a finding; empty = sound.
    virtual std::vector<std::string> check() const = 0;
};

} // namespace adjourn::storage
