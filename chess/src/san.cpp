// Moves in standard algebraic notation.
#include "chess/detail/bitboard.hpp"
#include "kernel.hpp"
#include "make.hpp"
#include "move_text.hpp"
#include "text.hpp"

#include "chess/notation.hpp"

#include <algorithm>

namespace adjourn::chess {

using namespace detail;

namespace {

// What a SAN text says, castling aside.
struct SanParts {
    Role role = Role::pawn;
    Bitboard from = ~Bitboard{0}; // squares the text allows to start from
    bool file_given = false;
    bool capture = false;
    int to = 0;
    std::optional<Role> promotion;
};

// Without check marks, annotations and "e.p.".
std::string_view without_suffixes(std::string_view text) {
    for (;;) {
        if (text.ends_with("e.p.") || text.ends_with("ep")) {
            text.remove_suffix(text.back() == '.' ? 4 : 2);
            while (text.ends_with(' ')) {
                text.remove_suffix(1);
            }
        } else if (!text.empty() && std::string_view{"+#!?"}.contains(text.back())) {
            text.remove_suffix(1);
        } else {
            return text;
        }
    }
}

// 2 for O-O, 3 for O-O-O (also with zeros or small letters), else 0.
int castling_length(std::string_view text) {
    const auto is_o = [](char c) { return c == 'O' || c == '0' || c == 'o'; };
    if (text.size() != 3 && text.size() != 5) {
        return 0;
    }
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (i % 2 == 0 ? !is_o(text[i]) : text[i] != '-') {
            return 0;
        }
    }
    return static_cast<int>(text.size() + 1) / 2;
}

bool is_file(char c) {
    return c >= 'a' && c <= 'h';
}
bool is_rank(char c) {
    return c >= '1' && c <= '8';
}

// [PNBRQK] [file] [rank] [x:-] square [=] [piece]
std::optional<SanParts> read_parts(std::string_view text) {
    SanParts parts;
    if (!text.empty() && text.front() >= 'A' && text.front() <= 'Z') {
        const auto role = role_of_letter(text.front());
        if (!role) {
            return std::nullopt;
        }
        parts.role = *role;
        text.remove_prefix(1);
    }
    // From the back: promotion, then the target square.
    if (text.size() >= 3 && text.back() == ')' && text[text.size() - 3] == '(') {
        parts.promotion = role_of_letter(text[text.size() - 2]);
        if (!parts.promotion) {
            return std::nullopt;
        }
        text.remove_suffix(3);
    } else if (!text.empty() && !is_rank(text.back())) {
        parts.promotion = role_of_letter(text.back());
        if (!parts.promotion) {
            return std::nullopt;
        }
        text.remove_suffix(1);
        if (!text.empty() && (text.back() == '=' || text.back() == '/')) {
            text.remove_suffix(1);
        } else if (!text.ends_with('1') && !text.ends_with('8')) {
            return std::nullopt; // "e5N": a sign may be glued to it
        }
    }
    if (parts.promotion == Role::pawn || parts.promotion == Role::king ||
        (parts.promotion && parts.role != Role::pawn)) {
        return std::nullopt;
    }
    if (text.size() < 2 || !is_file(text[text.size() - 2]) || !is_rank(text.back())) {
        return std::nullopt;
    }
    parts.to = (text.back() - '1') * 8 + (text[text.size() - 2] - 'a');
    text.remove_suffix(2);
    if (!text.empty() && (text.back() == 'x' || text.back() == ':' || text.back() == '-')) {
        parts.capture = text.back() != '-';
        text.remove_suffix(1);
    }
    if (!text.empty() && is_file(text.front())) {
        parts.from &= file_a << (text.front() - 'a');
        parts.file_given = true;
        text.remove_prefix(1);
    }
    if (!text.empty() && is_rank(text.front())) {
        parts.from &= rank_1 << 8 * (text.front() - '1');
        text.remove_prefix(1);
    }
    if (!text.empty()) {
        return std::nullopt;
    }
    if (parts.role == Role::pawn && !parts.file_given && !parts.capture) {
        parts.from &= file_a << (parts.to & 7);
    }
    return parts;
}

// Letters of other languages are not guessed: S is a knight in German and a bishop in Czech.
std::string hint(std::string_view text) {
    if (text.size() < 3 || text.front() < 'A' || text.front() > 'Z' ||
        role_of_letter(text.front())) {
        return "";
    }
    return read_parts("N" + std::string{text.substr(1)}) ? "; the pieces are K, Q, R, B and N" : "";
}

std::optional<Move> find_castling(const Position& position, int length) {
    const Square king = position.king(position.turn());
    Bitboard rooks = position.board().castling_rooks & back_rank(position.turn());
    while (rooks != 0) {
        const Square rook{pop_lowest(rooks)};
        const Move move = Move::castling(king, rook);
        if ((rook > king) == (length == 2) && position.is_legal(move)) {
            return move;
        }
    }
    return std::nullopt;
}

struct Candidates {
    std::array<std::uint16_t, 64> raw;
    std::size_t size;
};

// Legal moves of `movers` to one square; castling left out.
Candidates candidates(const Position& position, Bitboard movers, int to) {
    Candidates result;
    std::uint16_t* const start = result.raw.data();
    std::uint16_t* end =
        kernel().generate(position.board(), position.turn(), movers, bit(to), start);
    end = std::remove_if(start, end, [](std::uint16_t raw) {
        return Move::from_raw(raw).kind() == MoveKind::castling;
    });
    result.size = static_cast<std::size_t>(end - start);
    return result;
}

// The least that tells `move` from those of its kind: file, else rank, else both.
std::string disambiguation(const Position& position, Role role, Move move) {
    const int from = move.from().index();
    const Bitboard alike = position.board().of(position.turn(), role) & ~bit(from);
    if (alike == 0) {
        return {};
    }
    const Candidates others = candidates(position, alike, move.to().index());
    if (others.size == 0) {
        return {};
    }
    bool same_file = false;
    bool same_rank = false;
    for (std::size_t i = 0; i < others.size; ++i) {
        const Square other = Move::from_raw(others.raw[i]).from();
        same_file = same_file || other.file() == move.from().file();
        same_rank = same_rank || other.rank() == move.from().rank();
    }
    const std::string name = square_name(from);
    if (!same_file) {
        return name.substr(0, 1);
    }
    return same_rank ? name : name.substr(1, 1);
}

} // namespace

