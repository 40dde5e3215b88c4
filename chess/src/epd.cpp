// EPD records: fields and operations as text.
#include "chess/epd.hpp"

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

// A number for a clock, beyond its end clamped.
std::optional<int> clock(std::string_view word) {
    if (word.empty() || !std::all_of(word.begin(), word.end(), is_digit)) {
        return std::nullopt;
    }
    int value = 0;
    for (const char digit : word) {
        value = std::min(value * 10 + (digit - '0'), Position::max_clock);
    }
    return value;
}

// With blanks for the control characters and no-break spaces that files have.
std::string with_plain_blanks(std::string_view text) {
    constexpr std::string_view no_break_space = "\xc2\xa0";
    std::string plain = base::replaced(text, no_break_space, " ");
    std::replace_if(
        plain.begin(), plain.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; },
        ' ');
    return plain;
}

bool holds_moves(std::string_view opcode) {
    return opcode == "bm" || opcode == "am" || opcode == "pv" || opcode == "pm" || opcode == "sm";
}

bool holds_number(std::string_view opcode) {
    return opcode == "acd" || opcode == "acn" || opcode == "acs" || opcode == "ce" ||
           opcode == "dm";
}

// Opcodes that are neither moves nor numbers, where a semicolon was forgotten before them.
bool is_known_opcode(std::string_view word) {
    static constexpr std::array<std::string_view, 14> opcodes{
        "acd", "acn", "acs", "am", "bm", "ce", "dm", "fmvn", "hmvc", "id", "pm", "pv", "rc", "sm"};
    return std::find(opcodes.begin(), opcodes.end(), word) != opcodes.end();
}

// Of moves or numbers.
bool is_list(std::string_view opcode) {
    return holds_moves(opcode) || holds_number(opcode);
}

class Reader {
public:
    explicit Reader(std::string_view text) : text_{text} {}

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

    void read_operations(EpdRecord& record) {
        while (at_ < text_.size()) {
            skip_blanks();
            if (at_ < text_.size() && text_[at_] == ';') {
                ++at_;
                continue;
            }
            EpdOperation operation;
            bool first = true;
            for (auto word = operand(); word; word = operand()) {
                if (first) {
                    operation.opcode = std::move(*word);
                    first = false;
                } else if (is_list(operation.opcode) && is_known_opcode(*word)) {
                    add(record, std::move(operation));
                    operation = {std::move(*word), {}};
                } else {
                    operation.operands.push_back(std::move(*word));
                }
            }
            add(record, std::move(operation));
        }
    }

private:
    void skip_blanks() {
        while (at_ < text_.size() && is_blank(text_[at_])) {
            ++at_;
        }
    }

    // A word or a quoted text (to the end of the line if the quote is not closed) of the present
    // operation; nothing at its end.
    std::optional<std::string> operand() {
        skip_blanks();
        if (at_ == text_.size() || text_[at_] == ';') {
            return std::nullopt;
        }
        if (text_[at_] == '"') {
            return quoted_text();
        }
        return std::string{field()};
    }

    // Some programs write quotes and backslashes inside with a backslash before them.
    std::string quoted_text() {
        std::string body;
        for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
            const char next = at_ + 1 < text_.size() ? text_[at_ + 1] : ' ';
            const bool last_quote =
                next == '"' && text_.find('"', at_ + 2) == std::string_view::npos;
            if (text_[at_] == '\\' && (next == '\\' || next == '"') && !last_quote) {
                ++at_;
            }
            body += text_[at_];
        }
        at_ = std::min(at_ + 1, text_.size());
        return body;
    }

    static void add(EpdRecord& record, EpdOperation operation) {
        if (is_opcode(operation.opcode)) {
            record.operations.push_back(std::move(operation));
        }
    }

    std::string_view text_;
    std::size_t at_ = 0;
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

bool holds_text(std::string_view opcode) {
    const bool numbered =
        opcode.size() == 2 && (opcode[0] == 'c' || opcode[0] == 'v') && is_digit(opcode[1]);
    return numbered || opcode == "id";
}

std::string written(const EpdOperation& operation, const std::string& operand) {
    std::string text;
    bool plain = !operand.empty() && !holds_text(operation.opcode) &&
                 !(is_list(operation.opcode) && is_known_opcode(operand));
    for (const char given : operand) {
        const bool control = static_cast<unsigned char>(given) < 0x20 || given == 0x7f;
        const char c = given == '"' ? '\'' : control ? ' ' : given;
        plain = plain && c != ' ' && c != ';' && c != '\\';
        text += c == '\\' ? "\\\\" : std::string{c};
    }
    return plain ? text : '"' + text + '"';
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

std::expected<EpdRecord, std::string> parse_epd(std::string_view line) {
    if (line.starts_with(byte_order_mark)) {
        line.remove_prefix(byte_order_mark.size());
    }
    std::string converted;
    const std::string text = with_plain_blanks(base::as_utf8(line, converted));
    Reader reader{text};
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
    EpdRecord record{*position, {}};
    reader.read_operations(record);
    if (!take_clocks(record)) {
        return std::unexpected("hmvc and fmvn need a number each");
    }
    return record;
}

std::string to_epd(const EpdRecord& record) {
    std::string line = record.position.fen();
    line.resize(line.rfind(' ', line.rfind(' ') - 1)); // without the clocks
    const auto add = [&line](const EpdOperation& operation) {
        line += ' ' + operation.opcode;
        for (const std::string& operand : operation.operands) {
            line += ' ' + written(operation, operand);
        }
        line += ';';
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
