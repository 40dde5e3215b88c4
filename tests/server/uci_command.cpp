// What a GUI says, line by line.
#include "server/uci/command.hpp"

#include "chess/notation.hpp"

#include <catch2/catch.hpp>

using namespace adjourn;
using namespace adjourn::server::uci;
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
    CHECK(cut.moves.size() == 1);
    CHECK(cut.problem.starts_with("position: move 2: 'e2e4' is not legal in rnbqkbnr/"));
    CHECK(as<Nothing>("position").problem == "position: '' is neither startpos nor fen");
    CHECK(as<Nothing>("position fen").problem.starts_with("position: "));
    CHECK(as<Nothing>("position fen 8/8/8/8/8/8/8/8 w - - 0 1").problem.starts_with("position: "));
    // Both castling notations, whatever the option says.
    const std::string before = "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves ";
    CHECK(as<Game>(before + "e1g1").position == as<Game>(before + "e1h1").position);
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
    // What makes no sense is left out or brought within limits.
    CHECK(as<Go>("go wtime -50 btime x").white->left == milliseconds{0});
    CHECK_FALSE(as<Go>("go wtime -50 btime x").black);
    CHECK(as<Go>("go depth infinite").infinite);
    CHECK(as<Go>("go depth 0").depth == 1);
    CHECK(as<Go>("go nodes 99999999999999999999").nodes ==
          std::numeric_limits<std::int64_t>::max());
    CHECK_FALSE(as<Go>("go winc 5").white);
}
