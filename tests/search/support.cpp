#include "support.hpp"
#include "test.hpp"

namespace adjourn::search::testing {

chess::Position position(const std::string& fen) {
    const auto result = chess::Position::from_fen(fen);
    if (!result) {
        FAIL(fen << " refused: " << result.error().field << ": " << result.error().message);
    }
    return *result;
}

namespace {

// With the order of ranks, or of files, turned round.
std::string turned(const std::string& placement, bool ranks, bool files) {
    std::string text;
    std::istringstream in{placement};
    for (std::string rank; std::getline(in, rank, '/');) {
        if (files) {
            std::reverse(rank.begin(), rank.end());
        }
        text = ranks ? rank + (text.empty() ? "" : "/") + text
                     : text + (text.empty() ? "" : "/") + rank;
    }
    return text;
}

std::string case_changed(std::string text) {
    for (char& c : text) {
        const auto letter = static_cast<unsigned char>(c);
        c = static_cast<char>(std::isupper(letter) != 0 ? std::tolower(letter)
                                                        : std::toupper(letter));
    }
    return text;
}

chess::Position seen_otherwise(const chess::Position& here, bool colours) {
    std::string placement, turn, castling, en_passant, clocks;
    std::istringstream in{here.fen()};
    in >> placement >> turn >> castling >> en_passant;
    std::getline(in, clocks);
    placement = turned(placement, colours, !colours);
    if (colours) {
        placement = case_changed(placement);
        turn = turn == "w" ? "b" : "w";
        castling = case_changed(castling);
    }
    if (en_passant != "-") {
        char& at = en_passant[colours ? 1 : 0];
        at = static_cast<char>(colours ? '3' + '6' - at : 'a' + 'h' - at);
    }
    return position(placement + ' ' + turn + ' ' + castling + ' ' + en_passant + clocks);
}

} // namespace

chess::Position colour_flipped(const chess::Position& position) {
    return seen_otherwise(position, true);
}

chess::Position mirrored(const chess::Position& position) {
    return seen_otherwise(position, false);
}

const std::vector<std::string>& fens() {
    static const std::vector<std::string> all{
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r4rk1/2q1ppbp/p1n3p1/2P5/Pp2b3/1Q2BN2/1P2BPPP/R2R2K1 w - - 0 1",
        "2rqr1k1/pp2bpp1/5n1p/n2p1N2/6b1/2N1B1P1/PPQ1PPBP/R4RK1 b - - 3 15",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        "8/8/1p1r1k2/p1pPN1p1/P3KnP1/1P6/8/3R4 b - - 0 1",
        "4rrk1/pp1n3p/3q2pQ/2p1pb2/2PP4/2P3N1/P2B2PP/4RRK1 b - - 7 19",
        "8/5k2/3p4/1p1Pp2p/pP2Pp1P/P4P1K/8/8 b - - 99 50"};
    return all;
}

void for_random_positions(int games, int plies, std::uint64_t seed,
                          const std::function<void(const chess::Position&)>& show) {
    std::mt19937_64 random{seed};
    for (int game = 0; game < games; ++game) {
        chess::Position here = position(fens()[static_cast<std::size_t>(game) % fens().size()]);
        for (int ply = 0; ply < plies; ++ply) {
            show(here);
            const chess::MoveList moves = here.legal_moves();
            if (moves.empty()) {
                break;
            }
            here.play(moves[random() % moves.size()]);
        }
    }
}

} // namespace adjourn::search::testing
