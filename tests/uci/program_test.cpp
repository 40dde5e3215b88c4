// `adjourn uci` as a GUI has it: the real program, through pipes.
#include "core_fixture.hpp"
#include "gui.hpp"

#include "core/engines/installed_engines.hpp"

TEST_CASE("uci program: depth, nodes and movetime each end in a legal move") {
    TemporaryDirectory directory;
    Gui gui{directory.path()};
    const chess::Position start = chess::Position::initial();
    const auto depth = gui.say({"position startpos", "go depth 2"});
    best_of(depth, start);
    REQUIRE(depth.size() > 1);
    CHECK(after(depth[depth.size() - 2], "depth") == "2");
    CHECK(says(depth, " score cp "));
    CHECK(says(depth, " pv "));
    best_of(gui.say({"position startpos", "go nodes 20000"}), start);
    best_of(gui.say({"position startpos", "go movetime 200"}), start);
    gui.say({"setoption name Strategy value anchored", "isready"}, "readyok");
    best_of(gui.say({"position startpos moves d2d4", "go nodes 20000"}),
            start.after(*chess::parse_uci(start, "d2d4")));
    best_of(gui.say({"position startpos", "go movetime 200"}), start);
    gui.say({"setoption name Strategy value halving", "isready"}, "readyok");
    best_of(gui.say({"position startpos", "go wtime 2000 btime 2000 winc 10 binc 10"}), start);
    best_of(gui.say({"position startpos", "go wtime 0 btime 0"}), start);
    best_of(gui.say({"position startpos", "go btime 1000"}), start); // White's is not told
}

TEST_CASE("uci program: the depth of the longest search is told instead of the level, and ends a "
          "search") {
    TemporaryDirectory directory;
    Gui gui{directory.path()};
    const chess::Position start = chess::Position::initial();
    gui.say({"setoption name EngineDepth value true", "isready"}, "readyok");
    const auto nodes = gui.say({"position startpos", "go nodes 300000"});
    best_of(nodes, start);
    const int deep = std::stoi(after(nodes[nodes.size() - 2], "depth"));
    CHECK(deep > 2);
    const auto known = gui.say({"go depth " + std::to_string(deep)});
    CHECK(std::stoi(after(known[known.size() - 2], "depth")) >= deep); // the store has it
    const auto more = gui.say({"go depth " + std::to_string(deep + 1)});
    CHECK(std::stoi(after(more[more.size() - 2], "depth")) > deep);
}

TEST_CASE("uci program: what was found is kept from program to program") {
    TemporaryDirectory directory;
    const std::vector<std::string> question{"setoption name EvaluationDepth value 6",
                                            "position startpos moves e2e4", "go depth 2"};
    const std::string first = Gui{directory.path()}.say(question).back();
    const auto log = directory.path() / "engine.log";
    const auto asked = std::filesystem::file_size(log);
    {
        Gui again{directory.path()};
        const auto heard = again.say(question);
        CHECK(heard.back() == first);
        CHECK(after(heard[heard.size() - 2], "nodes") == "0"); // nothing was asked anew
    }
    std::ifstream in{log};
    in.seekg(static_cast<std::streamoff>(asked));
    for (std::string line; std::getline(in, line);) {
        CHECK_FALSE(line.starts_with("go"));
    }
    CHECK(run_program({"check", "--data", (directory.path() / "data").string()}).code == 0);
    const auto store = storage::open_store(directory.path() / "data", storage::OpenMode::read);
    CHECK(store->analyses().empty()); // games leave evaluations, not analyses
    CHECK(store->evaluation_count() > 5);
}

TEST_CASE("uci program: engines are told of a new game") {
    TemporaryDirectory directory;
    Gui gui{directory.path()};
    const auto told = [&] {
        std::ifstream in{directory.path() / "engine.log"};
        int count = 0;
        for (std::string line; std::getline(in, line);) {
            count += line.starts_with("ucinewgame") ? 1 : 0;
        }
        return count;
    };
    const std::string limits = "setoption name EvaluationNodes value 100";
    gui.say({limits, "position startpos", "go nodes 2000"});
    gui.say({"position startpos moves e2e4", "go nodes 2000"});
    const int before = told();
    gui.say({"ucinewgame", "position startpos moves d2d4", "go nodes 2000"});
    CHECK(told() > before);
    const int after = told();
    gui.say({"position startpos moves d2d4 d7d5", "go nodes 2000"});
    CHECK(told() <= after + 1); // a second process may hear of it now
}

