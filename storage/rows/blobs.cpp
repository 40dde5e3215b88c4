#include "storage/rows/blobs.hpp"

#include <algorithm>
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

} // namespace adjourn::storage
