// EPD records: fields and operations as text.
#include "chess/epd.hpp"

#include "base/number.hpp"
#include "base/text.hpp"
#include "chess/move_text.hpp"
#include "chess/notation.hpp"
#include "chess/pgn_text.hpp"
#include "chess/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

namespace adjourn::chess {

using namespace detail;

bool is_epd_opcode(std::string_view word) {
    static constexpr std::array<std::string_view, 14> opcodes{
        "acd", "acn", "acs", "am", "bm", "ce", "dm", "fmvn", "hmvc", "id", "pm", "pv", "rc", "sm"};
    return base::contains(opcodes, word);
}

namespace {

bool is_opcode(std::string_view word) {
    return !word.empty() && is_letter(word.front()) &&
           std::all_of(word.begin(), word.end(),
                       [](char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '-'; });
}

// A number for a clock.
std::optional<int> clock(std::string_view word) {
    const auto value = base::parse_number<unsigned>(word);
    return value && *value <= Position::max_clock ? std::optional{static_cast<int>(*value)}
                                                  : std::nullopt;
}

// With blanks for the control characters and no-break spaces that files have.
std::string with_plain_blanks(std::string_view text) {
    constexpr std::string_view no_break_space = "\xc2\xa0";
    std::string plain = base::replaced(text, no_break_space, "  "); // places stay
    std::replace_if(
        plain.begin(), plain.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; },
        ' ');
    return plain;
}

bool holds_moves(std::string_view opcode) {
    return opcode == "bm" || opcode == "am" || opcode == "pv" || opcode == "pm" || opcode == "sm";
}

// "c0" to "c9", "v0" to "v9".
bool is_remark(std::string_view opcode) {
    return opcode.size() == 2 && (opcode[0] == 'c' || opcode[0] == 'v') && is_digit(opcode[1]);
}

// "c3", and not "c0", "c9" or "v3".
bool is_square(std::string_view opcode) {
    return Square::parse(opcode).has_value();
}

// Of those a record has one.
bool comes_once(std::string_view opcode) {
    return is_epd_opcode(opcode) && (opcode == "pv" || !holds_moves(opcode));
}

class Reader {
public:
    Reader(std::string_view text, std::size_t before, EpdRecord& record)
        : text_{text}, before_{before}, record_{record} {}

    // Up to a blank or semicolon; empty at a semicolon and at the end.
    std::string_view field() {
        skip_blanks();
        const std::size_t start = at_;
        while (at_ < text_.size() && !is_blank(text_[at_]) && text_[at_] != ';') {
            ++at_;
        }
        return text_.substr(start, at_ - start);
    }

    // The next field if it is a number; else nothing is read.
    std::optional<int> number() {
        const std::size_t start = at_;
        const auto value = clock(field());
        if (!value) {
            at_ = start;
        }
        return value;
    }

    void read_operations() {
        EpdOperation operation; // without an opcode: none has begun
        std::size_t start = 0;  // of the operation, or of what is left out
        bool lost = false;
        bool quoted = false; // the word before
        const auto end = [&] {
            if (lost) {
                leave_out(start, "it has no opcode");
            } else if (comes_once(operation.opcode) && record_.find(operation.opcode) != nullptr) {
                leave_out(start, "it is there before");
            } else if (!operation.opcode.empty()) {
                record_.operations.push_back(std::move(operation));
            }
            operation = {};
            lost = false;
        };
        for (skip_blanks(); at_ < text_.size(); skip_blanks()) {
            if (text_[at_] == ';') {
                end();
                ++at_;
                continue;
            }
            const bool known = begins_operation(operation, quoted);
            if (known) {
                end();
            }
            start = operation.opcode.empty() && !lost ? at_ : start;
            quoted = text_[at_] == '"';
            const std::size_t word_start = at_;
            std::string word = quoted ? quoted_text() : std::string{field()};
            if (!quoted && word.find('"') != std::string::npos) {
                tell(word_start, 0, "a quote within " + detail::quoted(word) + " begins no text");
            }
            if (!operation.opcode.empty()) {
                operation.operands.push_back(std::move(word));
            } else if (known || (!lost && !quoted && is_opcode(word))) {
                operation.opcode = std::move(word);
            } else {
                lost = true;
            }
        }
        end();
    }

private:
    void skip_blanks() {
        while (at_ < text_.size() && is_blank(text_[at_])) {
            ++at_;
        }
    }

