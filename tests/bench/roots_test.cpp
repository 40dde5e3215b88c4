#include "bench/strategies/roots.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <sstream>

using namespace adjourn;
using namespace adjourn::bench;

TEST_CASE("roots: EPD lines of all sorts") {
    std::istringstream in{
        "# a comment\n"
        "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - bm Qd1+; id \"BK.01\";\n"
        "4k3/8/8/8/8/8/4P3/4K3 w - - ; bm e4 \r\n"
        "4k3/8/8/8/8/8/4P3/4K3 w - - 12 40\n"
        "7k/5Q2/6K1/8/8/8/8/8 b - - id \"stalemate\";\n"
        "not a position\n"
        "\n"};
    const auto positions = read_positions(in);
    REQUIRE(positions.size() == 3);
    CHECK(positions[0].turn() == chess::Color::black);
    CHECK(positions[1].fen() == "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    CHECK(positions[1] == positions[2]);
    CHECK_THROWS_WITH(read_positions(std::filesystem::path{"tests/none.epd"}),
                      Catch::Contains("tests/none.epd"));
}

TEST_CASE("roots: a mixed order takes suites in turn, each position once, by seed") {
    std::vector<std::vector<chess::Position>> suites(2);
    chess::Position position = chess::Position::initial();
    for (int i = 0; i < 10; ++i) {
        suites[static_cast<std::size_t>(i % 2)].push_back(position);
        position.play(position.legal_moves()[0]);
    }
    suites[1].push_back(suites[0].front());
    const auto a = mixed(suites, 1);
    const auto b = mixed(suites, 1);
    const auto c = mixed(suites, 2);
    CHECK(a.size() == 10);
    CHECK(a == b);
    CHECK(a != c);
    CHECK(std::is_permutation(a.begin(), a.end(), c.begin()));
    CHECK(std::find(suites[0].begin(), suites[0].end(), a[0]) != suites[0].end());
}
