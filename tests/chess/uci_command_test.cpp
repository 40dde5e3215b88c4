// What a GUI says, line by line.
#include "chess/uci/command.hpp"

#include "chess/notation.hpp"
#include "test.hpp"

using namespace adjourn::chess::uci;
using std::chrono::milliseconds;

namespace {

template <class Wanted>
Wanted as(std::string_view line) {
    const Command command = parse(line);
    INFO(line);
    REQUIRE(std::holds_alternative<Wanted>(command));
    return std::get<Wanted>(command);
}

} // namespace

TEST_CASE("uci command: the plain ones, with noise around them") {
    as<Uci>("uci");
    as<IsReady>("  isready \r");
    as<NewGame>("ucinewgame");
    as<Stop>("stop now please");
    as<PonderHit>("ponderhit");
    as<Quit>("\tquit");
    as<Uci>("joho uci"); // the protocol: skip what is unknown, go on with the rest
    CHECK(as<Nothing>("").problem.empty());
    CHECK(as<Nothing>("debug on").problem.empty());
    CHECK(as<Nothing>("register later").problem.empty());
    CHECK(as<Nothing>("hello").problem == "unknown command 'hello'");
    CHECK(as<Nothing>("\x01\xff").problem == "unknown command '?\?'");
    CHECK(as<Nothing>("UCI").problem == "unknown command 'UCI'");
}

TEST_CASE("uci command: setoption") {
    CHECK(as<SetOption>("setoption name Move Overhead value 50") ==
          SetOption{"Move Overhead", "50"});
    CHECK(as<SetOption>("setoption name SyzygyPath value /a b/c") ==
          SetOption{"SyzygyPath", "/a b/c"});
    CHECK(as<SetOption>("setoption name Clear Hash") == SetOption{"Clear Hash", ""});
    CHECK(as<SetOption>("setoption name X value name value y") == SetOption{"X", "name value y"});
    CHECK(as<SetOption>("setoption") == SetOption{"", ""});
    CHECK(as<SetOption>("setoption value 3") == SetOption{"", ""});
}

TEST_CASE("uci command: position") {
    const Game start = as<Game>("position startpos");
    CHECK(start.position == chess::Position::initial());
    const Game line = as<Game>("position startpos moves e2e4 e7e5 g1f3");
    CHECK(line.moves.size() == 3);
    CHECK(line.problem.empty());
    CHECK(line.position.fen() == "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2");
    const Game fen = as<Game>("position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 7 30 moves e2e4 e8d7");
    CHECK(fen.start.halfmove_clock() == 7);
    CHECK(fen.moves.size() == 2);
    CHECK(as<Game>("position fen 4k3/8/8/8/8/8/4P3/4K3 w - -").moves.empty());
    const Game cut = as<Game>("position startpos moves e2e4 e2e4 e7e5");
    CHECK(cut.problem.starts_with("position: move 2: 'e2e4' is not legal in rnbqkbnr/"));
    CHECK(as<Game>("position").problem == "position: '' is neither startpos nor fen");
    CHECK(as<Game>("position fen").problem.starts_with("position: "));
    CHECK(as<Game>("position fen 8/8/8/8/8/8/8/8 w - - 0 1").problem.starts_with("position: "));
    // Both castling notations, whatever the option says.
    const std::string before = "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves ";
    CHECK(as<Game>(before + "e1g1").position == as<Game>(before + "e1h1").position);
}