    void tell(std::size_t start, std::size_t left_out, std::string message) {
        record_.told.push_back({before_ + start + 1, left_out, std::move(message)});
    }

    // From `start` to here.
    void leave_out(std::size_t start, const std::string& why) {
        const std::string_view text = text_.substr(start, at_ - start);
        tell(start, text.size(), detail::quoted(trimmed(text)) + " is left out: " + why);
    }

    // Whether the next word is an opcode for sure. Words of a text without quotes are none, and
    // "c4" is a move unless it is a remark in quotes.
    bool begins_operation(const EpdOperation& operation, bool after_quotes) {
        const std::size_t start = at_;
        const std::string_view word = field();
        skip_blanks();
        const bool text = at_ < text_.size() && text_[at_] == '"';
        at_ = start;
        const bool known = is_epd_opcode(word) || (is_remark(word) && (text || !is_square(word)));
        if (!known || !is_remark(operation.opcode) || after_quotes) {
            return known;
        }
        tell(start, 0, detail::quoted(word) + " is read as a word of " + operation.opcode);
        return false;
    }

    // Some programs write quotes and backslashes inside with a backslash before them.
    std::string quoted_text() {
        std::string body;
        const std::size_t start = at_;
        for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
            const char next = at_ + 1 < text_.size() ? text_[at_ + 1] : ' ';
            const bool last_quote =
                next == '"' && text_.find('"', at_ + 2) == std::string_view::npos;
            if (text_[at_] == '\\' && (next == '\\' || next == '"') && !last_quote) {
                ++at_;
            }
            body += text_[at_];
        }
        if (at_ < text_.size()) {
            ++at_;
            return body;
        }
        tell(start, 0, "the quoted text is not closed");
        for (at_ = text_.find(';', start); at_ < text_.size(); at_ = text_.find(';', at_ + 1)) {
            Reader rest{text_.substr(at_ + 1), 0, record_};
            if (is_epd_opcode(rest.field())) {
                return std::string{text_.substr(start + 1, at_ - start - 1)};
            }
        }
        at_ = text_.size();
        return body;
    }

    std::string_view text_;
    std::size_t before_; // bytes of the line before the text
    std::size_t at_ = 0;
    EpdRecord& record_;
};

// hmvc and fmvn become the position's clocks. False: one is no number.
bool take_clocks(EpdRecord& record) {
    Setup setup = record.position.setup();
    for (const EpdOperation& operation : record.operations) {
        const bool halfmoves = operation.opcode == "hmvc";
        if (!halfmoves && operation.opcode != "fmvn") {
            continue;
        }
        const auto value =
            operation.operands.size() == 1 ? clock(operation.operands.front()) : std::nullopt;
        if (!value) {
            return false;
        }
        (halfmoves ? setup.halfmove_clock : setup.fullmove_number) =
            halfmoves ? *value : std::max(*value, 1);
    }
    std::erase_if(record.operations, [](const EpdOperation& operation) {
        return operation.opcode == "hmvc" || operation.opcode == "fmvn";
    });
    const auto position = Position::from_setup(setup);
    if (position) {
        record.position = *position;
    }
    return position.has_value();
}

// Whether an operand can stand without quotes; `text`: the next one cannot.
bool is_plain(const std::string& opcode, const std::string& operand, bool text) {
    const auto is_plain_character = [](char c) {
        return static_cast<unsigned char>(c) > ' ' && c != 0x7f && c != '"' && c != ';' &&
               c != '\\';
    };
    return !operand.empty() && !is_remark(opcode) && opcode != "id" && !is_epd_opcode(operand) &&
           (!is_remark(operand) || (holds_moves(opcode) && is_square(operand) && !text)) &&
           std::ranges::all_of(operand, is_plain_character);
}

std::string in_quotes(const std::string& operand) {
    std::string text = "\"";
    for (const char given : operand) {
        const bool control = static_cast<unsigned char>(given) < 0x20 || given == 0x7f;
        text += given == '\\' ? "\\\\" : std::string{given == '"' ? '\'' : control ? ' ' : given};
    }
    return text + '"';
}

