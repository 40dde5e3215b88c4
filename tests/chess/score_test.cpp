// Score: order, negation, the step towards the end, text, stored form.
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

TEST_CASE("score: what the parts are", "[chess]") {
    CHECK(Score::cp(23).is_cp());
    CHECK(Score::cp(23).centipawns() == 23);
    CHECK(Score::cp(23).plies() == 0);
    CHECK(Score::mate_in(5).plies() == 5);
    CHECK(Score::mated_in(4).plies() == 4);
    CHECK(Score::mated_in(0).is_loss());
    CHECK(Score::mate_in(0).is_win());
    CHECK(Score::tablebase(Wdl::win, 12).plies() == 12);
    CHECK(Score::tablebase(Wdl::loss, 12).plies() == 12);
    CHECK(Score::tablebase(Wdl::loss, 12).wdl() == Wdl::loss);
    CHECK(Score::tablebase(Wdl::win, 12).is_win());
    CHECK_FALSE(Score::tablebase(Wdl::cursed_win, 12).is_win());
    CHECK_FALSE(Score::cp(Score::max_cp).is_win());
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

TEST_CASE("score: backing up keeps the order, reversed", "[chess]") {
    for (const Score a : all()) {
        for (const Score b : all()) {
            if (a < b) {
                CHECK(a.backed_up() >= b.backed_up());
            }
        }
    }
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

TEST_CASE("score: text", "[chess]") {
    CHECK(to_text(Score::cp(23)) == "+0.23");
    CHECK(to_text(Score::cp(-150)) == "-1.50");
    CHECK(to_text(Score::cp(0)) == "0.00");
    CHECK(to_text(Score::cp(-5)) == "-0.05");
    CHECK(to_text(Score::mate_in(1)) == "#1");
    CHECK(to_text(Score::mate_in(9)) == "#5");
    CHECK(to_text(Score::mated_in(6)) == "#-3");
    CHECK(to_text(Score::mated_in(0)) == "#-0");
    CHECK(to_text(Score::tablebase(Wdl::win, 12)) == "TB win (12)");
    CHECK(to_text(Score::tablebase(Wdl::loss, 3)) == "TB loss (3)");
    CHECK(to_text(Score::tablebase(Wdl::draw, 3)) == "TB draw");
    CHECK(to_text(Score::tablebase(Wdl::cursed_win, 3)) == "TB cursed win");
    CHECK(to_text(Score::tablebase(Wdl::blessed_loss, 3)) == "TB blessed loss");
}

TEST_CASE("score: text for PGN", "[chess]") {
    CHECK(to_eval_text(Score::cp(23)) == "0.23");
    CHECK(to_eval_text(Score::cp(-150)) == "-1.50");
    CHECK(to_eval_text(Score::cp(0)) == "0.00");
    CHECK(to_eval_text(Score::mate_in(9)) == "#5");
    CHECK(to_eval_text(Score::mated_in(6)) == "#-3");
    CHECK(to_eval_text(Score::tablebase(Wdl::win, 12)) == "199.88");
    CHECK(to_eval_text(Score::tablebase(Wdl::loss, 12)) == "-199.88");
    CHECK(to_eval_text(Score::tablebase(Wdl::cursed_win, 12)) == "0.00");
}
