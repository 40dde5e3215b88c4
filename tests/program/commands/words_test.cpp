// The command line: what is told about wrong words, where, and with which exit code.
#include "program.hpp"

#include "temporary_directory.hpp"

namespace {

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

// Bad use: exit code 2, nothing on standard output, and the words on standard error.
void require_bad_use(const std::vector<std::string>& arguments,
                     const std::vector<std::string>& parts) {
    const Finished run = run_program(arguments);
    std::string command;
    for (const std::string& word : arguments) {
        command += word + " ";
    }
    INFO(command << "-> " << run.code << "\n" << run.output << "\n" << run.errors);
    CHECK(run.code == 2);
    CHECK(run.output.empty());
    for (const std::string& part : parts) {
        INFO(part);
        CHECK(has(run.errors, part));
    }
}

} // namespace

TEST_CASE("program: an unknown command is named with those that there are") {
    require_bad_use({"analyze", "startpos"}, {"'analyze'", "there are: ", "analyse"});
    require_bad_use({"bogus"}, {"no command 'bogus'", "serve", "analyse", "import", "uci"});
    require_bad_use({"tables", "biuld"}, {"'tables biuld'; there are: build"});
    require_bad_use({"bench", "bogus"}, {"'bench bogus'", "perft"});
    require_bad_use({}, {"needs a command", "analyse", "--help"});
    require_bad_use({"tables"}, {"adjourn tables needs a command: build"});
    require_bad_use({"help", "bogus"}, {"no command 'bogus'"});
}

TEST_CASE("program: help is help, of the program and of a command") {
    const Finished whole = run_program({"--help"});
    CHECK(whole.code == 0);
    CHECK(has(whole.output, "analyse"));
    CHECK(run_program({"help"}).output == whole.output);
    const Finished one = run_program({"help", "analyse"});
    CHECK(one.code == 0);
    CHECK(has(one.output, "--stop-lead"));
    CHECK(one.output == run_program({"analyse", "--help"}).output);
    CHECK(run_program({"help", "tables", "build"}).code == 0);
    const Finished bench = run_program({"help", "bench", "perft"});
    CHECK(bench.code == 0);
    CHECK(has(bench.output, "Usage: adjourn bench perft"));
}

TEST_CASE("program: wrong values are told in terms of the options, before anything begins") {
    TemporaryDirectory directory;
    const auto config = write_config(directory.path(), 1, 1).string();
    const auto data = (directory.path() / "data").string();
    const std::vector<std::string> places{"--config", config, "--data", data};
    const auto refuse = [&](std::vector<std::string> arguments,
                            const std::vector<std::string>& parts) {
        arguments.insert(arguments.end(), places.begin(), places.end());
        require_bad_use(arguments, parts);
    };
    for (const char* number : {"1e6", "-4", "0", "1.5", "4 ", "", "99999999999999999999"}) {
        refuse({"analyse", "startpos", "--nodes", number},
               {"--nodes: '" + std::string{number} +
                "' is not a whole number from 1 to 1000000000000"});
    }
    const std::string nowhere = (directory.path() / "none" / "x.pgn").string();
    refuse({"analyse", "startpos", "--pgn", nowhere}, {"--pgn: cannot write " + nowhere});
    refuse({"analyse", "startpos", "--pgn", directory.path().string()}, {"is a directory"});
    refuse({"analyse", "startpos", "--strategy", "dropout", "--set", "foo=1"},
           {"--set", "no number 'foo'", "per_cp"});
    refuse({"analyse", "startpos", "--strategy", "dropout", "--set", "per_cp=much"},
           {"--set", "per_cp is from 0", "'much'"});
    refuse({"analyse", "startpos", "--strategy", "interest"}, {"--strategy", "halving", "uniform"});
    refuse({"analyse", "startpos", "--set", "nothing"}, {"NAME=VALUE"});
    refuse({"analyse", "startpos", "--floor-sigma", "10.5"}, {"--floor-sigma", "10.5"});
    refuse({"analyse", "startpos", "--depth", "0"}, {"--depth"});
    refuse({"analyse", "startpos", "--refine", "-1"}, {"--refine"});
    refuse({"analyse", "startpos", "--bogus"}, {"--bogus"});
    refuse({"analyse", "startpos", "1. e4"}, {"1. e4"});
    refuse({"analyse", (directory.path() / "no.epd").string()}, {"there is no file"});
    refuse({"analyse", directory.path().string()}, {"is a directory"});
    refuse({"analyse", "games/unknown"}, {"there is no file games/unknown"});
    CHECK_FALSE(std::filesystem::exists(data)); // nothing was begun
    // What only the server knows, in the words of the command line.
    refuse({"analyse", "startpos", "--set", "per_cp=0.1"},
           {"--set per_cp: anchored has no per_cp"});
    refuse({"analyse", "startpos", "--plan", "10001,10"}, {"--plan", "10000"});
}

