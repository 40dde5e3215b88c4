// Moves in standard algebraic notation.
#include "chess/notation.hpp"

#include "chess/detail/sliders.hpp"
#include "chess/kernel.hpp"
#include "chess/move_text.hpp"
#include "chess/movegen.hpp"
#include "chess/text.hpp"

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
    while (!text.empty() && !is_rank(text.back())) {
        if (text.ends_with("e.p.") || text.ends_with("ep")) {
            text.remove_suffix(text.back() == '.' ? 4 : 2);
            while (text.ends_with(' ')) {
                text.remove_suffix(1);
            }
        } else if (std::string_view{"+#!?"}.contains(text.back())) {
            text.remove_suffix(1);
        } else {
            break;
        }
    }
    return text;
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

// Legal moves of `movers`, which are of that role, to one square; castling left out. Pieces are
// looked for from the square: that asks less memory than to generate their moves.
MoveList candidates(const Position& position, Role role, Bitboard movers, int to) {
    const Board& board = position.board();
    const Color us = position.turn();
    MoveList found;
    if (role == Role::pawn) {
        found.fill(
            [&](std::uint16_t* out) { return kernel().generate(board, us, movers, bit(to), out); });
    } else if ((board.of(us) & bit(to)) == 0) {
        for (movers &= role_attacks(role, us, to, board.occupied()); movers != 0;) {
            const int from = pop_lowest(movers);
            const int king = role == Role::king ? to : king_square(board, us);
            const Bitboard after = (board.occupied() & ~bit(from)) | bit(to);
            if ((attackers<PortableSliders>(board, !us, king, after) & ~bit(to)) == 0) {
                found.push(Move::normal(Square{from}, Square{to}));
            }
        }
    }
    return found;
}

// The least that tells `move` from those of its kind: file, else rank, else both.
std::string disambiguation(const Position& position, Role role, Move move) {
    const int from = move.from().index();
    const Bitboard alike = position.board().of(position.turn(), role) & ~bit(from);
    if (alike == 0) {
        return {};
    }
    const MoveList others = candidates(position, role, alike, move.to().index());
    if (others.empty()) {
        return {};
    }
    bool same_file = false;
    bool same_rank = false;
    for (const Move other : others) {
        same_file = same_file || other.from().file() == move.from().file();
        same_rank = same_rank || other.from().rank() == move.from().rank();
    }
    const std::string name = square_name(from);
    if (!same_file) {
        return name.substr(0, 1);
    }
    return same_rank ? name : name.substr(1, 1);
}

bool stands_as_in_standard_chess(Move castling) {
    const int rook_file = castling.to().file();
    return castling.from().file() == 4 && (rook_file == 0 || rook_file == 7);
}

// King from the e-file to the g- or c-file: the castling it stands for, if there is such a right.
std::optional<Move> castling_for(const Position& position, Square from, Square to) {
    const Board& board = position.board();
    if (from != position.king(position.turn()) || from.file() != 4 || from.rank() != to.rank() ||
        (to.file() != 6 && to.file() != 2)) {
        return std::nullopt;
    }
    const Bitboard side = to.file() == 6 ? ~(bit(from.index()) - 1) : bit(from.index()) - 1;
    const Bitboard rooks = board.castling_rooks & back_rank(position.turn()) & side;
    if (rooks == 0) {
        return std::nullopt;
    }
    return Move::castling(from, Square{lowest(rooks)});
}

Move interpret(const Position& position, Square from, Square to, std::optional<Role> promotion) {
    const auto piece = position.piece_at(from);
    const bool own = piece && piece->color == position.turn();
    if (promotion) {
        return Move::promotion(from, to, *promotion);
    }
    if (own && piece->role == Role::king) {
        if (((position.board().castling_rooks >> to.index()) & 1) != 0 &&
            from.rank() == to.rank()) {
            const auto target = position.piece_at(to);
            if (target && target->color == position.turn()) {
                return Move::castling(from, to);
            }
        }
        if (const auto castling = castling_for(position, from, to)) {
            return *castling;
        }
    }
    if (own && piece->role == Role::pawn && position.en_passant() == to &&
        from.file() != to.file()) {
        return Move::en_passant(from, to);
    }
    return Move::normal(from, to);
}

bool is_separator(char c) {
    return is_blank(c) || c == ',' || c == ';';
}

// A word that annotates the move before it: "$1", "!?".
bool is_annotation(std::string_view word) {
    return word.front() == '$' ? std::all_of(word.begin() + 1, word.end(), is_digit)
                               : glyph(word).has_value();
}

// Words of a line, one by one.
struct LineReader {
    Position position;
    std::vector<Move> moves{};
    bool ended = false;

