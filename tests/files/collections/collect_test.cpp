// Collections: what of a PGN text counts, and that the way it was read leaves no trace.
#include "files/collections/collect.hpp"

#include "chess/notation.hpp"
#include "files/collections/collection.hpp"
#include "temporary_directory.hpp"

#include <catch2/catch.hpp>

#include <cstring>
#include <fstream>
#include <map>
#include <random>
#include <sstream>

using namespace adjourn;
using namespace adjourn::collections;

namespace {

CollectReport collected(const std::string& pgn, const std::filesystem::path& file,
                        const CollectOptions& options = {}, const Fingerprint& fingerprint = {}) {
    std::istringstream in{pgn};
    const auto report = collect(in, "games.pgn", fingerprint, file, options);
    REQUIRE(report);
    return *report;
}

chess::Position after(const std::string& line) {
    chess::Position position = chess::Position::initial();
    const auto moves = chess::parse_line(position, line);
    REQUIRE(moves);
    for (const chess::Move move : *moves) {
        position.play(move);
    }
    return position;
}

// "e4 2-1-0 2024" for each move: White's wins, draws, Black's wins, last year.
std::vector<std::string> shown(const std::filesystem::path& file, const std::string& line) {
    const auto collection = Collection::open(file);
    REQUIRE(collection);
    const chess::Position position = after(line);
    std::vector<std::string> moves;
    for (const PlayedMove& move : collection->moves(position)) {
        moves.push_back(chess::to_san(position, move.move) + " " + std::to_string(move.white) +
                        "-" + std::to_string(move.draws) + "-" + std::to_string(move.black) + " " +
                        std::to_string(move.last_year));
    }
    return moves;
}

std::string game(const std::string& moves, const std::string& result, int year = 2000,
                 int elo = 0) {
    return "[Event \"a\"]\n[White \"W" + std::to_string(year) + "\"]\n[Black \"B\"]\n[Date \"" +
           std::to_string(year) + ".01.??\"]\n[Result \"" + result + "\"]\n" +
           (elo == 0 ? ""
                     : "[WhiteElo \"" + std::to_string(elo) + "\"]\n[BlackElo \"" +
                           std::to_string(elo + 20) + "\"]\n") +
           "\n" + moves + " " + result + "\n\n";
}

std::string contents(const std::filesystem::path& file) {
    std::ifstream in{file, std::ios::binary};
    return {std::istreambuf_iterator<char>{in}, {}};
}

using Lines = std::vector<std::string>;

} // namespace

TEST_CASE("collection: results, last year and the best known game of each move") {
    const TemporaryDirectory directory;
    const auto file = directory.path() / "a.games";
    const CollectReport report = collected(
        game("1. e4 c5 2. Nf3", "1-0", 1999, 2500) + game("1. e4 c5 2. Nc3", "0-1", 2024, 2700) +
            game("1. e4 e5", "1/2-1/2", 2010, 2600) + game("1. d4", "1/2-1/2", 1985),
        file);
    CHECK(report.games == 4);
    CHECK(report.moves == 9);
    CHECK(shown(file, "") == Lines{"e4 1-1-1 2024", "d4 0-1-0 1985"});
    CHECK(shown(file, "e4") == Lines{"c5 1-0-1 2024", "e5 0-1-0 2010"});
    CHECK(shown(file, "e4 e5").empty());
    const auto collection = Collection::open(file);
    CHECK(collection->info().games == 4);
    CHECK(collection->info().moves == 6);
    const auto moves = collection->moves(chess::Position::initial());
    CHECK(moves[0].best == KnownGame{"W2024", "B", 2024, 2710, "0-1"});
    CHECK(moves[1].best == KnownGame{"W1985", "B", 1985, 0, "1/2-1/2"});
    CHECK(moves[0].elo == (2510 + 2710 + 2610) / 3);
    CHECK(moves[1].elo == 0);
}