TEST_CASE("uci command: what no move depends on is overlooked in a FEN, and named") {
    const auto reads_as = [](const std::string& sent, const std::string& meant,
                             std::size_t notes = 1) {
        INFO(sent);
        const Game game = as<Game>("position fen " + sent);
        CHECK(game.problem.empty());
        CHECK(game.notes.size() == notes);
        CHECK(game.position.fen() == meant);
    };
    const std::string kings = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    reads_as(kings, kings, 0);
    reads_as("4k3/8/8/8/8/8/4P3/4K3 w KQkq - 0 1", kings);
    reads_as("4k3/8/8/8/8/8/4P3/4K3 w x9 - 0 1", kings);
    reads_as("r3k3/8/8/8/8/8/4P3/4K2R w KQkq - 0 1", "r3k3/8/8/8/8/8/4P3/4K2R w Kq - 0 1");
    reads_as("r3k2r/8/8/8/8/8/8/R2K3R w KQkq - 0 1", "r3k2r/8/8/8/8/8/8/R2K3R w KQkq - 0 1", 0);
    reads_as("r3k2r/8/8/8/8/8/8/R3K2R w KKkq - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w Kkq - 0 1");
    reads_as("4k3/8/8/8/4P3/8/8/4K3 b - e6 0 1", "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1");
    reads_as("4k3/8/8/8/8/8/4P3/4K3 w - e3 0 1", kings);
    reads_as("4k3/8/8/8/8/8/4P3/4K3 w - zz 0 1", kings);
    reads_as("4k3/8/8/8/8/8/4P3/4K3 w - - 0 65535", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 9999");
    reads_as("4k3/8/8/8/8/8/4P3/4K3 w - - -3 0", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    reads_as("4k3/8/8/8/8/8/4P3/4K3 w - - x 99999999999999999999",
             "4k3/8/8/8/8/8/4P3/4K3 w - - 0 9999", 2);
    reads_as("4k3/8/8/8/8/8/4P3/4K3 w KQkq e3 0 99999", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 9999", 3);
    reads_as("4k3/8/8/8/8/8/4P3/4K3 w", kings, 0);
    reads_as("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 bm e4;", kings);
    // An en-passant square beside a check that no double push gives.
    reads_as("4k3/4r3/8/8/3pP3/8/8/4K2b b - e3 0 1", "4k3/4r3/8/8/3pP3/8/8/4K2b b - e3 0 1", 0);
}

TEST_CASE("uci command: a board that no rule allows is refused, whatever else is wrong") {
    for (const char* fen : {"8/8/8/8/8/8/8/8 w - - 0 1", "4k3/8/8/8/8/8/4P3/4K3 x - - 0 1",
                            "4k3/8/8/8/8/8/4P3/4K3", "4k3/8/8/8/8/8/4P3/4K4 w KQkq - 0 1",
                            "4k3/8/8/8/8/8/8/4KK2 w - - 0 1", "4k3/4R3/8/8/8/8/8/4K3 w KQkq e3 0 1",
                            "rnbqb1kr/pppppppp/8/8/8/8/PPPPPPPP/RNBQB1KR w AHah - 0 1",
                            "K6N/6N1/8/5k2/7N/8/p7/8 b - - 0 1"}) {
        INFO(fen);
        const Game game = as<Game>(std::string{"position fen "} + fen);
        CHECK(game.problem.starts_with("position: "));
        CHECK(as<Game>(std::string{"position fen "} + fen + " moves e1e2").problem == game.problem);
    }
    // A field that is no field at all is not worth an hour.
    const Game endless =
        as<Game>("position fen 4k3/8/8/8/8/8/4P3/4K3 w " + std::string(60'000, 'K') + " - 0 1");
    CHECK_FALSE(endless.problem.empty());
}

TEST_CASE("uci command: go") {
    const Go clock = as<Go>("go wtime 300000 btime 299000 winc 2000 binc 1000 movestogo 40");
    CHECK(clock.white == Clock{milliseconds{300'000}, milliseconds{2'000}});
    CHECK(clock.black == Clock{milliseconds{299'000}, milliseconds{1'000}});
    CHECK(clock.moves_to_go == 40);
    CHECK_FALSE(clock.infinite);
    CHECK(as<Go>("go depth 12").depth == 12);
    CHECK(as<Go>("go nodes 5000000000").nodes == 5'000'000'000);
    CHECK(as<Go>("go movetime 250").movetime == milliseconds{250});
    CHECK(as<Go>("go mate 3").mate == 3);
    CHECK(as<Go>("go infinite").infinite);
    CHECK(as<Go>("go ponder wtime 1 btime 1").ponder);
    CHECK(as<Go>("go") == Go{});
    const Go some = as<Go>("go searchmoves e2e4 d2d4 depth 3");
    CHECK(some.searchmoves == std::vector<std::string>{"e2e4", "d2d4"});
    CHECK(some.depth == 3);
    // What makes no sense is left out, or counts as the least.
    CHECK(as<Go>("go wtime -50 btime x").white->left == milliseconds{0});
    CHECK_FALSE(as<Go>("go wtime -50 btime x").black);
    CHECK(as<Go>("go depth infinite").infinite);
    CHECK(as<Go>("go depth 0").depth == 1);
    CHECK_FALSE(as<Go>("go winc 5").white);
    CHECK(clock.problems.empty());
    CHECK(some.problems.empty());
}

TEST_CASE("uci command: a limit that is not as it should be is told, and the search has an end") {
    const auto problems = [](const std::string& line) {
        const Go go = as<Go>("go " + line);
        CAPTURE(line);
        CHECK((go.infinite || limited(go)));
        std::string all;
        for (const std::string& problem : go.problems) {
            all += (all.empty() ? "" : " | ") + problem;
        }
        return all;
    };
    const std::string none_left = " | go: no limit is left; it is depth 1";
    const std::string depth = "go: depth needs a number from 1 to 2147483647";
    CHECK(problems("depth") == depth + "; without one it is left out" + none_left);
    CHECK(problems("depth movetime 50") == depth + "; without one it is left out");
    CHECK(problems("depth 5x movetime 50") == depth + ", not '5x'; it is left out");
    CHECK(problems("depth infinite") == depth + "; without one it is left out");
    CHECK(problems("nodes abc") == "go: nodes needs a number from 1 to 9223372036854775807, "
                                   "not 'abc'; it is left out" +
                                       none_left);
    CHECK(problems("winc 100") == "go: winc without wtime is left out" + none_left);
    CHECK(problems("binc 100 movestogo 9") == "go: binc without btime is left out | go: movestogo "
                                              "without wtime or btime is left out" +
                                                  none_left);
    CHECK(problems("movetime 99999999999999999999") ==
          "go: movetime '99999999999999999999' is too much for a number from 0 to 31536000000; it "
          "is left out" +
              none_left);
    CHECK(problems("wtime -50 btime 1000") == "go: wtime '-50' is less than 0; it counts as that");
    CHECK(problems("nodes -99999999999999999999") ==
          "go: nodes '-99999999999999999999' is less than 1; it counts as that");
    CHECK(problems("perft 5") == "go: 'perft' is not known and is left out | go: '5' is not known "
                                 "and is left out" +
                                     none_left);
    CHECK(problems("mate 1.5").ends_with(none_left));
    CHECK(as<Go>("go depth 7 depth").depth == 7);
    CHECK(as<Go>("go ponder nodes x").depth == 1);
    CHECK_FALSE(as<Go>("go searchmoves e2e4").depth); // as the protocol has it: until stop
}
