#include "facts.hpp"

#include "analysis/records.hpp"
#include "chess/notation.hpp"
#include "test.hpp"

using chess::Position;

namespace {

std::vector<Position> repeated(std::string_view line) {
    const Position start = Position::initial();
    return analysis::repeated_before(start, chess::parse_line(start, line).value());
}

} // namespace

TEST_CASE("before the root, only what occurred twice is history") {
    CHECK(repeated("").empty());
    CHECK(repeated("1. Nf3 Nf6 2. Ng1").empty()); // the start position was there once
    CHECK(repeated("1. Nf3 Nf6 2. Ng1 Ng8").empty());
    // Twice the start position, and no longer the last one.
    CHECK(repeated("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3") == std::vector<Position>{Position::initial()});
    CHECK(repeated("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6") ==
          std::vector<Position>{Position::initial(), facts::after("1. Nf3")});
    CHECK(repeated("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8").size() == 3); // the root is not
    CHECK(repeated("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 e5").empty());                 // irreversible
}
