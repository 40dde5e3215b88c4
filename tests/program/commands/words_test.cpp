// The command line: what is told about wrong words, where, and with which exit code.
#include "program.hpp"
#include "settled_tree.hpp"
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
    require_bad_use({"bogus"}, {"no command 'bogus'", "serve", "analyse", "import", "uci"});
    require_bad_use({"tables", "biuld"}, {"'tables biuld'; there are: build"});
    require_bad_use({"bench", "bogus"}, {"'bench bogus'", "perft"});
    require_bad_use({"bench", "perft", "--depth", "x"}, {"bench perft: '--depth'"});
    require_bad_use({"bench", "strategies", "--bogus"}, {"bench strategies: "});
    require_bad_use({}, {"needs a command", "analyse", "--help"});
    require_bad_use({"help", "bogus"}, {"no command 'bogus'"});
}

TEST_CASE("program: help is help, of the program and of a command") {
    const Finished whole = run_program({"--help"});
    CHECK(whole.code == 0);
    CHECK(has(whole.output, "analyse"));
    CHECK(run_program({"help"}).output == whole.output);
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
    refuse({"analyse", "startpos", "--bogus"}, {"--bogus"});
    refuse({"analyse", "startpos", "1. e4"}, {"1. e4"});
    refuse({"analyse", (directory.path() / "no.epd").string()}, {"there is no file"});
    refuse({"analyse", directory.path().string()}, {"is a directory"});
    CHECK_FALSE(std::filesystem::exists(data)); // nothing was begun
    refuse({"analyse", "1. e4 e5 2. Ke3"}, {"2. "});
    refuse({"analyse", "8/8/8/8/8/8/8/8 w - - 0 1"}, {"king"});
    refuse({"analyse", ""}, {});
    refuse({"analyse", "startpos", "--depth", "3", "--nodes", "3"}, {});
    // What only the server knows, in the words of the command line.
    refuse({"analyse", "startpos", "--set", "per_cp=0.1"},
           {"--set per_cp: anchored has no per_cp"});
    refuse({"analyse", "startpos", "--plan", "10001,10"}, {"--plan", "10000"});
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

TEST_CASE("program: a token is named with the command; whom the server asks for it is told where "
          "it goes") {
    TemporaryDirectory directory;
    const auto config = write_config(directory.path(), 1, 1);
    const auto data = directory.path() / "data", secret = directory.path() / "token";
    const std::vector<std::string> named{"--token-file", secret.string()};
    require_bad_use({"serve", "--data", data, named[0], named[1]}, {}); // there is none
    std::ofstream{secret} << "t\n";
    std::filesystem::permissions(secret, std::filesystem::perms::owner_read |
                                             std::filesystem::perms::owner_write);
    RunningServer server{data, config, "/dev/null", named};
    CHECK(server.request("GET", "/analyses").first == 401);
    server.show("t");
    CHECK(server.request("GET", "/analyses").first == 200);
    const Finished run =
        run_program({"export", "1", "--config", config.string(), "--data", data.string()});
    INFO(run.output << run.errors);
    CHECK(run.code == 2);
    CHECK(has(run.errors, "ADJOURN_TOKEN"));
}

TEST_CASE("program: export tells bad use from what is not there") {
    const Place place;
    CHECK(place.analyse("1. e4")["id"] == 1); // one object, and nothing else
    const Finished illegal = place.run({"export", "1", "--moves", "e2e5"});
    CHECK(illegal.code == 2);
    CHECK(illegal.output.empty());
    CHECK(has(illegal.errors, "--moves: "));
    CHECK(has(illegal.errors, "e2e5"));
    CHECK_FALSE(has(illegal.errors, "query."));
    const Finished absent = place.run({"export", "7"});
    CHECK(absent.code == 1);
    CHECK(has(absent.errors, "no analysis 7"));
    const std::string nowhere = place.directory.file("none/x.pgn");
    require_bad_use({"export", "1", "-o", nowhere, "--config", place.config, "--data", place.data},
                    {"--output: cannot write " + nowhere});
    const std::string file = place.directory.file("x.pgn");
    CHECK(place.run({"export", "1", "-o", file}).code == 0);
    CHECK(std::filesystem::file_size(file) > 0);
    CHECK(place.run({"export", "1", "-o", "-"}).output.starts_with("["));
}

TEST_CASE("program: a position is taken as text, from a file and from a pipe") {
    const Place place;
    const std::string fen = "3q1rk1/p4pp1/2pb3p/3p4/6Pr/1PNQ4/P1PB1PP1/4RRK1 b - - 0 1";
    const std::string epd = place.directory.file("suite.epd");
    std::ofstream{epd} << "# a suite\n" << fen.substr(0, fen.size() - 4) << " bm Bh2+; id \"1\";\n";
    for (const std::string& position : {fen, epd}) {
        INFO(position);
        const json result = place.analyse(position);
        CHECK(result["fen"] == fen);
        CHECK(result["id"] == 1); // the same analysis each time
    }
    const Finished piped =
        run_command({"sh", "-c",
                     "printf '1. e4 {best} e5 (1... c5) *' | \"$0\" analyse - --depth 5 --refine 1 "
                     "--json --config \"$1\" --data \"$2\"",
                     program_path().string(), place.config, place.data});
    INFO(piped.errors);
    REQUIRE(piped.code == 0);
    CHECK(has(json::parse(piped.output)["fen"], "4p3/4P3"));
}

using Catch::Contains;

TEST_CASE("program: all tables of three men by one command, which tells their number and size") {
    const TemporaryDirectory directory;
    const std::string at = directory.path() / "own";
    const Finished made = run_program({"tables", "build", "--men", "3", "--out", at});
    CHECK(made.code == 0);
    CHECK_THAT(made.output, Contains("KRvK.adt") && Contains("KQvK.adt") && Contains("KPvK.adt"));
    std::uintmax_t bytes = 0;
    for (const auto& entry : std::filesystem::directory_iterator{at}) {
        bytes += entry.file_size();
    }
    CHECK_THAT(made.output, Contains("3 tables, " + std::to_string(bytes) + " bytes, made in "));
}