TEST_CASE("collection: a file of the version before is read, and goes on without its ratings") {
    const TemporaryDirectory directory;
    const auto file = directory.path() / "a.games";
    const auto old = directory.path() / "old.games";
    collected(game("1. e4 c5", "1-0", 1999, 2500) + game("1. d4", "0-1", 2001, 2600), file);
    // As it was written: records of 32 bytes, without the ratings, and another number in its name.
    std::string bytes = contents(file);
    constexpr std::size_t header = 48;
    std::uint64_t records = 0;
    std::memcpy(&records, bytes.data() + 16, sizeof(records));
    std::string before = bytes.substr(0, header);
    before[14] = '1';
    for (std::size_t record = 0; record < records; ++record) {
        before += bytes.substr(header + record * 40, 32);
    }
    std::uint64_t games = 0, sources = 0;
    std::memcpy(&games, bytes.data() + 24, sizeof(games));
    std::memcpy(&sources, bytes.data() + 32, sizeof(sources));
    --sources; // what a fingerprint is of was not said
    std::memcpy(before.data() + 32, &sources, sizeof(sources));
    const std::size_t texts = header + records * 40;
    std::ofstream{old, std::ios::binary} << before << bytes.substr(texts, games)
                                         << bytes.substr(texts + games + 1);
    CHECK(Collection::open(old)->info().sources.at(0).name == "games.pgn");

    CHECK(shown(old, "") == shown(file, ""));
    CHECK(shown(old, "e4") == shown(file, "e4"));
    const auto moves = Collection::open(old)->moves(chess::Position::initial());
    CHECK(moves[0].best == KnownGame{"W2001", "B", 2001, 2610, "0-1"});
    CHECK(moves[0].elo == 0);

    collected(game("1. e4 e5", "1/2-1/2", 2010, 2400), old);
    CHECK(shown(old, "") == Lines{"e4 1-1-0 2010", "d4 0-0-1 2001"});
    const auto now = Collection::open(old)->moves(chess::Position::initial());
    CHECK(now[0].best == KnownGame{"W1999", "B", 1999, 2510, "1-0"});
    CHECK(now[0].elo == 2410); // of the one game that was read since
    CHECK(now[1].elo == 0);
}

TEST_CASE("collection: transpositions are one position, repeated ones count once a game") {
    const TemporaryDirectory directory;
    const auto file = directory.path() / "a.games";
    collected(game("1. Nf3 Nf6 2. Nc3 Nc6", "1-0") + game("1. Nc3 Nf6 2. Nf3 d5", "0-1") +
                  game("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6", "1/2-1/2"),
              file);
    CHECK(shown(file, "Nc3 Nf6 Nf3") == Lines{"d5 0-0-1 2000", "Nc6 1-0-0 2000"});
    CHECK(shown(file, "") == Lines{"Nf3 1-1-0 2000", "Nc3 0-0-1 2000"});
}

TEST_CASE("collection: variations, open results, null moves and weak players are left out") {
    const TemporaryDirectory directory;
    const auto file = directory.path() / "a.games";
    CollectOptions options;
    options.plies = 3;
    options.least_elo = 2400;
    const CollectReport report =
        collected(game("1. e4 (1. d4 d5 (1... Nf6)) 1... e5 2. Nf3 Nc6", "1-0", 2000, 2400) +
                      game("1. c4", "*", 2000, 2400) + game("1. a4", "1-0", 2000, 2399) +
                      game("1. b4", "1-0") + game("1. e4 -- 2. d4", "0-1", 2000, 2500),
                  file, options);
    CHECK(report.games == 2);
    CHECK(report.without_result == 1);
    CHECK(report.too_weak == 2);
    CHECK(shown(file, "") == Lines{"e4 1-0-1 2000"});
    CHECK(shown(file, "e4 e5") == Lines{"Nf3 1-0-0 2000"});
    CHECK(shown(file, "e4 e5 Nf3").empty());
    CHECK(shown(file, "d4").empty());
}