constexpr int mate_now = 32'767;
constexpr int least_mate = 30'000;

// Full moves of the side to move; negative: it is mated.
std::optional<Score> mate(std::string_view text) {
    const auto moves = base::parse_number_after_plus<int>(text);
    return moves ? told_mate(*moves) : std::nullopt;
}

std::string refusal(const EpdOperation& operation, const std::string& what) {
    return operation.opcode + ": " + what;
}

template <class Number>
std::expected<std::optional<Number>, std::string> number_of(const EpdRecord& record,
                                                            std::string_view opcode) {
    const EpdOperation* operation = record.find(opcode);
    if (operation == nullptr || operation->operands.empty()) {
        return std::nullopt;
    }
    const auto value = operation->operands.size() == 1
                           ? base::parse_number_after_plus<Number>(operation->operands.front())
                           : std::nullopt;
    if (!value) {
        return std::unexpected(refusal(*operation, "one number is wanted"));
    }
    return value;
}

// Words that stand among moves and are none: numbers, glyphs, checks apart from their move.
std::string_view move_word(std::string_view word) {
    word = without_move_number(word);
    word = word.substr(0, word.find_last_not_of("!?,") + 1);
    return glyph(word) ? std::string_view{} : word;
}

// With promotions written apart ("f8 = Q", "f8 =Q", "f8= Q") made whole.
std::vector<std::string> joined(const std::vector<std::string>& operands) {
    std::vector<std::string> words;
    for (const std::string& operand : operands) {
        const bool piece = !operand.empty() && std::string_view{"QRBN"}.contains(operand[0]) &&
                           operand.find_first_of("12345678") == std::string::npos;
        const bool belongs =
            !words.empty() && (operand == "=" || (operand.size() > 1 && operand[0] == '=') ||
                               (piece && words.back().ends_with('=')));
        if (belongs) {
            words.back() += operand;
        } else {
            words.push_back(operand);
        }
    }
    return words;
}

// A line as people write it: "1.e4 e5 $1 2.Nf3,Nc6 *".
struct MoveReader {
    Position position;
    bool played;
    std::vector<Move> moves{};

    // Nothing if the word is taken.
    std::optional<std::string> take(std::string_view operand, bool mend = true) {
        const std::string_view word = move_word(operand);
        const bool nag = word.starts_with('$') && is_number(word.substr(1));
        if (word.empty() || word.starts_with('#') || nag || (!moves.empty() && result_of(word))) {
            return std::nullopt; // a mate distance is no move
        }
        const auto move = parse_move(position, word);
        if (!move) {
            const std::vector<std::string> words = mended(word);
            if (!mend || move.error().kind != MoveErrorKind::syntax || words.size() < 2) {
                return move.error().message;
            }
            for (const std::string& part : words) {
                if (auto error = take(part, false)) {
                    return error;
                }
            }
            return std::nullopt;
        }
        moves.push_back(*move);
        if (played) {
            position.play(*move);
        }
        return std::nullopt;
    }
};

// `played`: one after the other, else each in the record's position.
std::expected<std::vector<Move>, std::string> moves_of(const EpdRecord& record,
                                                       std::string_view opcode, bool played) {
    MoveReader reader{record.position, played};
    for (const EpdOperation& operation : record.operations) {
        if (operation.opcode != opcode) {
            continue;
        }
        for (const std::string& operand : joined(operation.operands)) {
            if (const auto error = reader.take(operand)) {
                return std::unexpected(refusal(operation, *error));
            }
        }
    }
    return std::move(reader.moves);
}

// With a fraction or without, in whole seconds.
std::expected<std::optional<std::uint64_t>, std::string> seconds_of(const EpdRecord& record) {
    const auto value = number_of<double>(record, "acs");
    constexpr double most = 1e15;
    if (!value || !*value) {
        return value ? std::expected<std::optional<std::uint64_t>, std::string>{std::nullopt}
                     : std::unexpected(value.error());
    }
    if (**value < 0 || **value > most) {
        return std::unexpected("acs: a number of seconds is wanted");
    }
    return static_cast<std::uint64_t>(std::llround(**value));
}

