// The parts of the front end that know neither clock nor process: time, options, input.
#include "test.hpp"
#include "uci/front_end.hpp"
#include "uci/search.hpp"
#include "uci/settings.hpp"

#include <unistd.h>

#include <bit>

using namespace adjourn::server;
using namespace adjourn::server::uci;
using std::chrono::milliseconds;

TEST_CASE("uci time: nodes of an evaluation are a power of two that fits") {
    for (const std::int64_t ms : {1, 10, 100, 1'000, 100'000}) {
        const std::uint64_t nodes = evaluation_nodes(milliseconds{ms}, 1'000'000, 8);
        CHECK(std::has_single_bit(nodes));
        CHECK(nodes >= least_evaluation_nodes);
        CHECK(nodes <= most_evaluation_nodes);
    }
    CHECK(evaluation_nodes(milliseconds{1'000}, 1'000'000, 8) == 65'536);
    CHECK(evaluation_nodes(milliseconds{100}, 500'000, 8) == 4'096);
}

TEST_CASE("uci settings: declared as they can be set, and refused beyond") {
    Config config;
    config.engines.resize(2);
    config.engines[0].name = "Stockfish one";
    config.engines[0].count = 3;
    config.engines[0].options = {{"Hash", "64"}, {"Contempt", "0"}};
    config.engines[1].name = "lc0";
    Settings settings{config};
    const auto lines = settings.declaration();
    const auto declares = [&](const std::string& line) {
        return std::find(lines.begin(), lines.end(), line) != lines.end();
    };
    CHECK(declares("option name EngineProfile type combo default Stockfish one var Stockfish one "
                   "var lc0"));
    CHECK(declares("option name Workers type spin default 3 min 1 max 1024"));
    CHECK(declares("option name Hash type spin default 64 min 1 max 33554432"));
    CHECK(declares("option name UCI_Chess960 type check default false"));
    CHECK(declares("option name EngineDepth type check default false"));
    CHECK(declares("option name SyzygyPath type string default <empty>"));

    CHECK(settings.profile().wishes.empty());
    CHECK(settings.profile().count == 3);
    CHECK(settings.set("hash", "128"));
    CHECK(settings.set("Workers", "2"));
    CHECK(settings.set("UCI_Chess960", "true"));
    CHECK(settings.set("Move Overhead", "100"));
    CHECK(settings.set("SyzygyPath", "/tables here"));
    CHECK(settings.chess960);
    CHECK(settings.move_overhead == milliseconds{100});
    const engine_bridge::Profile profile = settings.profile();
    CHECK(profile.count == 2);
    CHECK(profile.options == std::map<std::string, std::string>{{"Contempt", "0"}});
    CHECK(profile.wishes ==
          std::map<std::string, std::string>{{"Hash", "128"}, {"SyzygyPath", "/tables here"}});
    CHECK(settings.set("EngineProfile", "LC0"));
    CHECK(settings.profile().name == "lc0");

    CHECK(settings.set("Workers", "0").error() ==
          "option Workers: 0 is not a whole number from 1 to 1024");
    CHECK_FALSE(settings.set("MultiPV", "many"));
    CHECK_FALSE(settings.set("UCI_Chess960", "yes"));
    CHECK_FALSE(settings.set("EngineProfile", "fritz"));
    CHECK(settings.set("Nonsense", "1").error() == "no option is named Nonsense");
    CHECK(settings.profile().count == 2);
}

TEST_CASE("uci input: its end is told, and a wish to stop is heard after it") {
    std::array<int, 2> input{}, stop{};
    REQUIRE(pipe(input.data()) == 0);
    REQUIRE(pipe(stop.data()) == 0);
    const std::string text = "isready\ngo depth 1"; // without a last line end
    REQUIRE(write(input[1], text.data(), text.size()) == static_cast<ssize_t>(text.size()));
    close(input[1]);
    InputQueue queue;
    {
        const Reader reader{input[0], stop[0], queue};
        CHECK(queue.wait_until({})->text == "isready");
        CHECK(queue.wait_until({})->text == "go depth 1");
        CHECK(queue.wait_until({})->kind == InputQueue::Line::Kind::end);
        REQUIRE(write(stop[1], "x", 1) == 1);
        CHECK(queue.wait_until({})->text == "quit");
    }
    for (const int end : {input[0], stop[0], stop[1]}) {
        close(end);
    }
}
