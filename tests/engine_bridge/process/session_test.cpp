// The session's order of events: handshake, debts, deadlines.
#include "talk.hpp"
#include "test.hpp"

using namespace adjourn::engine_bridge;
using State = Session::State;
using Kind = adjourn::chess::Limit::Kind;
using Lines = Talk::Lines;

namespace {

const std::string position_line = "position fen " + std::string{start_fen};

Profile profile(std::map<std::string, std::string> options, bool reproducible = false) {
    return {"engine", {"engine"}, std::move(options), 1, reproducible};
}

} // namespace

TEST_CASE("pitfall 11: options first, then ucinewgame, then isready, and wait for readyok") {
    Talk talk{profile({{"Hash", "64"}})};
    talk.session.start({});
    CHECK(talk.sent() == Lines{"uci"});
    talk.say({"id name X", "option name Hash type spin default 16 min 1 max 1024",
              "option name UCI_Chess960 type check default false"});
    CHECK(talk.sent().empty());
    talk.say("uciok");
    CHECK(talk.sent() == Lines{"setoption name Hash value 64",
                               "setoption name UCI_Chess960 value true", "ucinewgame", "isready"});
    CHECK(talk.session.state() == State::configuring);
    CHECK(talk.quiet());
    talk.say("readyok");
    CHECK(talk.session.state() == State::idle);
    const Identity identity = talk.identity();
    CHECK(identity.name == "X");
    CHECK(identity.options == std::map<std::string, std::string>{{"Hash", "64"}});
    CHECK_FALSE(talk.deadline());
}

TEST_CASE("pitfall 11: an old or unasked readyok does not satisfy a new wait") {
    Talk talk;
    talk.session.start({});
    talk.say("readyok").say("uciok").say("id name late").say("option name X type button");
    CHECK(talk.session.state() == State::configuring);
    talk.say("readyok");
    CHECK(talk.identity().name.empty());

    // A ping in mid-search that is answered only after the search: the debt is counted.
    Timeouts timeouts;
    timeouts.silence = std::chrono::seconds{10};
    timeouts.stop = std::chrono::seconds{5};
    Talk slow{profile({}, true), timeouts};
    slow.shake_hands();
    slow.go(start_fen).say("readyok");
    slow.sent();
    slow.wait(Talk::Seconds{10});
    CHECK(slow.sent() == Lines{"isready"});
    slow.say({"info depth 10 score cp 3 pv e2e4", "bestmove e2e4"});
    CHECK(slow.sent() == Lines{"isready"});
    slow.say("readyok"); // of the ping
    CHECK(slow.quiet());
    CHECK(slow.session.state() == State::confirming);
    slow.say("readyok");
    CHECK(slow.session.state() == State::idle);
    slow.answer();
    slow.go(start_fen);
    CHECK(slow.sent() == Lines{"ucinewgame", "isready"});
}

TEST_CASE("pitfall 10: noise at any time of the handshake is ignored") {
    Talk talk;
    talk.session.start({});
    talk.say({"", "Welcome", "info string loading", "id name  J\xF6rg,  the 2nd \r",
              "bestmove e2e4", "info depth 3 score cp 5 pv e2e4", "option name bad", "uciok", "",
              "option name Late type button", "id name changed", "uciok",
              "No such option: UCI_Chess960", "info string ready soon", "readyok"});
    const Identity identity = talk.identity();
    CHECK(identity.name == "J\\xf6rg,  the 2nd"); // what is not UTF-8 is escaped
    CHECK(identity.options.empty());
}

TEST_CASE("pitfall 9: deadlines differ by verb and are absolute") {
    Timeouts timeouts;
    timeouts.start = std::chrono::seconds{30};
    timeouts.ready = std::chrono::seconds{60};
    SECTION("uciok") {
        Talk talk{profile({}), timeouts};
        talk.session.start(Session::Time{std::chrono::hours{1}});
        CHECK(talk.deadline() == Approx(30));
        talk.wait(Talk::Seconds{29}).say("info string still loading").say("id name X");
        CHECK(talk.deadline() == Approx(1));
        talk.wait(Talk::Seconds{1});
        const auto lost = talk.lost();
        CHECK(lost.kind == Failure::Kind::unavailable);
        CHECK(lost.reason == "X: no uciok within 30 s");
        CHECK(talk.session.state() == State::lost);
    }
    SECTION("readyok") {
        Talk talk{profile({}), timeouts};
        talk.session.start(Session::Time{std::chrono::hours{1}});
        talk.say("uciok");
        CHECK(talk.deadline() == Approx(60));
        talk.wait(Talk::Seconds{60});
        CHECK(talk.lost().reason == "engine: no readyok within 60 s");
    }
    SECTION("movetime") {
        Talk talk{profile({}), timeouts};
        talk.shake_hands().go(start_fen, {Kind::movetime, 3000}).sent();
        CHECK(talk.deadline() == Approx(8));
        talk.wait(Talk::Seconds{4}).say("info depth 5 score cp 20 pv e2e4");
        CHECK(talk.deadline() == Approx(4)); // output does not put it off
        talk.wait(Talk::Seconds{4});
        CHECK(talk.sent() == Lines{"stop"});
        CHECK(talk.deadline() == Approx(5));
        talk.say("bestmove e2e4"); // late, but what was asked for
        CHECK(talk.answer().score->centipawns() == 20);
    }
    SECTION("an endless movetime does not overflow") {
        Talk talk{profile({}), timeouts};
        talk.shake_hands().go(start_fen, {Kind::movetime, ~0ULL});
        CHECK(*talk.deadline() > 2'000'000);
    }
}

