// Position: a legal chess position (standard or Chess960). Cheap to copy; changed only by play().
// There is no way to build an illegal one: from_setup() is the gate.
#pragma once

#include "chess/detail/board.hpp"
#include "chess/types.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace adjourn::chess {

struct Setup {
    std::array<std::optional<Piece>, 64> board{};
    Color turn = Color::white;
    std::uint64_t castling_rooks = 0; // bit per square: rooks that may still castle
    std::optional<Square> en_passant; // the square behind the pawn that just moved two
    int halfmove_clock = 0;           // plies since the last capture or pawn move
    int fullmove_number = 1;

    friend bool operator==(const Setup&, const Setup&) = default;
};

// Where in the FEN and what: {"castling", "no black rook for 'q'"}.
struct FenError {
    // placement | turn | castling | en_passant | halfmove | fullmove | position | packed
    std::string field;
    std::string message; // one sentence, no final full stop

    friend bool operator==(const FenError&, const FenError&) = default;
};

// Reads FEN (four to six fields), with X-FEN and Shredder-FEN castling letters.
// Says nothing about legality.
std::expected<Setup, FenError> parse_fen(std::string_view text);

// No position has more than 218 legal moves.
class MoveList {
public:
    class Iterator {
    public:
        using value_type = Move;
        using difference_type = std::ptrdiff_t;
        constexpr Iterator() = default;
        constexpr explicit Iterator(const std::uint16_t* at) : at_{at} {}
        constexpr Move operator*() const { return Move::from_raw(*at_); }
        constexpr Iterator& operator++() {
            ++at_;
            return *this;
        }
        constexpr Iterator operator++(int) {
            Iterator old = *this;
            ++at_;
            return old;
        }
        friend constexpr bool operator==(Iterator, Iterator) = default;

    private:
        const std::uint16_t* at_ = nullptr;
    };

    MoveList() : size_{0} {} // leaves the moves themselves uninitialised
    void push(Move move) { raw_[size_++] = move.raw(); }
    // Lets `write` put raw moves into the empty list: it gets the start and returns the end.
    template <class Write>
    void fill(Write write) {
        size_ = static_cast<std::size_t>(write(raw_.data()) - raw_.data());
    }
    // For who puts them into an order.
    void swap(std::size_t i, std::size_t k) { std::swap(raw_[i], raw_[k]); }
    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    Move operator[](std::size_t i) const { return Move::from_raw(raw_[i]); }
    Iterator begin() const { return Iterator{raw_.data()}; }
    Iterator end() const { return Iterator{raw_.data() + size_}; }
    bool contains(Move move) const;

private:
    std::size_t size_;
    std::array<std::uint16_t, 256> raw_;
};

// Identity of a position in the store (placement, side to move, usable castling rights,
// en-passant square only if such a capture is legal; no clocks). Exact, not a hash: equal keys are
// equal positions. Layout: chess/README.md. Unused trailing bytes are zero.
struct PackedPosition {
    std::array<std::uint8_t, 24> bytes{};

    friend auto operator<=>(const PackedPosition&, const PackedPosition&) = default;
};

// Hash of a PackedPosition for unordered containers (well mixed, same in every run).
struct PackedPositionHash {
    std::size_t operator()(const PackedPosition& packed) const noexcept;
};

// How a game at this position stands by the rules alone (no history, no clocks).
enum class Terminal : std::uint8_t {
    no,
    checkmate, // the side to move is mated
    stalemate,
    dead, // neither side can mate by any series of legal moves (insufficient material)
};

class Position {
public:
    // Clocks in FENs and games stop here.
    static constexpr int max_clock = 9'999;

    static Position initial();
    // Refuses what no legal game could hand to an engine without harm: no or several kings, pawns
    // on the last ranks, side not to move in check, too many pieces or pawns, castling rights
    // without king and rook, impossible en passant, impossible checkers.
    static std::expected<Position, FenError> from_setup(const Setup& setup);
    // parse_fen + from_setup.
    static std::expected<Position, FenError> from_fen(std::string_view fen);
    // The inverse of packed(); the clocks are 0 and 1. Fails on bytes no position packs to.
    static std::expected<Position, FenError> unpack(const PackedPosition& packed);

