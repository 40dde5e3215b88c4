#include "chess/position.hpp"

#include "chess/detail/attacks.hpp"
#include "chess/detail/bitboard.hpp"
#include "chess/detail/sliders.hpp"
#include "chess/kernel.hpp"
#include "chess/movegen.hpp"
#include "chess/text.hpp"
#include "chess/zobrist.hpp"

#include <algorithm>
#include <cassert>

namespace adjourn::chess::detail {

std::uint64_t placement_hash(const Board& board) {
    std::uint64_t hash = 0;
    for (const Color color : {Color::white, Color::black}) {
        for (int role = 0; role < 6; ++role) {
            Bitboard set = board.of(color, static_cast<Role>(role));
            while (set != 0) {
                hash ^= piece_key(color, static_cast<Role>(role), pop_lowest(set));
            }
        }
    }
    return hash;
}

std::uint64_t rights_hash(Bitboard rooks, Bitboard en_passant) {
    std::uint64_t hash = 0;
    while (rooks != 0) {
        hash ^= castling_key(pop_lowest(rooks));
    }
    while (en_passant != 0) {
        hash ^= en_passant_key(pop_lowest(en_passant));
    }
    return hash;
}

std::uint64_t hash_of(const Board& board, Color turn) {
    return placement_hash(board) ^ rights_hash(board.castling_rooks, board.en_passant) ^
           (turn == Color::white ? white_to_move_key : 0);
}

} // namespace adjourn::chess::detail

