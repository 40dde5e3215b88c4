// Polyglot's keys, against published ones.
#include "support.hpp"

#include "chess/polyglot.hpp"
#include "test.hpp"

#include <nlohmann/json.hpp>

using namespace adjourn::chess;
using namespace adjourn::chess::testing;

TEST_CASE("polyglot: the key of the start position", "[chess]") {
    CHECK(polyglot_key(Position::initial()) == 0x463b96181691fc9c);
    CHECK(Position::initial().hash() == 0x463b96181691fc9c);
}

TEST_CASE("polyglot: the format's own test line", "[chess]") {
    Position at = Position::initial();
    const std::vector<std::pair<std::string, std::uint64_t>> line{
        {"e2e4", 0x823c9b50fd114196}, {"d7d5", 0x0756b94461c50fb0}, {"e4e5", 0x662fafb965db29d4},
        {"f7f5", 0x22a48b5a8e47ff78}, {"e1e2", 0x652a607ca3f242c1}, {"e8f7", 0x00fdd303c946bdd9}};
    for (const auto& [uci, key] : line) {
        at.play(move(at, uci));
        INFO(uci);
        CHECK(polyglot_key(at) == key);
    }
}

TEST_CASE("polyglot: an en-passant capture that is illegal counts all the same", "[chess]") {
    const Position skewered = position("8/8/8/r2Pp2K/8/8/4k3/8 w - e6 0 1");
    const Position none = position("8/8/8/r2Pp2K/8/8/4k3/8 w - - 0 1");
    CHECK(skewered.hash() == none.hash());
    CHECK(polyglot_key(skewered) != polyglot_key(none));
    Position played = position("8/4p3/8/r2P3K/8/8/4k3/8 b - - 0 1");
    played.play(move(played, "e7e5"));
    CHECK(polyglot_key(played) == polyglot_key(skewered));
    played.play(move(played, "h5g5"));
    CHECK_FALSE(played.double_push());
}

TEST_CASE("polyglot: published keys", "[chess]") {
    {
        const auto text = shared_file("polyglot/pythonchess_keys.jsonl");
        REQUIRE(text);
        int checked = 0;
        for (const std::string& line : lines_of(*text)) {
            const auto json = nlohmann::json::parse(line);
            if (json.at("op") != "zobrist") {
                continue;
            }
            const std::string fen = json.at("fen");
            const auto at = Position::from_fen(fen);
            if (!at) {
                continue;
            }
            INFO(fen);
            CHECK(polyglot_key(*at) == std::stoull(json.at("key").get<std::string>(), nullptr, 16));
            ++checked;
        }
        CHECK(checked > 10);
    }
    {
        const auto text = shared_file("polyglot/shakmaty_zobrist128_chess.csv");
        REQUIRE(text);
        int checked = 0;
        for (const std::string& line : lines_of(*text)) {
            const auto key_at = line.rfind(',');
            const auto fen_at = line.rfind(',', key_at - 1);
            const auto hash_at = line.rfind(',', fen_at - 1);
            if (line.starts_with("uci") || hash_at == std::string::npos) {
                continue;
            }
            Position at = Position::initial();
            const auto moves = parse_line(at, line.substr(0, hash_at));
            REQUIRE(moves);
            for (const Move move : *moves) {
                at.play(move);
            }
            INFO(line);
            const auto key = std::stoull(line.substr(key_at + 1), nullptr, 16);
            // shakmaty hashes legal en-passant squares only, as hash() does.
            CHECK(at.hash() == key);
            ++checked;
        }
        CHECK(checked > 10);
    }
}

TEST_CASE("polyglot: keys and hashes agree wherever the rules do", "[chess]") {
    for_random_positions(20, 150, 13, [](const Position& position) {
        bool corners = true;
        for (std::uint64_t rooks = position.castling_rooks(); rooks != 0; rooks &= rooks - 1) {
            const int file = __builtin_ctzll(rooks) & 7;
            corners = corners && (file == 0 || file == 7);
        }
        if (corners && position.en_passant() == position.double_push()) {
            REQUIRE(polyglot_key(position) == position.hash());
        }
    });
}
