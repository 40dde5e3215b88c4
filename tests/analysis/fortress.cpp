// What the lamp says of signs that are made up, and of recorded ones of positions whose end is
// known (docs/measurements/fortress.md).
#include "analysis/fortress.hpp"

#include "facts.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <fstream>
#include <sstream>
#include <string>

using namespace adjourn;
using namespace facts;
using analysis::Fortress;
using analysis::fortress_of;
using analysis::FortressReason;
using analysis::FortressSigns;

namespace {

// Six doublings in which nothing was found.
FortressSigns stuck(int cp = 300) {
    FortressSigns signs;
    for (const double effort : {14.0, 16.0, 18.0, 20.0}) {
        signs.course.push_back({effort, Score::cp(cp)});
    }
    signs.idea = signs.alpha = Score::cp(cp);
    signs.line = signs.quiet = 24;
    return signs;
}

const Fortress::Why* why(const Fortress& lamp, FortressReason reason) {
    const auto found = std::ranges::find(lamp.why, reason, &Fortress::Why::reason);
    return found == lamp.why.end() ? nullptr : &*found;
}

} // namespace

TEST_CASE("fortress: plies before the first move that cannot be undone") {
    const auto line = [](std::initializer_list<const char*> sans) {
        std::vector<Move> moves;
        Position at = Position::initial();
        for (const char* san : sans) {
            moves.push_back(move(at, san));
            at.play(moves.back());
        }
        return analysis::quiet_plies(Position::initial(), moves);
    };
    CHECK(line({}) == 0);
    CHECK(line({"e4", "Nf6", "Nf3"}) == 0);
    CHECK(line({"Nf3", "Nf6", "Ng1", "Ng8"}) == 4);
    CHECK(line({"Nf3", "Nc6", "Nd4", "Nxd4", "Nc3"}) == 3);
}

TEST_CASE("fortress: positions around one lead there and back without an irreversible move") {
    Graph graph;
    const auto at = [&](std::string_view moves) { return graph.intern(after(moves)); };
    graph.add_root(at(""));
    std::int64_t id = 0;
    const auto know = [&](std::string_view moves, const char* san) {
        const Position from = after(moves);
        graph.apply(fact(++id, from, move(from, san), Score::cp(20)));
    };
    know("", "Nf3");
    know("", "e4");
    know("Nf3", "Nf6");
    know("Nf3 Nf6", "Ng1");
    CHECK(analysis::positions_around(graph, at(""), 100) == 1); // nothing leads back yet
    know("Nf3 Nf6 Ng1", "Ng8");
    CHECK(analysis::positions_around(graph, at(""), 100) == 4);
    CHECK(analysis::positions_around(graph, at("Nf3 Nf6"), 100) == 4);
    know("e4", "e5");
    know("e4 e5", "Ke2");
    CHECK(analysis::positions_around(graph, at(""), 100) == 4);
    CHECK(analysis::positions_around(graph, at("e4"), 100) == 1);
    CHECK(analysis::positions_around(graph, at(""), 2) == 1); // looked at no further
}

TEST_CASE("fortress: lit where more work finds no more and the line gives nothing up") {
    const Fortress lamp = fortress_of(stuck());
    CHECK(lamp.lit);
    CHECK(lamp.mover);
    REQUIRE(why(lamp, FortressReason::flat) != nullptr);
    CHECK(why(lamp, FortressReason::flat)->over == 4);
    CHECK(why(lamp, FortressReason::quiet)->figure == 24);
    CHECK(why(lamp, FortressReason::repeats) == nullptr);
    CHECK(why(lamp, FortressReason::around) == nullptr);
    CHECK(why(lamp, FortressReason::clock) == nullptr);
    CHECK_FALSE(fortress_of({}).lit);
    CHECK_FALSE(fortress_of(stuck(99)).lit); // no advantage
    const Fortress other = fortress_of(stuck(-300));
    CHECK(other.lit);
    CHECK_FALSE(other.mover);
}

