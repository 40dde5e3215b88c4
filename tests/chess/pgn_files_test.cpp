// The PGN reader over the files of other projects.
#include "pgn_log.hpp"
#include "shared_data.hpp"

#include "chess/game_reader.hpp"
#include "test.hpp"

#include <nlohmann/json.hpp>

#include <cstdio>

using namespace adjourn::chess;
using namespace adjourn::chess::testing;
using nlohmann::json;

namespace {

const std::string shared_pgn = (adjourn::data_root() / "pgn").string();

std::vector<std::string> pgn_files() {
    std::vector<std::string> files;
    std::error_code error;
    for (const auto& entry : std::filesystem::recursive_directory_iterator{shared_pgn, error}) {
        std::string extension = entry.path().extension().string();
        if (entry.is_regular_file() && (extension == ".pgn" || extension == ".PGN")) {
            files.push_back(std::filesystem::relative(entry.path(), shared_pgn).string());
        }
    }
    std::sort(files.begin(), files.end());
    return files;
}

// Files with broken games, and how many errors that makes: variants of chess are not counted.
const std::map<std::string, std::size_t> broken{
    {"chess-library/black2move.pgn", 1},                // castling through the queen
    {"chess-library/corrupted.pgn", 1},                 // cut off in a move
    {"frankygo/pgn_test.pgn", 3},                       // bad FEN, bad moves
    {"mliebelt-pgn-parser/sampleGameThrow.pgn", 1},     // German letters
    {"pgn-extract/expected_test-WWdeutsch-out.pgn", 1}, // the same
    {"pgn-extract/expected_test-WWepd-out.pgn", 1},     // EPD
    {"pychess/badpgn.pgn", 1},
    {"pychess/eco.pgn", 1}, // Black castles e1g1
    {"pychess/lichess_study_lichess-practice-greek-gift_by_arex_2017.02.11.pgn", 1},
    {"pychess/lichess_study_lichess-practice-the-fork_by_arex_2017.01.29.pgn", 3},
    {"pychess/sittuyin.pgn", 2}, // FENs with other pieces
};

// What the reader says of a file, without blanks.
std::string words(const std::string& pgn) {
    std::string log = pgn_log(pgn);
    std::erase_if(log, [](char c) { return c == ' ' || c == '\n' || c == '\r'; });
    return log;
}

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

std::vector<json> pgn_cases(const std::string& file) {
    const auto text = shared_file("pgn/" + file);
    REQUIRE(text);
    std::vector<json> result;
    for (const std::string& line : lines_of(*text)) {
        result.push_back(json::parse(line));
    }
    REQUIRE_FALSE(result.empty());
    return result;
}

} // namespace