namespace adjourn::chess {

using namespace detail;

namespace {

std::optional<Role> role_at(const Board& board, int square) {
    for (int role = 0; role < 6; ++role) {
        if ((board.of(static_cast<Role>(role)) & bit(square)) != 0) {
            return static_cast<Role>(role);
        }
    }
    return std::nullopt;
}

// K v K, one minor piece, or nothing but bishops that all stand on squares of one colour.
bool is_insufficient(const Board& board) {
    if ((board.of(Role::pawn) | board.of(Role::rook) | board.of(Role::queen)) != 0) {
        return false;
    }
    const Bitboard knights = board.of(Role::knight);
    const Bitboard bishops = board.of(Role::bishop);
    if (knights != 0) {
        return !several(knights) && bishops == 0;
    }
    return (bishops & light_squares) == 0 || (bishops & ~light_squares) == 0;
}

enum Code : std::uint8_t {
    white_pawn = 0, // then knight, bishop, rook, queen, king
    white_rook = 3,
    white_king = 5,
    black_pawn = 6,
    black_rook = 9,
    black_king = 11,
    white_castling_rook = 12,
    black_castling_rook = 13,
    en_passant_pawn = 14,
    black_king_to_move = 15,
};

// Squares by code; the inverse of what packed() writes.
using SquaresByCode = std::array<Bitboard, 16>;

int pushed_pawn(int en_passant) {
    return en_passant < 32 ? en_passant + 8 : en_passant - 8;
}
int passed_square(int pawn) {
    return pawn < 32 ? pawn - 8 : pawn + 8;
}

SquaresByCode squares_by_code(const Board& board, Color turn) {
    SquaresByCode squares{};
    for (std::size_t role = 0; role < 6; ++role) {
        squares[role] = board.roles[role] & board.of(Color::white);
        squares[6 + role] = board.roles[role] & board.of(Color::black);
    }
    const auto recode = [&](Code from, Code to, Bitboard set) {
        squares[from] &= ~set;
        squares[to] = set;
    };
    recode(white_rook, white_castling_rook, board.castling_rooks & rank_1);
    recode(black_rook, black_castling_rook, board.castling_rooks & rank_8);
    if (board.en_passant != 0) {
        const int pawn = pushed_pawn(lowest(board.en_passant));
        recode(pawn < 32 ? white_pawn : black_pawn, en_passant_pawn, bit(pawn));
    }
    if (turn == Color::black) {
        recode(black_king, black_king_to_move, squares[black_king]);
    }
    return squares;
}

using Verdict = std::optional<FenError>; // nothing: no objection

std::string name_of(Color color) {
    return color == Color::white ? "white" : "black";
}

int excess(int have, int start) {
    return have > start ? have - start : 0;
}

// Pieces beyond the sixteen one starts with, bishops told apart by the colour of their squares.
int promoted_pieces(const Board& board, Color color) {
    const Bitboard bishops = board.of(color, Role::bishop);
    return excess(count(board.of(color, Role::knight)), 2) +
           excess(count(bishops & light_squares), 1) + excess(count(bishops & ~light_squares), 1) +
           excess(count(board.of(color, Role::rook)), 2) +
           excess(count(board.of(color, Role::queen)), 1);
}

Verdict check_material(const Board& board) {
    for (const Color color : {Color::white, Color::black}) {
        const int kings = count(board.of(color, Role::king));
        if (kings != 1) {
            return FenError{"placement",
                            kings == 0 ? "no " + name_of(color) + " king"
                                       : std::to_string(kings) + " " + name_of(color) + " kings"};
        }
    }
    const Bitboard stranded = board.of(Role::pawn) & (rank_1 | rank_8);
    if (stranded != 0) {
        return FenError{"placement", "a pawn on " + square_name(lowest(stranded))};
    }
    for (const Color color : {Color::white, Color::black}) {
        const int pawns = count(board.of(color, Role::pawn));
        const int pieces = count(board.of(color));
        if (pawns > 8) {
            return FenError{"placement", std::to_string(pawns) + " " + name_of(color) + " pawns"};
        }
        if (pieces > 16) {
            return FenError{"placement", std::to_string(pieces) + " " + name_of(color) + " pieces"};
        }
        const int promoted = promoted_pieces(board, color);
        if (promoted > 8 - pawns) {
            return FenError{"placement", name_of(color) + " needs " + std::to_string(promoted) +
                                             " promotions and has only " +
                                             std::to_string(8 - pawns) + " pawns missing"};
        }
    }
    return std::nullopt;
}

Verdict check_castling(const Board& board) {
    for (const Color color : {Color::white, Color::black}) {
        const Bitboard rights = board.castling_rooks & back_rank(color);
        if (rights == 0) {
            continue;
        }
        const int king = king_square(board, color);
        if ((bit(king) & back_rank(color)) == 0) {
            return FenError{"castling", "the " + name_of(color) + " king on " + square_name(king) +
                                            " cannot castle"};
        }
        const Bitboard without_rook = rights & ~board.of(color, Role::rook);
        if (without_rook != 0) {
            return FenError{"castling", "no " + name_of(color) + " rook on " +
                                            square_name(lowest(without_rook))};
        }
        const Bitboard left = rights & (bit(king) - 1);
        if (several(left) || several(rights & ~left)) {
            return FenError{"castling",
                            "two " + name_of(color) + " castling rooks on one side of the king"};
        }
    }
    const Bitboard inner = board.castling_rooks & ~(rank_1 | rank_8);
    if (inner != 0) {
        return FenError{"castling", "a castling rook on " + square_name(lowest(inner))};
    }
    return std::nullopt;
}

// Wrong rank, no pawn that could have moved two, or something in its way. Whether a capture is
// possible is not asked here.
Verdict check_en_passant(const Board& board, Color turn, int square) {
    const bool black_moved = turn == Color::white;
    const int pushed = black_moved ? square - 8 : square + 8;
    const int origin = black_moved ? square + 8 : square - 8;
    const auto refuse = [&](const std::string& why) {
        return FenError{"en_passant", square_name(square) + ": " + why};
    };
    if (square >> 3 != (black_moved ? 5 : 2)) {
        return refuse("not on the rank " + name_of(!turn) + "'s double pushes pass");
    }
    if ((board.of(!turn, Role::pawn) & bit(pushed)) == 0) {
        return refuse("no " + name_of(!turn) + " pawn on " + square_name(pushed));
    }
    if ((board.occupied() & (bit(square) | bit(origin))) != 0) {
        return refuse("the pawn on " + square_name(pushed) + " cannot just have moved two squares");
    }
    return std::nullopt;
}

// Checks that the last move cannot have given. Some engines crash on them.
Verdict check_checkers(const Board& board, Color turn, std::optional<int> en_passant) {
    const int king = king_square(board, turn);
    const Bitboard checks = attackers<PortableSliders>(board, !turn, king, board.occupied());
    const auto refuse = [&](const std::string& why) { return FenError{"position", why}; };
    if (count(checks) > 2) {
        return refuse(std::to_string(count(checks)) + " pieces give check at once");
    }
    if (checks == 0) {
        return std::nullopt;
    }
    if (en_passant) {
        // Only the pawn itself, or a slider it uncovered, can give check.
        const bool black_moved = turn == Color::white;
        const int pushed = black_moved ? *en_passant - 8 : *en_passant + 8;
        const int origin = black_moved ? *en_passant + 8 : *en_passant - 8;
        const Bitboard before = (board.occupied() & ~bit(pushed)) | bit(origin);
        const Bitboard already =
            attackers<PortableSliders>(board, !turn, king, before) & ~bit(pushed);
        if (several(checks) || (checks != bit(pushed) && already != 0)) {
            return refuse("the double push to " + square_name(pushed) +
                          " cannot have given this check");
        }
    } else if (several(checks)) {
        Bitboard rest = checks;
        const int first = pop_lowest(rest);
        const int second = lowest(rest);
        const std::string both = square_name(first) + " and " + square_name(second);
        if ((between[first][second] & bit(king)) != 0 ||
            (between[king][first] & bit(second)) != 0 ||
            (between[king][second] & bit(first)) != 0) {
            return refuse("checks from " + both + " along one line");
        }
        // One of the two was uncovered by the other's move, so it is a slider.
        if ((checks & (board.of(Role::pawn) | board.of(Role::knight))) == checks) {
            return refuse("checks from " + both + ", neither of which can have been uncovered");
        }
    }
    return std::nullopt;
}

Board board_of(const Setup& setup) {
    Board board;
    for (int square = 0; square < 64; ++square) {
        const auto& piece = setup.board[static_cast<std::size_t>(square)];
        if (piece) {
            board.roles[static_cast<std::size_t>(index(piece->role))] |= bit(square);
            board.colors[static_cast<std::size_t>(index(piece->color))] |= bit(square);
        }
    }
    board.castling_rooks = setup.castling_rooks;
    return board;
}

Verdict check_clock(const char* field, int value) {
    if (value < 0 || value > Position::max_clock) {
        return FenError{field, std::to_string(value) + " is not from 0 to " +
                                   std::to_string(Position::max_clock)};
    }
    return std::nullopt;
}

// Puts a piece on the n-th empty square from the left.
void place(std::string& rank, char piece, int n) {
    for (char& square : rank) {
        if (square == ' ' && n-- == 0) {
            square = piece;
            return;
        }
    }
}

std::string first_rank(int number) {
    std::string rank(8, ' ');
    rank[static_cast<std::size_t>(2 * (number % 4) + 1)] = 'B'; // on a light square
    number /= 4;
    rank[static_cast<std::size_t>(2 * (number % 4))] = 'B';
    number /= 4;
    place(rank, 'Q', number % 6);
    // Two knights on five squares, in ten ways.
    static constexpr std::array<std::array<int, 2>, 10> knights{
        {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 2}, {1, 3}, {1, 4}, {2, 3}, {2, 4}, {3, 4}}};
    const auto& [left, right] = knights[static_cast<std::size_t>(number / 6)];
    place(rank, 'N', left);
    place(rank, 'N', right - 1); // one of the empty squares is taken
    for (const char piece : {'R', 'K', 'R'}) {
        place(rank, piece, 0);
    }
    return rank;
}

} // namespace

