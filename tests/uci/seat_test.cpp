// `adjourn uci` as the client of a server that has the store.
#include "gui.hpp"
#include "temporary_directory.hpp"

namespace {

match::PlayerSetup at_server(const std::filesystem::path& directory, const std::string& url) {
    return {"adjourn",
            {program_path().string(), "uci", "--server", url, "--config",
             (directory / "adjourn.toml").string()},
            {}};
}

std::size_t evaluations(const RunningServer& server) {
    return server.get("/health")["store"]["evaluations"];
}

const std::string known = "position startpos moves e2e4";

} // namespace

TEST_CASE("uci seat: beside a server it is its client: what is known is there at once, what is "
          "found is kept") {
    TemporaryDirectory directory;
    const auto config = write_config(directory.path(), 2, 5);
    RunningServer server{directory.path() / "data", config};
    {
        Gui gui{directory.path(), config};
        best_of(gui.say({known, "go depth 2"}), chess::Position::initial().after(*chess::parse_uci(
                                                    chess::Position::initial(), "e2e4")));
    }
    CHECK(evaluations(server) > 5);
    CHECK(server.get("/analyses")["analyses"].empty());
    CHECK(server.get("/health")["analyses"]["running"] == 0);
    // Another one, by the server's address.
    Gui other{at_server(directory.path(), "http://127.0.0.1:" + std::to_string(server.port()))};
    CHECK(says(other.say({known, "go infinite"}, "info depth"), " score "));
    other.say({"stop"});
    CHECK(server.interrupt() == 0);
}

TEST_CASE("uci seat: a server that dies in mid-search costs no game, and is found again") {
    TemporaryDirectory directory;
    const auto config = write_config(directory.path(), 2, 5);
    auto server = std::make_unique<RunningServer>(directory.path() / "data", config);
    Gui gui{directory.path(), config};
    const chess::Position start = chess::Position::initial();
    gui.say({"position startpos", "go movetime 2000"}, "info depth");
    server->kill();
    const auto began = match::Player::Clock::now();
    const auto heard = gui.say({""});
    best_of(heard, start);
    CHECK(match::Player::Clock::now() - began < std::chrono::seconds{4});
    CHECK_FALSE(says(heard, "any legal move"));
    CHECK(says(heard, "info string "));
    best_of(gui.say({"position startpos moves d2d4", "go movetime 200"}),
            start.after(*chess::parse_uci(start, "d2d4")));
    server = std::make_unique<RunningServer>(directory.path() / "data", config); // another port
    const auto again = gui.say({known, "go depth 2"});
    CHECK_FALSE(says(again, "any legal move"));
    CHECK(evaluations(*server) > 5);
}

TEST_CASE("uci seat: a server and a store of one's own are not both wanted") {
    for (const char* command : {"uci", "lichess"}) {
        const Finished finished =
            run_program({command, "--server", "http://127.0.0.1:1", "--data", "/tmp/none"});
        CHECK(finished.code == 2);
        CHECK(finished.errors.contains("excludes"));
    }
    CHECK(run_program({"uci", "--server", "nonsense"}).code == 2);
}
