// Score: order, negation, the step towards the end, stored form, text, winning chances.
#include "chess/score.hpp"
#include "test.hpp"

#include <compare>

using namespace adjourn::chess;

namespace {

// Every kind, in ascending order of value; equivalent ones side by side in one row.
std::vector<std::vector<Score>> ladder() {
    return {{Score::mated_in(0)},
            {Score::mated_in(1)},
            {Score::mated_in(2)},
            {Score::mated_in(Score::max_plies)},
            {Score::tablebase(Wdl::loss, 0)},
            {Score::tablebase(Wdl::loss, 1)},
            {Score::tablebase(Wdl::loss, Score::max_plies)},
            {Score::cp(-Score::max_cp)},
            {Score::cp(-31)},
            {Score::cp(-1)},
            {Score::cp(0), Score::tablebase(Wdl::draw, 0), Score::tablebase(Wdl::cursed_win, 7),
             Score::tablebase(Wdl::blessed_loss, 3)},
            {Score::cp(1)},
            {Score::cp(Score::max_cp)},
            {Score::tablebase(Wdl::win, Score::max_plies)},
            {Score::tablebase(Wdl::win, 1)},
            {Score::tablebase(Wdl::win, 0)},
            {Score::mate_in(Score::max_plies)},
            {Score::mate_in(3)},
            {Score::mate_in(1)},
            {Score::mate_in(0)}};
}

std::vector<Score> all() {
    std::vector<Score> scores;
    for (const auto& row : ladder()) {
        scores.insert(scores.end(), row.begin(), row.end());
    }
    return scores;
}

} // namespace

TEST_CASE("score: the order of values", "[chess]") {
    const auto rows = ladder();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        for (std::size_t j = 0; j < rows.size(); ++j) {
            for (const Score a : rows[i]) {
                for (const Score b : rows[j]) {
                    INFO(to_text(a) << " and " << to_text(b));
                    CHECK((a < b) == (i < j));
                    CHECK((a > b) == (i > j));
                    CHECK((a <= b) == (i <= j));
                    CHECK(std::is_eq(a <=> b) == (i == j));
                    CHECK((a.rank() == b.rank()) == (i == j));
                }
            }
        }
    }
}

TEST_CASE("score: equal means the same thing said, not the same value", "[chess]") {
    CHECK(Score::cp(0) == Score::cp(0));
    CHECK(Score::cp(0) != Score::tablebase(Wdl::draw, 0));
    CHECK(Score::tablebase(Wdl::draw, 0) != Score::tablebase(Wdl::cursed_win, 0));
    CHECK(Score::mate_in(3) != Score::mate_in(5));
}

TEST_CASE("score: negation is its own inverse and turns the order round", "[chess]") {
    for (const Score a : all()) {
        CHECK(-(-a) == a);
        CHECK((-a).kind() == a.kind());
        CHECK((-a).plies() == a.plies());
        for (const Score b : all()) {
            CHECK((a < b) == (-b < -a));
        }
    }
    CHECK(-Score::mate_in(3) == Score::mated_in(3));
    CHECK(-Score::cp(0) == Score::cp(0));
    CHECK((-Score::tablebase(Wdl::cursed_win, 0)).wdl() == Wdl::blessed_loss);
}

TEST_CASE("score: out of range is clamped", "[chess]") {
    CHECK(Score::cp(1'000'000) == Score::cp(Score::max_cp));
    CHECK(Score::cp(-1'000'000) == Score::cp(-Score::max_cp));
    CHECK(Score::mate_in(1'000'000) == Score::mate_in(Score::max_plies));
    CHECK(Score::mate_in(-3) == Score::mate_in(0));
    CHECK(Score::tablebase(Wdl::win, -1) == Score::tablebase(Wdl::win, 0));
}

TEST_CASE("score: one ply further from the end", "[chess]") {
    CHECK(Score::cp(23).backed_up() == Score::cp(-23));
    CHECK(Score::mated_in(0).backed_up() == Score::mate_in(1));
    CHECK(Score::mate_in(1).backed_up() == Score::mated_in(2));
    CHECK(Score::mated_in(2).backed_up() == Score::mate_in(3));
    CHECK(Score::tablebase(Wdl::loss, 4).backed_up() == Score::tablebase(Wdl::win, 5));
    CHECK(Score::tablebase(Wdl::cursed_win, 4).backed_up() ==
          Score::tablebase(Wdl::blessed_loss, 4));
    CHECK(Score::mate_in(Score::max_plies).backed_up() == Score::mated_in(Score::max_plies));
    CHECK(Score::tablebase(Wdl::win, Score::max_plies).backed_up() ==
          Score::tablebase(Wdl::loss, Score::max_plies));
}

TEST_CASE("score: followed() takes backed_up() back", "[chess]") {
    for (const Score score : all()) {
        INFO(to_text(score));
        if (score.plies() < Score::max_plies) {
            CHECK(score.backed_up().followed() == score);
        }
        if (score.plies() > 0 || !(score.is_win() || score.is_loss())) {
            CHECK(score.followed().backed_up() == score);
        } else {
            CHECK(score.followed() == -score);
        }
    }
    CHECK(Score::mate_in(1).followed() == Score::mated_in(0));
}