bool MoveList::contains(Move move) const {
    return std::find(begin(), end(), move) != end();
}

Position::Position(const Board& board, Color turn, std::optional<Square> double_push,
                   int halfmove_clock, int fullmove_number)
    : board_{board}, hash_{hash_of(board, turn)}, halfmove_clock_{halfmove_clock},
      fullmove_number_{fullmove_number}, double_push_{double_push}, turn_{turn} {}

std::optional<Piece> Position::piece_at(Square square) const {
    const auto role = role_at(board_, square.index());
    if (!role) {
        return std::nullopt;
    }
    const bool white = (board_.of(Color::white) & bit(square.index())) != 0;
    return Piece{white ? Color::white : Color::black, *role};
}

Square Position::king(Color color) const {
    return Square{king_square(board_, color)};
}

bool Position::in_check() const {
    return attackers<PortableSliders>(board_, !turn_, king_square(board_, turn_),
                                      board_.occupied()) != 0;
}

std::optional<Square> Position::en_passant() const {
    if (board_.en_passant == 0) {
        return std::nullopt;
    }
    return Square{lowest(board_.en_passant)};
}

bool Position::chess960() const {
    for (const Color color : {Color::white, Color::black}) {
        const Bitboard rooks = board_.castling_rooks & back_rank(color);
        if (rooks != 0 && ((king(color).file() != 4) || (rooks & ~(file_a | file_h)) != 0)) {
            return true;
        }
    }
    return false;
}

