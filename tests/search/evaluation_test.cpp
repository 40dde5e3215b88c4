#include "search/evaluation.hpp"

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

TEST_CASE("evaluation: it is the weighted sum of its features", "[search]") {
    std::set<Term> met;
    for_random_positions(60, 80, 8, [&](const chess::Position& here) {
        const Features features = search::features(here);
        int middle = 0;
        int end = 0;
        for (const Features::Count& count : features.counts) {
            const Weight& weight =
                evaluation_weights()[static_cast<std::size_t>(count.term)].of[count.slot];
            middle += count.count * weight.middle;
            end += count.count * weight.end;
            met.insert(count.term);
        }
        const int white =
            (middle * features.phase + end * (whole_phase - features.phase)) / whole_phase;
        CAPTURE(here.fen());
        CHECK(evaluate(here) == (here.turn() == chess::Color::white ? white : -white));
    });
    CHECK(met.size() == term_count);
}

TEST_CASE("evaluation: each row of the table has a name of its own", "[search]") {
    std::set<std::string> names;
    for (const TermWeights& row : evaluation_weights()) {
        names.insert(row.name);
    }
    CHECK(names.size() == term_count);
}

TEST_CASE("evaluation: what a feature counts", "[search]") {
    const auto count = [](const std::string& fen, Term term, int slot = 0) {
        for (const Features::Count& found : features(position(fen)).counts) {
            if (found.term == term && found.slot == slot) {
                return found.count;
            }
        }
        return 0;
    };
    CHECK(count("4k3/8/8/8/8/P7/P7/4K3 w - - 0 1", Term::doubled) == 1);
    CHECK(count("4k3/8/8/8/8/P7/P7/4K3 w - - 0 1", Term::isolated) == 2);
    CHECK(count("4k3/8/8/3p4/8/8/8/4K3 w - - 0 1", Term::passed, 3) == -1);
    CHECK(count("4k3/2p5/8/3P4/8/8/8/4K3 w - - 0 1", Term::passed, 4) == 0);
    CHECK(count("4k3/8/8/8/8/8/1PP5/4K3 w - - 0 1", Term::supported) == 2);
    CHECK(count("4k3/8/1p6/8/1PP5/8/8/4K3 w - - 0 1", Term::backward) == 0);
    CHECK(count("4k3/8/1p6/8/1P6/2P5/8/4K3 w - - 0 1", Term::backward) == 0);
    CHECK(count("4k3/8/8/3p4/1P6/2P5/8/4K3 w - - 0 1", Term::backward) == 1);
    CHECK(count("4k3/8/3n4/4P3/8/8/8/4K3 w - - 0 1", Term::pawn_threat) == 1);
    CHECK(count("4k3/8/8/n7/8/8/8/R3K3 w - - 0 1", Term::loose) == 1);
    CHECK(count("4k3/8/1p6/n7/8/8/8/R3K3 w - - 0 1", Term::loose) == 0);
    CHECK(count("4k3/8/8/8/8/8/5PPP/6K1 w - - 0 1", Term::shield) == 3);
    CHECK(count("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", Term::open_file, 0) == 1);
    CHECK(count("4k3/p7/8/8/8/8/8/R3K3 w - - 0 1", Term::open_file, 1) == 1);
}
