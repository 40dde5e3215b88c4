// What `adjourn uci` answers when its engines are slow, silent, absent or wrong at first: the real
// program on scripted engines.
#include "core_fixture.hpp"
#include "gui.hpp"
#include "uci/deep_analysis.hpp"
#include "uci/search.hpp"

#include "uci/front_end.hpp"

#include <sys/stat.h>
#include <unistd.h>

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

std::filesystem::path config_of(const std::filesystem::path& directory,
                                const std::string& command) {
    const auto config = directory / "other.toml";
    std::ofstream{config} << "[[engine]]\nname = \"other\"\ncommand = [" << command
                          << "]\ncount = 1\n";
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
        for (const std::string go : {"go depth 1", "go movetime 50", "go wtime 100 btime 100"}) {
            const auto heard = gui.say({bad, go});
            CHECK(heard.back() == "bestmove (none)");
            CHECK(heard[heard.size() - 2].starts_with("info string position: "));
        }
    }
    best_of(gui.say({"position startpos moves e2e4", "go depth 1"}),
            initial_position.after(*chess::parse_uci(initial_position, "e2e4")));
    // What is harmless is named and overlooked.
    const auto castling =
        gui.say({"position fen 4k3/8/8/8/8/8/4P3/4K3 w KQkq - 0 1", "go depth 1"});
    CHECK(says(castling, "info string position: castling: "));
    best_of(castling, *chess::Position::from_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"));
}

TEST_CASE("uci answers: go mate looks for the mate that was asked for") {
    TemporaryDirectory directory;
    // Only searches of more than 131,072 nodes see the mate in two. Of the other moves it says
    // nothing good.
    Gui gui{directory.path(), scripted(directory.path(),
                                       R"(case "$line" in
      *searchmoves*) set -- $line; echo "info depth 5 score cp -90 pv $5"; echo "bestmove $5" ;;
      "go nodes 131072") echo "info depth 9 score mate 19 pv a1a5"; echo "bestmove a1a5" ;;
      *) echo "info depth 12 score mate 2 pv a1a6"; echo "bestmove a1a6" ;;
    esac)",
                                       ":")};
    const std::string fen = "position fen kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";
    // The longer mate is in the store already. (`anchored` would have searched on and seen the
    // other.)
    gui.say({"setoption name Strategy value halving", "setoption name Refine value 1", fen,
             "go infinite"},
            "info depth 1");
    CHECK(gui.say({"stop"}).back() == "bestmove a1a5");
    const auto heard = gui.say({"setoption name Refine value 0", fen, "go mate 2"});
    CHECK(heard.back() == "bestmove a1a6");
    CHECK(last_info(heard).find(" score mate 2 ") != std::string::npos);
    CHECK(gui.say({fen, "go mate 2"}).back() == "bestmove a1a6");
}

TEST_CASE(
    "uci answers: without an engine what is stored is played, else a legal move, and it is said") {
    TemporaryDirectory directory;
    Gui{directory.path()}.say({"position startpos moves e2e4", "go depth 2"});
    std::string known; // by the largest search of all moves
    {
        const auto after = initial_position.after(*chess::parse_uci(initial_position, "e2e4"));
        const auto store = storage::open_store(directory.path() / "data", storage::OpenMode::read);
        int depth = -1;
        for (const analysis::Evaluation& fact : store->evaluations(after.packed())) {
            if (fact.question.excluded.empty() && fact.move && fact.depth > depth) {
                depth = fact.depth;
                known = "bestmove " + chess::to_uci(after, *fact.move);
            }
        }
    }
    REQUIRE(!known.empty());
    Gui gui{directory.path(), config_of(directory.path(), "\"/nowhere/engine\"")};
    const auto ready = gui.say({"ucinewgame", "isready"}, "readyok");
    CHECK(says(ready, "info string other: "));
    for (int game = 0; game < 2; ++game) {
        const auto heard = gui.say({"ucinewgame", "position startpos", "go depth 1"});
        best_of(heard, initial_position);
        CHECK(says(heard, "info string no engine: other: "));
        CHECK(says(heard, "; any legal move is played"));
    }
    const auto stored = gui.say({"position startpos moves e2e4", "go depth 1"});
    CHECK(stored.back().substr(0, known.size()) == known);
    CHECK(last_info(stored).find(" score cp ") != std::string::npos);
}

