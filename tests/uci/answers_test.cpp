// What `adjourn uci` answers when its engines are slow, silent, absent or wrong at first: the real
// program on scripted engines.
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