MoveList Position::legal_moves() const {
    MoveList moves;
    moves.fill([this](std::uint16_t* out) {
        return kernel().generate(board_, turn_, ~Bitboard{0}, ~Bitboard{0}, out);
    });
    return moves;
}

MoveList Position::legal_captures() const {
    const Bitboard pawns = board_.of(turn_, Role::pawn);
    const Bitboard seventh = turn_ == Color::white ? rank_8 >> 8 : rank_1 << 8;
    const Bitboard promotions = (pawns & seventh) != 0 ? back_rank(!turn_) : 0;
    const Bitboard victims = board_.of(!turn_);
    MoveList moves;
    moves.fill([&](std::uint16_t* out) {
        std::uint16_t* const end = kernel().generate(board_, turn_, ~Bitboard{0},
                                                     victims | board_.en_passant | promotions, out);
        if ((board_.en_passant | promotions) == 0) {
            return end;
        }
        // Other pieces go to those squares, too.
        return std::remove_if(out, end, [&](std::uint16_t raw) {
            const Move move = Move::from_raw(raw);
            return move.kind() == MoveKind::normal && (victims & bit(move.to().index())) == 0;
        });
    });
    return moves;
}

bool Position::is_legal(Move move) const {
    std::uint16_t found[16];
    const std::uint16_t* end =
        kernel().generate(board_, turn_, bit(move.from().index()), bit(move.to().index()), found);
    return std::find(found, const_cast<std::uint16_t*>(end), move.raw()) != end;
}

bool Position::has_legal_move() const {
    return kernel().count(board_, turn_) != 0;
}

Terminal Position::terminal() const {
    if (!has_legal_move()) {
        return in_check() ? Terminal::checkmate : Terminal::stalemate;
    }
    return is_insufficient(board_) ? Terminal::dead : Terminal::no;
}

void Position::play(Move move) {
    assert(is_legal(move));
    const int from = move.from().index();
    const int to = move.to().index();
    const Color us = turn_;
    const Bitboard rooks = board_.castling_rooks, en_passant = board_.en_passant;
    double_push_.reset();
    bool zeroing = true;
    switch (move.kind()) {
    case MoveKind::castling: {
        const CastlingSquares target = castling_targets(from, to);
        hash_ ^= piece_key(us, Role::king, from) ^ piece_key(us, Role::king, target.king) ^
                 piece_key(us, Role::rook, to) ^ piece_key(us, Role::rook, target.rook);
        make_castling(board_, us, from, to);
        zeroing = false;
        break;
    }
    case MoveKind::en_passant:
        hash_ ^= piece_key(us, Role::pawn, from) ^ piece_key(us, Role::pawn, to) ^
                 piece_key(!us, Role::pawn, us == Color::white ? to - 8 : to + 8);
        make_en_passant(board_, us, from, to);
        break;
    default: {
        const Role role = *role_at(board_, from);
        const Role becomes = move.kind() == MoveKind::promotion ? move.promotion_role() : role;
        const bool capture = (board_.of(!us) & bit(to)) != 0;
        hash_ ^= piece_key(us, role, from) ^ piece_key(us, becomes, to);
        if (capture) {
            hash_ ^= piece_key(!us, *role_at(board_, to), to);
        }
        if (role == Role::pawn && (from ^ to) == 16) { // a double push
            make_double_push<PortableSliders>(board_, us, from, to);
            const int passed = (from + to) / 2;
            if ((pawn_attacks[index(us)][passed] & board_.of(!us, Role::pawn)) != 0) {
                double_push_ = Square{passed};
            }
        } else {
            make_piece(board_, us, role, becomes, from, to);
        }
        zeroing = capture || role == Role::pawn;
    }
    }
    turn_ = !us;
    hash_ ^= white_to_move_key ^
             rights_hash(rooks ^ board_.castling_rooks, en_passant ^ board_.en_passant);
    halfmove_clock_ = zeroing ? 0 : std::min(halfmove_clock_ + 1, max_clock);
    if (us == Color::black) {
        fullmove_number_ = std::min(fullmove_number_ + 1, max_clock);
    }
}

