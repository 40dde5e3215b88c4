// `adjourn uci` as a GUI has it: the real program, through pipes.
#include "core_fixture.hpp"
#include "gui.hpp"
#include "uci/deep_analysis.hpp"
#include "uci/search.hpp"

#include <semaphore>

namespace {

const chess::Position initial_position = chess::Position::initial();

// A config with one engine: a shell script that answers "go" and "stop" with these commands, in
// which $line is what the bridge said.
std::filesystem::path scripted(const std::filesystem::path& directory, const std::string& on_go,
                               const std::string& on_stop) {
    const auto script = directory / "engine.sh";
    std::ofstream{script} << R"sh(while read -r line; do
  case "$line" in
    uci) echo "id name Scripted"; echo "id author nobody"; echo uciok ;;
    isready) echo readyok ;;
    go*) )sh" << on_go << R"sh( ;;
    stop) )sh" << on_stop << R"sh( ;;
    quit) exit 0 ;;
  esac
done
)sh";
    const auto config = directory / "scripted.toml";
    std::ofstream{config} << "[[engine]]\nname = \"scripted\"\ncommand = [\"sh\", \""
                          << script.string() << "\"]\ncount = 1\n";
    return config;
}

bool is_info(const std::string& line) {
    return line.starts_with("info ") && !line.starts_with("info string");
}

// The last line with numbers before bestmove.
std::string last_info(const std::vector<std::string>& heard) {
    const auto found = std::find_if(heard.rbegin(), heard.rend(), is_info);
    return found == heard.rend() ? "" : *found;
}

// Begins the line of a position that something is known of.
constexpr const char* scored = "info depth 0 seldepth 3 multipv 1 score ";

// A search that never ends by itself.
constexpr const char* endless = R"(echo "info depth 7 score cp 31 nodes 50 pv d2d4 d7d5 c2c4")";

} // namespace

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
    // The depth of the longest search instead of the level.
    gui.say({"setoption name EngineDepth value true", "isready"}, "readyok");
    const auto nodes = gui.say({"position startpos", "go nodes 300000"});
    best_of(nodes, start);
    const int deep = std::stoi(after(nodes[nodes.size() - 2], "depth"));
    CHECK(deep > 2);
    const auto known = gui.say({"go depth " + std::to_string(deep)});
    CHECK(std::stoi(after(known[known.size() - 2], "depth")) >= deep); // the store has it
    const auto more = gui.say({"go depth " + std::to_string(deep + 1)});
    CHECK(std::stoi(after(more[more.size() - 2], "depth")) > deep);
    gui.say({"setoption name Strategy value anchored", "isready"}, "readyok");
    best_of(gui.say({"position startpos moves d2d4", "go nodes 20000"}),
            start.after(*chess::parse_uci(start, "d2d4")));
    best_of(gui.say({"position startpos", "go movetime 200"}), start);
    gui.say({"setoption name Strategy value halving", "isready"}, "readyok");
    best_of(gui.say({"position startpos", "go wtime 2000 btime 2000 winc 10 binc 10"}), start);
    best_of(gui.say({"position startpos", "go wtime 0 btime 0"}), start);
    best_of(gui.say({"position startpos", "go btime 1000"}), start); // White's is not told
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
    // Who uses the same directory costs no move.
    best_of(Gui{directory.path()}.say({"position startpos", "go depth 1"}), initial_position);
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

