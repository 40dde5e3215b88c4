// Debian's engines and npm's Stockfish, for real, where they are installed.
#include "pool_run.hpp"
#include "shared_data.hpp"
#include "talk.hpp"
#include "test.hpp"

#include <unistd.h>

#include <cstdlib>

using namespace adjourn::engine_bridge;
using ProcessState = ProcessStatus::State;
using Kind = adjourn::chess::Limit::Kind;

namespace {

struct RealEngine {
    std::string name;
    std::vector<std::string> command;
    std::string id;
    std::map<std::string, std::string> options;
    bool chess960;
    bool searchmoves;
};

// docs/operate/engines.md has the same line.
std::string npm_script() {
    const char* const home = std::getenv("HOME");
    const std::string package = "/node_modules/stockfish/bin/stockfish-19-single.js";
    for (const char* const root : {"/usr/lib", "/usr/local/lib"}) {
        if (::access((root + package).c_str(), R_OK) == 0) {
            return root + package;
        }
    }
    return (home != nullptr ? home : "") + package;
}

const std::vector<RealEngine> engines{
    {"stockfish", {"/usr/games/stockfish"}, "Stockfish", {{"Threads", "1"}}, true, true},
    {"fairy-stockfish",
     {"/usr/games/fairy-stockfish"},
     "Fairy-Stockfish 11.1 LB 64",
     {{"Threads", "1"}},
     true,
     true},
    {"ethereal", {"/usr/games/ethereal-chess"}, "Ethereal 12.00", {}, true, false},
    {"gnuchess",
     {"/usr/games/gnuchess", "--uci"},
     "GNU Chess 6.2.7",
     {{"Threads", "1"}},
     false,
     false},
    {"toga2", {"/usr/games/toga2"}, "Toga II 3.0", {}, false, false},
    {"glaurung", {"/usr/games/glaurung"}, "Glaurung 2.2", {}, true, true},
    {"stockfish-npm", {"node", npm_script()}, "Stockfish 19 WASM", {{"Threads", "1"}}, true, true},
};

bool installed(const RealEngine& engine) {
    const std::string& file = engine.command[engine.name == "stockfish-npm" ? 1 : 0];
    if (::access(file.c_str(), R_OK) == 0) {
        return true;
    }
    adjourn::skip(file + " is not installed");
    return false;
}

Profile profile_of(const RealEngine& engine) {
    Profile profile{engine.name, engine.command, engine.options, 1, false};
    profile.options["Hash"] = "4";
    return profile;
}

void check_answer(const Result& result, std::string_view fen) {
    if (!result) {
        FAIL_CHECK(result.error().reason);
        return;
    }
    CHECK(result->score);
    CHECK(result->bound == adjourn::chess::Bound::exact);
    CHECK(result->depth >= 5);
    CHECK(result->nodes > 0);
    auto at = adjourn::chess::Position::from_fen(fen).value();
    CHECK(at.is_legal(result->move));
    for (const adjourn::chess::Move move : result->pv) {
        REQUIRE(at.is_legal(move));
        at.play(move);
    }
}

} // namespace

TEST_CASE("real engines: handshake, searches of every kind, and no process left") {
    const char* const fens[] = {
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"};
    const char* const chess960 = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1";
    const char* const castling = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1";
    for (const RealEngine& engine : engines) {
        CAPTURE(engine.name);
        if (!installed(engine)) {
            continue;
        }
        const std::size_t descriptors = open_descriptors();
        {
            PoolRun run{profile_of(engine)};
            for (const char* const fen : fens) {
                CAPTURE(fen);
                check_answer(run.ask(fen, {Kind::depth, 6}), fen);
            }
            check_answer(run.ask("", {Kind::movetime, 500}), start_fen); // a score in any case
            REQUIRE(run.identities.size() == 1);
            const Identity& identity = run.identities[0];
            CHECK(identity.name.starts_with(engine.id));
            CHECK(identity.options.at("Hash") == "4");
            CHECK((!identity.options.contains("OwnBook") ||
                   identity.options.at("OwnBook") == "false"));
            CHECK((!identity.options.contains("Threads") || identity.options.at("Threads") == "1"));
            const Result shuffled = run.ask(chess960, {Kind::depth, 6});
            if (engine.chess960) {
                check_answer(shuffled, chess960);
            } else {
                CHECK(shuffled.error().reason == identity.name + " does not play Chess960");
            }
            for (const char* const move : {"e1g1", "e1c1"}) {
                const Result result = run.ask(castling, {Kind::depth, 6}, {move});
                if (engine.searchmoves) {
                    check_answer(result, castling);
                    CHECK(uci_text({result->move}, castling) == move);
                } else if (!result) { // it may have found it by itself
                    CHECK(result.error().kind == Failure::Kind::ignored_searchmoves);
                }
            }
            const Result counted = run.ask("", {Kind::nodes, 30'000});
            if (engine.name == "ethereal") {
                CHECK(counted.error().kind == Failure::Kind::no_result);
            } else {
                check_answer(counted, start_fen);
                CHECK(counted->nodes >= 30'000);
            }
            CHECK(run.pool->status()[0].restarts == 0);
            run.submit("", {Kind::depth, 60});
            CHECK(run.wait_for(ProcessState::searching));
            CHECK(run.stop()); // in mid-search, also one that ignores the end of its stdin
            CHECK(no_children());
        }
        CHECK(open_descriptors() == descriptors);
    }
}
