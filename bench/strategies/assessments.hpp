// Assessments: what a contender thinks of a root after so many nodes, and what a reference thinks
// of single moves.
#pragma once

#include "analysis/estimate.hpp"
#include "analysis/growth.hpp"
#include "bench/strategies/conversation.hpp"

#include <map>
#include <optional>
#include <vector>

namespace adjourn::bench {

// A score in cp, beyond ±1,000 taken as that: how decisively a game is won is no matter here.
int bounded_value(chess::Score score);

struct Assessment {
    chess::Move move;                  // its choice
    std::map<chess::Move, int> values; // cp, mover's side, within ±1,000; of some moves
    // Of some moves, mover's side; trees have them.
    std::map<chess::Move, analysis::Estimate> estimates = {};
    std::vector<analysis::Evaluation> facts = {}; // that a tree rests on, as they came
    std::optional<chess::Score> score = {};       // of the choice; none: by the program
    bool shown = false; // a tree has nothing left to ask, or proves a win or loss
};

// One search of so many nodes with so many PVs. nullopt: no answer.
std::optional<Assessment> assessment_of_search(const chess::Position& root, std::uint64_t nodes,
                                               int lines, Conversation& engine);

struct TreeRequest {
    chess::Position root;
    analysis::StrategyParameters parameters;
    std::uint64_t nodes = 100'000; // of an evaluation
    std::uint64_t total = 0;       // of all of them; ≥ nodes
    int margin = 0;                // Variant::margin
};
// The strategy's, on a conversation that begins anew.
std::optional<Assessment> assessment_of_tree(const TreeRequest& request, Conversation& engine);

// What two searches, each with an empty memory, say of one move: of it alone at the root, and of
// the position after it. Both, so that neither root searches nor trees are favoured by the form.
struct Judgement {
    double at_root = 0; // cp, mover's side, within ±1,000
    double below = 0;
    double value() const { return (at_root + below) / 2; }
};
std::optional<Judgement> judgement_of(const chess::Position& root, chess::Move move,
                                      std::uint64_t nodes, Conversation& engine);

// Which half a root belongs to: by the position alone, so that it is the same for everybody.
bool in_tune_set(const chess::Position& root);

// By two short searches: neither side is better by more than 150 cp, and the best of the other
// moves is within 30 cp of the best one. Elsewhere every method gives the same answer, and nothing
// is measured.
bool is_contested(const chess::Position& root, Conversation& engine);

} // namespace adjourn::bench
