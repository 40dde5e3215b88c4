#include "storage/rows/records.hpp"

#include "base/text.hpp"
#include "storage/rows/checksum.hpp"
#include "storage/store.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace adjourn::storage {

namespace {

// Indexed by AnalysisState.
const std::array<std::string, 6> state_names{"queued",  "running",   "paused",
                                             "settled", "exhausted", "failed"};

// Any bytes stand as text; what is not UTF-8 is read as Latin-1.
std::string utf8(const Cell& cell) {
    return base::to_utf8(text(cell));
}

int read_int(const Cell& cell) { // what is beyond an int becomes its end
    constexpr std::int64_t most = std::numeric_limits<int>::max();
    return static_cast<int>(std::clamp(integer(cell), -most, most));
}

std::uint64_t read_count(const Cell& cell) {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(integer(cell), 0));
}

std::string read_position(const Cell& cell, chess::PackedPosition& out) {
    const auto packed = decode_key(bytes(cell));
    if (packed) {
        out = *packed;
    }
    return packed ? "" : packed.error();
}

std::string read_moves(Bytes bytes, std::vector<chess::Move>& out) {
    const auto decoded = decode_moves(bytes, out);
    return decoded ? "" : decoded.error();
}

std::string read_move(const Cell& cell, chess::Move& out) {
    const std::int64_t raw = integer(cell);
    if (raw < 0 || raw > 0xffff) {
        return "its move is illegal: of unknown kind";
    }
    out = chess::Move::from_raw(static_cast<std::uint16_t>(raw));
    return "";
}

std::string read_limit(std::int64_t kind, std::int64_t amount, analysis::Limit& out) {
    constexpr auto last = static_cast<std::int64_t>(analysis::Limit::Kind::movetime);
    if (kind < 0 || kind > last) {
        return "a limit of unknown kind";
    }
    if (amount < 1) {
        return "a limit of 0 or less";
    }
    out = {static_cast<analysis::Limit::Kind>(kind), static_cast<std::uint64_t>(amount)};
    return "";
}

// The first that says something.
template <class... Texts>
std::string first_of(Texts... texts) {
    std::string found;
    ((found.empty() ? void(found = std::move(texts)) : void()), ...);
    return found;
}

std::int64_t number(std::uint64_t value) {
    return static_cast<std::int64_t>(value);
}

std::int64_t kind_of(const analysis::Limit& limit) {
    return static_cast<std::int64_t>(limit.kind);
}

Buffer moves_blob(const std::vector<chess::Move>& moves) {
    Buffer blob;
    encode_moves(moves, blob);
    return blob;
}

RecordRow sealed(const Table& table, RecordRow row) {
    row.cells[table.columns.size() - 1] = checksum(table, row.cells);
    return row;
}

constexpr std::int64_t no_checksum_yet = 0;

} // namespace

std::string read(Cells row, EngineRecord& out) {
    out = {EngineId{integer(row[0])}, text(row[2]), text(row[3]), text(row[4]), text(row[5])};
    const bool sound = out.fingerprint() == text(row[1]);
    for (std::string* text : {&out.name, &out.version, &out.options, &out.network}) {
        *text = base::to_utf8(*text);
    }
    return sound ? "" : "the fingerprint is not that of its name, version, options and network";
}

std::string read(Cells row, FailureRecord& out) {
    Question& question = out.question;
    question.engine = EngineId{integer(row[0])};
    out.reason = utf8(row[5]);
    out.attempts = read_int(row[6]);
    out.at = integer(row[7]);
    std::string why = first_of(read_position(row[10], question.position),
                               read_limit(integer(row[2]), integer(row[3]), question.limit),
                               read_moves(bytes(row[4]), question.excluded));
    return why.empty() ? question_trouble(question) : why;
}