TEST_CASE("program: a reproducible engine has one process, also by the command line") {
    TemporaryDirectory directory;
    const auto config = write_config(directory.path(), 1, 1, EngineKind::reproducible).string();
    const auto data = directory.path() / "data";
    const std::vector<std::string> parts{
        "--engines 2: engine 'hash' with reproducible = true has one process"};
    require_bad_use({"serve", "--engines", "2", "--config", config, "--data", data.string()},
                    parts);
    require_bad_use(
        {"worker", "--engines", "2", "--config", config, "--server", "http://127.0.0.1:1"}, parts);
    CHECK_FALSE(std::filesystem::exists(data));
}

TEST_CASE("program: an empty name is not the usual place, and a result that nobody gets is none") {
    for (const std::vector<std::string>& words : {std::vector<std::string>{"check", "--data", ""},
                                                  {"backup", "x.db", "--data="},
                                                  {"serve", "--config", ""},
                                                  {"collection", "list", "--data", ""},
                                                  {"export", "0"},
                                                  {"export", "99999999999999999999"}}) {
        const Finished refused = run_program(words);
        INFO(words.front() << ": " << refused.errors);
        CHECK(refused.code == 2);
    }
    const Finished lost =
        run_command({"sh", "-c", program_path().string() + " --version > /dev/full"});
    CHECK(lost.code == 1);
    CHECK(lost.errors.find("cannot write to standard output") != std::string::npos);
}

TEST_CASE("program: a single position is told in the singular") {
    TemporaryDirectory directory;
    const auto config = write_config(directory.path(), 1, 1).string();
    const auto data = (directory.path() / "data").string();
    const Finished run = run_program({"analyse", "1. e4", "--strategy", "halving", "--depth", "6",
                                      "--refine", "1", "--config", config, "--data", data});
    INFO(run.output << run.errors);
    CHECK(has(run.output, "settled to depth 1: 1 position; evaluations: "));
    CHECK(has(run.errors, "  1 position  "));
}

TEST_CASE("program: whom the server asks for its token is told where to put it") {
    TemporaryDirectory directory;
    const auto config = write_config(directory.path(), 1, 1);
    std::ifstream in{config};
    const std::string engines{std::istreambuf_iterator<char>{in}, {}};
    std::ofstream{config} << "token = \"t\"\n" << engines;
    const RunningServer server{directory.path() / "data", config};
    const Finished run = run_program({"export", "1", "--config", config.string(), "--data",
                                      (directory.path() / "data").string()});
    INFO(run.output << run.errors);
    CHECK(run.code == 2);
    CHECK(has(run.errors, "ADJOURN_TOKEN"));
}

