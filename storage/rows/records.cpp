#include "storage/rows/records.hpp"

#include "base/text.hpp"
#include "storage/store.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace adjourn::storage {

namespace {

using chess::Move;
using chess::Score;

// ---- integers: seven bits a byte, low ones first ----

void put_varint(std::uint64_t value, Buffer& out) {
    while (value >= 0x80) {
        out.push_back(static_cast<std::uint8_t>(value | 0x80));
        value >>= 7;
    }
    out.push_back(static_cast<std::uint8_t>(value));
}

std::optional<std::uint64_t> take_varint(Bytes& in) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < in.size() && i < 10; ++i) {
        const std::uint64_t bits = in[i] & 0x7f;
        if (i == 9 && bits > 1) {
            return std::nullopt; // more than 64 bits
        }
        value |= bits << (7 * i);
        if (in[i] < 0x80) {
            if (i > 0 && bits == 0) {
                return std::nullopt; // longer than it need be
            }
            in = in.subspan(i + 1);
            return value;
        }
    }
    return std::nullopt;
}

// Small magnitudes of either sign become small numbers.
std::uint32_t fold_sign(std::int32_t value) {
    return static_cast<std::uint32_t>(value) << 1 ^ static_cast<std::uint32_t>(value >> 31);
}

std::int32_t unfold_sign(std::uint32_t value) {
    return static_cast<std::int32_t>(value >> 1 ^ -(value & 1));
}

// ---- moves: 12-bit units ----

constexpr std::uint16_t squares_mask = 0xfff;

constexpr bool is_same_square(std::uint16_t unit) {
    return (unit & 63) == unit >> 6;
}

// Units from bytes: two of them fill three bytes; the odd one fills two, with four zero bits.
class UnitReader {
public:
    explicit UnitReader(Bytes bytes) : bytes_{bytes}, count_{bytes.size() * 8 / 12} {}
    std::size_t left() const { return count_ - next_; }
    std::uint16_t take() {
        const std::size_t at = next_ / 2 * 3;
        const bool odd = next_ % 2 != 0;
        ++next_;
        return static_cast<std::uint16_t>(odd ? bytes_[at + 1] >> 4 | bytes_[at + 2] << 4
                                              : bytes_[at] | (bytes_[at + 1] & 15) << 8);
    }
    // The next two, where they fill three bytes; they stay the next ones.
    bool pair(std::uint16_t& first, std::uint16_t& second) const {
        if (next_ % 2 != 0 || left() < 2) {
            return false;
        }
        const std::uint8_t* const at = bytes_.data() + next_ / 2 * 3;
        first = static_cast<std::uint16_t>(at[0] | (at[1] & 15) << 8);
        second = static_cast<std::uint16_t>(at[1] >> 4 | at[2] << 4);
        return true;
    }
    void skip_pair() { next_ += 2; }
    // A size that units fill, and nothing in the bits that they leave.
    bool well_formed() const {
        return bytes_.size() % 3 != 1 && (count_ % 2 == 0 || bytes_.back() >> 4 == 0);
    }

private:
    Bytes bytes_;
    std::size_t count_;
    std::size_t next_ = 0;
};

class UnitWriter {
public:
    explicit UnitWriter(Buffer& out) : out_{out} {}
    void put(std::uint16_t unit) {
        if (half_) {
            out_.back() = static_cast<std::uint8_t>(out_.back() | (unit & 15) << 4);
            out_.push_back(static_cast<std::uint8_t>(unit >> 4));
        } else {
            out_.push_back(static_cast<std::uint8_t>(unit));
            out_.push_back(static_cast<std::uint8_t>(unit >> 8));
        }
        half_ = !half_;
    }

private:
    Buffer& out_;
    bool half_ = false;
};

// ---- answers: the bits of the first byte ----

enum class Line : std::uint8_t { none, move_alone, pv };
enum class ScoreForm : std::uint8_t { none, centipawns, coded };

constexpr int score_shift = 2;
constexpr int bound_shift = 4;
constexpr int has_wdl = 1 << 6;
constexpr int has_machine = 1 << 7;

// win × 1,001 + draw
constexpr std::uint64_t wdl_step = 1'001;

