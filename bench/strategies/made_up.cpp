#include "made_up.hpp"

#include "bench/strategies/made_up_tree.hpp"
#include "bench/strategies/reference.hpp"
#include "parallel.hpp"

namespace adjourn::bench {

namespace {

// Pawns that will be gone by and by, kings that can walk to and fro: transpositions and cycles.
constexpr const char* pawn_ending = "4k3/2p2p2/8/8/8/8/2P2P2/4K3 w - - 0 1";

} // namespace

std::vector<Contender> compare_on_made_up_trees(const StrategiesOptions& options) {
    const chess::Position start = chess::Position::from_fen(pawn_ending).value();
    std::vector<Contender> contenders;
    for (const Variant& variant : options.strategies) {
        contenders.push_back({variant.name, {}, {}});
        contenders.back().regret.resize(options.roots);
    }
    parallel_for(options.roots, options.processes, [&](std::size_t i) {
        MadeUpGame game{start, options.seed + i};
        game.noise = options.noise;
        MadeUpTree tree{game};
        const MoveValues values = tree.true_values(start);
        for (std::size_t s = 0; s < options.strategies.size(); ++s) {
            CourseRequest request{start,
                                  options.strategies[s].parameters,
                                  {analysis::Limit::Kind::nodes, options.nodes}};
            request.budget = options.budget;
            request.choice = options.choice;
            contenders[s].regret[i] = regrets(values, follow_course(request, tree));
        }
    });
    return contenders;
}

} // namespace adjourn::bench
