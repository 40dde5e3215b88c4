#include "lenient_fen.hpp"

#include "base/number.hpp"
#include "base/words.hpp"

#include <algorithm>
#include <array>

namespace adjourn::chess::uci {

namespace {

constexpr std::size_t castling = 2;
constexpr std::size_t en_passant = 3;
constexpr std::size_t halfmove = 4;
constexpr std::size_t fullmove = 5;
constexpr std::size_t most_rights = 16; // letters; what is longer says no rights

using Fields = std::vector<std::string>;

Fields split(std::string_view text) {
    Fields fields;
    base::Words words{text};
    while (!words.peek().empty()) {
        fields.emplace_back(words.next());
    }
    return fields;
}

std::expected<Position, FenError> read(const Fields& fields) {
    std::string text;
    for (const std::string& field : fields) {
        text += (text.empty() ? "" : " ") + field;
    }
    return Position::from_fen(text);
}

// The rights that king and rooks allow: each letter is tried beside those before it.
std::string possible_rights(Fields fields) {
    std::string kept;
    for (const char letter : std::string{fields[castling]}) {
        fields[castling] = kept + letter;
        const auto position = read(fields);
        if (position || position.error().field != "castling") {
            kept += letter;
        }
    }
    return kept.empty() ? "-" : kept;
}

// A clock within its range: the nearest number, `least` for what is none.
std::string clamped(std::string_view text, int least) {
    const bool digits =
        !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
    // Of digits, only a number that is too large cannot be parsed.
    const int number = base::parse_number<int>(text).value_or(Position::max_clock);
    return std::to_string(digits ? std::clamp(number, least, Position::max_clock) : least);
}

} // namespace

std::expected<LenientFen, std::string> read_lenient_fen(std::string_view text) {
    static constexpr std::array<const char*, 4> otherwise{"-", "-", "0", "1"};
    std::vector<std::string> notes;
    Fields fields = split(text);
    if (fields.size() > fullmove + 1) {
        notes.push_back("what follows the move number is not read");
        fields.resize(fullmove + 1);
    }
    // Placement and side to move cannot be guessed; the rest has a usual value.
    while (fields.size() >= castling && fields.size() <= fullmove) {
        fields.emplace_back(otherwise[fields.size() - castling]);
    }
    // Each turn mends one field for good, so there are not many.
    while (true) {
        auto position = read(fields);
        if (position) {
            return LenientFen{std::move(*position), std::move(notes)};
        }
        const std::string& field = position.error().field;
        const std::string why = field + ": " + position.error().message;
        std::size_t at = 0;
        std::string mended;
        if (fields.size() <= fullmove) {
            return std::unexpected(why);
        }
        if (field == "castling" && fields[castling].size() <= most_rights) {
            at = castling;
            mended = possible_rights(fields);
        } else if (field == "en_passant") {
            at = en_passant;
            mended = "-";
        } else if (field == "position") { // a check that no double push gives may be another's
            at = en_passant;
            mended = "-";
            Fields without = fields;
            without[at] = mended;
            if (!read(without)) {
                return std::unexpected(why);
            }
        } else if (field == "halfmove") {
            at = halfmove;
            mended = clamped(fields[at], 0);
        } else if (field == "fullmove") {
            at = fullmove;
            mended = clamped(fields[at], 1);
        } else {
            return std::unexpected(why);
        }
        if (mended == fields[at]) {
            return std::unexpected(why);
        }
        notes.push_back(why + "; read as " + mended);
        fields[at] = std::move(mended);
    }
}

} // namespace adjourn::chess::uci
