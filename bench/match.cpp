#include "bench/match.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>

namespace adjourn::bench {

using chess::Color;
using chess::Position;

namespace {

constexpr int most_plies = 400;
constexpr search::Value clearly_ahead = 900;
constexpr int agreed_plies = 6;

bool is_drawn(const Position& here, const std::vector<std::uint64_t>& history) {
    return here.halfmove_clock() >= 100 || here.terminal() != chess::Terminal::no ||
           std::count(history.begin(), history.end(), here.hash()) >= 2;
}

enum class GameEnd : std::uint8_t { white_wins, black_wins, draw };
struct PlayedGame {
    GameEnd end = GameEnd::draw;
    double white_seconds = 0; // of the processor
    double black_seconds = 0;
};

GameEnd won_by(Color color) {
    return color == Color::white ? GameEnd::white_wins : GameEnd::black_wins;
}

PlayedGame play_game(const Position& start, search::Search& white, std::uint64_t white_nodes,
                     search::Search& black, std::uint64_t black_nodes) {
    PlayedGame game;
    white.clear();
    black.clear();
    search::Query query;
    query.root = start;
    int agreed = 0; // plies in a row; negative: Black is ahead
    for (int ply = 0; ply < most_plies; ++ply) {
        const Position& here = query.root;
        if (here.terminal() == chess::Terminal::checkmate) {
            game.end = won_by(!here.turn());
            return game;
        }
        if (is_drawn(here, query.history)) {
            return game;
        }
        const bool whites = here.turn() == Color::white;
        query.limits.nodes = whites ? white_nodes : black_nodes;
        const std::clock_t begin = std::clock();
        const search::Line line = (whites ? white : black).run(query).lines.front();
        (whites ? game.white_seconds : game.black_seconds) +=
            static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
        const search::Value for_white = whites ? line.value : -line.value;
        agreed = for_white >= clearly_ahead    ? std::max(agreed, 0) + 1
                 : for_white <= -clearly_ahead ? std::min(agreed, 0) - 1
                                               : 0;
        if (std::abs(agreed) >= agreed_plies) {
            game.end = agreed > 0 ? GameEnd::white_wins : GameEnd::black_wins;
            return game;
        }
        if (here.is_irreversible(line.moves.front())) {
            query.history.clear();
        } else {
            query.history.push_back(here.hash());
        }
        query.root.play(line.moves.front());
    }
    return game;
}

} // namespace

void play_pair(const Position& opening, const Contestant& first, const Contestant& second,
               MatchScore& score) {
    search::Search one{first.options};
    search::Search two{second.options};
    std::size_t half_points = 0;
    for (const bool first_is_white : {true, false}) {
        const PlayedGame game = first_is_white
                                    ? play_game(opening, one, first.nodes, two, second.nodes)
                                    : play_game(opening, two, second.nodes, one, first.nodes);
        score.first_seconds += first_is_white ? game.white_seconds : game.black_seconds;
        score.second_seconds += first_is_white ? game.black_seconds : game.white_seconds;
        if (game.end == GameEnd::draw) {
            ++score.draws;
            half_points += 1;
        } else if ((game.end == GameEnd::white_wins) == first_is_white) {
            ++score.wins;
            half_points += 2;
        } else {
            ++score.losses;
        }
    }
    ++score.pairs[half_points];
}

double MatchScore::score() const {
    return games() == 0 ? 0.5 : (wins + 0.5 * draws) / games();
}

double MatchScore::error() const {
    const int count = games() / 2;
    if (count < 2) {
        return 0.5;
    }
    double squares = 0;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const double apart = static_cast<double>(i) / 4 - score();
        squares += pairs[i] * apart * apart;
    }
    constexpr double of_95_percent = 1.96;
    return of_95_percent * std::sqrt(squares / (count - 1) / count);
}

double elo_of(double score) {
    if (score <= 0 || score >= 1) {
        return score <= 0 ? -std::numeric_limits<double>::infinity()
                          : std::numeric_limits<double>::infinity();
    }
    return -400 * std::log10(1 / score - 1);
}

} // namespace adjourn::bench
