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

std::vector<std::string> ranks_of(const std::string& placement) {
    std::vector<std::string> ranks{""};
    for (const char c : placement) {
        if (c == '/') {
            ranks.emplace_back();
        } else {
            ranks.back() += c;
        }
    }
    return ranks;
}

std::string joined(const std::vector<std::string>& ranks) {
    std::string text;
    for (const std::string& rank : ranks) {
        text += (text.empty() ? "" : "/") + rank;
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

struct Fields {
    std::string placement, turn, castling, en_passant, clock, number;
};

Fields fields_of(const chess::Position& position) {
    Fields fields;
    std::istringstream{position.fen()} >> fields.placement >> fields.turn >> fields.castling >>
        fields.en_passant >> fields.clock >> fields.number;
    return fields;
}

chess::Position made_of(const Fields& fields) {
    return position(fields.placement + ' ' + fields.turn + ' ' + fields.castling + ' ' +
                    fields.en_passant + ' ' + fields.clock + ' ' + fields.number);
}

} // namespace

chess::Position colour_flipped(const chess::Position& position) {
    Fields fields = fields_of(position);
    std::vector<std::string> ranks = ranks_of(fields.placement);
    std::reverse(ranks.begin(), ranks.end());
    fields.placement = case_changed(joined(ranks));
    fields.turn = fields.turn == "w" ? "b" : "w";
    fields.castling = case_changed(fields.castling);
    if (fields.en_passant != "-") {
        fields.en_passant[1] = fields.en_passant[1] == '3' ? '6' : '3';
    }
    return made_of(fields);
}

chess::Position mirrored(const chess::Position& position) {
    Fields fields = fields_of(position);
    std::vector<std::string> ranks = ranks_of(fields.placement);
    for (std::string& rank : ranks) {
        std::reverse(rank.begin(), rank.end());
    }
    fields.placement = joined(ranks);
    if (fields.en_passant != "-") {
        fields.en_passant[0] = static_cast<char>('a' + 'h' - fields.en_passant[0]);
    }
    return made_of(fields);
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
