// The built-in engine beyond what all engines have to get right: its limits, its memory, its words.
#include "gui.hpp"

#include "search/engine/conversation.hpp"
#include "test.hpp"

using namespace adjourn::engine;
using namespace adjourn::engine::testing;

namespace {

std::int64_t milliseconds_of(Gui& gui, const std::string& go) {
    const auto from = std::chrono::steady_clock::now();
    CHECK(is_legal(middle, gui.ask("fen " + middle, go)));
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() -
                                                                 from)
        .count();
}

} // namespace

TEST_CASE("engine: a time for the move is used, and a clock is not used up") {
    Gui gui;
    CHECK(milliseconds_of(gui, "movetime 100") >= 70); // less the overhead
    gui.send("setoption name Move Overhead value 0");
    CHECK(milliseconds_of(gui, "movetime 100") >= 100);
    // Of a minute that 30 moves share, not half; whatever this machine does beside.
    CHECK(milliseconds_of(gui, "wtime 60000 btime 60000") < 30'000);
    gui.ask("fen 7k/1R6/8/8/8/8/8/R6K b - - 0 1", "wtime 600000 btime 600000");
    CHECK(gui.last_told()[0].nodes < 10'000); // the only move
}

TEST_CASE("engine: pondering holds the move back until ponderhit or stop") {
    Gui gui;
    gui.send_all({"position fen " + middle, "go ponder movetime 500"});
    while (!gui.await("info").starts_with("info time")) { // until a second has passed
    }
    for (const std::string& line : gui.settle()) {
        CHECK_FALSE(line.starts_with("bestmove"));
    }
    const auto hit = std::chrono::steady_clock::now(); // when the time begins
    gui.send("ponderhit");
    CHECK(is_legal(middle, move_of(gui.await("bestmove"))));
    CHECK(std::chrono::steady_clock::now() - hit > std::chrono::milliseconds{400});
    gui.send_all({"go ponder depth 1"});
    gui.await("info");
    for (const std::string& line : gui.settle()) {
        CHECK_FALSE(line.starts_with("bestmove"));
    }
    gui.send("stop");
    gui.await("bestmove");
}

TEST_CASE("engine: what it found is kept within a game, and forgotten for a new one") {
    const auto nodes_of = [](Gui& gui) {
        gui.ask("fen " + middle, "depth 5");
        return gui.last_told()[0].nodes;
    };
    Gui gui;
    const auto cold = nodes_of(gui);
    CHECK(nodes_of(gui) < cold / 2);
    gui.send("ucinewgame");
    CHECK(nodes_of(gui) == cold);
    // A mate is as far away as it is from here, not from where it was found.
    Gui full;
    full.send("setoption name Selection value full");
    full.ask("fen 7k/8/8/8/8/8/8/RR5K b - - 0 1", "depth 7");
    full.ask("fen 7k/8/8/8/8/8/1R6/R6K w - - 0 1", "depth 2 searchmoves b2b1");
    CHECK(full.last_told()[0].value == 4);
    gui.send("setoption name Hash value 8");
    CHECK(nodes_of(gui) > cold / 2);
}

TEST_CASE("engine: an info line has all that GUIs show") {
    Gui gui;
    gui.send("setoption name UCI_ShowWDL value true");
    gui.ask("fen " + middle, "nodes 30000");
    const std::string full = *std::ranges::find_if(
        gui.lines(), [](const std::string& line) { return told(line).has_value(); });
    for (const char* word : {" depth ", " seldepth ", " multipv 1 ", " score cp ", " wdl ",
                             " nodes ", " nps ", " hashfull ", " time ", " pv "}) {
        CAPTURE(word);
        CHECK(full.find(word) != std::string::npos);
    }
    const Told last = gui.last_told()[0];
    CHECK(last.wdl.at(0) + last.wdl.at(1) + last.wdl.at(2) == 1'000);
    CHECK(last.pv.size() > 1); // there is something to ponder
    CHECK(gui.lines().back().find(" ponder " + last.pv[1]) != std::string::npos);
}

TEST_CASE("engine: once nobody reads any more it ends") {
    std::istringstream in{"isready\ngo infinite\nisready\nisready\n"};
    std::ostringstream out;
    out.setstate(std::ios::badbit);
    converse(in, out);
    CHECK(out.str().empty());
}

TEST_CASE("engine: chances go with the score, and are certain at a mate") {
    double before = -1;
    for (int cp = -3'000; cp <= 3'000; cp += 50) {
        const chess::WinDrawLoss here = chances(chess::Score::cp(cp));
        CHECK(here.win + here.draw + here.loss == 1'000);
        CHECK(here.expected() >= before);
        CHECK(-here == chances(chess::Score::cp(-cp)));
        before = here.expected();
    }
    CHECK(chances(chess::Score::mate_in(5)) == chess::WinDrawLoss{1'000, 0, 0});
    CHECK(chances(chess::Score::mated_in(4)) == chess::WinDrawLoss{0, 0, 1'000});
}
