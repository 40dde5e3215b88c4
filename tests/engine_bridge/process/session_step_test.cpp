// Late lines: an answer is never credited to another question.
#include "talk.hpp"
#include "test.hpp"

using namespace adjourn::engine_bridge;
using adjourn::chess::Score;
using State = Session::State;
using Lines = Talk::Lines;

namespace {

constexpr const char* after_e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
constexpr std::string_view info_d4 = "info depth 10 score cp 7 nodes 900 pv d2d4";
constexpr std::string_view info_e4 = "info depth 10 score cp 9 nodes 950 pv e2e4";

// One search is over, and the second under way.
Talk second_search(std::initializer_list<const char*> searchmoves = {"e2e4", "g1f3"}) {
    Talk talk;
    talk.shake_hands().go(start_fen).say({info_d4, "bestmove d2d4"});
    talk.answer();
    talk.go(start_fen, {adjourn::chess::Limit::Kind::depth, 10}, searchmoves).sent();
    return talk;
}

} // namespace

TEST_CASE("pitfall 13: an answer counts when the readyok behind it has come") {
    Talk talk;
    talk.shake_hands().go(start_fen).sent();
    talk.say({info_d4, "bestmove d2d4"});
    CHECK(talk.sent() == Lines{"isready"});
    CHECK(talk.session.state() == State::confirming);
    CHECK(talk.quiet());
    talk.say("readyok");
    CHECK(talk.session.state() == State::idle);
    CHECK(uci_text({talk.answer().move}) == "d2d4");
}

TEST_CASE("pitfall 13: a bestmove that comes late is not the answer to the next question") {
    Talk talk = second_search();
    SECTION("before anything of the new search") {
        talk.say({"bestmove d2d4", info_e4, "bestmove e2e4", "readyok"});
    }
    SECTION("one that the new question allows") {
        talk.say({"bestmove g1f3", info_e4, "bestmove e2e4", "readyok"});
    }
    SECTION("after the first lines of the new search") {
        talk.say({info_e4, "bestmove g1f3", info_e4, "bestmove e2e4", "readyok"});
    }
    SECTION("behind its own lines") {
        talk.say({"info depth 10 score cp 7 pv g1f3", "bestmove g1f3", info_e4, "bestmove e2e4",
                  "readyok"});
    }
    SECTION("behind the answer") {
        talk.say({info_e4, "bestmove e2e4", "bestmove g1f3", "readyok"});
    }
    SECTION("and the search goes on behind readyok's back") {
        talk.say({"bestmove g1f3", "readyok"});
        CHECK(talk.session.state() == State::clearing);
        talk.say({info_e4, "bestmove e2e4"});
    }
    CHECK(talk.failure().kind == Failure::Kind::no_result);
    CHECK(talk.session.state() == State::idle);
    // Asked again it is answered.
    talk.go(start_fen, {adjourn::chess::Limit::Kind::depth, 10}, {"e2e4", "g1f3"});
    talk.say({info_e4, "bestmove e2e4"});
    CHECK(talk.answer().score == Score::cp(9));
}

TEST_CASE("a session that is out of step twice is replaced") {
    Talk talk = second_search();
    talk.say({"bestmove g1f3", info_e4, "bestmove e2e4", "readyok"});
    talk.failure();
    talk.go(start_fen);
    SECTION("by a second bestmove") {
        talk.say({info_d4, "bestmove d2d4", "bestmove e2e4", "readyok"});
    }
    SECTION("by an illegal one") {
        talk.say({info_d4, "bestmove e7e5", "readyok"});
    }
    SECTION("by one that nobody asked for") {
        talk.say({info_d4, "bestmove d2d4"});
        talk.answer();
        talk.say("bestmove d2d4");
    }
    const auto lost = talk.lost();
    CHECK(lost.kind == Failure::Kind::crashed);
    CHECK(lost.reason.ends_with("and not for the first time; it is replaced"));
}

TEST_CASE("an engine that says each bestmove twice is understood") {
    Talk talk;
    talk.shake_hands();
    for (int i = 0; i < 5; ++i) {
        talk.go(start_fen).say({info_d4, "bestmove d2d4", "bestmove d2d4"});
        CHECK(talk.answer().score == Score::cp(7));
    }
}

TEST_CASE("a summary behind bestmove is harmless, a new search behind it is not") {
    Talk talk;
    talk.shake_hands().go(start_fen).say({info_d4, "bestmove d2d4", info_d4, "info nodes 5"});
    CHECK(talk.answer().score == Score::cp(7));
    talk.go(start_fen).say({info_d4, "bestmove d2d4", "info depth 1 score cp 3 pv d2d4"});
    CHECK(talk.failure().kind == Failure::Kind::no_result);
}

TEST_CASE("the answer before, word by word, is not taken for another question at once") {
    Talk talk;
    talk.shake_hands().go(start_fen).say({info_d4, "bestmove d2d4"});
    talk.answer();
    SECTION("the same question may well have the same answer") {
        talk.go(start_fen).say({info_d4, "bestmove d2d4"});
    }
    SECTION("another one is asked again") {
        talk.go(start_fen, {adjourn::chess::Limit::Kind::depth, 11})
            .say({info_d4, "bestmove d2d4"});
        CHECK(talk.session.state() == State::confirming);
        talk.say("readyok");
        CHECK(talk.session.state() == State::clearing);
        CHECK(talk.failure().kind == Failure::Kind::no_result);
        talk.go(start_fen, {adjourn::chess::Limit::Kind::depth, 11})
            .say({info_d4, "bestmove d2d4"});
    }
    CHECK(talk.answer().score == Score::cp(7));
}

TEST_CASE("while an answer is doubtful, late lines are waited for as long as a search takes") {
    Talk talk;
    talk.shake_hands().go(start_fen).wait(Talk::Seconds{2}).say({info_d4, "bestmove d2d4"});
    talk.answer();
    talk.go(after_e4).say({"bestmove e7e5", "readyok"});
    CHECK(talk.session.state() == State::clearing);
    CHECK(talk.deadline() == Approx(2.05));
    talk.wait(Talk::Seconds{1}).say("info depth 3 score cp 1 pv e7e5");
    CHECK(talk.deadline() == Approx(2.05)); // it searches still
    talk.wait(Talk::Seconds{1}).say("info depth 4 score cp 1 pv e7e5");
    talk.wait(Talk::Seconds{1.5}).say("info depth 5 score cp 1 pv e7e5");
    CHECK(talk.deadline() == Approx(1.5)); // but not for ever
    talk.session.cancel({});
    CHECK(talk.failure().kind == Failure::Kind::cancelled);
}

TEST_CASE("last words are an answer only if nothing speaks against them") {
    Talk talk;
    talk.shake_hands().go(start_fen).say({info_d4, "bestmove d2d4"});
    REQUIRE(talk.session.last_words().has_value());
    CHECK((*talk.session.last_words())->score == Score::cp(7));
    talk.say("bestmove e2e4");
    CHECK_FALSE(talk.session.last_words().has_value());
    Talk bare;
    bare.shake_hands().go(start_fen).say("bestmove d2d4");
    CHECK_FALSE(bare.session.last_words().has_value());
}