TEST_CASE("fortress: dark where a course rises, is short, or ends in a result") {
    FortressSigns signs = stuck();
    signs.course.back().score = Score::cp(330);
    CHECK(fortress_of(signs).lit);
    CHECK(why(fortress_of(signs), FortressReason::flat)->figure == 30);
    signs.course.back().score = Score::cp(331);
    CHECK_FALSE(fortress_of(signs).lit);
    signs.course.back().score = Score::cp(200); // it falls
    CHECK(fortress_of(signs).lit);
    signs.course.back().score = Score::mate_in(41);
    CHECK_FALSE(fortress_of(signs).lit);
    signs = stuck();
    signs.course.erase(signs.course.begin(), signs.course.end() - 2); // two doublings
    CHECK_FALSE(fortress_of(signs).lit);
    signs = stuck(-300); // and so for the other side
    signs.course.back().score = Score::cp(-331);
    CHECK_FALSE(fortress_of(signs).lit);
}

TEST_CASE("fortress: dark where the line is short or gives something up") {
    FortressSigns signs = stuck();
    signs.quiet = 23;
    CHECK_FALSE(fortress_of(signs).lit);
    signs.quiet = signs.line = 20;
    CHECK(fortress_of(signs).lit);
    signs.quiet = signs.line = 19;
    CHECK_FALSE(fortress_of(signs).lit);
}

TEST_CASE("fortress: what else speaks for it is told, and lights nothing alone") {
    FortressSigns signs = stuck();
    signs.alpha = Score::cp(0);
    signs.around = 23;
    signs.clock = 30;
    const Fortress lamp = fortress_of(signs);
    CHECK(lamp.lit);
    REQUIRE(why(lamp, FortressReason::repeats) != nullptr);
    CHECK(why(lamp, FortressReason::repeats)->figure == 300);
    CHECK(why(lamp, FortressReason::around)->figure == 23);
    CHECK(why(lamp, FortressReason::clock)->figure == 54);
    CHECK(std::ranges::is_sorted(lamp.why, {}, &Fortress::Why::reason));
    signs.quiet = signs.line = 0;
    CHECK_FALSE(fortress_of(signs).lit);
    signs = stuck(-300);
    signs.alpha = Score::cp(-10);
    CHECK(why(fortress_of(signs), FortressReason::repeats)->figure == 300);
    signs.alpha = Score::cp(-11);
    CHECK(why(fortress_of(signs), FortressReason::repeats) == nullptr);
}

TEST_CASE("fortress: of recorded positions it finds some draws, and few that were won") {
    std::ifstream file{std::string{ADJOURN_TEST_DATA} + "/fortress/ends.txt"};
    REQUIRE(file);
    struct Count {
        int lit = 0, all = 0;
    };
    std::array<Count, 2> drawn{}, won{}; // tune, test
    std::string set, kind, course, idea, alpha;
    FortressSigns signs;
    while (file >> set >> kind >> course >> idea >> alpha >> signs.around >> signs.quiet >>
           signs.line) {
        signs.course.clear();
        std::istringstream points{course};
        char mark = ' ';
        int cp = 0;
        for (double effort = 0; points >> effort >> mark >> cp; points >> mark) {
            signs.course.push_back({effort, Score::cp(cp)});
        }
        REQUIRE(signs.course.size() == 4);
        const bool draw = kind == "fortress" || kind == "drawn-by-tables";
        Count& count = (draw ? drawn : won).at(set == "tune" ? 0 : 1);
        count.lit += fortress_of(signs).lit ? 1 : 0;
        ++count.all;
    }
    CHECK(drawn[0].all == 12);
    CHECK(drawn[0].lit == 2);
    CHECK(drawn[1].all == 14);
    CHECK(drawn[1].lit == 2);
    CHECK(won[0].all == 84);
    CHECK(won[0].lit == 1);
    CHECK(won[1].all == 87);
    CHECK(won[1].lit == 0);
}