std::expected<std::optional<Score>, std::string> score_of(const EpdRecord& record) {
    if (const EpdOperation* operation = record.find("dm")) {
        const auto score =
            operation->operands.size() == 1 ? mate(operation->operands.front()) : std::nullopt;
        if (!score) {
            return std::unexpected(refusal(*operation, "a number of moves is wanted, at most " +
                                                           std::to_string(most_told_mate)));
        }
        return score;
    }
    const auto ce = number_of<int>(record, "ce");
    if (!ce) {
        return std::unexpected(ce.error());
    }
    if (*ce) {
        const auto score = score_of_ce(**ce);
        if (!score) {
            return std::unexpected("ce: " + std::to_string(**ce) +
                                   " is neither within 29,753 nor a mate in 246 moves or fewer");
        }
        return score;
    }
    const EpdOperation* best = record.find("bm");
    if (best != nullptr && !best->operands.empty() && best->operands.front().starts_with('#')) {
        const auto score = mate(std::string_view{best->operands.front()}.substr(1));
        if (!score) {
            return std::unexpected(
                refusal(*best, "a number of moves is wanted after '#', at most " +
                                   std::to_string(most_told_mate)));
        }
        return score;
    }
    return std::nullopt;
}

std::vector<std::string> sans(Position position, const std::vector<Move>& moves, bool played) {
    std::vector<std::string> words;
    for (const Move move : moves) {
        words.push_back(to_san(position, move));
        if (played) {
            position.play(move);
        }
    }
    return words;
}

} // namespace

const EpdOperation* EpdRecord::find(std::string_view opcode) const {
    const auto found =
        std::find_if(operations.begin(), operations.end(),
                     [&](const EpdOperation& operation) { return operation.opcode == opcode; });
    return found == operations.end() ? nullptr : &*found;
}

bool is_epd_comment(std::string_view line) {
    if (line.starts_with(byte_order_mark)) {
        line.remove_prefix(byte_order_mark.size());
    }
    line = trimmed(line);
    return line.empty() || line.front() == '#' || line.front() == ';' || line.starts_with("//");
}

std::string to_text(const EpdNote& note) {
    return "column " + std::to_string(note.column) + ": " + note.message;
}

std::expected<EpdRecord, std::string> parse_epd(std::string_view line) {
    const std::size_t before = line.starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
    line.remove_prefix(before);
    std::string converted;
    const std::string text = with_plain_blanks(base::as_utf8(line, converted));
    EpdRecord record;
    Reader reader{text, before, record};
    std::string fen;
    for (int field = 0; field < 4; ++field) {
        const std::string_view word = reader.field();
        if (word.empty()) {
            break;
        }
        fen += (field == 0 ? "" : " ") + std::string{word};
    }
    const std::size_t last = fen.rfind(' ') + 1;
    std::optional<int> halfmoves;
    if (fen[last] == '-') { // "- 0 1" or, as some write it, "-0 1"
        halfmoves = clock(fen.substr(last + 1));
        fen.resize(halfmoves ? last + 1 : fen.size());
    }
    if (!halfmoves) {
        halfmoves = reader.number();
    }
    if (halfmoves) {
        fen += " " + std::to_string(*halfmoves);
        if (const auto moves = reader.number()) {
            fen += " " + std::to_string(*moves);
        }
    }
    const auto position = Position::from_fen(fen);
    if (!position) {
        return std::unexpected(position.error().field + ": " + position.error().message);
    }
    record.position = *position;
    reader.read_operations();
    if (!take_clocks(record)) {
        return std::unexpected("hmvc and fmvn need a number each");
    }
    return record;
}

std::string to_epd(const EpdRecord& record) {
    std::string line = record.position.fen();
    line.resize(line.rfind(' ', line.rfind(' ') - 1)); // without the clocks
    const auto add = [&line](const EpdOperation& operation) {
        std::string operands;
        bool text = false;
        for (auto operand = operation.operands.rbegin(); operand != operation.operands.rend();
             ++operand) {
            text = !is_plain(operation.opcode, *operand, text);
            operands.insert(0, ' ' + (text ? in_quotes(*operand) : *operand));
        }
        line += ' ' + operation.opcode + operands + ';';
    };
    if (record.position.halfmove_clock() != 0) {
        add({"hmvc", {std::to_string(record.position.halfmove_clock())}});
    }
    if (record.position.fullmove_number() != 1) {
        add({"fmvn", {std::to_string(record.position.fullmove_number())}});
    }
    for (const EpdOperation& operation : record.operations) {
        add(operation);
    }
    return line;
}

