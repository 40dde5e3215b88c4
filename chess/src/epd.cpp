// EPD records: fields and operations as text.
#include "chess/epd.hpp"

#include "base/number.hpp"
#include "base/text.hpp"
#include "pgn_text.hpp"
#include "text.hpp"
#include "utf8.hpp"

#include <algorithm>
#include <array>

namespace adjourn::chess {

using namespace detail;

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

// Opcodes that are neither moves nor numbers, where a semicolon was forgotten before them.
bool is_known_opcode(std::string_view word) {
    static constexpr std::array<std::string_view, 14> opcodes{
        "acd", "acn", "acs", "am", "bm", "ce", "dm", "fmvn", "hmvc", "id", "pm", "pv", "rc", "sm"};
    return std::find(opcodes.begin(), opcodes.end(), word) != opcodes.end();
}

// Of those a record has one.
bool comes_once(std::string_view opcode) {
    return is_known_opcode(opcode) && (opcode == "pv" || !holds_moves(opcode));
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
        const bool known = is_known_opcode(word) || (is_remark(word) && (text || !is_square(word)));
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
            if (is_known_opcode(rest.field())) {
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
    return !operand.empty() && !is_remark(opcode) && opcode != "id" && !is_known_opcode(operand) &&
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

} // namespace adjourn::chess