bool take_wdl(Bytes& in, std::optional<chess::WinDrawLoss>& wdl) {
    const auto code = take_varint(in);
    if (!code || *code > 1'000 * wdl_step) {
        return false;
    }
    const int win = static_cast<int>(*code / wdl_step), draw = static_cast<int>(*code % wdl_step);
    if (win + draw > 1'000) {
        return false;
    }
    wdl = chess::WinDrawLoss::of(win, draw, 1'000 - win - draw);
    return true;
}

bool take_score(ScoreForm form, Bytes& in, std::optional<Score>& score) {
    score.reset();
    if (form == ScoreForm::none) {
        return true;
    }
    if (form == ScoreForm::centipawns) {
        const auto folded = take_varint(in);
        if (!folded || *folded > std::numeric_limits<std::uint32_t>::max()) {
            return false;
        }
        const std::int32_t value = unfold_sign(static_cast<std::uint32_t>(*folded));
        score = Score::cp(value);
        return score->centipawns() == value;
    }
    if (in.size() < 4) {
        return false;
    }
    const std::uint32_t code = in[0] | in[1] << 8 | in[2] << 16 | std::uint32_t{in[3]} << 24;
    in = in.subspan(4);
    const auto decoded = Score::decode(code);
    if (!decoded || decoded->is_cp()) {
        return false;
    }
    score = *decoded;
    return true;
}

template <class Number>
bool take_number(Bytes& in, Number& number) {
    const auto value = take_varint(in);
    if (!value || *value > static_cast<std::uint64_t>(std::numeric_limits<Number>::max())) {
        return false;
    }
    number = static_cast<Number>(*value);
    return true;
}

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

Bytes position_key(const chess::PackedPosition& packed) {
    std::size_t size = packed.bytes.size();
    while (size > 0 && packed.bytes[size - 1] == 0) {
        --size;
    }
    return {packed.bytes.data(), size};
}

std::expected<chess::PackedPosition, Undecodable> decode_key(Bytes key) {
    chess::PackedPosition packed;
    if (key.empty() || key.size() > packed.bytes.size() || key.back() == 0) {
        return std::unexpected("a position's key has 1 to 24 bytes, the last of them not zero");
    }
    std::ranges::copy(key, packed.bytes.begin());
    return packed;
}

void encode_moves(const std::vector<Move>& moves, Buffer& out) {
    UnitWriter units{out};
    for (const Move move : moves) {
        const std::uint16_t squares = move.raw() & squares_mask;
        const std::uint16_t rest = move.raw() >> 12;
        if (rest != 0 || is_same_square(squares)) {
            units.put(static_cast<std::uint16_t>(rest | rest << 6)); // no move stays where it is
        }
        units.put(squares);
    }
}

std::expected<void, Undecodable> decode_moves(Bytes bytes, std::vector<Move>& moves) {
    moves.clear();
    UnitReader units{bytes};
    if (!units.well_formed()) {
        return std::unexpected("moves end in the middle");
    }
    moves.reserve(units.left());
    while (units.left() > 0) {
        std::uint16_t second = 0, unit = 0, rest = 0;
        while (units.pair(unit, second) && !is_same_square(unit) && !is_same_square(second)) {
            moves.push_back(Move::from_raw(unit));
            moves.push_back(Move::from_raw(second));
            units.skip_pair();
        }
        if (units.left() == 0) {
            break;
        }
        unit = units.take();
        if (is_same_square(unit)) {
            rest = unit & 63;
            if (rest > 15 || units.left() == 0) {
                return std::unexpected("a move of unknown kind");
            }
            unit = units.take();
            if (rest == 0 && !is_same_square(unit)) {
                return std::unexpected("a move in a longer form than it needs");
            }
        }
        moves.push_back(Move::from_raw(static_cast<std::uint16_t>(rest << 12 | unit)));
    }
    return {};
}

void encode_answer(const Evaluation& evaluation, std::int64_t machine, Buffer& out) {
    const Line line = !evaluation.pv.empty() ? Line::pv
                      : evaluation.move      ? Line::move_alone
                                             : Line::none;
    const ScoreForm form = !evaluation.score           ? ScoreForm::none
                           : evaluation.score->is_cp() ? ScoreForm::centipawns
                                                       : ScoreForm::coded;
    out.push_back(static_cast<std::uint8_t>(
        static_cast<int>(line) | static_cast<int>(form) << score_shift |
        static_cast<int>(evaluation.bound) << bound_shift | (evaluation.wdl ? has_wdl : 0) |
        (machine != 0 ? has_machine : 0)));
    if (form == ScoreForm::centipawns) {
        put_varint(fold_sign(evaluation.score->centipawns()), out);
    } else if (form == ScoreForm::coded) {
        const std::uint32_t code = evaluation.score->encode();
        for (int shift = 0; shift < 32; shift += 8) {
            out.push_back(static_cast<std::uint8_t>(code >> shift));
        }
    }
    put_varint(static_cast<std::uint64_t>(evaluation.depth), out);
    put_varint(static_cast<std::uint64_t>(evaluation.seldepth), out);
    put_varint(evaluation.nodes, out);
    put_varint(evaluation.time_ms, out);
    if (evaluation.wdl) {
        put_varint(evaluation.wdl->win * wdl_step + evaluation.wdl->draw, out);
    }
    if (machine != 0) {
        put_varint(static_cast<std::uint64_t>(machine), out);
    }
    if (line == Line::pv) {
        encode_moves(evaluation.pv, out);
    } else if (line == Line::move_alone) {
        encode_moves({*evaluation.move}, out);
    }
}

std::expected<std::int64_t, Undecodable> decode_answer(Bytes in, Evaluation& evaluation) {
    if (in.empty()) {
        return std::unexpected("an empty answer");
    }
    const int flags = in[0];
    const int line = flags & 3, form = flags >> score_shift & 3, bound = flags >> bound_shift & 3;
    if (line > 2 || form > 2 || bound > 2) {
        return std::unexpected("an answer of unknown form");
    }
    in = in.subspan(1);
    if (!take_score(static_cast<ScoreForm>(form), in, evaluation.score)) {
        return std::unexpected("an answer with a score that no score encodes to");
    }
    evaluation.bound = static_cast<analysis::Bound>(bound);
    if (!take_number(in, evaluation.depth) || !take_number(in, evaluation.seldepth) ||
        !take_number(in, evaluation.nodes) || !take_number(in, evaluation.time_ms)) {
        return std::unexpected("an answer whose depth, nodes or time is no number");
    }
    evaluation.wdl.reset();
    if ((flags & has_wdl) != 0 && !take_wdl(in, evaluation.wdl)) {
        return std::unexpected("an answer whose chances are not 1,000 in all");
    }
    std::int64_t machine = 0;
    if ((flags & has_machine) != 0 && (!take_number(in, machine) || machine == 0)) {
        return std::unexpected("an answer whose machine is no number");
    }
    if (auto moves = decode_moves(in, evaluation.pv); !moves) {
        return std::unexpected(moves.error());
    }
    const std::size_t size = evaluation.pv.size();
    const auto kind = static_cast<Line>(line);
    if ((kind == Line::none && size != 0) || (kind == Line::move_alone && size != 1) ||
        (kind == Line::pv && size == 0)) {
        return std::unexpected("an answer with more or fewer moves than it says");
    }
    evaluation.move = size == 0 ? std::nullopt : std::optional{evaluation.pv.front()};
    if (kind == Line::move_alone) {
        evaluation.pv.clear();
    }
    return machine;
}

std::string limit_trouble(const analysis::Limit& limit) {
    if (limit.kind > analysis::Limit::Kind::movetime) {
        return "a limit of unknown kind";
    }
    constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    return limit.amount == 0 || limit.amount > most ? "a limit of 0 or beyond 2^63" : "";
}

std::string question_trouble(const Question& question) {
    if (position_key(question.position).empty()) {
        return "a position of no bytes";
    }
    // No two neighbours that stand the wrong way round or are the same.
    if (std::ranges::adjacent_find(question.excluded, std::ranges::greater_equal{}) !=
        question.excluded.end()) {
        return "excluded moves that are not sorted or there twice";
    }
    return limit_trouble(question.limit);
}

std::string answer_trouble(const Evaluation& evaluation) {
    if (evaluation.depth < 0 || evaluation.seldepth < 0) {
        return "a depth below 0";
    }
    if (evaluation.bound > analysis::Bound::upper) {
        return "a bound of unknown kind";
    }
    if (!evaluation.pv.empty() && evaluation.move != evaluation.pv.front()) {
        return "a PV that does not begin with the move";
    }
    if (const auto& wdl = evaluation.wdl; wdl && wdl->win + wdl->draw + wdl->loss != 1'000) {
        return "chances that are not 1,000 in all";
    }
    return "";
}

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

std::string read(Cells row, CloudRecord& out) {
    out.source = utf8(row[1]);
    out.at = integer(row[2]);
    out.text = utf8(row[3]);
    return read_position(row[0], out.position);
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

RecordRow row_of(const CloudRecord& c) {
    return sealed(tables::clouds,
                  {{position_key(c.position), c.source, c.at, c.text, no_checksum_yet}, {}});
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
    return base::hex(std::span{digest}.first(16));
}

} // namespace adjourn::storage