Position Position::after(Move move) const {
    Position result = *this;
    result.play(move);
    return result;
}

Position Position::after(std::span<const Move> line) const {
    Position result = *this;
    for (const Move move : line) {
        result.play(move);
    }
    return result;
}

bool Position::gives_check(Move move) const {
    return after(move).in_check();
}

bool Position::is_irreversible(Move move) const {
    const Bitboard touched = bit(move.from().index()) | bit(move.to().index());
    const bool king_with_rights = (board_.of(Role::king) & bit(move.from().index())) != 0 &&
                                  (board_.castling_rooks & back_rank(turn_)) != 0;
    return is_capture(move) || (board_.of(Role::pawn) & bit(move.from().index())) != 0 ||
           (board_.castling_rooks & touched) != 0 || king_with_rights;
}

int Position::phi() const {
    int potential = count(board_.occupied()) + count(board_.castling_rooks);
    for (int rank = 1; rank <= 6; ++rank) {
        const Bitboard pawns = board_.of(Role::pawn) & rank_1 << 8 * rank;
        potential += (7 - rank) * count(pawns & board_.of(Color::white));
        potential += rank * count(pawns & board_.of(Color::black));
    }
    return potential;
}

std::uint64_t perft(const Position& position, int depth) {
    return kernel().perft(position.board(), position.turn(), depth);
}

// PackedPosition: the layout is in chess/README.md.

PackedPosition Position::packed() const {
    PackedPosition packed;
    const Bitboard occupied = board_.occupied();
    for (std::size_t i = 0; i < 8; ++i) {
        packed.bytes[i] = static_cast<std::uint8_t>(occupied >> 8 * i);
    }
    const SquaresByCode squares = squares_by_code(board_, turn_);
    std::array<std::uint8_t, 64> codes; // only occupied squares are set and read
    for (std::size_t code = 0; code < squares.size(); ++code) {
        for (Bitboard set = squares[code]; set != 0;) {
            codes[static_cast<std::size_t>(pop_lowest(set))] = static_cast<std::uint8_t>(code);
        }
    }
    const auto next = [&](Bitboard& set) {
        return codes[static_cast<std::size_t>(pop_lowest(set))];
    };
    std::size_t byte = 8; // of two pieces each
    for (Bitboard set = occupied; set != 0; ++byte) {
        packed.bytes[byte] = next(set);
        if (set != 0) {
            packed.bytes[byte] |= static_cast<std::uint8_t>(next(set) << 4);
        }
    }
    return packed;
}

std::expected<Position, FenError> Position::unpack(const PackedPosition& packed) {
    const auto refuse = [](const char* message) {
        return std::unexpected(FenError{"packed", message});
    };
    Bitboard occupied = 0;
    for (std::size_t i = 0; i < 8; ++i) {
        occupied |= Bitboard{packed.bytes[i]} << 8 * i;
    }
    if (count(occupied) > 32) {
        return refuse("more than 32 pieces");
    }
    SquaresByCode squares{};
    std::size_t nibble = 16;
    for (Bitboard set = occupied; set != 0; ++nibble) {
        const int square = pop_lowest(set);
        const std::size_t code = packed.bytes[nibble / 2] >> 4 * (nibble % 2) & 15;
        squares[code] |= bit(square);
    }
    for (; nibble < 48; ++nibble) {
        if ((packed.bytes[nibble / 2] >> 4 * (nibble % 2) & 15) != 0) {
            return refuse("something after the last piece");
        }
    }
    if ((squares[white_castling_rook] & ~rank_1) != 0 ||
        (squares[black_castling_rook] & ~rank_8) != 0) {
        return refuse("a castling rook off its rank");
    }
    const Bitboard pushed = squares[en_passant_pawn];
    if (several(pushed) || (pushed & ~(rank_1 << 24 | rank_1 << 32)) != 0) {
        return refuse("a pawn to be taken en passant on the wrong rank, or two");
    }

    Board board;
    Bitboard white = squares[white_castling_rook] | (pushed & rank_1 << 24);
    for (std::size_t role = 0; role < 6; ++role) {
        board.roles[role] = squares[role] | squares[6 + role];
        white |= squares[role];
    }
    board.roles[white_rook] |= squares[white_castling_rook] | squares[black_castling_rook];
    board.roles[white_pawn] |= pushed;
    board.roles[white_king] |= squares[black_king_to_move];
    board.colors = {white, occupied & ~white};
    board.castling_rooks = squares[white_castling_rook] | squares[black_castling_rook];
    std::optional<Square> passed;
    if (pushed != 0) {
        passed = Square{passed_square(lowest(pushed))};
    }
    const Color turn = squares[black_king_to_move] != 0 ? Color::black : Color::white;
    auto position = admit(board, turn, passed, 0, 1);
    if (position && position->en_passant() != passed) {
        return refuse("a pawn that cannot be taken en passant");
    }
    return position;
}