std::string to_san(const Position& position, Move move) {
    std::string text;
    if (move.kind() == MoveKind::castling) {
        text = move.to() > move.from() ? "O-O" : "O-O-O";
    } else {
        const Role role = position.piece_at(move.from())->role;
        const bool capture = position.is_capture(move);
        if (role != Role::pawn) {
            text += static_cast<char>(letter_of_role(role) - 'a' + 'A');
            if (role != Role::king) {
                text += disambiguation(position, role, move);
            }
        } else if (capture) {
            text += static_cast<char>('a' + move.from().file());
        }
        if (capture) {
            text += 'x';
        }
        text += square_name(move.to().index());
        if (move.kind() == MoveKind::promotion) {
            text += '=';
            text += static_cast<char>(letter_of_role(move.promotion_role()) - 'a' + 'A');
        }
    }
    const Position after = position.after(move);
    if (after.in_check()) {
        text += after.has_legal_move() ? '+' : '#';
    }
    return text;
}

std::string to_numbered_san(const Position& position, Move move) {
    return std::to_string(position.fullmove_number()) +
           (position.turn() == Color::white ? "." : "...") + to_san(position, move);
}

std::expected<Move, MoveError> parse_san(const Position& position, std::string_view text) {
    const std::string_view core = without_suffixes(text);
    const auto illegal = [&] { return refuse_illegal(text, position); };
    if (const int length = castling_length(core); length != 0) {
        if (const auto move = find_castling(position, length)) {
            return *move;
        }
        return illegal();
    }
    const auto parts = read_parts(core);
    if (!parts) {
        return refuse(MoveErrorKind::syntax, quoted(text) + " is not a move" + hint(core));
    }
    const Bitboard movers = position.board().of(position.turn(), parts->role) & parts->from;
    const Candidates found = candidates(position, movers, parts->to);
    std::optional<Move> match;
    bool lacks_promotion = false;
    for (std::size_t i = 0; i < found.size; ++i) {
        const Move move = Move::from_raw(found.raw[i]);
        const bool promotes = move.kind() == MoveKind::promotion;
        if (promotes != parts->promotion.has_value() ||
            (promotes && move.promotion_role() != *parts->promotion)) {
            lacks_promotion = lacks_promotion || (promotes && !parts->promotion);
            continue;
        }
        if (match) {
            return refuse(MoveErrorKind::ambiguous,
                          quoted(text) + " is ambiguous in " + quoted(position.fen()));
        }
        match = move;
    }
    if (!match) {
        if (lacks_promotion) {
            return refuse(MoveErrorKind::ambiguous,
                          quoted(text) + " does not say what the pawn becomes");
        }
        return illegal();
    }
    return *match;
}

} // namespace adjourn::chess
