// Collections: what of a PGN text counts, and that the way it was read leaves no trace.
#include "files/collections/collect.hpp"

#include "chess/notation.hpp"
#include "files/collections/collection.hpp"
#include "temporary_directory.hpp"
#include "test.hpp"

using namespace adjourn::collections;

namespace {

CollectReport collected(const std::string& pgn, const std::filesystem::path& file,
                        const CollectOptions& options = {}, std::uint64_t fingerprint = 0) {
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
    SECTION("rare positions can be left out") {
        options.least_games = 2;
        const auto rare = directory.path() / "b.games";
        collected(game("1. e4 e5 2. Nf3", "1-0") + game("1. e4 c5 2. Nc3", "0-1"), rare, options);
        CHECK(shown(rare, "e4").size() == 2);
        CHECK(shown(rare, "e4 e5").empty());
    }
    SECTION("what is broken behind the last move that counts is not looked at") {
        options.plies = 1;
        CHECK(collected(pgn, directory.path() / "b.games", options).damaged == 0);
    }
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
        CHECK(fingerprint_of_file(pgn) == fingerprint_of_text(text));
        const auto report = collected(text, file, {}, fingerprint_of_file(pgn));
        CHECK(report.known == known);
        CHECK(Collection::open(file)->info().games == games);
    };
    add(2, false);
    add(2, true);
    // One is added, the best known game of a move with it; the same one is not.
    const std::string before = contents(file);
    const auto collection = Collection::open(file);
    CHECK(shown(file, "") == Lines{"e4 1-0-1 2003"});
    CHECK(collection->moves(chess::Position::initial())[0].best.year == 2003);
    CHECK(collection->moves(after("e4"))[1].best.year == 2001);
    CHECK(collection->info().sources.size() == 1);
    text.replace(text.rfind("c5"), 2, "e6"); // of the same length
    CHECK(contents(file) == before);
    add(4, false);
    add(4, true);
    CHECK(Collection::open(file)->info().sources.size() == 2);
}

// Against a plain map; the same whatever the parts, the threads and the memory.
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
        pgn += game(moves, std::array{"1-0", "1/2-1/2", "0-1"}[result], 1990 + number % 30,
                    2'000 + number % 7);
        for (const auto& [place, yes] : seen) {
            ++expected[place][result];
        }
    }
    const TemporaryDirectory directory;
    std::vector<std::vector<KnownGame>> best;
    for (const auto& [part, threads, memory] : std::vector<std::array<std::size_t, 3>>{
             {1u << 22, 1, 1u << 22}, {3'000, 3, 500}, {700, 2, 100'000}}) {
        CollectOptions options;
        options.plies = 20;
        options.part = part;
        options.threads = threads;
        options.in_memory = memory;
        const auto file = directory.path() / (std::to_string(best.size()) + ".games");
        CHECK(collected(pgn, file, options).games == 300);
        best.emplace_back();
        const auto collection = Collection::open(file);
        REQUIRE(collection);
        CHECK(collection->info().moves == expected.size());
        std::size_t right = 0;
        for (const auto& [hash, position] : positions) {
            for (const PlayedMove& move : collection->moves(position)) {
                right += expected.at({hash, move.move.raw()}) ==
                         std::array{move.white, move.draws, move.black};
                best.back().push_back(move.best);
            }
        }
        CHECK(right == expected.size());
    }
    CHECK(best[1] == best[0]);
    CHECK(best[2] == best[0]);
}

TEST_CASE("collection: nothing half done, nothing damaged is used") {
    const TemporaryDirectory directory;
    const CollectionDirectory all{directory.path() / "collections"};
    const auto file = all.file("mine");
    CHECK(all.names().empty());
    collected(game("1. e4 e5", "1-0"), file);
    const std::string before = contents(file);
    const auto refused = [&] {
        std::istringstream in{game("1. d4", "1-0")};
        const std::string now = contents(file);
        const auto report = collect(in, "x", 0, file, {});
        CHECK(contents(file) == now);
        CHECK_FALSE(std::filesystem::exists(file.string() + ".new"));
        return report ? "" : report.error();
    };

    SECTION("ended by the person") {
        CollectOptions options;
        options.progress = [](std::uint64_t, std::uint64_t) { return false; };
        std::istringstream in{game("1. d4", "1-0")};
        CHECK_FALSE(collect(in, "x", 0, file, options));
        CHECK(contents(file) == before);
    }
    SECTION("cut off") {
        std::ofstream{file, std::ios::binary} << before.substr(0, before.size() - 1);
        CHECK_FALSE(all.open("mine"));
        CHECK_FALSE(refused().empty());
    }
    SECTION("damaged where the moves are") {
        std::string damaged = before;
        std::fill(damaged.end() - 16'384, damaged.end(), '\xff');
        std::ofstream{file, std::ios::binary} << damaged;
        const auto collection = all.open("mine");
        REQUIRE(collection);
        CHECK_THROWS_AS(collection->counts(chess::Position::initial()), std::runtime_error);
        CHECK_THROWS_AS(collection->moves(chess::Position::initial()), std::runtime_error);
        CHECK_FALSE(refused().empty());
    }
    SECTION("of an older version") {
        std::ofstream{file, std::ios::binary} << "adjourn games 3\n" << std::string(32, '\0');
        CHECK(refused().find("not a database; remove it") != std::string::npos);
        CHECK(all.names() == Lines{"mine"});
        CHECK(all.remove("mine"));
    }
    SECTION("another database") {
        std::filesystem::resize_file(file, 0);
        CHECK(refused().find("another version has made it") != std::string::npos);
    }
    SECTION("replaced while it is read") {
        const auto old = all.open("mine");
        REQUIRE(old);
        collected(game("1. d4", "1-0"), file);
        CHECK(old->counts(chess::Position::initial()).size() == 1);
        CHECK(all.open("mine")->counts(chess::Position::initial()).size() == 2);
        CHECK(all.remove("mine"));
        CHECK(old->moves(after("e4"))[0].best.year == 2000);
    }
    SECTION("listed and removed") {
        collected(game("1. d4", "1-0"), all.file("b"));
        CHECK(all.names() == Lines{"b", "mine"});
        CHECK(all.open("mine")->info().games == 1);
        CHECK(all.remove("b"));
        CHECK_FALSE(all.remove("b"));
        CHECK(all.names() == Lines{"mine"});
    }
}

TEST_CASE("collection: names") {
    CHECK(is_name("masters-2025_a"));
    for (const char* bad : {"", "a b", "../x", "a.b", "ä"}) {
        CHECK_FALSE(is_name(bad));
    }
}

TEST_CASE("collection: of one player only his own moves count, of his games alone") {
    const TemporaryDirectory directory;
    const auto file = directory.path() / "a.games";
    const std::string pgn =
        game("1. e4 e5 2. Nf3 Nc6", "1-0", 2000) + game("1. d4 d5", "0-1", 2001);
    CollectOptions options;
    options.plies = 3;
    options.player = "w2000; w1999";
    const CollectReport report = collected(pgn, file, options, 7);
    CHECK(report.games == 1);
    CHECK(report.moves == 2);
    CHECK(shown(file, "") == Lines{"e4 1-0-0 2000"});
    CHECK(shown(file, "e4").empty());
    CHECK(shown(file, "e4 e5") == Lines{"Nf3 1-0-0 2000"});
    CHECK(collected(pgn, file, options, 7).known);
    options.player = "B";
    CHECK(collected(pgn, file, options, 7).games == 2);
    CHECK(shown(file, "e4") == Lines{"e5 1-0-0 2000"});
    CHECK(shown(file, "e4 e5 Nf3").empty());
}
