// Records as rows and back, once for all kinds of store: what a row must be to be a record, and how
// a record stands in its columns (storage_rows/tables.hpp).
#pragma once

#include "storage/rows/checksum.hpp"
#include "storage/rows/tables.hpp"

#include <cstdint>
#include <expected>
#include <string>
#include <type_traits>
#include <vector>

namespace adjourn::storage {

// The blobs of the database and their codecs (docs/internals/database-format.md). Every value has
// exactly one encoding; decoders take any bytes and refuse whatever the encoders never make.
// Why bytes are refused.
using Undecodable = std::string;

// A position's key: its packed form without the zeros at the end. Refers to `packed`.
Bytes position_key(const chess::PackedPosition& packed);
std::expected<chess::PackedPosition, Undecodable> decode_key(Bytes key);

// Moves one after the other in 12 or 24 bits each; appended to `out`.
void encode_moves(const std::vector<chess::Move>& moves, Buffer& out);
// `moves` gets replaced, its memory reused.
std::expected<void, Undecodable> decode_moves(Bytes bytes, std::vector<chess::Move>& moves);

// Everything an engine said: move, score, bound, depths, nodes, time, PV, win-draw-loss; and the
// number of the machine that made it, 0 where that is not known. Appended to `out`.
// Precondition: answer_trouble(evaluation) is empty.
void encode_answer(const Evaluation& evaluation, std::int64_t machine, Buffer& out);
// Sets those fields, leaving `evaluation` as it is elsewhere. Returns the number of the machine.
std::expected<std::int64_t, Undecodable> decode_answer(Bytes bytes, Evaluation& evaluation);

// Why a record is no record, by its form alone (legality takes the rules: see check.cpp); "" if it
// is one.
std::string limit_trouble(const analysis::Limit& limit);
std::string question_trouble(const Question& question);
std::string answer_trouble(const Evaluation& evaluation);

// Why a row is none of ours.
inline constexpr const char* wrong_checksum = "its checksum is another";

// A machine that made evaluations, which have its number in their answer. Never changed.
struct MachineRecord {
    std::int64_t id = 0;
    std::string name;

    friend bool operator==(const MachineRecord&, const MachineRecord&) = default;
};

// ---- rows as records. Each says why the row is no record, by its form alone; "" if it is one.
// Whether it is what was written is_sound() says. Text is made UTF-8, numbers finite. ----

std::string read(Cells row, EngineRecord& out); // the fingerprint, too
std::string read(Cells row, FailureRecord& out);
std::string read(Cells row, AnalysisRecord& out);
std::string read(Cells row, DirectiveRecord& out);
std::string read(Cells row, SnapshotRecord& out);
std::string read(Cells row, SeedRecord& out);
std::string read(Cells row, UsageRecord& out);
std::string read(Cells row, FileRecord& out);
std::string read(Cells row, MachineRecord& out);
std::string read(Cells row, CloudRecord& out);
// As read() would find it once it is written.
std::string file_trouble(const FileRecord& file);

// The table of a kind of record.
template <class Record>
inline constexpr const Table* table_of =
    std::is_same_v<Record, EngineRecord>      ? &tables::engines
    : std::is_same_v<Record, FailureRecord>   ? &tables::failures
    : std::is_same_v<Record, AnalysisRecord>  ? &tables::analyses
    : std::is_same_v<Record, DirectiveRecord> ? &tables::directives
    : std::is_same_v<Record, SnapshotRecord>  ? &tables::snapshots
    : std::is_same_v<Record, SeedRecord>      ? &tables::seeds
    : std::is_same_v<Record, UsageRecord>     ? &tables::usage
    : std::is_same_v<Record, FileRecord>      ? &tables::files
    : std::is_same_v<Record, MachineRecord>   ? &tables::machines
    : std::is_same_v<Record, CloudRecord>     ? &tables::clouds
                                              : nullptr;

// ---- records as rows, with their checksum. The row is valid as long as the record. ----

struct RecordRow {
    std::vector<Cell> cells; // as they are read (tables.hpp)
    Buffer blob;
};

RecordRow row_of(const FailureRecord& failure, const std::string& fingerprint,
                 std::int64_t position);
RecordRow row_of(const AnalysisRecord& analysis, const std::string& fingerprint);
RecordRow row_of(const DirectiveRecord& directive, std::int64_t position);
RecordRow row_of(const SnapshotRecord& snapshot);
RecordRow row_of(const SeedRecord& seed, std::int64_t id, std::int64_t position,
                 std::int64_t source);
RecordRow row_of(const UsageRecord& usage);
RecordRow row_of(const FileRecord& file);
RecordRow row_of(const MachineRecord& machine);
RecordRow row_of(const CloudRecord& cloud);

// ---- evaluations, of which there are millions ----

// A row of `evaluations`, its columns in order.
struct FactRow {
    std::int64_t id = 0, engine = 0, limit_kind = 0, limit_amount = 0;
    Bytes excluded;
    std::int64_t at = 0;
    Bytes answer;
    std::int64_t checksum = 0;
};

// What the sums of its facts begin with; then comes the position's key.
inline Checksum begun_with(Bytes fingerprint) {
    return Checksum{}.add(fingerprint);
}
// `shared`: the sum of the engine's fingerprint and the position's key.
std::int64_t checksum(const FactRow& row, Checksum shared);
// All but the position and the machine's name, of which `machine` gets the number; the memory of
// `out` is reused. As above.
std::string read(const FactRow& row, Evaluation& out, std::int64_t& machine);
// All but id and checksum. Refers to the buffers, which it replaces.
FactRow row_of(const Evaluation& evaluation, std::int64_t machine, Buffer& excluded,
               Buffer& answer);

std::int64_t asked_checksum(std::int64_t analysis, std::int64_t evaluation);

} // namespace adjourn::storage