TEST_CASE("a new game is told before its first search, and only then") {
    Talk talk;
    talk.shake_hands();
    const auto start = adjourn::chess::Position::initial();
    const auto first_sent = [&](std::uint64_t game) {
        talk.session.go({start, {Kind::depth, 1}, {}, game}, {});
        const Lines sent = talk.sent();
        if (sent.front() == "ucinewgame") {
            CHECK(sent == Lines{"ucinewgame", "isready"});
            talk.say("readyok");
            CHECK(talk.sent().back() == "go depth 1");
        }
        talk.say({"info depth 1 score cp 20 pv e2e4", "bestmove e2e4"});
        talk.say("readyok");
        talk.sent();
        talk.answer();
        return sent.front();
    };
    CHECK(first_sent(3) != "ucinewgame"); // the handshake has said it
    CHECK(first_sent(3) != "ucinewgame");
    CHECK(first_sent(4) == "ucinewgame");
    CHECK(first_sent(4) != "ucinewgame");
}

TEST_CASE("pitfall 12: nothing but stop and isready is sent in mid-search") {
    Talk talk{profile({}, true)};
    talk.shake_hands().go(start_fen);
    CHECK(talk.sent() == Lines{"ucinewgame", "isready"});
    talk.say("readyok");
    CHECK(talk.sent() == Lines{position_line, "go depth 10"});
    CHECK(talk.session.state() == State::searching);
    talk.say({"info depth 1 score cp 5 pv e2e4", "readyok", "uciok", "id name X",
              "option name Hash type spin default 1 min 1 max 9"});
    CHECK(talk.sent().empty());
    talk.session.cancel({});
    CHECK(talk.sent() == Lines{"stop"});
    talk.session.cancel({});
    talk.say("readyok");
    CHECK(talk.sent().empty());
    talk.say("bestmove e2e4");
    CHECK(talk.sent() == Lines{"isready"});
    CHECK(talk.failure().kind == Failure::Kind::cancelled);
    CHECK(talk.session.state() == State::idle);
}

TEST_CASE("pitfall 13: each go owes one bestmove; a stop without search is never sent") {
    Talk talk;
    talk.shake_hands();
    talk.session.cancel({});
    CHECK(talk.sent().empty());
    talk.go(start_fen).sent();
    // bestmove crosses our stop: the answer was complete, but nobody wants it any more.
    talk.session.cancel({});
    CHECK(talk.sent() == Lines{"stop"});
    talk.say("bestmove e2e4");
    CHECK(talk.failure().kind == Failure::Kind::cancelled);
    // The engine's stop finds no search and gives nothing; the next go is answered as usual.
    talk.go(start_fen).say({"info depth 1 score cp 7 pv d2d4", "bestmove d2d4"});
    CHECK(talk.answer().score->centipawns() == 7);
}

TEST_CASE("pitfall 14: finished positions never reach an engine") {
    Talk talk;
    talk.shake_hands();
    for (const char* const fen : {"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",      // stalemate
                                  "R5k1/5ppp/8/8/8/8/8/7K b - - 0 1"}) { // mate
        talk.go(fen);
        CHECK(talk.sent().empty());
        CHECK(talk.failure().kind == Failure::Kind::unfit);
        CHECK(talk.session.state() == State::idle);
    }
}

TEST_CASE("a question that makes no sense is answered without asking") {
    Talk talk;
    talk.shake_hands({});
    const auto start = adjourn::chess::Position::initial();
    const auto illegal = adjourn::chess::Move::normal(*adjourn::chess::Square::parse("e2"),
                                                      *adjourn::chess::Square::parse("e5"));
    talk.session.go({start, {Kind::depth, 1}, {illegal}}, {});
    CHECK(talk.sent().empty());
    CHECK(talk.failure().reason == "a move to be searched is not legal");

    talk.go("bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1");
    CHECK(talk.sent().empty());
    CHECK(talk.failure().reason == "Talker 1 does not play Chess960");
}

