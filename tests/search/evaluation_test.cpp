#include "search/search.hpp"

#include "support.hpp"
#include "test.hpp"

using namespace adjourn::search;
using namespace adjourn::search::testing;

TEST_CASE("evaluation: colours and sides of the board are alike", "[search]") {
    for_random_positions(60, 60, 7, [](const chess::Position& here) {
        CAPTURE(here.fen());
        CHECK(evaluate(here) == evaluate(colour_flipped(here)));
        if (here.castling_rooks() == 0) {
            CHECK(evaluate(here) == evaluate(mirrored(here)));
        }
    });
}