TEST_CASE("uci program: infinite and ponder wait for the GUI's word") {
    TemporaryDirectory directory;
    Gui gui{directory.path()};
    const chess::Position start = chess::Position::initial();
    // The analysis has long ended when "stop" comes; bestmove waits for it all the same.
    gui.say({"setoption name Refine value 1", "position startpos", "go infinite"}, "info depth 1");
    const auto ready = gui.say({"isready"}, "readyok");
    CHECK_FALSE(says(ready, "bestmove"));
    best_of(gui.say({"stop"}), start);
    gui.say({"setoption name Refine value 0", "go ponder wtime 1000 btime 1000"}, "info");
    CHECK_FALSE(says(gui.say({"isready"}, "readyok"), "bestmove"));
    best_of(gui.say({"ponderhit"}), start);
    gui.say({"go ponder wtime 1000 btime 1000"}, "info");
    best_of(gui.say({"stop"}), start);
    // At once, before anything can be known.
    best_of(gui.say({"go infinite", "stop"}), start);
    // A second go ends the first, and each has its answer.
    gui.say({"go infinite"}, "info");
    best_of(gui.say({"go movetime 50"}), start);
    best_of(gui.say({"isready"}, "bestmove"), start);
}

TEST_CASE("uci program: searchmoves, MultiPV, mate, and ends of games") {
    TemporaryDirectory directory;
    Gui gui{directory.path()};
    const chess::Position start = chess::Position::initial();
    const auto only = gui.say({"position startpos", "go searchmoves a2a3 h2h4 e2e5 depth 2"});
    const chess::Move best = best_of(only, start);
    CHECK((best == *chess::parse_uci(start, "a2a3") || best == *chess::parse_uci(start, "h2h4")));
    CHECK(says(only, "searchmoves: 'e2e5' is illegal"));
    const auto lines =
        gui.say({"setoption name MultiPV value 2", "setoption name MoveDistance value 100",
                 "position startpos", "go depth 1"});
    CHECK(says(lines, " multipv 2 "));

    const auto mated = gui.say({"position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "go depth 3"});
    CHECK(says(mated, "score mate 0"));
    CHECK(mated.back() == "bestmove (none)");
    const auto stalemated = gui.say({"position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "go depth 3"});
    CHECK(says(stalemated, "score cp 0"));
    CHECK(stalemated.back() == "bestmove (none)");
    const auto mate = gui.say({"position fen 7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "go mate 1"});
    CHECK(says(mate, "score mate 1"));
    CHECK(mate.back().starts_with("bestmove f1f8"));
    // Drawn by the rules, but a move is due.
    const auto dead = *chess::Position::from_fen("8/8/4k3/8/8/4K3/8/8 w - - 0 1");
    const auto drawn = gui.say({"position fen " + dead.fen(), "go movetime 10000"});
    best_of(drawn, dead);
    CHECK(says(drawn, "score cp 0"));
}

TEST_CASE(
    "uci program: a move that makes three of a position is worth 0, one that makes two is not") {
    TemporaryDirectory directory;
    Gui gui{directory.path()};
    // White, a queen up, has stood on g1 with Black to move and the king on h8.
    const std::string round = " f1g1 h8h7 g1f1 h7h8";
    const auto after = [&](const std::string& moves) {
        return gui.say({"setoption name EvaluationDepth value 4",
                        "position fen 7k/p7/8/8/8/8/P7/K4Q2 w - - 0 1 moves" + moves,
                        "go searchmoves f1g1 depth 1"});
    };
    const auto once = after(round);
    CHECK(once.back().starts_with("bestmove f1g1"));
    CHECK_FALSE(says(once, "score cp 0 "));
    const auto twice = after(round + round);
    CHECK(twice.back().starts_with("bestmove f1g1"));
    CHECK(says(twice, "score cp 0 "));
}

TEST_CASE("uci program: nonsense is borne, options are said when wrong") {
    TemporaryDirectory directory;
    Gui gui{directory.path()};
    const auto heard =
        gui.say({"", "hello world", std::string(100'000, 'x'), "\x01\x02\xff", "setoption",
                 "setoption name Nonsense value 1", "setoption name Workers value lots", "position",
                 "position fen 8/8/8/8/8/8/8/8 w - - 0 1", "position startpos moves e2e5", "stop",
                 "position startpos", "ponderhit", "register later", "debug on", "isready"},
                "readyok");
    CHECK(says(heard, "unknown command 'hello'"));
    CHECK(says(heard, "no option is named Nonsense"));
    CHECK(says(heard, "Workers: lots is not a whole number"));
    CHECK(says(heard, "'e2e5' is not legal"));
    CHECK_FALSE(says(heard, "bestmove"));
    best_of(gui.say({"go movetime 100"}), chess::Position::initial());
}

TEST_CASE("uci program: Chess960 in and out") {
    TemporaryDirectory directory;
    Gui gui{directory.path()};
    // Castling is the only move that keeps the rook: king on f1, rook on g1.
    const std::string fen = "1k6/8/8/8/8/8/PPPPP1PP/5KR1 w G - 0 1";
    const chess::Position at = *chess::Position::from_fen(fen);
    const auto castles = *chess::parse_uci(at, "f1g1");
    CHECK(castles.kind() == chess::MoveKind::castling);
    const auto heard = gui.say({"setoption name UCI_Chess960 value true", "position fen " + fen,
                                "go searchmoves f1g1 depth 1"});
    CHECK(heard.back().starts_with("bestmove f1g1"));
    const std::string standard = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    CHECK(gui.say({"position fen " + standard, "go searchmoves e1h1 depth 1"})
              .back()
              .starts_with("bestmove e1h1"));
    CHECK(gui.say({"setoption name UCI_Chess960 value false", "position fen " + standard,
                   "go searchmoves e1g1 depth 1"})
              .back()
              .starts_with("bestmove e1g1"));
}

TEST_CASE("uci program: Chess960 with Stockfish") {
    const auto stockfish = find_program("stockfish");
    REQUIRE(stockfish);
    TemporaryDirectory directory;
    const auto config = directory.path() / "adjourn.toml";
    std::ofstream{config} << "[[engine]]\nname = \"stockfish\"\ncommand = [\"" << *stockfish
                          << "\"]\ncount = 1\noptions = { Threads = 1, Hash = 16 }\n";
    Gui gui{match::PlayerSetup{"adjourn",
                               {program_path().string(), "uci", "--data",
                                (directory.path() / "data").string(), "--config", config.string()},
                               {{"UCI_Chess960", "true"}, {"EvaluationNodes", "2000"}}}};
    const std::vector<std::pair<std::string, std::vector<std::string>>> castlings{
        {"4rkr1/pppppppp/8/8/8/8/PPPPPPPP/4RKR1 w GEge - 0 1", {"f1g1", "f1e1"}},
        {"rk2r3/pppppppp/8/8/8/8/PPPPPPPP/RK2R3 b KQkq - 0 1", {"b8e8", "b8a8"}},
        {"r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1", {"e1h1", "e1a1"}}};
    for (const auto& [fen, moves] : castlings) {
        const chess::Position at = *chess::Position::from_fen(fen);
        for (const std::string& text : moves) {
            INFO(fen << " " << text);
            const auto castles = chess::parse_uci(at, text);
            REQUIRE(castles);
            REQUIRE(castles->kind() == chess::MoveKind::castling);
            const auto heard =
                gui.say({"position fen " + fen, "go searchmoves " + text + " depth 2"});
            CHECK(heard.back().starts_with("bestmove " + text));
            CHECK(says(heard, " pv " + text));
            // The move as played, and what follows it.
            const chess::Position next = at.after(*castles);
            best_of(gui.say({"position fen " + fen + " moves " + text, "go depth 1"}), next);
        }
    }
}

TEST_CASE("uci program: a data directory in use, and engines that cannot be had") {
    TemporaryDirectory directory;
    Gui owner{directory.path()};
    owner.say({"isready"}, "readyok");
    Gui guest{directory.path()};
    const auto heard = guest.say({"position startpos", "go depth 1"});
    best_of(heard, chess::Position::initial());

    TemporaryDirectory other;
    std::ofstream{other.path() / "none.toml"} << "[[engine]]\nname = \"none\"\ncommand = "
                                                 "[\"/nowhere/engine\"]\ncount = 1\n";
    Gui without{match::PlayerSetup{"adjourn",
                                   {program_path().string(), "uci", "--data",
                                    (other.path() / "data").string(), "--config",
                                    (other.path() / "none.toml").string()},
                                   {}}};
    const auto silence = without.say({"position startpos moves e2e4", "go depth 3"});
    CHECK(says(silence, "info string no engine: "));
    best_of(silence, chess::Position::initial().after(
                         *chess::parse_uci(chess::Position::initial(), "e2e4")));
}

TEST_CASE("uci program: the end of the input is quit, with the answer that is owed") {
    TemporaryDirectory directory;
    const auto config = write_config(directory.path(), 1, 5).string();
    const auto command = "printf 'uci\\nposition startpos\\ngo infinite\\n' | " +
                         program_path().string() + " uci --data " +
                         (directory.path() / "data").string() + " --config " + config;
    const Finished finished = run_command({"sh", "-c", command});
    CHECK(finished.code == 0);
    CHECK(finished.output.find("uciok\n") != std::string::npos);
    CHECK(finished.output.find("bestmove ") != std::string::npos);
    CHECK(finished.errors.empty());
}

TEST_CASE("uci program: the end of the input waits for a search with a limit") {
    TemporaryDirectory directory;
    const std::string uci = program_path().string() + " uci --data " + directory.file("data") +
                            " --config " + write_config(directory.path(), 1, 5).string();
    // What the last line before the move has of `name`. The first is of what was known before.
    const auto last_of = [](const std::string& output, const std::string& name) {
        const std::size_t at = output.find(" " + name + " ", output.rfind("info depth "));
        return at == std::string::npos ? -1 : std::stol(output.substr(at + name.size() + 2));
    };
    struct Piped {
        std::string go;
        std::string counter; // that has its limit then; "" where only the clock knows
        long least = 0;
        bool told = false;
    };
    for (const auto& [go, counter, least, told] :
         {Piped{"nodes 20000", "nodes", 20'000}, Piped{"depth 1", "depth", 1},
          Piped{"movetime 3000", "time", 1'000}, Piped{"wtime 9000 btime 9000", "", 0},
          Piped{"depth", "depth", 1, true}, Piped{"ponder depth 1\\nponderhit", "depth", 1},
          Piped{"nodes abc", "depth", 1, true}}) {
        const Finished finished = run_command(
            {"sh", "-c",
             "printf 'isready\\nposition startpos moves e2e4\\ngo " + go + "\\n' | " + uci});
        CAPTURE(go, finished.output, finished.errors);
        CHECK(finished.code == 0);
        CHECK(finished.output.find("bestmove ") != std::string::npos);
        CHECK(finished.output.find("any legal move is played") == std::string::npos);
        CHECK((counter.empty() || last_of(finished.output, counter) >= least));
        CHECK((finished.output.find("info string go: ") != std::string::npos) == told);
    }
}

TEST_CASE("uci program: quit ends a search with a limit at once") {
    TemporaryDirectory directory;
    const std::string uci = program_path().string() + " uci --data " + directory.file("data") +
                            " --config " + write_config(directory.path(), 1, 5).string();
    const Finished quit =
        run_command({"sh", "-c", "printf 'go nodes 900000000000\nquit\n' | " + uci});
    CHECK(quit.output.find("bestmove ") != std::string::npos);
}

TEST_CASE("uci program: readyok is said before quit, and no move for a line that was left out") {
    TemporaryDirectory directory;
    const auto config = write_config(directory.path(), 1, 1).string();
    const std::string uci =
        program_path().string() + " uci --data " + directory.file("data") + " --config " + config;
    const Finished piped = run_command({"sh", "-c", "printf 'isready\nquit\n' | " + uci});
    CHECK(piped.output == "readyok\n");
    const Finished long_line =
        run_command({"sh", "-c",
                     "(echo position startpos; head -c 100000 /dev/zero | tr '\\0' x; printf "
                     "'\ngo depth 1\n'; sleep 0.2; echo quit) | " +
                         uci});
    INFO(long_line.output);
    CHECK(long_line.output.find("info string a line of more than 64 KiB was left out") == 0);
    CHECK(long_line.output.find("bestmove (none)") != std::string::npos);
}

TEST_CASE("uci program: a short match without illegal move, flag or crash") {
    TemporaryDirectory directory;
    const auto config = write_config(directory.path(), 1, 2).string();
    const auto adjourn = [&](const char* data) {
        return program_path().string() + " uci --data " + (directory.path() / data).string() +
               " --config " + config;
    };
    // The moves end with a settled level and not by the clock, which no machine is too slow for.
    const Finished finished = run_command(
        {match_path().string(), "--first", adjourn("first"), "--second",
         hash_engine_path().string(), "--option1", "Refine=1", "--option1", "EvaluationNodes=1000",
         "--games", "2", "--tc", "6000+10", "--silence", "600", "--plies", "40"});
    INFO(finished.output << finished.errors);
    CHECK(finished.code == 0);
    CHECK(finished.output.find(" 0 faults") != std::string::npos);
}

TEST_CASE("uci program: without any directory to work in it says why, and plays by the rules") {
    TemporaryDirectory directory;
    Gui gui{match::PlayerSetup{"adjourn",
                               {"/usr/bin/env", "TMPDIR=/proc", program_path().string(), "uci",
                                "--data", "/proc/nowhere", "--config",
                                write_config(directory.path(), 1, 1).string()},
                               {}}};
    gui.say({"uci"}, "uciok");
    CHECK(says(gui.say({"isready"}, "readyok"), "nothing can be analysed"));
    best_of(gui.say({"position startpos", "go depth 2"}), chess::Position::initial());
    gui.player.send("go infinite");
    best_of(gui.say({"stop"}), chess::Position::initial());
}