TEST_CASE("collection: damaged games are told with their line, and left out") {
    const TemporaryDirectory directory;
    const auto file = directory.path() / "a.games";
    std::string pgn;
    for (int i = 0; i < 50; ++i) {
        pgn += game("1. e4 e5", "1-0"); // 8 lines each
    }
    pgn += game("1. e4\nKe4", "1-0") + game("1. d4", "0-1");
    CollectOptions options;
    options.part = 500;
    const CollectReport report = collected(pgn, file, options);
    CHECK(report.games == 51);
    CHECK(report.damaged == 1);
    REQUIRE(report.errors.size() == 1);
    CHECK(report.errors[0].game == 51);
    CHECK(report.errors[0].line == 50 * 8 + 8);
    CHECK(shown(file, "") == Lines{"e4 50-0-0 2000", "d4 0-0-1 2000"});
    SECTION("what is broken behind the last move that counts is not looked at") {
        options.plies = 1;
        CHECK(collected(pgn, directory.path() / "b.games", options).damaged == 0);
    }
}

TEST_CASE("collection: another file is added, the same one is not") {
    const TemporaryDirectory directory;
    const auto file = directory.path() / "a.games";
    const std::string one = game("1. e4 e5", "1-0", 2001, 2500);
    const std::string two = game("1. e4 c5", "0-1", 2003, 2700);
    collected(one, file, {}, fingerprint_of_text(one));
    collected(two, file, {}, fingerprint_of_text(two));
    CHECK(shown(file, "") == Lines{"e4 1-0-1 2003"});
    const auto collection = Collection::open(file);
    CHECK(collection->moves(chess::Position::initial())[0].best.year == 2003);
    CHECK(collection->moves(after("e4"))[1].best.year == 2001);
    CHECK(collection->info().sources.size() == 2);
    const std::string before = contents(file);
    CHECK(collected(two, file, {}, fingerprint_of_text(two)).known);
    CHECK(contents(file) == before);
}