// EPD's operations about best play, as values.

int to_ce(Score score) {
    if (score.kind() == Score::Kind::mate) {
        const int plies = std::min(score.plies(), mate_now - least_mate);
        return score.is_win() ? mate_now - plies : plies - mate_now;
    }
    if (score.kind() == Score::Kind::tablebase) {
        const int value = std::max(20'000 - score.plies(), 10'000);
        return score.is_win() ? value : score.is_loss() ? -value : 0;
    }
    return std::clamp(score.centipawns(), -most_told_cp, most_told_cp);
}

std::optional<Score> score_of_ce(int ce) {
    if (ce < -mate_now || ce > mate_now) {
        return std::nullopt;
    }
    const int plies = mate_now - std::abs(ce);
    const Score score = plies > mate_now - least_mate ? Score::cp(ce)
                        : ce > 0                      ? Score::mate_in(std::max(plies, 1))
                                                      : Score::mated_in(plies);
    return may_be_told(score) ? std::optional{score} : std::nullopt;
}

std::expected<EpdVerdict, std::string> verdict_of(const EpdRecord& record) {
    const auto score = score_of(record);
    const auto depth = number_of<int>(record, "acd");
    const auto nodes = number_of<std::uint64_t>(record, "acn");
    const auto seconds = seconds_of(record);
    const auto best = moves_of(record, "bm", false);
    const auto avoid = moves_of(record, "am", false);
    const auto pv = moves_of(record, "pv", true);
    if (depth && (depth->value_or(0) < 0 || depth->value_or(0) > most_told_depth)) {
        return std::unexpected("acd: a depth of 0 to " + std::to_string(most_told_depth) +
                               " is wanted");
    }
    if (!score || !depth || !nodes || !seconds) {
        return std::unexpected(!score   ? score.error()
                               : !depth ? depth.error()
                               : !nodes ? nodes.error()
                                        : seconds.error());
    }
    if (!best || !avoid || !pv) {
        return std::unexpected(!best ? best.error() : !avoid ? avoid.error() : pv.error());
    }
    EpdVerdict verdict{*score, *depth, *nodes, *seconds, *best, *avoid, *pv, {}};
    if (const EpdOperation* id = record.find("id")) {
        for (const std::string& word : id->operands) {
            verdict.id += (verdict.id.empty() ? "" : " ") + word;
        }
    }
    return verdict;
}

std::vector<EpdOperation> operations_of(const Position& position, const EpdVerdict& verdict) {
    std::vector<EpdOperation> operations;
    const auto add_number = [&](const char* opcode, const auto& value) {
        if (value) {
            operations.push_back({opcode, {std::to_string(*value)}});
        }
    };
    add_number("acd", verdict.depth);
    add_number("acn", verdict.nodes);
    add_number("acs", verdict.seconds);
    if (!verdict.avoid.empty()) {
        operations.push_back({"am", sans(position, verdict.avoid, false)});
    }
    if (!verdict.best.empty()) {
        operations.push_back({"bm", sans(position, verdict.best, false)});
    }
    if (verdict.score) {
        operations.push_back({"ce", {std::to_string(to_ce(*verdict.score))}});
        if (verdict.score->kind() == Score::Kind::mate && verdict.score->is_win() &&
            verdict.score->plies() % 2 == 1) {
            const int moves = (verdict.score->plies() + 1) / 2;
            operations.push_back({"dm", {std::to_string(moves)}});
        }
    }
    if (!verdict.id.empty()) {
        operations.push_back({"id", {verdict.id}});
    }
    if (!verdict.pv.empty()) {
        operations.push_back({"pv", sans(position, verdict.pv, true)});
    }
    return operations;
}

} // namespace adjourn::chess
