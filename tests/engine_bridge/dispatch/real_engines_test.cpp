// Debian's engines and npm's Stockfish, for real, where they are installed.
#include "chess/notation.hpp"
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
    bool counts_nodes;
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
    {"stockfish", {"/usr/games/stockfish"}, "Stockfish", {{"Threads", "1"}}, true, true, true},
    {"fairy-stockfish",
     {"/usr/games/fairy-stockfish"},
     "Fairy-Stockfish 11.1 LB 64",
     {{"Threads", "1"}},
     true,
     true,
     true},
    {"ethereal", {"/usr/games/ethereal-chess"}, "Ethereal 12.00", {}, true, false, false},
    {"gnuchess",
     {"/usr/games/gnuchess", "--uci"},
     "GNU Chess 6.2.7",
     {{"Threads", "1"}},
     false,
     false,
     false},
    {"toga2", {"/usr/games/toga2"}, "Toga II 3.0", {}, false, false, false},
    {"glaurung", {"/usr/games/glaurung"}, "Glaurung 2.2", {}, true, true, true},
    {"stockfish-npm",
     {"node", npm_script()},
     "Stockfish 19 WASM",
     {{"Threads", "1"}},
     true,
     true,
     true},
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

TEST_CASE("real engines: handshake, searches by depth and time, and no process left") {
    const char* const fens[] = {
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"};
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
            check_answer(run.ask(fens[0], {Kind::movetime, 500}),
                         fens[0]); // a score comes in any case
            REQUIRE(run.identities.size() == 1);
            const Identity& identity = run.identities[0];
            CHECK(identity.name.starts_with(engine.id));
            CHECK(identity.options.at("Hash") == "4");
            CHECK((!identity.options.contains("OwnBook") ||
                   identity.options.at("OwnBook") == "false"));
            CHECK((!identity.options.contains("Threads") || identity.options.at("Threads") == "1"));
            CHECK(run.pool->status()[0].restarts == 0);
            CHECK(run.stop());
            CHECK(no_children());
        }
        CHECK(open_descriptors() == descriptors);
    }
}

TEST_CASE("real engines: castling both ways where it is the only sensible move to ask for") {
    const char* const fen = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1";
    for (const RealEngine& engine : engines) {
        CAPTURE(engine.name);
        if (!engine.searchmoves || !installed(engine)) {
            continue;
        }
        PoolRun run{profile_of(engine)};
        for (const char* const castling : {"e1g1", "e1c1"}) {
            const Result result = run.ask(fen, {Kind::depth, 6}, {castling});
            check_answer(result, fen);
            CHECK(uci_text({result->move}, fen) == castling);
        }
    }
}

TEST_CASE("pitfall 19: real engines play Chess960 where they have the option") {
    const char* const fen = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1";
    for (const RealEngine& engine : engines) {
        CAPTURE(engine.name);
        if (!installed(engine)) {
            continue;
        }
        PoolRun run{profile_of(engine)};
        const Result result = run.ask(fen, {Kind::depth, 6});
        if (engine.chess960) {
            check_answer(result, fen);
        } else {
            CHECK(result.error().reason == run.identities.at(0).name + " does not play Chess960");
        }
    }
}

TEST_CASE("pitfall 23: real engines that ignore searchmoves are found out") {
    for (const RealEngine& engine : engines) {
        CAPTURE(engine.name);
        if (!installed(engine)) {
            continue;
        }
        PoolRun run{profile_of(engine)};
        const Result result = run.ask("", {Kind::depth, 6}, {"a2a3", "h2h4"});
        if (engine.searchmoves) {
            check_answer(result, start_fen);
        } else {
            CHECK(result.error().kind == Failure::Kind::ignored_searchmoves);
        }
    }
}

TEST_CASE("real engines: node limits hold, or are made to") {
    for (const RealEngine& engine : engines) {
        CAPTURE(engine.name);
        if (!installed(engine)) {
            continue;
        }
        PoolRun run{profile_of(engine)};
        const Result result = run.ask("", {Kind::nodes, 30'000});
        if (engine.name == "ethereal") {
            CHECK(result.error().kind == Failure::Kind::no_result);
            continue;
        }
        check_answer(result, start_fen);
        CHECK(result->nodes >= 30'000);
        CHECK(run.pool->status()[0].restarts == 0);
    }
}

TEST_CASE("pitfall 33: Stockfish answers the same after ucinewgame, in any process") {
    for (const RealEngine& engine : {engines.front(), engines.back()}) {
        CAPTURE(engine.name);
        if (!installed(engine)) {
            continue;
        }
        Profile profile = profile_of(engine);
        profile.reproducible = true;
        profile.count = 2;
        PoolRun run{profile};
        for (int i = 0; i < 4; ++i) {
            run.submit("", {Kind::nodes, 20'000});
            run.submit("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", {Kind::nodes, 20'000});
        }
        CHECK(run.wait_for_all());
        for (JobId id = 3; id <= run.last; ++id) {
            const Answer& first = run.results.at(2 - id % 2).value();
            const Answer& again = run.results.at(id).value();
            CHECK(again.score == first.score);
            CHECK(again.nodes == first.nodes);
            CHECK(again.pv == first.pv);
        }
    }
}

TEST_CASE("pitfall 40: npm's Stockfish stops in mid-search, and leaves without a last word") {
    if (!installed(engines.back())) {
        return;
    }
    PoolRun run{profile_of(engines.back())};
    const JobId job = run.submit("", {Kind::depth, 60});
    CHECK(run.wait_for(ProcessState::searching));
    run.cancel(job);
    check_answer(run.ask("", {Kind::nodes, 20'000}), start_fen);
    CHECK(run.pool->status()[0].restarts == 0);
    run.submit("", {Kind::depth, 60});
    CHECK(run.wait_for(ProcessState::searching));
    CHECK(run.stop());
    CHECK(no_children());
}

TEST_CASE("pitfall 5: GNU Chess, which ignores the end of its stdin, is gone after stop") {
    if (!installed(engines[3])) {
        return;
    }
    PoolRun run{profile_of(engines[3])};
    run.submit("", {Kind::depth, 50});
    CHECK(run.wait_for(ProcessState::searching));
    CHECK(run.stop());
    CHECK(no_children());
    CHECK(run.results.at(1).error().kind == Failure::Kind::cancelled);
}

TEST_CASE("pitfall 8: Ethereal's broken tables end its handshake with the loader's own words") {
    if (!installed(engines[2])) {
        return;
    }
    Profile profile = profile_of(engines[2]);
    profile.options["SyzygyPath"] = "/tmp";
    PoolRun run{profile, quick()};
    const Result result = run.ask();
    CHECK(result.error().kind == Failure::Kind::unavailable);
    CHECK(result.error().reason.find("tb_init_impl") != std::string::npos);
}