TEST_CASE("collection: a file that was corrected is another one, wherever and however long it is") {
    const TemporaryDirectory directory;
    const auto file = directory.path() / "a.games";
    const auto pgn = directory.path() / "month.pgn";
    std::string text = game("1. e4 e5", "1-0", 2001, 2500);
    while (text.size() < (3u << 20)) {
        text += "; " + std::string(1'000, 'x') + "\n";
    }
    text += game("1. e4 c5", "0-1", 2003, 2700);
    const auto add = [&](std::size_t games, bool known) {
        std::ofstream{pgn, std::ios::binary} << text;
        CHECK(fingerprint_of_file(pgn).whole == fingerprint_of_text(text).whole);
        const auto report = collected(text, file, {}, fingerprint_of_file(pgn));
        CHECK(report.known == known);
        CHECK(Collection::open(file)->info().games == games);
    };
    add(2, false);
    add(2, true);
    text.replace(text.rfind("c5"), 2, "e6"); // of the same length
    add(4, false);
    add(4, true);
}

TEST_CASE("collection: what an older version kept of a file is not taken for all of it") {
    const TemporaryDirectory directory;
    const auto file = directory.path() / "a.games";
    const std::string one = game("1. e4 e5", "1-0", 2001, 2500);
    collected(one, file, {}, Fingerprint{fingerprint_of_text(one).begin, 0});
    std::string bytes = contents(file);
    bytes[bytes.size() - std::string{"games.pgn"}.size() - 18] = 0; // of its beginning
    std::ofstream{file, std::ios::binary} << bytes;
    REQUIRE_FALSE(Collection::open(file)->info().sources.at(0).whole);
    std::istringstream in{one};
    const auto again = collect(in, "games.pgn", fingerprint_of_text(one), file, {});
    REQUIRE_FALSE(again);
    CHECK(again.error().find("begins as 'games.pgn' does") != std::string::npos);
    const std::string two = game("1. d4", "1-0", 2001, 2500);
    CHECK(collected(two, file, {}, fingerprint_of_text(two)).games == 1);
}

TEST_CASE("collection: rare positions can be left out") {
    const TemporaryDirectory directory;
    const auto file = directory.path() / "a.games";
    CollectOptions options;
    options.least_games = 2;
    collected(game("1. e4 e5 2. Nf3", "1-0") + game("1. e4 c5 2. Nc3", "0-1"), file, options);
    CHECK(shown(file, "e4").size() == 2);
    CHECK(shown(file, "e4 e5").empty());
}

// Against a plain map; the same file whatever the parts, the threads and the memory.
TEST_CASE("collection: as a count of every game says, however it is read") {
    std::mt19937 random{7};
    std::string pgn;
    using Place = std::pair<std::uint64_t, std::uint16_t>;
    std::map<Place, std::array<std::uint64_t, 3>> expected;
    std::map<std::uint64_t, chess::Position> positions;
    for (int number = 0; number < 300; ++number) {
        chess::Position position = chess::Position::initial();
        std::string moves;
        std::map<Place, bool> seen;
        for (int ply = 0; ply < 30; ++ply) {
            const chess::MoveList legal = position.legal_moves();
            if (legal.empty()) {
                break;
            }
            // A few moves only, so that games meet.
            const chess::Move move = legal[random() % std::min<std::size_t>(legal.size(), 2)];
            moves += chess::to_san(position, move) + " ";
            if (ply < 20) {
                seen[{position.hash(), move.raw()}] = true;
                positions.emplace(position.hash(), position);
            }
            position.play(move);
        }
        const std::size_t result = random() % 3;
        pgn += game(moves, std::array{"1-0", "1/2-1/2", "0-1"}[result], 1990 + number % 30);
        for (const auto& [place, yes] : seen) {
            ++expected[place][result];
        }
    }
    const TemporaryDirectory directory;
    std::vector<std::string> files;
    for (const auto& [part, threads, memory] : std::vector<std::array<std::size_t, 3>>{
             {1u << 22, 1, 1u << 22}, {3'000, 3, 500}, {700, 2, 100'000}}) {
        CollectOptions options;
        options.plies = 20;
        options.part = part;
        options.threads = threads;
        options.in_memory = memory;
        const auto file = directory.path() / (std::to_string(files.size()) + ".games");
        CHECK(collected(pgn, file, options).games == 300);
        files.push_back(contents(file));
        const auto collection = Collection::open(file);
        REQUIRE(collection);
        CHECK(collection->info().moves == expected.size());
        std::size_t right = 0;
        for (const auto& [hash, position] : positions) {
            for (const PlayedMove& move : collection->counts(position)) {
                right += expected.at({hash, move.move.raw()}) ==
                         std::array{move.white, move.draws, move.black};
            }
        }
        CHECK(right == expected.size());
    }
    CHECK(files[1] == files[0]);
    CHECK(files[2] == files[0]);
}

TEST_CASE("collection: nothing half done, nothing damaged is used") {
    const TemporaryDirectory directory;
    const Shelf shelf{directory.path() / "collections"};
    const auto file = shelf.file("mine");
    CHECK(shelf.list().empty());
    collected(game("1. e4 e5", "1-0"), file);
    const std::string before = contents(file);

    SECTION("ended by the person") {
        CollectOptions options;
        options.progress = [](std::uint64_t, std::uint64_t) { return false; };
        std::istringstream in{game("1. d4", "1-0")};
        CHECK_FALSE(collect(in, "x", {}, file, options));
        CHECK(contents(file) == before);
    }
    SECTION("cut off") {
        std::ofstream{file, std::ios::binary} << before.substr(0, before.size() - 1);
        CHECK_FALSE(shelf.open("mine"));
        CHECK(shelf.list().empty());
        std::istringstream in{game("1. d4", "1-0")};
        CHECK_FALSE(collect(in, "x", {}, file, {}));
    }
    SECTION("listed and removed") {
        collected(game("1. d4", "1-0"), shelf.file("b"));
        const auto list = shelf.list();
        REQUIRE(list.size() == 2);
        CHECK(list[0].first == "b");
        CHECK(list[1].second.games == 1);
        CHECK(shelf.remove("b"));
        CHECK_FALSE(shelf.remove("b"));
        CHECK(shelf.list().size() == 1);
    }
}

TEST_CASE("collection: names") {
    CHECK(is_name("masters-2025_a"));
    for (const char* bad : {"", "a b", "../x", "a.b", "ä"}) {
        CHECK_FALSE(is_name(bad));
    }
}