std::size_t PackedPositionHash::operator()(const PackedPosition& packed) const noexcept {
    // Multiply and fold, a word at a time, with the fractional bits of the golden ratio.
    std::uint64_t hash = 0x9e3779b97f4a7c15;
    for (std::size_t word = 0; word < 3; ++word) {
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < 8; ++i) {
            value |= std::uint64_t{packed.bytes[8 * word + i]} << 8 * i;
        }
        const auto product =
            static_cast<unsigned __int128>(hash ^ value) * (0x9e3779b97f4a7c15 + 2 * word);
        hash = static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
        hash += 0xbf58476d1ce4e5b9;
    }
    hash ^= hash >> 31;
    return static_cast<std::size_t>(hash * 0x94d049bb133111eb ^ hash >> 17);
}

// Setup → Position: where illegal positions are refused.

std::expected<Position, FenError> Position::from_setup(const Setup& setup) {
    return admit(board_of(setup), setup.turn, setup.en_passant, setup.halfmove_clock,
                 setup.fullmove_number);
}

std::expected<Position, FenError> Position::admit(Board board, Color turn,
                                                  std::optional<Square> passed, int halfmove_clock,
                                                  int fullmove_number) {
    std::optional<int> en_passant;
    if (passed) {
        en_passant = passed->index();
    }
    Verdict verdict = check_material(board);
    if (!verdict) {
        const int king = king_square(board, !turn);
        if (attackers<PortableSliders>(board, turn, king, board.occupied()) != 0) {
            verdict = FenError{"turn", name_of(!turn) + " is in check and not to move"};
        }
    }
    if (!verdict) {
        verdict = check_castling(board);
    }
    if (!verdict && en_passant) {
        verdict = check_en_passant(board, turn, *en_passant);
    }
    if (!verdict) {
        verdict = check_checkers(board, turn, en_passant);
    }
    if (!verdict) {
        verdict = check_clock("halfmove", halfmove_clock);
    }
    if (!verdict) {
        verdict = check_clock("fullmove", fullmove_number);
    }
    if (verdict) {
        return std::unexpected(std::move(*verdict));
    }
    std::optional<Square> double_push;
    board.en_passant = 0;
    if (en_passant && (pawn_attacks[index(!turn)][*en_passant] & board.of(turn, Role::pawn)) != 0) {
        double_push = passed;
        if (en_passant_is_legal<PortableSliders>(board, turn, *en_passant)) {
            board.en_passant = bit(*en_passant);
        }
    }
    return Position{board, turn, double_push, halfmove_clock,
                    fullmove_number == 0 ? 1 : fullmove_number};
}

Position chess960_start(int number) {
    assert(number >= 0 && number < chess960_count);
    const std::string white = first_rank(number);
    std::string black = white;
    for (char& piece : black) {
        piece = static_cast<char>(piece - 'A' + 'a');
    }
    return *Position::from_fen(black + "/pppppppp/8/8/8/8/PPPPPPPP/" + white + " w KQkq - 0 1");
}

std::optional<int> chess960_number(const Position& position) {
    constexpr std::uint64_t armies = 0xffff'0000'0000'ffffULL;
    if (position.turn() != Color::white || position.board().occupied() != armies) {
        return std::nullopt;
    }
    for (int number = 0; number < chess960_count; ++number) {
        if (chess960_start(number) == position) {
            return number;
        }
    }
    return std::nullopt;
}

} // namespace adjourn::chess