TEST_CASE("score: the stored form", "[chess]") {
    std::vector<std::uint32_t> codes;
    for (const Score score : all()) {
        const auto again = Score::decode(score.encode());
        REQUIRE(again);
        CHECK(*again == score);
        codes.push_back(score.encode());
    }
    std::sort(codes.begin(), codes.end());
    CHECK(std::adjacent_find(codes.begin(), codes.end()) == codes.end());
    for (int cp = -Score::max_cp; cp <= Score::max_cp; cp += 7) {
        CHECK(Score::decode(Score::cp(cp).encode()) == Score::cp(cp));
    }
}

TEST_CASE("score: codes that encode() never makes are refused", "[chess]") {
    std::uint32_t code = 0;
    int accepted = 0;
    for (int i = 0; i < 1'000'000; ++i) {
        code += 4'295; // about all of 32 bits, in steps
        const auto score = Score::decode(code);
        if (score) {
            REQUIRE(score->encode() == code);
            ++accepted;
        }
    }
    CHECK(accepted > 0);
    CHECK_FALSE(Score::decode(0));
    CHECK_FALSE(Score::decode(0xffffffff));
    CHECK_FALSE(Score::decode(Score::cp(Score::max_cp).encode() + 1));
    CHECK_FALSE(Score::decode(Score::mate_in(0).encode() + 1));
    CHECK_FALSE(Score::decode(Score::cp(5).encode() | 1U << 28));
    CHECK_FALSE(Score::decode(Score::cp(5).encode() | 1U << 27));
}

TEST_CASE("score: text, for people and for PGN", "[chess]") {
    struct Row {
        Score score;
        const char* text;
        const char* eval;
    };
    for (const auto& [score, text, eval] :
         {Row{Score::cp(23), "+0.23", "0.23"}, Row{Score::cp(-150), "-1.50", "-1.50"},
          Row{Score::cp(0), "0.00", "0.00"}, Row{Score::cp(-5), "-0.05", "-0.05"},
          Row{Score::mate_in(1), "#1", "#1"}, Row{Score::mate_in(9), "#5", "#5"},
          Row{Score::mated_in(6), "#-3", "#-3"}, Row{Score::mated_in(0), "#-0", "#-0"},
          Row{Score::tablebase(Wdl::win, 12), "TB win (12)", "199.88"},
          Row{Score::tablebase(Wdl::loss, 3), "TB loss (3)", "-199.97"},
          Row{Score::tablebase(Wdl::draw, 3), "TB draw", "0.00"},
          Row{Score::tablebase(Wdl::cursed_win, 3), "TB cursed win", "0.00"},
          Row{Score::tablebase(Wdl::blessed_loss, 3), "TB blessed loss", "0.00"}}) {
        CHECK(to_text(score) == text);
        CHECK(to_eval_text(score) == eval);
    }
}

TEST_CASE("winning chances: lichess' formula", "[chess]") {
    CHECK(win_percent(Score::cp(0)) == Approx(50));
    CHECK(win_percent(Score::cp(100)) == Approx(59.10).margin(0.01));
    CHECK(win_percent(Score::cp(-100)) == Approx(40.90).margin(0.01));
    CHECK(win_percent(Score::cp(1'000)) == Approx(97.54).margin(0.01));
    CHECK(win_percent(Score::cp(5'000)) == win_percent(Score::cp(1'000)));
    CHECK(win_percent(Score::mate_in(3)) == win_percent(Score::cp(1'000)));
    CHECK(win_percent(Score::mated_in(4)) == win_percent(Score::cp(-1'000)));
}

TEST_CASE("winning chances: accuracy of a move", "[chess]") {
    CHECK(move_accuracy(50, 50) == 100);
    CHECK(move_accuracy(50, 60) == 100);
    CHECK(move_accuracy(60, 50) == Approx(64.58).margin(0.1)); // 103.17 e^-0.435 - 3.17 + 1
    CHECK(move_accuracy(97, 3) == 0);
}

TEST_CASE("winning chances: accuracy of a game", "[chess]") {
    CHECK_FALSE(game_accuracy({50}, Color::white).white);
    const GameAccuracy perfect = game_accuracy({50, 50, 50, 50, 50}, Color::white);
    CHECK(*perfect.white == Approx(100));
    CHECK(*perfect.black == Approx(100));
    // White throws away a won game in one move, Black does nothing wrong.
    const GameAccuracy thrown = game_accuracy({90, 90, 90, 90, 20, 20}, Color::black);
    CHECK(*thrown.black == Approx(100));
    CHECK(*thrown.white < 60);
    const GameAccuracy other = game_accuracy({90, 90, 90, 90, 20, 20}, Color::white);
    CHECK(*other.white == Approx(100));
    CHECK(*other.black == Approx(100)); // it was given to Black
    const GameAccuracy one = game_accuracy({50, 40}, Color::white);
    CHECK(one.white.has_value());
    CHECK_FALSE(one.black.has_value());
}

TEST_CASE("winning chances: NAGs by what is lost", "[chess]") {
    CHECK(nag_of_loss(0.05) == 0);
    CHECK(nag_of_loss(0.1) == 6);
    CHECK(nag_of_loss(0.2) == 2);
    CHECK(nag_of_loss(0.31) == 4);
}
