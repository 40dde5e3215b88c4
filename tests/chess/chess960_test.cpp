#include "support.hpp"

#include "chess/position.hpp"
#include "shared_data.hpp"
#include "test.hpp"

using namespace adjourn::chess;
using namespace adjourn::chess::testing;

TEST_CASE("chess960: 960 different start positions, numbered both ways", "[chess]") {
    std::set<std::string> fens;
    for (int number = 0; number < chess960_count; ++number) {
        const Position start = chess960_start(number);
        CHECK(fens.insert(start.fen()).second);
        if (number % 60 == 59) { // the number is found by comparing with all before it
            CHECK(chess960_number(start) == number);
        }
    }
    CHECK(chess960_start(518) == Position::initial());
    CHECK(chess960_start(0).fen().starts_with("bbqnnrkr/"));
    CHECK(chess960_start(959).fen().starts_with("rkrnnqbb/"));
    CHECK_FALSE(chess960_number(position("8/8/8/8/8/4k3/4p3/4K3 w - - 0 1")));
    CHECK_FALSE(
        chess960_number(position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQk - 0 1")));
    CHECK_FALSE(
        chess960_number(position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1")));
}

TEST_CASE("chess960: each start position has its number", "[.][exhaustive]") {
    for (int number = 0; number < chess960_count; ++number) {
        CHECK(chess960_number(chess960_start(number)) == number);
    }
}

TEST_CASE("chess960: the published numbers", "[chess]") {
    const auto text = shared_file("eco/en-croissant_frc.tsv");
    REQUIRE(text);
    {
        int checked = 0;
        for (const std::string& line : lines_of(*text)) {
            const auto tab = line.find('\t');
            const auto number = line.find_last_of(' ', tab);
            if (tab == std::string::npos || !line.starts_with("Fischer Random ")) {
                continue;
            }
            INFO(line);
            CHECK(chess960_start(std::stoi(line.substr(number + 1))) ==
                  position(line.substr(tab + 1)));
            ++checked;
        }
        CHECK(checked > (adjourn::has_all_data() ? 950 : 90));
    }
}
