// FEN, X-FEN and Shredder-FEN, both ways.
#include "chess/detail/bitboard.hpp"
#include "chess/text.hpp"

#include "base/number.hpp"
#include "base/text.hpp"
#include "chess/position.hpp"

#include <array>
#include <string>
#include <vector>

namespace adjourn::chess {

using namespace detail;

namespace {

char letter_of(Piece piece) {
    const char letter = letter_of_role(piece.role);
    return piece.color == Color::white ? static_cast<char>(letter - 'a' + 'A') : letter;
}

std::optional<Piece> piece_of(char letter) {
    const auto role = role_of_letter(letter);
    if (!role) {
        return std::nullopt;
    }
    return Piece{letter < 'a' ? Color::white : Color::black, *role};
}

std::unexpected<FenError> refuse(const char* field, std::string message) {
    return std::unexpected(FenError{field, std::move(message)});
}

// At most seven: one more than there may be.
std::vector<std::string_view> split(std::string_view text) {
    std::vector<std::string_view> fields;
    base::Words words{text};
    while (fields.size() <= 6 && !words.peek().empty()) {
        fields.push_back(words.next());
    }
    return fields;
}

std::optional<FenError> read_placement(std::string_view text, Setup& setup) {
    int rank = 7;
    int file = 0;
    bool after_digit = false;
    for (const char c : text) {
        if (c == '/') {
            if (file != 8) {
                return FenError{"placement", "rank " + std::to_string(rank + 1) + " has " +
                                                 std::to_string(file) + " files"};
            }
            if (rank == 0) {
                return FenError{"placement", "more than eight ranks"};
            }
            --rank;
            file = 0;
            after_digit = false;
            continue;
        }
        int width = 1;
        if (c >= '1' && c <= '8') {
            if (after_digit) {
                return FenError{"placement",
                                "two digits in a row on rank " + std::to_string(rank + 1)};
            }
            width = c - '0';
            after_digit = true;
        } else if (const auto piece = piece_of(c)) {
            if (file < 8) {
                setup.board[static_cast<std::size_t>(rank) * 8 + static_cast<std::size_t>(file)] =
                    piece;
            }
            after_digit = false;
        } else {
            return FenError{"placement", quoted({&c, 1}) + " is no piece"};
        }
        file += width;
        if (file > 8) {
            return FenError{"placement",
                            "rank " + std::to_string(rank + 1) + " has more than eight files"};
        }
    }
    if (rank != 0) {
        return FenError{"placement", std::to_string(8 - rank) + " ranks instead of eight"};
    }
    if (file != 8) {
        return FenError{"placement", "rank 1 has " + std::to_string(file) + " files"};
    }
    return std::nullopt;
}

bool holds(const Setup& setup, int square, Piece piece) {
    return setup.board[static_cast<std::size_t>(square)] == piece;
}

// X-FEN's K and Q: the outermost rook on that side of the king.
std::optional<int> outermost_rook(const Setup& setup, Color color, bool king_side) {
    const int first = color == Color::white ? 0 : 56;
    for (int i = 0; i < 8; ++i) {
        const int square = king_side ? first + 7 - i : first + i;
        if (holds(setup, square, {color, Role::king})) {
            return std::nullopt;
        }
        if (holds(setup, square, {color, Role::rook})) {
            for (int beyond = square; beyond >= first && beyond <= first + 7;
                 beyond += king_side ? -1 : 1) {
                if (holds(setup, beyond, {color, Role::king})) {
                    return square;
                }
            }
            return std::nullopt;
        }
    }
    return std::nullopt;
}

std::optional<FenError> read_castling(std::string_view text, Setup& setup) {
    if (text == "-") {
        return std::nullopt;
    }
    for (const char c : text) {
        const bool upper = c >= 'A' && c <= 'Z';
        const Color color = upper ? Color::white : Color::black;
        const char lower = upper ? static_cast<char>(c - 'A' + 'a') : c;
        int square = 0;
        if (lower == 'k' || lower == 'q') {
            const auto rook = outermost_rook(setup, color, lower == 'k');
            if (!rook) {
                return FenError{"castling", std::string{"no "} + (upper ? "white" : "black") +
                                                " king and rook for " + quoted({&c, 1})};
            }
            square = *rook;
        } else if (lower >= 'a' && lower <= 'h') {
            square = (upper ? 0 : 56) + (lower - 'a');
        } else {
            return FenError{"castling", quoted({&c, 1}) + " is no castling right"};
        }
        if ((setup.castling_rooks & bit(square)) != 0) {
            return FenError{"castling", quoted({&c, 1}) + " says a right twice"};
        }
        setup.castling_rooks |= bit(square);
    }
    return std::nullopt;
}

std::optional<int> read_number(std::string_view text) {
    return text.starts_with('-') ? std::nullopt : base::parse_number<int>(text);
}

std::string placement_text(const Position& position) {
    std::string text;
    for (int rank = 7; rank >= 0; --rank) {
        int empty = 0;
        for (int file = 0; file < 8; ++file) {
            const auto piece = position.piece_at(Square{file, rank});
            if (!piece) {
                ++empty;
                continue;
            }
            if (empty != 0) {
                text += static_cast<char>('0' + empty);
                empty = 0;
            }
            text += letter_of(*piece);
        }
        if (empty != 0) {
            text += static_cast<char>('0' + empty);
        }
        if (rank != 0) {
            text += '/';
        }
    }
    return text;
}

// Kings' sides first. With `shredder` every right is a file letter, else only where another rook
// stands further out.
std::string castling_text(const Position& position, bool shredder) {
    const Board& board = position.board();
    std::string text;
    for (const Color color : {Color::white, Color::black}) {
        Bitboard rooks = board.castling_rooks & back_rank(color);
        std::string letters;
        while (rooks != 0) {
            const int rook = pop_lowest(rooks);
            const bool king_side = rook > position.king(color).index();
            const Bitboard outside = king_side ? ~(bit(rook) | (bit(rook) - 1)) : bit(rook) - 1;
            const Bitboard others = board.of(color, Role::rook) & back_rank(color) & outside;
            char letter = king_side ? 'k' : 'q';
            if (shredder || others != 0) {
                letter = static_cast<char>('a' + (rook & 7));
            }
            if (color == Color::white) {
                letter = static_cast<char>(letter - 'a' + 'A');
            }
            letters.insert(letters.begin(), letter);
        }
        text += letters;
    }
    return text.empty() ? "-" : text;
}

std::string fen_text(const Position& position, bool shredder, int halfmove_clock,
                     int fullmove_number) {
    std::string text = placement_text(position);
    text += position.turn() == Color::white ? " w " : " b ";
    text += castling_text(position, shredder);
    text += ' ';
    if (const auto square = position.en_passant()) {
        const auto name = square->name();
        text.append(name.begin(), name.end());
    } else {
        text += '-';
    }
    text += ' ';
    text += std::to_string(halfmove_clock);
    text += ' ';
    text += std::to_string(fullmove_number);
    return text;
}

} // namespace

std::expected<Setup, FenError> parse_fen(std::string_view text) {
    const auto fields = split(text);
    if (fields.size() > 6) {
        return refuse("position", quoted(text) + " has more than the six fields of a FEN");
    }
    if (fields.size() < 4) {
        constexpr std::array<std::string_view, 4> names{"pieces", "side to move", "castling rights",
                                                        "en passant square"};
        std::string missing;
        for (std::size_t field = fields.size(); field < names.size(); ++field) {
            missing += (missing.empty() ? "" : ", ") + std::string{names[field]};
        }
        return refuse("position", quoted(text) + " is no whole FEN; missing: " + missing);
    }
    Setup setup;
    if (auto error = read_placement(fields[0], setup)) {
        return std::unexpected(std::move(*error));
    }
    if (fields[1] != "w" && fields[1] != "b") {
        return refuse("turn", quoted(fields[1]) + " is neither 'w' nor 'b'");
    }
    setup.turn = fields[1] == "w" ? Color::white : Color::black;
    if (auto error = read_castling(fields[2], setup)) {
        return std::unexpected(std::move(*error));
    }
    if (fields[3] != "-") {
        setup.en_passant = Square::parse(fields[3]);
        if (!setup.en_passant) {
            return refuse("en_passant", quoted(fields[3]) + " is no square");
        }
    }
    if (fields.size() > 4) {
        const auto clock = read_number(fields[4]);
        if (!clock) {
            return refuse("halfmove", quoted(fields[4]) + " is no number");
        }
        setup.halfmove_clock = *clock;
    }
    if (fields.size() > 5) {
        const auto number = read_number(fields[5]);
        if (!number) {
            return refuse("fullmove", quoted(fields[5]) + " is no number");
        }
        setup.fullmove_number = *number;
    }
    return setup;
}

Position Position::initial() {
    static const Position start =
        *from_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    return start;
}

std::expected<Position, FenError> Position::from_fen(std::string_view fen) {
    const auto setup = parse_fen(fen);
    if (!setup) {
        return std::unexpected(setup.error());
    }
    return from_setup(*setup);
}

Setup Position::setup() const {
    Setup setup;
    for (int square = 0; square < 64; ++square) {
        setup.board[static_cast<std::size_t>(square)] = piece_at(Square{square});
    }
    setup.turn = turn_;
    setup.castling_rooks = board_.castling_rooks;
    setup.en_passant = en_passant();
    setup.halfmove_clock = halfmove_clock_;
    setup.fullmove_number = fullmove_number_;
    return setup;
}

std::string Position::fen() const {
    return fen_text(*this, false, halfmove_clock_, fullmove_number_);
}

std::string Position::engine_fen() const {
    return fen_text(*this, chess960(), 0, 1);
}

} // namespace adjourn::chess
