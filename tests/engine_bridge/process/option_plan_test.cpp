#include "engine_bridge/process/option_plan.hpp"
#include "test.hpp"

using namespace adjourn::engine_bridge;

namespace {

std::vector<uci::Option> declare(std::initializer_list<const char*> lines) {
    std::vector<uci::Option> options;
    for (const char* const line : lines) {
        options.push_back(std::get<uci::Option>(uci::parse(std::string{"option name "} + line)));
    }
    return options;
}

const std::vector<uci::Option> stockfish =
    declare({"Debug Log File type string default", "Threads type spin default 1 min 1 max 1024",
             "Hash type spin default 16 min 1 max 33554432", "Clear Hash type button",
             "Ponder type check default false", "MultiPV type spin default 1 min 1 max 500",
             "Move Overhead type spin default 10 min 0 max 5000",
             "UCI_Chess960 type check default false", "SyzygyPath type string default <empty>",
             "EvalFile type string default nn-ad9b42354671.nnue"});

const std::vector<uci::Option> glaurung =
    declare({"King Safety Curve type combo default Quadratic var Quadratic var Linear",
             "Hash type spin default 32 min 4 max 4096", "Threads type spin default 2 min 1 max 8",
             "Ponder type check default true", "OwnBook type check default true",
             "UCI_Chess960 type check default false"});

const std::vector<uci::Option> toga =
    declare({"Hash type spin default 128 min 4 max 1024", "OwnBook type check default true",
             "Number of Threads type spin default 1 min 1 max 16"});

using Commands = std::vector<std::string>;

} // namespace

TEST_CASE("pitfall 17: Threads before Hash, differences only") {
    const auto plan = plan_options({{"Hash", "64"}, {"Threads", "2"}, {"MultiPV", "1"}}, stockfish);
    REQUIRE(plan);
    CHECK(plan->commands == Commands{"setoption name Threads value 2",
                                     "setoption name Hash value 64",
                                     "setoption name UCI_Chess960 value true"});
}

TEST_CASE("names are found without regard to case and sent as the engine writes them") {
    const auto plan = plan_options({{"hash", "64"}, {"syzygypath", "/tb"}}, stockfish);
    REQUIRE(plan);
    CHECK(plan->commands == Commands{"setoption name Hash value 64",
                                     "setoption name UCI_Chess960 value true",
                                     "setoption name SyzygyPath value /tb"});
}

TEST_CASE("wishes are set where the engine has them and takes the value, else left out") {
    const auto plan = plan_options({{"Threads", "1"}}, toga,
                                   {{"hash", "64"}, {"SyzygyPath", "/tb"}, {"MultiPV", "3"}});
    REQUIRE(plan);
    CHECK(std::ranges::find(plan->commands, "setoption name Hash value 64") !=
          plan->commands.end());
    CHECK(plan->options.at("Hash") == "64");
    CHECK_FALSE(plan->options.contains("SyzygyPath"));
    const auto too_much = plan_options({}, toga, {{"Hash", "4096"}});
    REQUIRE(too_much);
    CHECK(too_much->options.at("Hash") == "128");
}

TEST_CASE("pitfall 19: UCI_Chess960 is set wherever the engine has it") {
    CHECK(plan_options({}, stockfish)->chess960);
    CHECK_FALSE(plan_options({}, toga)->chess960);
    CHECK(plan_options({}, declare({"UCI_Chess960 type check default true"}))->chess960);
    CHECK(plan_options({}, declare({"UCI_Chess960 type check default true"}))->commands.empty());
}

TEST_CASE(
    "chances are asked for wherever they are told, which changes nothing of who the engine is") {
    const auto options =
        declare({"Hash type spin default 16 min 1 max 64", "UCI_ShowWDL type check default false"});
    const auto plan = plan_options({}, options);
    REQUIRE(plan);
    CHECK(plan->commands == Commands{"setoption name UCI_ShowWDL value true"});
    CHECK(plan->options == plan_options({{"UCI_ShowWDL", "false"}}, options)->options);
    CHECK(plan_options({{"UCI_ShowWDL", "false"}}, options)->commands.empty());
}