TEST_CASE("pgn files: read, with no error but the known ones", "[chess]") {
    std::size_t games = 0;
    for (const std::string& file : pgn_files()) {
        const PgnLog log = read_pgn(*shared_file("pgn/" + file));
        games += log.games;
        const auto errors =
            std::count_if(log.errors.begin(), log.errors.end(), [](const PgnError& error) {
                return error.message.find("is not chess") == std::string::npos;
            });
        const auto known = broken.find(file);
        INFO(file << (log.errors.empty() ? "" : ": " + to_text(log.errors.front())));
        CHECK(static_cast<std::size_t>(errors) == (known == broken.end() ? 0 : known->second));
        CHECK(log.games > 0);
        CHECK(log.depth == 0);
    }
    CHECK(games > (adjourn::has_all_data() ? 10'000 : 5));
}

TEST_CASE("pgn files: main lines as pgn-extract reads them", "[chess]") {
    if (!std::filesystem::exists("/usr/games/pgn-extract")) {
        adjourn::skip("pgn-extract is not installed");
        return;
    }
    std::size_t compared = 0;
    for (const char* file :
         {"mliebelt-pgn-parser/twic-01-232games.pgn", "mliebelt-pgn-parser/32games.pgn",
          "pychess/world_matches.pgn", "pychess/annotated.pgn", "pgn-extract/fischer.pgn",
          "pgn-extract/najdorf.pgn", "pgn-extract/test-allownullmoves.pgn",
          "pgn-extract/test-promotion-in.pgn", "python-chess/nepomniachtchi-liren-game1.pgn",
          "python-chess/molinari-bordais-1979.pgn", "chess-library/variations.pgn"}) {
        const auto text = shared_file(std::string{"pgn/"} + file);
        if (!text) {
            continue;
        }
        const std::string theirs =
            output_of("/usr/games/pgn-extract -s -Wuci -C -V -N --allownullmoves --quiet '" +
                      shared_pgn + "/" + file + "' 2>/dev/null");
        INFO(file);
        CHECK(read_pgn(*text).main_lines == read_pgn(theirs).main_lines);
        ++compared;
    }
    CHECK(compared >= 3);
}

TEST_CASE("pgn files: as many moves, variations, NAGs and comments as pgn-extract finds",
          "[chess]") {
    if (!std::filesystem::exists("/usr/games/pgn-extract")) {
        adjourn::skip("pgn-extract is not installed");
        return;
    }
    std::size_t compared = 0;
    for (const char* file :
         {"ours_pupil.pgn", "ours_repertoire.pgn", "pychess/annotated.pgn",
          "mliebelt-pgn-parser/twic-01-232games.pgn", "mliebelt-pgn-parser/32games.pgn",
          "python-chess/nepomniachtchi-liren-game1.pgn", "python-chess/molinari-bordais-1979.pgn",
          "python-chess/stockfish-learning.pgn", "chess-library/variations.pgn",
          "chess-library/basic.pgn",
          "pychess/lichess_study_lichess-practice-zwischenzug_by_arex_2017.02.02.pgn"}) {
        const auto text = shared_file(std::string{"pgn/"} + file);
        if (!text) {
            continue;
        }
        const std::string theirs = output_of("/usr/games/pgn-extract -s --quiet '" + shared_pgn +
                                             "/" + file + "' 2>/dev/null");
        INFO(file);
        CHECK(token_counts(*text) == token_counts(theirs));
        ++compared;
    }
    CHECK(compared >= 3);
}

TEST_CASE("pgn files: games from python-chess's tests", "[chess]") {
    for (const json& item : pgn_cases("pythonchess_inline_games.jsonl")) {
        if (item.at("variant") != "Board" || item.at("mainline").empty()) {
            continue;
        }
        INFO(item.dump());
        const std::string pgn = item.at("pgn");
        const PgnLog log = read_pgn(pgn);
        REQUIRE(log.games > 0);
        if (pgn.starts_with("(((")) {
            CHECK_FALSE(log.errors.empty()); // python-chess lets variations begin before a move
            continue;
        }
        std::vector<std::string> expected;
        for (const std::string uci : item.at("mainline")) {
            if (uci != "0000") {
                expected.push_back(uci);
            }
        }
        CHECK(log.main_lines.front() == expected);
        CHECK(log.errors.empty() == item.at("errors").empty());
    }
}

TEST_CASE("pgn files: games from chess.js's tests", "[chess]") {
    for (const json& item : pgn_cases("chessjs_inline_games.jsonl")) {
        if (item.contains("opts") || !item.at("ok").get<bool>()) {
            continue; // stricter than we, or with another line end; or broken
        }
        INFO(item.dump());
        const PgnLog log = read_pgn(item.at("pgn"));
        if (!Position::from_fen(item.at("final_fen").get<std::string>())) {
            CHECK_FALSE(log.errors.empty()); // nine pawns
            continue;
        }
        CHECK(log.errors.empty());
        const auto start = log.games > 0 ? log.last : Position::initial();
        CHECK(start == position(item.at("final_fen")));
    }
}

TEST_CASE("pgn files: tags of the pathological kind", "[chess]") {
    const auto text = shared_file("pgn/chessops/pathological-headers.pgn");
    REQUIRE(text);
    const std::vector<PgnTag> expected{{"A", "b\""},  {"B", "b\""},      {"C", "A]]"},
                                       {"D", "A]]["}, {"E", "\"A]][\""}, {"F", "\"A]][\"\\"},
                                       {"G", "\"]"}};
    CHECK(read_games(*text).games.at(0).tags == expected);
}

TEST_CASE("pgn files: Latin-1 and UTF-8 files say the same", "[chess]") {
    const auto latin1 = shared_file("pgn/scid/res_gameLatin1.pgn");
    const auto utf8 = shared_file("pgn/scid/res_gameUTF8.pgn");
    if (!latin1 || !utf8) {
        adjourn::skip("no ../shared/data/pgn/scid");
        return;
    }
    CHECK(read_pgn(*latin1).errors.empty());
    CHECK(read_pgn(*utf8).errors.empty());
    CHECK(words(*latin1) == words(*shared_file("pgn/scid/res_gameLatin1expected.pgn")));
}