std::string read(Cells row, AnalysisRecord& out) {
    out.id = AnalysisId{integer(row[0])};
    out.name = utf8(row[1]);
    out.root_fen = utf8(row[2]);
    out.profile = utf8(row[4]);
    out.engine = EngineId{integer(row[5])}; // NULL reads as 0
    out.parameters = utf8(row[8]);
    out.priority = read_int(row[9]);
    const auto* const rank = std::get_if<double>(&row[10]);
    out.rank = rank != nullptr && std::isfinite(*rank) ? *rank : 0;
    out.state_reason = utf8(row[12]);
    out.created_at = integer(row[13]);
    const auto state = std::ranges::find(state_names, text(row[11]));
    if (state == state_names.end()) {
        return "unknown state " + text(row[11]);
    }
    out.state = static_cast<AnalysisState>(state - state_names.begin());
    return first_of(read_moves(bytes(row[3]), out.root_moves),
                    read_limit(integer(row[6]), integer(row[7]), out.limit));
}

std::string read(Cells row, DirectiveRecord& out) {
    out.id = integer(row[0]);
    out.analysis = AnalysisId{integer(row[1])};
    out.move.reset();
    out.action = utf8(row[5]);
    out.text = utf8(row[6]);
    out.at = integer(row[7]);
    return first_of(read_position(row[9], out.position),
                    is_null(row[3]) ? ""
                                    : read_move(row[3], out.move.emplace(chess::Move::from_raw(0))),
                    read_moves(bytes(row[4]), out.line));
}

std::string read(Cells row, SnapshotRecord& out) {
    out = {integer(row[0]), AnalysisId{integer(row[1])}, read_int(row[2]), integer(row[3]),
           utf8(row[4])};
    return "";
}

std::string read(Cells row, SeedRecord& out) {
    out.analysis = AnalysisId{integer(row[1])};
    out.source = utf8(row[8]);
    out.at = integer(row[5]);
    return first_of(read_position(row[7], out.position), read_move(row[3], out.move));
}

std::string read(Cells row, UsageRecord& out) {
    out = {AnalysisId{integer(row[0])}, read_count(row[1]), read_count(row[2]), read_count(row[3])};
    return "";
}

std::string read(Cells row, FileRecord& out) {
    out = {integer(row[0]), AnalysisId{integer(row[1])},
           integer(row[2]), integer(row[3]),
           integer(row[4]), integer(row[5]),
           utf8(row[6]),    integer(row[7])};
    return file_trouble(out);
}

std::string read(Cells row, MachineRecord& out) {
    out = {integer(row[0]), utf8(row[1])};
    return "";
}

std::string file_trouble(const FileRecord& file) {
    return file.number < 0                                  ? "a game of a number below 0"
           : file.version < 1                               ? "a version below 1"
           : file.before < 0 || file.before >= file.version ? "the version before it is none"
                                                            : "";
}

RecordRow row_of(const FailureRecord& failure, const std::string& fingerprint,
                 std::int64_t position) {
    const Question& question = failure.question;
    RecordRow made{{}, moves_blob(question.excluded)};
    made.cells = {row(question.engine),
                  position,
                  kind_of(question.limit),
                  number(question.limit.amount),
                  Bytes{made.blob},
                  failure.reason,
                  std::int64_t{failure.attempts},
                  failure.at,
                  no_checksum_yet,
                  fingerprint,
                  position_key(question.position)};
    return sealed(tables::failures, std::move(made));
}

RecordRow row_of(const AnalysisRecord& a, const std::string& fingerprint) {
    RecordRow made{{}, moves_blob(a.root_moves)};
    made.cells = {row(a.id),        a.name,
                  a.root_fen,       Bytes{made.blob},
                  a.profile,        a.engine == EngineId{} ? Cell{} : Cell{row(a.engine)},
                  kind_of(a.limit), number(a.limit.amount),
                  a.parameters,     std::int64_t{a.priority},
                  a.rank,           state_names.at(static_cast<std::size_t>(a.state)),
                  a.state_reason,   a.created_at,
                  no_checksum_yet,  fingerprint};
    return sealed(tables::analyses, std::move(made));
}