    // Nothing if the word is taken.
    std::optional<MoveError> take(std::string_view whole, bool mend = true) {
        if (result_of(whole)) {
            ended = true;
            return std::nullopt;
        }
        const std::string_view token = without_move_number(whole);
        if (token.empty() || (!moves.empty() && is_annotation(token))) {
            return std::nullopt;
        }
        if (ended) {
            const std::string message = quoted(token) + " after the result";
            return MoveError{MoveErrorKind::syntax, message, message};
        }
        if (moves.size() == most_line_moves) {
            const std::string message =
                "there are more than " + std::to_string(most_line_moves) + " moves";
            return MoveError{MoveErrorKind::illegal, message, message};
        }
        auto move = parse_move(position, token);
        if (move) {
            position.play(*move);
            moves.push_back(*move);
            return std::nullopt;
        }
        if (!mend || move.error().kind != MoveErrorKind::syntax) {
            return std::move(move.error());
        }
        for (const std::string& word : mended(whole)) {
            if (word == whole) {
                return std::move(move.error());
            }
            if (auto error = take(word, false)) {
                return error;
            }
        }
        return std::nullopt;
    }
};

std::expected<std::vector<Move>, LineError> parse_english(const Position& start,
                                                          std::string_view text) {
    LineReader line{start};
    std::size_t at = 0;
    while (at < text.size()) {
        if (is_separator(text[at])) {
            ++at;
            continue;
        }
        const std::size_t begin = at;
        while (at < text.size() && !is_separator(text[at])) {
            ++at;
        }
        if (auto error = line.take(text.substr(begin, at - begin))) {
            const std::size_t index = line.moves.size();
            if (index == most_line_moves) {
                line.moves.clear(); // nobody reads them all
            }
            return std::unexpected(LineError{index, std::move(*error), std::move(line.moves)});
        }
    }
    return std::move(line.moves);
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
    std::optional<Move> match;
    bool lacks_promotion = false;
    for (const Move move : candidates(position, parts->role, movers, parts->to)) {
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

// Moves in UCI notation.

std::string to_uci(const Position&, Move move, CastlingStyle style) {
    Square to = move.to();
    if (move.kind() == MoveKind::castling && style == CastlingStyle::standard &&
        stands_as_in_standard_chess(move)) {
        to = Square{to > move.from() ? 6 : 2, to.rank()};
    }
    std::string text = square_name(move.from().index()) + square_name(to.index());
    if (move.kind() == MoveKind::promotion) {
        text += letter_of_role(move.promotion_role());
    }
    return text;
}

std::expected<Move, MoveError> parse_uci(const Position& position, std::string_view text) {
    std::optional<Square> from;
    std::optional<Square> to;
    if (text.size() == 4 || text.size() == 5) {
        from = Square::parse(text.substr(0, 2));
        to = Square::parse(text.substr(2, 2));
    }
    if (!from || !to) {
        return refuse(MoveErrorKind::syntax, quoted(text) + " is not a UCI move");
    }
    std::optional<Role> promotion;
    if (text.size() == 5) {
        promotion = role_of_letter(text[4]);
        if (!promotion || *promotion == Role::pawn || *promotion == Role::king) {
            return refuse(MoveErrorKind::syntax, quoted(text) + " promotes to no piece");
        }
    }
    const Move move = interpret(position, *from, *to, promotion);
    if (!position.is_legal(move)) {
        return refuse_illegal(text, position);
    }
    return move;
}

// Whole lines of moves.

std::expected<std::vector<Move>, LineError> parse_line(const Position& start,
                                                       std::string_view text) {
    auto line = parse_english(start, text);
    if (line) {
        return line;
    }
    std::optional<std::vector<Move>> meant;
    for (const std::string& english : from_other_letters(text)) {
        auto read = parse_english(start, english);
        if (!read || (meant && *meant == *read)) {
            continue;
        }
        if (meant) {
            return line; // two languages say different things
        }
        meant = std::move(*read);
    }
    return meant ? std::move(*meant) : std::move(line);
}

std::string to_text(const Position& start, const LineError& error) {
    const std::size_t ply = error.index + (start.turn() == Color::black ? 1 : 0);
    const std::size_t number = static_cast<std::size_t>(start.fullmove_number()) + ply / 2;
    const std::string what =
        "move " + std::to_string(number) + (ply % 2 == 0 ? ". " : "... ") + error.error.brief;
    return error.before.empty() ? what
                                : what + "; legal before it: " + to_san_line(start, error.before);
}

std::string to_san_line(const Position& start, const std::vector<Move>& moves) {
    std::string text;
    Position position = start;
    for (const Move move : moves) {
        if (!text.empty()) {
            text += ' ';
        }
        if (position.turn() == Color::white) {
            text += std::to_string(position.fullmove_number()) + ". ";
        } else if (text.empty()) {
            text += std::to_string(position.fullmove_number()) + "... ";
        }
        text += to_san(position, move);
        position.play(move);
    }
    return text;
}

} // namespace adjourn::chess
