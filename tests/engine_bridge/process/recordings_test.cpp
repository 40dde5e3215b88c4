// What an engine said that few machines have, through the codec and the session. Those of Debian
// are asked themselves: dispatch/real_engines_test.cpp.
#include "chess/uci/command.hpp"
#include "engine_bridge/process/option_plan.hpp"
#include "talk.hpp"
#include "test.hpp"

using namespace adjourn::engine_bridge;
using Kind = adjourn::chess::Limit::Kind;

namespace {

struct Replayed {
    Identity identity;
    Result result;
    std::string last_info;
};

// Handshake and first search of a transcript: one line each way with a time ("  57.731 > go nodes
// 200000", "  59.493 < info depth 1 …", "  99.1 ! exit 0").
Replayed replay(const std::string& name) {
    std::ifstream file{"tests/data/recorded/" + name + ".log"};
    Talk talk;
    talk.session.start({});
    adjourn::chess::Position position = adjourn::chess::Position::initial();
    Identity identity;
    std::string last_info;
    for (std::string line; std::getline(file, line);) {
        const std::size_t mark = line.find_first_of("<>!");
        if (mark == line.npos) {
            continue;
        }
        const std::string text = line.substr(std::min(mark + 2, line.size()));
        if (line[mark] == '<') {
            last_info = text.starts_with("info depth") ? text : last_info;
            talk.say(text);
            if (text.starts_with("bestmove")) {
                return {identity, talk.result(), last_info};
            }
        } else if (text.starts_with("position")) {
            position =
                std::get<adjourn::chess::uci::Game>(adjourn::chess::uci::parse(text)).position;
        } else if (text.starts_with("go")) {
            identity = talk.identity();
            const auto go = std::get<adjourn::chess::uci::Go>(adjourn::chess::uci::parse(text));
            talk.go(position.fen(),
                    go.depth
                        ? adjourn::chess::Limit{Kind::depth, static_cast<std::uint64_t>(*go.depth)}
                        : adjourn::chess::Limit{Kind::nodes, go.nodes.value()});
        }
    }
    FAIL("no answer in " << name);
    std::abort();
}

} // namespace

TEST_CASE("pitfall 40: npm's Stockfish has one thread, keeps to its limit, and ends on a bound") {
    const Replayed chances = replay("stockfish-npm_wdl");
    CHECK(chances.identity.name == "Stockfish 19 WASM");
    CHECK(chances.identity.network == "nn-1a298aa575a0.nnue");
    CHECK_FALSE(takes_threads(chances.identity)); // its option has no other value than 1
    CHECK(chances.result->wdl.has_value());
    const Replayed counted = replay("stockfish-npm_det_startpos");
    CHECK(counted.last_info.find("lowerbound") != std::string::npos);
    CHECK(counted.result->bound == adjourn::chess::Bound::exact);
    CHECK(counted.result->nodes == 50'001);
}
