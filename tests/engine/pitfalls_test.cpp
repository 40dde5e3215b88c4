// What UCI engines are known to get wrong, in conversation and in what they search and say of it.
// The numbers are those of tests/engine_bridge/PITFALLS.md.
#include "gui.hpp"

#include "chess/notation.hpp"
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

TEST_CASE("pitfall 14: a finished position has no move, and go infinite is answered after stop") {
    for (const std::string& position :
         {mated, stalemated, std::string{"8/8/8/4k3/8/8/8/4K3 w - - 0 1"}}) {
        Gui gui;
        gui.send_all({"position fen " + position, "go infinite"});
        gui.await("info"); // the search is over by then or soon
        CHECK(count_of(gui.settle(), "bestmove") == 0);
        gui.send("stop");
        gui.await("bestmove");
    }
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
    CHECK(holds(lines, "option name Selection type combo default interest var full var interest"));
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

TEST_CASE("pitfall 18: the same number of nodes again is searched again") {
    Gui gui;
    gui.ask("fen " + middle, "nodes 20000");
    const auto first = gui.last_told()[0].nodes;
    gui.ask("fen " + middle, "nodes 20000");
    CHECK(first == 20'000);
    CHECK(gui.last_told()[0].nodes == 20'000);
}

TEST_CASE("pitfall 19: castling as the GUI writes it") {
    const std::string both = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    Gui gui;
    CHECK(gui.ask("fen " + both, "depth 2 searchmoves e1g1") == "e1g1");
    CHECK(gui.ask("fen " + both, "depth 2 searchmoves e1h1") == "e1g1");
    CHECK(gui.ask("fen " + both + " moves e1g1", "depth 2 searchmoves e8c8") == "e8c8");
    gui.send("setoption name UCI_Chess960 value true");
    CHECK(gui.ask("fen " + both, "depth 2 searchmoves e1g1") == "e1h1");
    CHECK(gui.ask("fen " + both + " moves e1h1", "depth 2 searchmoves e8a8") == "e8a8");
    CHECK(gui.last_told()[0].pv[0] == "e8a8");
    // Where it cannot be written in the usual way it is not.
    gui.send("setoption name UCI_Chess960 value false");
    const std::string shuffled = "4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1";
    CHECK(gui.ask("fen " + shuffled, "depth 1 searchmoves e1g1") == "e1g1");
}

TEST_CASE("pitfall 20: an illegal move in the game is no other position") {
    Gui gui;
    CHECK(gui.ask("startpos moves e2e4 e7e5 e1e3", "depth 2") == "(none)");
    CHECK(holds(gui.heard(), "info string position: move 3: 'e1e3' is not legal"));
    CHECK(is_legal(start, gui.ask("startpos", "depth 2")));
}

TEST_CASE("pitfall 21: what was played counts, for repetition and for the clock") {
    Gui gui;
    // Black, a queen down, may repeat for the third time.
    const std::string lost = "6k1/5ppp/8/8/8/8/q7/7K w - - 10 40";
    const auto value = [&](const std::string& moves) {
        gui.send("ucinewgame");
        gui.ask("fen " + lost + moves, "depth 3 searchmoves h1g1");
        return gui.last_told()[0].value;
    };
    CHECK(value("") < -500);
    CHECK(value(" moves h1g1 g8f8 g1h1 f8g8 h1g1 g8f8 g1h1 f8g8") == 0);
    CHECK(value(" moves h1g1 g8f8 g1h1 f8g8") < -500); // once is no draw
    gui.ask("fen 7k/8/8/8/8/8/R7/1K6 w - - 99 90", "depth 3");
    CHECK(gui.last_told()[0].value == 0);
    gui.ask("fen 6k1/5ppp/8/8/8/8/8/4R2K w - - 99 90", "depth 3");
    CHECK(gui.last_told()[0].kind == "mate");
}

TEST_CASE("pitfall 22: a limit of nothing, of too much, or that cannot be read: the move comes") {
    Gui gui;
    for (const std::string go :
         {"depth 0", "nodes 0", "movetime 0", "depth -3", "nodes -1", "wtime 0 btime 0",
          "wtime -50", "mate 0", "mate -1", "btime 1000", "depth 1 nodes 99999999999999999999",
          "movetime -1", "depth 99999999999 movetime 20", "wtime 20 movestogo 0",
          "wtime 20 winc 99999999999999999"}) {
        CAPTURE(go);
        CHECK(is_legal(start, gui.ask("startpos", go)));
    }
    for (const std::string go : {"depth", "nodes abc", "winc 100", "movetime 99999999999999999999",
                                 "movestogo 5", "perft 3", "mate", "ponder depth"}) {
        CAPTURE(go);
        Gui other;
        other.send_all({"position startpos", "go " + go, "ponderhit"});
        CHECK(is_legal(start, move_of(other.await("bestmove"))));
        CHECK(holds(other.lines(), "info string go: "));
        CHECK(holds(other.lines(), "info string go: no limit is left; it is depth 1"));
    }
}

TEST_CASE("pitfall 23: searchmoves swallow nothing, and are honoured") {
    Gui gui;
    CHECK(gui.ask("startpos", "searchmoves a2a3 depth 3") == "a2a3");
    CHECK(gui.last_told()[0].depth == 3);
    CHECK(gui.ask("startpos", "depth 3 searchmoves h2h3 a2a3 h2h3") != "e2e4");
    gui.send("setoption name MultiPV value 5");
    gui.ask("startpos", "depth 2 searchmoves h2h3 a2a3");
    CHECK(gui.last_told().size() == 2);
    for (const Told& line : gui.last_told()) {
        CHECK((line.pv[0] == "h2h3" || line.pv[0] == "a2a3"));
    }
    // An illegal one is told; where no other was named all are searched.
    CHECK(gui.ask("startpos", "depth 2 searchmoves e2e5 a2a3") == "a2a3");
    CHECK(holds(gui.lines(), "info string searchmoves: "));
    CHECK(is_legal(start, gui.ask("startpos", "depth 2 searchmoves e2e5 xyz")));
}

TEST_CASE("pitfall 24: long games are read, and a line without an end is none") {
    Gui gui;
    std::string moves;
    for (int i = 0; i < 400; ++i) {
        moves += " g1f3 g8f6 f3g1 f6g8";
    }
    CHECK(is_legal(start, gui.ask("startpos moves" + moves, "depth 2")));
    gui.send("position startpos moves " + std::string(3 << 20, 'a'));
    CHECK(holds(gui.settle(), "longer than 1 MiB"));
    CHECK(is_legal(start, gui.ask("startpos", "depth 2")));
}

TEST_CASE("pitfall 25: blanks, tabs and line ends of any kind, bytes that are no text") {
    Gui gui;
    gui.send("  position \t startpos   moves  e2e4\t\r");
    gui.send("go\tdepth  2 \r");
    CHECK(is_legal("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
                   move_of(gui.await("bestmove"))));
    gui.send(std::string{"\xff\xfe\x00\x01 go", 7});
    gui.send("position startpos moves \xc3\x28");
    gui.send("setoption name \x1b[2J value \x07");
    for (const std::string& line : gui.settle()) {
        CHECK(std::ranges::all_of(line, [](char c) { return c >= ' ' || c < 0; }));
    }
}

TEST_CASE("pitfall 26: a score is exact unless the search was cut, and then it is a lower bound") {
    Gui gui;
    int bounds = 0;
    for (int nodes = 3'000; nodes < 60'000; nodes += 3'000) {
        gui.send("ucinewgame");
        const std::string best = gui.ask("fen " + middle, "nodes " + std::to_string(nodes));
        int depth = 0;
        for (const auto& line : gui.scored()) {
            if (line.bound.empty()) {
                CHECK(line.depth >= depth);
                depth = line.depth;
            } else {
                CHECK(line.bound == "lowerbound");
                CHECK(line.depth == depth + 1);
                ++bounds;
                // The whole iteration, which has no limit, finds no less.
                Gui other;
                other.ask("fen " + middle, "depth " + std::to_string(line.depth));
                CHECK(other.last_told()[0].value >= line.value);
            }
        }
        // The last line is about the move that is played.
        CHECK(gui.last_told()[0].pv[0] == best);
    }
    CHECK(bounds > 0);
}

TEST_CASE("pitfall 27: lines differ and are in order, in every block") {
    Gui gui;
    gui.send("setoption name MultiPV value 4");
    gui.ask("fen " + middle, "depth 4");
    std::vector<Told> block;
    int blocks = 0;
    for (const auto& line : gui.scored()) {
        CHECK(line.multipv == static_cast<int>(block.size()) + 1);
        block.push_back(line);
        if (block.size() == 4) {
            std::set<std::string> first;
            for (std::size_t i = 0; i < block.size(); ++i) {
                first.insert(block[i].pv.at(0));
                CHECK(block[i].depth == block[0].depth);
                CHECK((i == 0 || block[i].value <= block[i - 1].value));
            }
            CHECK(first.size() == 4);
            block.clear();
            ++blocks;
        }
    }
    CHECK(block.empty());
    CHECK(blocks == 4);
    // No more than there are, and none doubled where the search is cut.
    gui.ask("fen 7k/1R6/8/8/8/8/8/R6K b - - 0 1", "depth 3");
    CHECK(gui.last_told().size() == 1);
    for (int nodes = 500; nodes < 40'000; nodes += 1'700) {
        gui.send("ucinewgame");
        gui.ask("fen " + middle, "nodes " + std::to_string(nodes));
        std::set<std::string> first;
        for (const Told& line : gui.last_told()) {
            first.insert(line.pv.at(0));
        }
        CHECK(first.size() == gui.last_told().size());
    }
}

TEST_CASE("pitfall 28: a move that nothing was found out about is legal all the same") {
    Gui gui;
    for (int nodes = 1; nodes < 40; ++nodes) {
        CHECK(is_legal(middle, gui.ask("fen " + middle, "nodes " + std::to_string(nodes))));
    }
    for (int i = 0; i < 20; ++i) {
        gui.send_all({"position fen " + middle, "go infinite", "stop"});
        CHECK(is_legal(middle, move_of(gui.await("bestmove"))));
    }
}

TEST_CASE("pitfall 29: promotions in capitals are read, and written in small letters") {
    Gui gui;
    const std::string promotes = "8/P6k/8/8/8/8/8/K7 w - - 0 1";
    CHECK(gui.ask("fen " + promotes, "depth 3") == "a7a8q");
    CHECK(is_legal("N7/7k/8/8/8/8/8/K7 b - - 0 1",
                   gui.ask("fen " + promotes + " moves a7a8N", "depth 2")));
}

TEST_CASE("pitfall 30: mate counts moves, from the side to move") {
    Gui gui;
    gui.send("setoption name Selection value full"); // all moves to the depth that is asked for
    const auto score = [&](const std::string& position, const std::string& go) {
        gui.send("ucinewgame");
        gui.ask("fen " + position, go);
        const Told line = gui.last_told()[0];
        return line.kind + ' ' + std::to_string(line.value);
    };
    CHECK(score("6k1/5ppp/8/8/8/8/8/4R2K w - - 0 1", "depth 4") == "mate 1");
    CHECK(score("7k/8/8/8/8/8/1R6/R6K w - - 0 1", "depth 5") == "mate 2");
    CHECK(score("7k/1R6/8/8/8/8/8/R6K b - - 0 1", "depth 5") == "mate -1");
    const std::string three = "r1b1kb1r/pppp1ppp/5q2/4n3/3KP3/2N3PN/PPP4P/R1BQ1B1R b kq - 0 1";
    CHECK(score(three, "depth 5") == "mate 3");
    // "go mate" ends when it is found, and when it is known not to be there, whatever is selected.
    gui.send("setoption name Selection value interest");
    CHECK(score(three, "mate 3") == "mate 3");
    CHECK(gui.lines().back().starts_with("bestmove f8c5"));
    score(three, "mate 2");
    CHECK(gui.last_told()[0].kind == "cp");
    CHECK(gui.last_told()[0].depth == 3);
}

TEST_CASE("pitfall 32: lines are legal to their end, and end with the game") {
    Gui gui;
    gui.send("setoption name MultiPV value 3");
    for (const std::string& position :
         {start, middle, std::string{"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"},
          std::string{"7k/8/8/8/8/8/1R6/R6K w - - 0 1"},
          std::string{"6k1/6p1/8/7Q/8/8/qr6/7K w - - 0 1"},
          std::string{"8/8/8/8/8/p1k5/P7/1K6 b - - 90 60"}}) {
        gui.send(std::string{"setoption name Selection value "} +
                 (position == start ? "interest" : "full"));
        gui.ask("fen " + position, "nodes 60000");
        for (const auto& line : gui.scored()) {
            chess::Position at = *chess::Position::from_fen(position);
            REQUIRE(!line.pv.empty());
            for (const std::string& word : line.pv) {
                CHECK(at.halfmove_clock() < 100);
                const auto move = chess::parse_uci(at, word);
                REQUIRE(move);
                at.play(*move);
            }
        }
    }
}

TEST_CASE("pitfall 33: the same question to an engine that knows nothing has the same answer") {
    const auto without_times = [](const std::vector<std::string>& lines) {
        std::vector<std::string> texts;
        for (const std::string& line : lines) {
            if (line.starts_with("info time ")) { // each second that passes
                continue;
            }
            const auto one = told(line);
            texts.push_back(
                one ? line.substr(0, line.find(" nps ")) + line.substr(line.find(" pv ")) : line);
        }
        return texts;
    };
    for (const auto& [selection, quiescence] :
         {std::pair<std::string, std::string>{"full", "captures"}, {"interest", "consistency"}}) {
        const std::vector options{"setoption name Selection value " + selection,
                                  "setoption name Quiescence value " + quiescence};
        Gui gui;
        gui.send_all(options);
        gui.ask("fen " + middle, "nodes 50000");
        const auto first = without_times(gui.heard());
        gui.ask("startpos", "nodes 10000");
        gui.send("ucinewgame");
        gui.ask("fen " + middle, "nodes 50000");
        CHECK(without_times(gui.heard()) == first);
        gui.ask("startpos", "nodes 10000");
        gui.send("setoption name Clear Hash");
        gui.ask("fen " + middle, "nodes 50000");
        CHECK(without_times(gui.heard()) == first);
        Gui other;
        other.send_all(options);
        other.ask("fen " + middle, "nodes 50000");
        CHECK(without_times(other.heard()) == first);
    }
}
