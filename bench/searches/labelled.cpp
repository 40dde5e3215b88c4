#include "labelled.hpp"

#include "openings.hpp"

#include "search/exchange.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace adjourn::bench {

using chess::Position;

namespace {

constexpr search::Value decided = 1'500;
constexpr double scale = 200; // of values, cp: how results go with them, about

bool is_quiet(const Position& position) {
    if (position.in_check()) {
        return false;
    }
    const chess::MoveList moves = position.legal_moves();
    return std::none_of(moves.begin(), moves.end(), [&](chess::Move move) {
        return (position.is_capture(move) || move.kind() == chess::MoveKind::promotion) &&
               search::exchange(position, move) > 0;
    });
}

} // namespace

std::vector<Labelled> label_positions(const std::vector<Position>& openings,
                                      const Contestant& player, std::uint64_t games,
                                      double recall) {
    search::Search white{player.options};
    search::Search black{player.options};
    std::vector<Labelled> labelled;
    for (std::uint64_t number = 0; number < games; ++number) {
        Position here = opening_of(openings, number);
        const PlayedGame game = play_game(here, white, player.nodes, black, player.nodes);
        const double result = game.end == GameEnd::white_wins ? 1
                              : game.end == GameEnd::draw     ? 0.5
                                                              : 0;
        std::vector<double> labels(game.moves.size() + 1, result);
        for (std::size_t ply = game.moves.size(); ply-- > 0;) {
            const double expected = 1 / (1 + std::exp(-game.values[ply] / scale));
            labels[ply] = recall * labels[ply + 1] + (1 - recall) * expected;
        }
        for (std::size_t ply = 0; ply < game.moves.size(); ++ply) {
            if (std::abs(game.values[ply]) <= decided && is_quiet(here)) {
                labelled.push_back(
                    {search::features(here), game.values[ply], result, labels[ply], number});
            }
            here.play(game.moves[ply]);
        }
    }
    return labelled;
}

} // namespace adjourn::bench
