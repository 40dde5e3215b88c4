// What the tables say, and that best play by them arrives.
#include "files.hpp"
#include "tables/endgame_tables.hpp"

#include "chess/material.hpp"
#include "chess/notation.hpp"

using namespace adjourn::tables;
using chess::Position;
using chess::Score;
using chess::Wdl;

namespace {

Position at(const char* fen) {
    const auto position = Position::from_fen(fen);
    REQUIRE(position);
    return *position;
}

// Plays the line out and holds it to making progress: the distance falls with every ply, but where
// it counts anew; the end is mate.
void require_progress(const EndgameTables& tables, Position position) {
    INFO(position.fen());
    const Score value = *tables.value(position);
    REQUIRE(value.rank() != 0);
    const auto line = analysis::table_line(tables, position, 256);
    int left = value.plies();
    for (const chess::Move move : line) {
        const bool anew =
            position.is_capture(move) || position.piece_at(move.from())->role == chess::Role::pawn;
        position.play(move);
        if (position.terminal() != chess::Terminal::no) {
            break;
        }
        const Score next = *tables.value(position);
        INFO(position.fen());
        REQUIRE(next.rank() != 0);
        REQUIRE((anew || next.plies() <= left)); // some tables count in whole moves
        left = next.plies();
    }
    CHECK(position.terminal() == chess::Terminal::checkmate);
}

} // namespace

TEST_CASE("endgame tables: well-known endings of three men") {
    const EndgameTables tables{{table_data().string(), ""}};
    CHECK(tables.inventory().problems.empty());
    CHECK(tables.inventory().men == 3);
    // The opposition decides.
    CHECK(tables.value(at("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1"))->wdl() == Wdl::loss);
    CHECK(tables.value(at("4k3/8/8/4K3/4P3/8/8/8 w - - 0 1"))->wdl() == Wdl::win);
    CHECK(tables.value(at("8/8/4k3/8/4K3/4P3/8/8 w - - 0 1"))->wdl() == Wdl::draw);
    CHECK(tables.value(at("8/8/8/3k4/8/8/4R3/4K3 w - - 0 1")) == Score::tablebase(Wdl::win, 27));
    CHECK(tables.value(at("8/8/8/3k4/8/8/4r3/7K w - - 0 1"))->wdl() == Wdl::loss);
    // Four men, castling rights: not covered.
    CHECK_FALSE(tables.value(at("8/8/8/3k4/8/4p3/4R3/7K w - - 0 1")));
    CHECK_FALSE(tables.value(at("8/8/8/3k4/8/8/8/4K2R w K - 0 1")));
    CHECK(tables.moves(at("8/8/8/3k4/8/8/8/4K2R w K - 0 1")).empty());
}

TEST_CASE("endgame tables: moves are complete, best first, and mate is mate") {
    const EndgameTables tables{{table_data().string(), ""}};
    const Position position = at("k7/8/1K6/8/8/8/8/2R5 w - - 0 1");
    const auto moves = tables.moves(position);
    REQUIRE(moves.size() == position.legal_moves().size());
    CHECK(chess::to_san(position, moves.front().move) == "Rc8#");
    CHECK(moves.front().value == Score::mate_in(1));
    for (std::size_t i = 1; i < moves.size(); ++i) {
        CHECK(moves[i - 1].value.rank() >= moves[i].value.rank());
    }
    // Promotion at once, to the piece that mates soonest.
    const Position promotes = at("8/3P4/8/3K4/8/8/8/k7 w - - 0 1");
    CHECK(chess::to_san(promotes, tables.moves(promotes).front().move) == "d8=Q");
    CHECK(tables.moves(promotes).front().value == Score::tablebase(Wdl::win, 1));
    // Nothing to choose where the game is over.
    CHECK(tables.moves(at("R1k5/8/2K5/8/8/8/8/8 b - - 0 1")).empty());
}

TEST_CASE("endgame tables: a position is worth its best move") {
    const EndgameTables tables{{table_data().string(), ""}};
    for (const char* fen : {"8/8/8/3k4/8/8/4R3/4K3 w - - 0 1", "8/8/8/3k4/8/8/4R3/4K3 b - - 0 1",
                            "4k3/8/4K3/4P3/8/8/8/8 b - - 0 1", "8/8/4k3/8/4K3/4P3/8/8 w - - 0 1",
                            "8/8/8/3k4/7Q/8/8/4K3 b - - 0 1"}) {
        const Position position = at(fen);
        INFO(fen);
        CHECK(tables.moves(position).front().value.rank() == tables.value(position)->rank());
    }
}

TEST_CASE("endgame tables: won positions are played out to mate") {
    {
        const EndgameTables tables{{table_data().string(), ""}};
        require_progress(tables, at("8/8/8/3k4/8/8/4R3/4K3 w - - 0 1"));
        require_progress(tables, at("8/8/8/3k4/8/8/4Q3/4K3 b - - 0 1"));
        require_progress(tables, at("4k3/8/8/4K3/4P3/8/8/8 w - - 0 1"));
        require_progress(tables, at("8/8/8/8/7k/8/P7/4K3 w - - 0 1"));
    }
    const EndgameTables tables{{shared_tables().string(), ""}};
    require_progress(tables, at("8/8/8/3k4/8/6R1/6R1/K7 w - - 0 1"));
    if (!has_all_tables()) {
        return;
    }
    require_progress(tables, at("8/8/8/8/8/2k5/8/KBN5 w - - 0 1"));
    require_progress(tables, at("8/8/8/3k4/8/2q5/4R3/3K4 b - - 0 1"));
    require_progress(tables, at("8/8/8/3k4/8/6Q1/4r3/K7 w - - 0 1"));
    require_progress(tables, at("8/8/4p3/3k4/8/8/R7/4K3 w - - 0 1"));
}
