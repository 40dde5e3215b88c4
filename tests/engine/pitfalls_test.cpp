// What UCI engines are known to get wrong in conversation. The numbers are those of
// tests/engine_bridge/PITFALLS.md.
#include "gui.hpp"

#include "search/engine/conversation.hpp"
#include "test.hpp"

using namespace adjourn::engine::testing;

namespace {

const std::string start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const std::string mated = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1";
const std::string stalemated = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
const std::string fen = "fen ";

std::size_t count_of(const std::vector<std::string>& lines, const std::string& word) {
    return static_cast<std::size_t>(std::ranges::count_if(
        lines, [&](const std::string& line) { return line.starts_with(word); }));
}

} // namespace

TEST_CASE("pitfall 5: it leaves by quit and at the end of its input, in mid-search, too") {
    for (const bool quits : {true, false}) {
        Gui gui;
        gui.send("go infinite");
        gui.await("info");
        if (quits) {
            gui.send("quit");
        }
        CHECK(count_of(gui.close(), "bestmove") == 1);
    }
    Gui idle;
    CHECK(idle.close().empty());
}

TEST_CASE("pitfall 5: the end of the input waits for a search with a limit") {
    const auto piped = [](const std::string& lines) {
        std::istringstream in{"position fen " + middle + "\n" + lines};
        std::ostringstream out;
        converse(in, out);
        CAPTURE(lines, out.str());
        CHECK(out.str().find("bestmove ") != std::string::npos);
        return out.str();
    };
    const auto nodes_of = [&](const std::string& lines) {
        const std::string text = piped(lines);
        const std::size_t last = text.rfind("info depth ");
        REQUIRE(last != std::string::npos);
        return told(text.substr(last, text.find('\n', last) - last))->nodes;
    };
    CHECK(nodes_of("go nodes 20000") > 15'000);
    CHECK(piped("go depth 3\n").find("info depth 3 ") != std::string::npos);
    CHECK(nodes_of("go movetime 100\n") > 1'000);
    CHECK(nodes_of("go wtime 3000 btime 3000\n") > 1'000);
    CHECK(piped("position fen 7k/8/8/8/8/8/1R6/R6K w - - 0 1\ngo mate 2\n").find("score mate 2") !=
          std::string::npos);
    CHECK(nodes_of("go ponder nodes 20000\nponderhit\n") > 15'000);
    // Nobody says the word that these wait for.
    piped("go infinite\n");
    piped("go\n");
    piped("go ponder nodes 20000000\n");
    CHECK(piped("go nodes 20000000000\nquit\n").find("bestmove ") != std::string::npos);
}

TEST_CASE("pitfall 22: a limit that cannot be read is told, and the move comes") {
    for (const std::string go : {"depth", "nodes abc", "winc 100", "movetime 99999999999999999999",
                                 "movestogo 5", "perft 3", "mate", "ponder depth"}) {
        CAPTURE(go);
        Gui gui;
        gui.send_all({"position fen " + middle, "go " + go, "ponderhit"});
        CHECK(is_legal(middle, move_of(gui.await("bestmove"))));
        CHECK(holds(gui.lines(), "info string go: "));
        CHECK(holds(gui.lines(), "info string go: no limit is left; it is depth 1"));
    }
}

TEST_CASE("pitfall 8: no position ends it") {
    Gui gui;
    for (const std::string bad :
         {"4k3/8/8/8/8/8/8/8 w - - 0 1", "8/8/8/8/8/8/8/8 w - - 0 1", "foo bar baz", "",
          "P3k3/8/8/8/8/8/8/4K3 w - - 0 1", "4k3/4Q3/8/8/8/8/8/4K3 w - - 0 1",
          "9/8/8/8/8/8/8/8 w - - 0 1", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"}) {
        CAPTURE(bad);
        CHECK(gui.ask(fen + bad, "depth 2") == "(none)");
        CHECK(holds(gui.heard(), "info string position: "));
    }
    // What can be overlooked is.
    const std::string rooks = "4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1";
    CHECK(is_legal("4k3/8/8/8/8/8/8/4K3 w - - 0 1", gui.ask(fen + rooks, "depth 2")));
    CHECK(is_legal(start, gui.ask("startpos", "depth 2")));
}

TEST_CASE("pitfall 10: what it does not know is said, and changes nothing") {
    Gui gui;
    gui.send_all({"hello", "", "ucix", "isreadyy", "positionx startpos", "debug on", "go2 depth 1",
                  "setoption name Threads value 4", "register later", "xyzzy isready"});
    gui.await("readyok"); // words before a known command are skipped
    const auto lines = gui.heard();
    CHECK(holds(lines, "info string unknown command 'hello'"));
    CHECK(holds(lines, "info string no option is named 'Threads'"));
    CHECK(count_of(lines, "bestmove") == 0);
    CHECK(count_of(lines, "uciok") == 0);
}

TEST_CASE("pitfall 11: ready at once, before anything was asked and while it searches") {
    Gui gui;
    gui.send("isready");
    gui.await("readyok");
    gui.send_all({"setoption name Hash value 2", "ucinewgame", "isready", "go infinite"});
    gui.await("readyok");
    gui.await("info");
    for (int i = 0; i < 3; ++i) {
        gui.settle();
    }
    gui.send("stop");
    CHECK(is_legal(start, move_of(gui.await("bestmove"))));
}

TEST_CASE("pitfall 12: commands in mid-search neither block nor disturb it") {
    Gui gui;
    gui.send_all({"position startpos", "go infinite"});
    gui.await("info");
    gui.send_all({"setoption name MultiPV value 3", "setoption name Hash value 1",
                  "setoption name Clear Hash", "setoption name Selection value interest",
                  "ucinewgame", "uci", "position fen " + mated, "isready"});
    gui.await("readyok");
    gui.send("stop");
    CHECK(is_legal(start, move_of(gui.await("bestmove")))); // of the position that it began with
    // A second go ends the first, which still owes its move.
    gui.send_all({"position startpos", "go infinite", "position fen " + middle, "go depth 2"});
    CHECK(is_legal(start, move_of(gui.await("bestmove"))));
    CHECK(is_legal(middle, move_of(gui.await("bestmove"))));
    CHECK(gui.last_told().size() == 3); // now the option counts
}

TEST_CASE("pitfall 13: each go is answered once, and stop without a search by nothing") {
    Gui gui;
    gui.send_all({"stop", "ponderhit", "stop"});
    CHECK(gui.settle().empty());
    gui.ask("startpos", "depth 1");
    gui.send_all({"stop", "stop"});
    CHECK(gui.settle().empty());
    gui.send_all({"go nodes 100", "go nodes 100", "go infinite", "stop", "stop"});
    for (int i = 0; i < 3; ++i) {
        gui.await("bestmove");
    }
    CHECK(gui.settle().empty());
}

TEST_CASE("pitfall 14: go infinite is not answered before stop, also where the game is over") {
    for (const std::string& position :
         {mated, stalemated, std::string{"8/8/8/4k3/8/8/8/4K3 w - - 0 1"}}) {
        Gui gui;
        gui.send_all({"position fen " + position, "go infinite"});
        gui.await("info"); // the search is over by then or soon
        CHECK(count_of(gui.settle(), "bestmove") == 0);
        gui.send("stop");
        gui.await("bestmove");
    }
}

TEST_CASE("pitfall 14: a finished position has no move, and says why") {
    Gui gui;
    CHECK(gui.ask(fen + mated, "depth 5") == "(none)");
    CHECK(holds(gui.heard(), "info depth 0 score mate 0"));
    CHECK(gui.ask(fen + stalemated, "movetime 50") == "(none)");
    CHECK(holds(gui.heard(), "info depth 0 score cp 0"));
}

TEST_CASE("pitfall 15: names of options in any case, with blanks, with values that are none") {
    Gui gui;
    gui.send_all({"setoption name clear hash", "setoption name HASH value 2",
                  "setoption name  uci_showwdl  value  TRUE "});
    CHECK(gui.settle().empty());
    gui.ask("startpos", "depth 2");
    CHECK(gui.last_told()[0].wdl.size() == 3);
    gui.send_all({"setoption name Hash value", "setoption name Hash value lots",
                  "setoption name Hash value 99999999999999999999", "setoption name Hash value 0",
                  "setoption name Selection value half", "setoption name UCI_ShowWDL value maybe",
                  "setoption", "setoption name", "setoption value 3",
                  "setoption name MultiPV value -1", "setoption name Ponder value 7"});
    CHECK(gui.settle().size() == 11);
    CHECK(is_legal(start, gui.ask("startpos", "depth 2")));
}

TEST_CASE("pitfall 16: what is declared is what is taken") {
    Gui gui;
    gui.send("uci");
    gui.await("uciok");
    const auto lines = gui.heard();
    CHECK(lines[0].starts_with("id name Adjourn engine "));
    CHECK(lines[1].starts_with("id author "));
    CHECK(holds(lines, "option name Hash type spin default 16 min 1 max 4096"));
    CHECK(holds(lines, "option name Clear Hash type button"));
    CHECK(holds(lines, "option name MultiPV type spin default 1 min 1 max 218"));
    CHECK(holds(lines, "option name Selection type combo default full var full var interest"));
    CHECK(holds(lines,
                "option name Quiescence type combo default captures var captures var consistency"));
    CHECK(holds(lines, "option name UCI_Chess960 type check default false"));
    CHECK(holds(lines, "option name UCI_ShowWDL type check default false"));
    CHECK(count_of(lines, "option name ") == 9);
    for (const std::string option :
         {"Hash value 4096", "Hash value 1", "MultiPV value 218", "Selection value interest",
          "Quiescence value consistency", "Move Overhead value 5000"}) {
        gui.send("setoption name " + option);
    }
    CHECK(gui.settle().empty());
    CHECK(is_legal(middle, gui.ask(fen + middle, "nodes 20000")));
}