RecordRow row_of(const DirectiveRecord& d, std::int64_t position) {
    RecordRow made{{}, moves_blob(d.line)};
    made.cells = {d.id,
                  row(d.analysis),
                  position,
                  d.move ? Cell{std::int64_t{d.move->raw()}} : Cell{},
                  Bytes{made.blob},
                  d.action,
                  d.text,
                  d.at,
                  no_checksum_yet,
                  position_key(d.position)};
    return sealed(tables::directives, std::move(made));
}

RecordRow row_of(const SnapshotRecord& s) {
    return sealed(
        tables::snapshots,
        {{s.id, row(s.analysis), std::int64_t{s.refine}, s.at, s.data, no_checksum_yet}, {}});
}

RecordRow row_of(const SeedRecord& s, std::int64_t id, std::int64_t position, std::int64_t source) {
    return sealed(tables::seeds,
                  {{id, row(s.analysis), position, std::int64_t{s.move.raw()}, source, s.at,
                    no_checksum_yet, position_key(s.position), s.source},
                   {}});
}

RecordRow row_of(const UsageRecord& u) {
    return sealed(tables::usage, {{row(u.analysis), number(u.evaluations_new), number(u.nodes),
                                   number(u.engine_ms), no_checksum_yet},
                                  {}});
}

RecordRow row_of(const FileRecord& f) {
    return sealed(tables::files,
                  {{f.id, f.analysis == AnalysisId{} ? Cell{} : Cell{row(f.analysis)}, f.file,
                    f.number, f.version, f.before, f.text, f.at, no_checksum_yet},
                   {}});
}

RecordRow row_of(const MachineRecord& machine) {
    return sealed(tables::machines, {{machine.id, machine.name, no_checksum_yet}, {}});
}

std::int64_t checksum(const FactRow& row, Checksum shared) {
    return shared
        .add(std::array{row.id, row.limit_kind, row.limit_amount,
                        static_cast<std::int64_t>(row.excluded.size())},
             row.excluded)
        .add(std::array{row.at, static_cast<std::int64_t>(row.answer.size())}, row.answer)
        .value();
}

std::string read(const FactRow& row, Evaluation& out, std::int64_t& machine) {
    out.id = EvaluationId{row.id};
    out.question.engine = EngineId{row.engine};
    out.at = row.at;
    if (std::string why = read_limit(row.limit_kind, row.limit_amount, out.question.limit);
        !why.empty()) {
        return why;
    }
    if (auto excluded = decode_moves(row.excluded, out.question.excluded); !excluded) {
        return excluded.error();
    }
    const auto decoded = decode_answer(row.answer, out);
    machine = decoded.value_or(0);
    return decoded ? question_trouble(out.question) : decoded.error();
}

FactRow row_of(const Evaluation& evaluation, std::int64_t machine, Buffer& excluded,
               Buffer& answer) {
    const Question& question = evaluation.question;
    excluded.clear();
    encode_moves(question.excluded, excluded);
    answer.clear();
    encode_answer(evaluation, machine, answer);
    return {.engine = row(question.engine),
            .limit_kind = kind_of(question.limit),
            .limit_amount = number(question.limit.amount),
            .excluded = excluded,
            .at = evaluation.at,
            .answer = answer};
}

std::int64_t asked_checksum(std::int64_t analysis, std::int64_t evaluation) {
    return Checksum{}.add(analysis).add(evaluation).value();
}

// Part of every evaluation's meaning: never to change (docs/internals/database-format.md).
std::string EngineRecord::fingerprint() const {
    std::string message = "adjourn engine 1\n";
    for (const std::string* field : {&name, &version, &options, &network}) {
        message += std::to_string(field->size()) + ":" + *field + ","; // no two records read alike
    }
    const auto digest = sha256(message);
    static constexpr char digits[] = "0123456789abcdef";
    std::string hex;
    for (std::size_t i = 0; i < 16; ++i) {
        hex += digits[digest[i] >> 4];
        hex += digits[digest[i] & 15];
    }
    return hex;
}

} // namespace adjourn::storage
