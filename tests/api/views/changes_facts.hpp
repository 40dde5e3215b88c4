// Facts for tests of what changed.
#pragma once

#include "analysis/records.hpp"
#include "chess/position.hpp"

#include <algorithm>
#include <random>
#include <set>
#include <tuple>
#include <vector>

namespace changes_facts {

namespace analysis = adjourn::analysis;
using adjourn::chess::Move;
using adjourn::chess::Position;
using adjourn::chess::Score;
using analysis::Evaluation;
using Random = std::mt19937_64;

inline std::size_t below(Random& random, std::size_t bound) {
    return static_cast<std::size_t>(random() % bound);
}

constexpr analysis::UnixMs second = 1'000; // a graph tells moments apart by some

// Answers about positions that a few moves lead to, of depth 7 to 9, at moments from 1 to 100
// seconds.
inline std::vector<Evaluation> random_facts(Random& random, analysis::EngineId engine,
                                            const Position& root, std::size_t count) {
    std::vector<Position> positions{root};
    std::vector<Evaluation> made;
    std::set<std::tuple<adjourn::chess::PackedPosition, std::uint64_t, std::vector<Move>>> asked;
    for (std::size_t i = 0; i < 10 * count && made.size() < count; ++i) {
        const Position from = positions[below(random, positions.size())];
        const adjourn::chess::MoveList legal = from.legal_moves();
        if (legal.size() == 0) {
            continue;
        }
        const auto some = [&] {
            return legal[below(random, std::min<std::size_t>(legal.size(), 4))];
        };
        Evaluation fact;
        fact.move = some();
        if (const Move other = some(); other != fact.move && below(random, 2) == 0) {
            fact.question.excluded = {other};
        }
        fact.question.position = from.packed();
        fact.question.engine = engine;
        fact.question.limit = {analysis::Limit::Kind::depth, 7 + below(random, 3)};
        fact.score = Score::cp(static_cast<int>(below(random, 13)) * 10 - 60);
        fact.pv = {*fact.move};
        fact.at = second * (1 + static_cast<analysis::UnixMs>(below(random, 100)));
        if (asked.emplace(from.packed(), fact.question.limit.amount, fact.question.excluded)
                .second) {
            made.push_back(fact);
            positions.push_back(from.after(*fact.move));
        }
    }
    // As they would have come: those of one position in the order of time.
    std::ranges::stable_sort(made, {}, &Evaluation::at);
    return made;
}

} // namespace changes_facts