TEST_CASE("uci answers: readyok does not wait for ever for an engine that never says uciok") {
    TemporaryDirectory directory;
    std::array<int, 2> in{};
    std::array<int, 2> out{};
    REQUIRE(pipe(in.data()) == 0);
    REQUIRE(pipe(out.data()) == 0);
    Config config;
    config.engines.resize(1);
    config.engines[0].name = "mute";
    config.engines[0].command = {"cat"};
    uci::FrontEndOptions options{directory.path() / "data", in[0], out[1]};
    options.patience = std::chrono::milliseconds{50};
    std::thread front_end{[&] {
        uci::run_front_end(config, options);
        close(out[1]);
    }};
    const std::string talk = "isready\nposition startpos\ngo depth 3\n";
    CHECK(write(in[1], talk.data(), talk.size()) == static_cast<ssize_t>(talk.size()));
    std::string heard;
    for (char byte = 0;
         heard.find("bestmove") == std::string::npos && read(out[0], &byte, 1) == 1;) {
        heard += byte;
    }
    CHECK(heard.find("info string mute has been started but does not answer\nreadyok\n") !=
          std::string::npos);
    CHECK(heard.find("info string no engine: mute has been started but does not answer; any legal "
                     "move is played\n") != std::string::npos);
    close(in[1]);
    for (char byte = 0; read(out[0], &byte, 1) == 1;) {
        heard += byte;
    }
    CHECK(heard.find("bestmove ") != std::string::npos);
    CHECK(heard.find("bestmove (none)") == std::string::npos);
    front_end.join();
    close(in[0]);
    close(out[0]);
}

// The conversation that match managers hold with an engine they do not know yet. (Whether the
// engine has said a word by then depends on the machine.)
TEST_CASE("uci answers: short clocks on an empty store: a line with a score, then a legal move") {
    const std::string middle = "3r2k1/p5n1/1pq1p2p/2p3p1/2P1P1n1/1P1P2pP/PN1Q2K1/5R2 w - - 0 27";
    const std::string black = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    const chess::Position white_to_move = *chess::Position::from_fen(middle);
    const chess::Position black_to_move = *chess::Position::from_fen(black);
    TemporaryDirectory directory;
    for (const int answer_ms : {0, 30, 10'000}) {
        INFO("answers take " << answer_ms << " ms");
        Gui gui{directory.path(), answer_ms, "data" + std::to_string(answer_ms)};
        const auto answers = [&](const std::string& go, const chess::Position& at) {
            INFO(go);
            const auto heard = gui.say({go});
            best_of(heard, at);
            CHECK(last_info(heard).find(" score ") != std::string::npos);
            CHECK(last_info(heard).find(" pv ") != std::string::npos);
            CHECK(last_info(heard).find('.') == std::string::npos);
        };
        gui.say({"uci"}, "uciok");
        gui.say({"isready"}, "readyok");
        gui.say({"ucinewgame", "isready"}, "readyok");
        gui.say({"position startpos", "isready"}, "readyok");
        gui.say({"position fen " + middle, "isready"}, "readyok");
        answers("go wtime 100", white_to_move);
        gui.player.send("position fen " + black);
        answers("go btime 100", black_to_move);
        answers("go wtime 100 winc 100 btime 100 binc 100", black_to_move);
        answers("go btime 100 binc 100 wtime 100 winc 100", black_to_move);
        gui.say({"ucinewgame", "isready"}, "readyok");
        gui.player.send("position startpos");
        answers("go wtime 100 btime 100", initial_position);
        gui.player.send("position startpos moves e2e4 e7e5");
        const chess::Position open = *chess::Position::from_fen(
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
        answers("go wtime 100 btime 100", open);
    }
}