    Color turn() const { return turn_; }
    std::optional<Piece> piece_at(Square square) const;
    Square king(Color color) const;
    bool in_check() const;
    int halfmove_clock() const { return halfmove_clock_; }
    int fullmove_number() const { return fullmove_number_; }
    // The en-passant square, only if an en-passant capture is legal.
    std::optional<Square> en_passant() const;
    // The square passed by a double pawn push just played (or given in the FEN) beside which an
    // enemy pawn stands, whether or not taking it is legal. For Polyglot's keys; not part of the
    // identity, and known after unpack() only where the capture is legal.
    std::optional<Square> double_push() const { return double_push_; }
    // Rooks that may still castle, a bit per square.
    std::uint64_t castling_rooks() const { return board_.castling_rooks; }
    // Whether castling here cannot be written in standard notation (king not on the e-file or a
    // castling rook not on a corner).
    bool chess960() const;

    MoveList legal_moves() const;
    // The legal moves that take something (en passant included) or promote.
    MoveList legal_captures() const;
    bool is_legal(Move move) const;
    bool has_legal_move() const;
    Terminal terminal() const;

    // Precondition: is_legal(move). Asserted in debug builds.
    void play(Move move);
    // play() on a copy.
    Position after(Move move) const;
    Position after(std::span<const Move> line) const; // each legal where it stands

    bool is_capture(Move move) const { // en passant included
        return move.kind() == MoveKind::en_passant ||
               (move.kind() != MoveKind::castling &&
                (board_.of(!turn_) >> move.to().index() & 1) != 0);
    }
    bool gives_check(Move move) const;
    // Capture, pawn move, or loss of a castling right (either side's): nothing before it can recur.
    bool is_irreversible(Move move) const;
    // φ: pieces + Σ steps that pawns still have to promotion + castling rights. Irreversible moves
    // lower it, reversible moves keep it, so that every cycle lies in one φ-class.
    int phi() const;

    // 64-bit Zobrist hash of the identity (Polyglot's keys), kept incrementally.
    std::uint64_t hash() const { return hash_; }
    PackedPosition packed() const;

    Setup setup() const;
    // With the clocks as they are; castling as KQkq, Shredder letters only where X-FEN needs them.
    std::string fen() const;
    // What engines get: clock 0, move number 1, castling as Shredder letters if chess960().
    std::string engine_fen() const;

    // Same identity (no clocks).
    friend bool operator==(const Position& a, const Position& b) {
        return a.turn_ == b.turn_ && a.board_ == b.board_;
    }

    // The representation, for the algorithms of this room and of search/.
    const detail::Board& board() const { return board_; }

private:
    // The gate itself. `passed`: the square a double push has just passed, if one is claimed.
    static std::expected<Position, FenError> admit(detail::Board board, Color turn,
                                                   std::optional<Square> passed, int halfmove_clock,
                                                   int fullmove_number);
    Position(const detail::Board& board, Color turn, std::optional<Square> double_push,
             int halfmove_clock, int fullmove_number);

    detail::Board board_;
    std::uint64_t hash_;
    int halfmove_clock_;
    int fullmove_number_;
    std::optional<Square> double_push_;
    Color turn_;
};

// Number of leaf nodes of the legal-move tree; depth 0 is 1. Bulk-counts the last ply.
std::uint64_t perft(const Position& position, int depth);

// The 960 start positions by their numbers (R. Scharnagl's, as everybody numbers them: 518 is the
// usual one).

inline constexpr int chess960_count = 960;

// Precondition: 0 ≤ number < 960.
Position chess960_start(int number);
// Nothing if the position is none of them (pieces, turn or castling rights differ).
std::optional<int> chess960_number(const Position& position);

} // namespace adjourn::chess
