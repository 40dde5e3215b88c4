// The PGN reader over the files of other projects.
#include "pgn_log.hpp"
#include "shared_data.hpp"

#include "chess/game_reader.hpp"
#include "test.hpp"

#include <cstdio>

using namespace adjourn::chess;
using namespace adjourn::chess::testing;

namespace {

const std::string shared_pgn = (adjourn::data_root() / "pgn").string();

std::string output_of(const std::string& command) {
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe{popen(command.c_str(), "r"), pclose};
    REQUIRE(pipe);
    std::string text;
    std::array<char, 65536> chunk{};
    for (std::size_t got = 0; (got = fread(chunk.data(), 1, chunk.size(), pipe.get())) > 0;) {
        text.append(chunk.data(), got);
    }
    return text;
}

// Moves, variations, NAGs and comments of a file.
std::array<std::size_t, 4> token_counts(const std::string& pgn) {
    std::array<std::size_t, 4> counts{};
    for (const AnnotatedGame& game : read_games(pgn).games) {
        for (const GameToken& token : game.moves) {
            counts[0] += std::holds_alternative<Move>(token) ? 1 : 0;
            counts[1] += std::holds_alternative<VariationStart>(token) ? 1 : 0;
            counts[2] += std::holds_alternative<PgnNag>(token) ? 1 : 0;
            counts[3] += std::holds_alternative<PgnComment>(token) ? 1 : 0;
        }
    }
    return counts;
}

} // namespace

TEST_CASE("pgn files: main lines, and as many moves, variations, NAGs and comments, as pgn-extract "
          "finds",
          "[chess]") {
    if (!std::filesystem::exists("/usr/games/pgn-extract")) {
        adjourn::skip("pgn-extract is not installed");
        return;
    }
    const auto by_pgn_extract = [](const std::string& words, const std::string& file) {
        return output_of("/usr/games/pgn-extract -s --quiet " + words + " '" + shared_pgn + "/" +
                         file + "' 2>/dev/null");
    };
    std::size_t compared = 0;
    for (const char* file :
         {"ours_pupil.pgn", "ours_repertoire.pgn", "pychess/annotated.pgn",
          "mliebelt-pgn-parser/twic-01-232games.pgn", "mliebelt-pgn-parser/32games.pgn",
          "python-chess/nepomniachtchi-liren-game1.pgn", "python-chess/molinari-bordais-1979.pgn",
          "chess-library/variations.pgn", "pgn-extract/test-allownullmoves.pgn",
          "pgn-extract/test-promotion-in.pgn"}) {
        const auto text = shared_file(std::string{"pgn/"} + file);
        if (!text) {
            continue;
        }
        INFO(file);
        const std::string lines = by_pgn_extract("-Wuci -C -V -N --allownullmoves", file);
        CHECK(read_pgn(*text).main_lines == read_pgn(lines).main_lines);
        if (!std::string_view{file}.starts_with("pgn-extract/")) {
            CHECK(token_counts(*text) == token_counts(by_pgn_extract("", file)));
        }
        ++compared;
    }
    CHECK(compared >= 3);
}

TEST_CASE("pgn files: tags of the pathological kind", "[chess]") {
    const auto text = shared_file("pgn/chessops/pathological-headers.pgn");
    REQUIRE(text);
    const std::vector<PgnTag> expected{{"A", "b\""},  {"B", "b\""},      {"C", "A]]"},
                                       {"D", "A]]["}, {"E", "\"A]][\""}, {"F", "\"A]][\"\\"},
                                       {"G", "\"]"}};
    CHECK(read_games(*text).games.at(0).tags == expected);
}