TEST_CASE("uci program: what is said through a pipe is answered, and its end is quit") {
    TemporaryDirectory directory;
    const std::string uci = program_path().string() + " uci --data " + directory.file("data") +
                            " --config " + write_config(directory.path(), 1, 5).string();
    const auto piped = [&](const std::string& said) {
        const Finished finished = run_command({"sh", "-c", "printf '" + said + "' | " + uci});
        CAPTURE(said, finished.output, finished.errors);
        CHECK(finished.code == 0);
        return finished.output;
    };
    CHECK(piped("isready\\nquit\\n") == "readyok\n");
    CHECK(piped("position startpos\\ngo infinite\\n").contains("bestmove "));
    CHECK(piped("go nodes 900000000000\\nquit\\n").contains("bestmove ")); // at once
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
    // A search with a limit is waited for.
    for (const auto& [go, counter, least, told] :
         {Piped{"nodes 20000", "nodes", 20'000}, Piped{"depth 1", "depth", 1},
          Piped{"movetime 3000", "time", 1'000}, Piped{"wtime 9000 btime 9000", "", 0},
          Piped{"depth", "depth", 1, true}, Piped{"ponder depth 1\\nponderhit", "depth", 1},
          Piped{"nodes abc", "depth", 1, true}}) {
        const std::string output =
            piped("isready\\nposition startpos moves e2e4\\ngo " + go + "\\n");
        CAPTURE(go, output);
        CHECK(output.contains("bestmove "));
        CHECK_FALSE(output.contains("any legal move is played"));
        CHECK((counter.empty() || last_of(output, counter) >= least));
        CHECK(output.contains("info string go: ") == told);
    }
    const Finished long_line =
        run_command({"sh", "-c",
                     "(echo position startpos; head -c 100000 /dev/zero | tr '\\0' x; printf "
                     "'\ngo depth 1\n'; sleep 0.2; echo quit) | " +
                         uci});
    CAPTURE(long_line.output);
    CHECK(long_line.output.find("info string a line of more than 64 KiB was left out") == 0);
    CHECK(long_line.output.contains("bestmove (none)"));
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

TEST_CASE("uci answers: a search that has not ended answers with what it has said") {
    TemporaryDirectory directory;
    Gui gui{directory.path(), scripted(directory.path(), endless, R"(echo "bestmove d2d4")")};
    const auto meanwhile = gui.say({"position startpos", "go infinite"}, scored);
    CHECK(says(meanwhile, " score cp 31 "));
    CHECK(says(meanwhile, " pv d2d4 d7d5 c2c4"));
    CHECK(gui.say({"stop"}).back() == "bestmove d2d4 ponder d7d5");
    // The engine's line, or what that has made known of the position: it depends on the machine.
    for (const std::string go : {"go movetime 60", "go wtime 4000 btime 4000", "go movetime -5",
                                 "go wtime 0 btime 0", "go btime 100"}) {
        INFO(go);
        const auto heard = gui.say({"position startpos", go});
        CHECK(heard.back().starts_with("bestmove d2d4"));
        CHECK(last_info(heard).find(" score cp 31 ") != std::string::npos);
        CHECK(last_info(heard).find(" pv d2d4") != std::string::npos);
    }
    // What was cut off is no evaluation.
    CHECK(storage::open_store(directory.path() / "data", storage::OpenMode::read)
              ->evaluation_count() == 0);
}

TEST_CASE("uci answers: an engine that says nothing is stopped, and its bestmove counts") {
    TemporaryDirectory directory;
    const auto asked = directory.path() / "asked";
    const auto config =
        load_config(scripted(directory.path(), ": >" + asked.string(), R"(echo "bestmove b1c3")"));
    REQUIRE(config);
    std::counting_semaphore news{0};
    uci::DeepAnalysis analysis{*config, {directory.path() / "data", ""}, [&] { news.release(); }};
    const uci::Settings settings{*config};
    const uci::Search search{
        uci::Game{}, std::get<uci::Go>(uci::parse("go infinite")), settings, 0, {}};
    analysis.begin(*search.request());
    const auto deadline = std::chrono::steady_clock::now() + gui_patience;
    while (!std::filesystem::exists(asked)) { // its search runs
        REQUIRE(std::chrono::steady_clock::now() < deadline);
        std::this_thread::sleep_for(std::chrono::milliseconds{5}); // between looks
    }
    CHECK_FALSE(analysis.latest().running);
    analysis.hurry();
    while (!analysis.latest().running) {
        REQUIRE(news.try_acquire_until(deadline));
    }
    CHECK(chess::to_uci(initial_position, analysis.latest().running->line.pv.front()) == "b1c3");
}

TEST_CASE("uci answers: a position that was refused is not answered from the one before") {
    TemporaryDirectory directory;
    Gui gui{directory.path()};
    best_of(gui.say({"position startpos", "go depth 1"}), initial_position);
    for (const std::string bad :
         {"position fen 8/8/8/8/8/8/8/8 w - - 0 1", "position startpos moves e2e5",
          "position startpos moves e2e4 e7e5 e2e4", "position nonsense", "position"}) {
        INFO(bad);
        const auto heard = gui.say({bad, "go depth 1"});
        CHECK(heard.back() == "bestmove (none)");
        CHECK(heard[heard.size() - 2].starts_with("info string position: "));
    }
    best_of(gui.say({"position startpos moves e2e4", "go depth 1"}),
            initial_position.after(*chess::parse_uci(initial_position, "e2e4")));
    // What is harmless is named and overlooked.
    const auto castling =
        gui.say({"position fen 4k3/8/8/8/8/8/4P3/4K3 w KQkq - 0 1", "go depth 1"});
    CHECK(says(castling, "info string position: castling: "));
    best_of(castling, *chess::Position::from_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"));
}

TEST_CASE("uci answers: without an engine what is stored is played, and it is said") {
    TemporaryDirectory directory;
    Gui{directory.path()}.say({"position startpos moves e2e4", "go depth 2"});
    const auto config = directory.path() / "none.toml";
    std::ofstream{config}
        << "[[engine]]\nname = \"other\"\ncommand = [\"/nowhere/engine\"]\ncount = 1\n";
    Gui gui{directory.path(), config};
    CHECK(says(gui.say({"ucinewgame", "isready"}, "readyok"), "info string other: "));
    const auto unknown = gui.say({"position startpos", "go depth 1"});
    best_of(unknown, initial_position);
    CHECK(says(unknown, "info string no engine: other: "));
    CHECK(says(unknown, "; any legal move is played"));
    const auto stored = gui.say({"position startpos moves e2e4", "go depth 1"});
    CHECK_FALSE(says(stored, "any legal move"));
    CHECK(last_info(stored).find(" score cp ") != std::string::npos);
}