TEST_CASE("pitfall 18: lc0 is not given more nodes than it can count") {
    Talk talk;
    talk.session.start({});
    talk.say({"id name Lc0 v0.31.2", "uciok", "readyok"});
    talk.sent();
    talk.identity();
    talk.go(start_fen, {Kind::nodes, 3'000'000'000});
    CHECK(talk.sent().empty());
    CHECK(talk.failure().reason == "Lc0 does not take so many nodes");
    talk.go(start_fen, {Kind::nodes, 2'000'000'000});
    CHECK(talk.sent().back() == "go nodes 2000000000");
}

TEST_CASE("an engine that says nothing is pinged, then stopped, then lost") {
    Timeouts timeouts;
    timeouts.silence = std::chrono::seconds{100};
    timeouts.stop = std::chrono::seconds{5};
    Talk talk{profile({}), timeouts};
    talk.shake_hands().go(start_fen, {Kind::depth, 40}).sent();
    CHECK(talk.deadline() == Approx(100));
    talk.wait(Talk::Seconds{60}).say("info depth 3 score cp 3 pv e2e4").say("info string alive");
    CHECK(talk.deadline() == Approx(100));
    talk.wait(Talk::Seconds{60}).say("info string alive").say("nonsense");
    CHECK(talk.deadline() == Approx(40)); // free text is no progress
    talk.wait(Talk::Seconds{40});
    CHECK(talk.sent() == Lines{"isready"});
    CHECK(talk.deadline() == Approx(5));
    SECTION("it answers: all is well") {
        talk.say("readyok");
        CHECK(talk.deadline() == Approx(100));
        talk.wait(Talk::Seconds{100});
        CHECK(talk.sent() == Lines{"isready"});
        talk.say({"info depth 40 score cp 11 pv e2e4", "bestmove e2e4"});
        CHECK(talk.answer().depth == 40);
    }
    SECTION("it answers, but that is all it ever does") {
        for (int i = 0; i < 5; ++i) {
            talk.say("readyok").wait(Talk::Seconds{100});
            CHECK(talk.sent() == Lines{"isready"});
        }
        talk.say("readyok").wait(Talk::Seconds{100});
        CHECK(talk.sent() == Lines{"stop"});
        talk.say("bestmove e2e4");
        CHECK(talk.failure().reason == "Talker 1 said nothing for 700 s and had to be stopped");
    }
    SECTION("it answers by going on") {
        talk.say("info currmove e2e4 currmovenumber 4");
        CHECK(talk.deadline() == Approx(100));
        talk.say("readyok").say("bestmove e2e4");
        talk.answer();
    }
    SECTION("only stop moves it: the search failed, the process may stay") {
        talk.wait(Talk::Seconds{5});
        CHECK(talk.sent() == Lines{"stop"});
        talk.say({"info depth 9 score cp 11 pv e2e4", "bestmove e2e4", "readyok", "readyok"});
        const Failure failure = talk.failure();
        CHECK(failure.kind == Failure::Kind::hung);
        CHECK(failure.reason == "Talker 1 said nothing for 100 s and had to be stopped");
        CHECK(talk.session.state() == State::idle);
    }
    SECTION("nothing moves it") {
        talk.wait(Talk::Seconds{5});
        CHECK(talk.sent() == Lines{"stop"});
        talk.wait(Talk::Seconds{5});
        const auto lost = talk.lost();
        CHECK(lost.kind == Failure::Kind::hung);
        CHECK(lost.reason == "Talker 1: no bestmove within 5 s after stop");
        talk.say("bestmove e2e4");
        CHECK(talk.quiet());
        CHECK_FALSE(talk.deadline());
    }
}

TEST_CASE("a search can be cancelled before its go") {
    Talk talk{profile({}, true)};
    talk.shake_hands().go(start_fen).sent();
    talk.session.cancel({});
    CHECK(talk.sent().empty());
    CHECK(talk.quiet());
    talk.say("readyok");
    CHECK(talk.sent().empty());
    CHECK(talk.failure().kind == Failure::Kind::cancelled);
}

TEST_CASE("no readyok before a go means hung") {
    Talk talk{profile({}, true)};
    talk.shake_hands().go(start_fen).sent();
    talk.wait(Talk::Seconds{60});
    CHECK(talk.lost().kind == Failure::Kind::hung);
}

TEST_CASE("an option the engine does not take ends the handshake with the reason") {
    Talk talk{profile({{"Contempt", "3"}})};
    talk.session.start({});
    talk.sent();
    talk.say({"id name X", "uciok"});
    CHECK(talk.sent().empty());
    const auto lost = talk.lost();
    CHECK(lost.kind == Failure::Kind::unavailable);
    CHECK(lost.reason == "X: the engine has no option Contempt");
}

TEST_CASE("options without end do not fill the memory") {
    Talk talk;
    talk.session.start({});
    for (int i = 0; i < 3000; ++i) {
        talk.say("option name X" + std::to_string(i) + " type button");
    }
    CHECK(talk.lost().kind == Failure::Kind::unavailable);
}

TEST_CASE("a broken protocol is the search's end once it runs") {
    Talk talk;
    talk.session.start({});
    talk.session.broken("too long");
    CHECK(talk.lost().kind == Failure::Kind::unavailable);
    Talk later;
    later.shake_hands().go(start_fen);
    later.session.broken("too long");
    const auto lost = later.lost();
    CHECK(lost.kind == Failure::Kind::crashed);
    CHECK(lost.reason == "Talker 1: too long");
}