TEST_CASE("program: export tells bad use from what is not there") {
    TemporaryDirectory directory;
    const auto config = write_config(directory.path(), 1, 1).string();
    const auto data = (directory.path() / "data").string();
    const std::vector<std::string> places{"--config", config, "--data", data};
    const auto with_places = [&](std::vector<std::string> arguments) {
        arguments.insert(arguments.end(), places.begin(), places.end());
        return arguments;
    };
    const Finished made =
        run_program(with_places({"analyse", "1. e4", "--depth", "6", "--refine", "1", "--json"}));
    INFO(made.errors);
    REQUIRE(made.code == 0);
    CHECK(json::parse(made.output)["id"] == 1); // one object, and nothing else
    const Finished illegal = run_program(with_places({"export", "1", "--moves", "e2e5"}));
    CHECK(illegal.code == 2);
    CHECK(illegal.output.empty());
    CHECK(has(illegal.errors, "--moves: "));
    CHECK(has(illegal.errors, "e2e5"));
    CHECK_FALSE(has(illegal.errors, "query."));
    const Finished absent = run_program(with_places({"export", "7"}));
    CHECK(absent.code == 1);
    CHECK(has(absent.errors, "no analysis 7"));
    const std::string nowhere = (directory.path() / "none" / "x.pgn").string();
    require_bad_use(with_places({"export", "1", "-o", nowhere}),
                    {"--output: cannot write " + nowhere});
    const std::string file = (directory.path() / "x.pgn").string();
    CHECK(run_program(with_places({"export", "1", "-o", file})).code == 0);
    CHECK(std::filesystem::file_size(file) > 0);
    CHECK(run_program(with_places({"export", "1", "-o", "-"})).output.starts_with("["));
}

TEST_CASE("program: a position is taken as text, from a file and from a pipe") {
    TemporaryDirectory directory;
    const auto config = write_config(directory.path(), 1, 1).string();
    const auto data = (directory.path() / "data").string();
    const std::string fen = "3q1rk1/p4pp1/2pb3p/3p4/6Pr/1PNQ4/P1PB1PP1/4RRK1 b - - 0 1";
    const auto epd = directory.path() / "suite.epd";
    std::ofstream{epd} << "# a suite\n" << fen.substr(0, fen.size() - 4) << " bm Bh2+; id \"1\";\n";
    for (const std::string& position :
         {fen, "position fen " + fen, epd.string(), fen.substr(0, fen.size() - 4) + " bm Bh2+;"}) {
        INFO(position);
        const Finished run = run_program({"analyse", position, "--depth", "5", "--refine", "1",
                                          "--json", "--config", config, "--data", data});
        INFO(run.errors);
        REQUIRE(run.code == 0);
        CHECK(json::parse(run.output)["fen"] == fen);
        CHECK(json::parse(run.output)["id"] == 1); // the same analysis each time
    }
    const Finished piped =
        run_command({"sh", "-c",
                     "printf '1. e4 {best} e5 (1... c5) *' | \"$0\" analyse - --depth 5 --refine 1 "
                     "--json --config \"$1\" --data \"$2\"",
                     program_path().string(), config, data});
    INFO(piped.errors);
    REQUIRE(piped.code == 0);
    CHECK(has(json::parse(piped.output)["fen"], "4p3/4P3"));
}

TEST_CASE("program: serve says where a token is set before it lets other machines in") {
    TemporaryDirectory directory;
    const auto config = write_config(directory.path(), 1, 1).string();
    const Finished run = run_program({"serve", "--listen", "0.0.0.0:0", "--config", config,
                                      "--data", (directory.path() / "data").string()});
    CHECK(run.code != 0);
    CHECK(has(run.errors, "token = "));
    CHECK(has(run.errors, "config file"));
}

TEST_CASE("program: a benchmark's bad use is told on standard error") {
    require_bad_use({"bench", "graph", "--bogus"}, {"bench graph: '--bogus' is unknown"});
    require_bad_use({"bench", "perft", "--depth", "x"}, {"bench perft: '--depth'"});
    require_bad_use({"bench", "strategies", "--bogus"}, {"bench strategies: "});
    require_bad_use({"bench", "pgn", "/nonexistent.pgn"}, {"bench pgn: "});
}