TEST_CASE("one thread and no book unless the profile says otherwise") {
    CHECK(plan_options({}, glaurung)->commands ==
          Commands{"setoption name Threads value 1", "setoption name Ponder value false",
                   "setoption name OwnBook value false", "setoption name UCI_Chess960 value true"});
    CHECK(plan_options({{"OwnBook", "true"}, {"Threads", "2"}}, glaurung)->commands ==
          Commands{"setoption name Ponder value false", "setoption name UCI_Chess960 value true"});
    CHECK(
        plan_options({{"Number of Threads", "4"}}, toga)->commands ==
        Commands{"setoption name Number of Threads value 4", "setoption name OwnBook value false"});
}

TEST_CASE("Threads = 1 asks nothing of an engine without threads") {
    CHECK(plan_options({{"Threads", "1"}}, toga));
    CHECK(plan_options({{"Threads", "2"}}, toga).error() == "the engine has no option Threads");
}

TEST_CASE("options that are refused, with the reason") {
    const auto error = [](std::map<std::string, std::string> wanted,
                          const std::vector<uci::Option>& declared = stockfish) {
        const auto plan = plan_options(wanted, declared);
        return plan ? std::string{"accepted"} : plan.error();
    };
    CHECK(error({{"Contempt", "20"}}) == "the engine has no option Contempt");
    CHECK(error({{"Hash", "0"}}) == "option Hash = 0: the engine takes 1 to 33554432");
    CHECK(error({{"Hash", "64MB"}}) == "option Hash = 64MB: not a whole number");
    CHECK(error({{"Hash", ""}}) == "option Hash = : not a whole number");
    CHECK(error({{"OwnBook", "yes"}}, toga) == "option OwnBook = yes: only true or false");
    CHECK(error({{"King Safety Curve", "Cubic"}}, glaurung) ==
          "option King Safety Curve = Cubic: the engine knows Quadratic, Linear");
    CHECK(error({{"Clear Hash", "now"}}) == "option Clear Hash = now: a button takes no value");
    CHECK(error({{"UCI_Chess960", "false"}}) ==
          "option UCI_Chess960 is always set by Adjourn itself");
    CHECK(error({{"MultiPV", "4"}}) ==
          "option MultiPV must be 1: alternatives are searched one by one");
    CHECK(error({{"ponder", "true"}}) ==
          "option Ponder must be false: there is no opponent whose time could be used");
    CHECK(error({{"UCI_Variant", "atomic"}}) == "option UCI_Variant must be chess");
    CHECK(error({{"Protocol", "xboard"}}) == "option Protocol must be uci");
    CHECK(error({{"SyzygyPath", "/tb\nquit"}}) ==
          "option SyzygyPath: control characters are not allowed");
}

TEST_CASE("a button is pressed on request") {
    CHECK(plan_options({{"Clear Hash", ""}}, stockfish)->commands.back() ==
          "setoption name UCI_Chess960 value true");
    CHECK(plan_options({{"Clear Hash", ""}}, stockfish)->commands.front() ==
          "setoption name Clear Hash");
}

TEST_CASE("pitfall 31: the identity holds every option that can change answers") {
    const auto plan = plan_options({{"Hash", "64"}, {"Move Overhead", "50"}}, stockfish);
    REQUIRE(plan);
    CHECK(plan->options == std::map<std::string, std::string>{{"EvalFile", "nn-ad9b42354671.nnue"},
                                                              {"Hash", "64"},
                                                              {"MultiPV", "1"},
                                                              {"SyzygyPath", ""},
                                                              {"Threads", "1"}});
    CHECK(plan->network == "nn-ad9b42354671.nnue");
    CHECK(plan_options({}, toga)->network.empty());
    CHECK(plan_options({}, toga)->options.at("OwnBook") == "false");
}
