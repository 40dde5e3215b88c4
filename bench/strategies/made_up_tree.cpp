#include "bench/strategies/made_up_tree.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace adjourn::bench {

namespace {

// splitmix64's finaliser: Steele, Lea, Flood, "Fast splittable pseudorandom number generators".
std::uint64_t mix(std::uint64_t value) {
    value += 0x9E3779B97F4A7C15ULL;
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9ULL;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EBULL;
    return value ^ (value >> 31);
}

double uniform(std::uint64_t hash) { // [0, 1)
    return static_cast<double>(hash >> 11) * 0x1.0p-53;
}

// Mean 0, standard deviation 1, bell-shaped: the sum of four.
double bell(std::uint64_t hash) {
    double sum = -2;
    for (int i = 0; i < 4; ++i) {
        hash = mix(hash);
        sum += uniform(hash);
    }
    return sum * std::sqrt(3.0);
}

} // namespace

MadeUpTree::MadeUpTree(const MadeUpGame& game) : game_{game} {
    std::vector<chess::Position> border{game.start};
    std::unordered_set<chess::PackedPosition, chess::PackedPositionHash> seen{game.start.packed()};
    std::int64_t facts = 0;
    graph_.begin_bulk();
    graph_.add_root(graph_.intern(game.start));
    for (int ply = 0; ply < game.plies; ++ply) {
        std::vector<chess::Position> next;
        for (const chess::Position& position : border) {
            if (position.terminal() != chess::Terminal::no) {
                continue;
            }
            for (const chess::Move move : position.legal_moves()) {
                analysis::Evaluation fact; // the score is replaced by what the target is worth
                fact.id = analysis::EvaluationId{++facts};
                fact.question = {position.packed(), engine(), {}, {}};
                fact.move = move;
                fact.score = chess::Score::cp(0);
                fact.pv = {move};
                graph_.apply(fact);
                const chess::Position target = position.after(move);
                if (seen.insert(target.packed()).second) {
                    next.push_back(target);
                }
            }
        }
        border = std::move(next);
    }
    for (const chess::Position& position : border) {
        if (position.terminal() == chess::Terminal::no) {
            ends_.insert(position.packed());
            graph_.set_exact(graph_.intern(position), chess::Score::cp(hashed_value(position)));
        }
    }
    graph_.end_bulk();
}

std::optional<chess::Score> MadeUpTree::exact(const chess::Position& position) const {
    return ends_.contains(position.packed()) ? truth(position) : std::nullopt;
}

std::optional<chess::Score> MadeUpTree::truth(const chess::Position& position) const {
    const auto node = graph_.find(position.packed());
    return node ? graph_.game_value(*node) : std::nullopt;
}

MoveValues MadeUpTree::true_values(const chess::Position& position) const {
    MoveValues result;
    const analysis::NodeId node = graph_.find(position.packed()).value();
    for (std::size_t i = 0; i < graph_.moves(node).size(); ++i) {
        result.emplace(graph_.moves(node)[i].move, bounded_value(graph_.game_value_of(node, i)));
    }
    return result;
}

analysis::Evaluation MadeUpTree::ask(const analysis::Question& question) {
    assert(question.limit.kind == analysis::Limit::Kind::nodes);
    const auto node = graph_.find(question.position);
    assert(node && graph_.expanded(*node));
    const chess::Position position = graph_.position(*node);
    analysis::Evaluation best;
    best.id = analysis::EvaluationId{++answers_};
    best.question = question;
    best.nodes = question.limit.amount;
    best.depth = 1;
    for (std::size_t i = 0; i < graph_.moves(*node).size(); ++i) {
        const chess::Move move = graph_.moves(*node)[i].move;
        if (std::binary_search(question.excluded.begin(), question.excluded.end(), move)) {
            continue;
        }
        chess::Score value = graph_.game_value_of(*node, i);
        if (value.is_cp()) {
            value = chess::Score::cp(value.centipawns() +
                                     noise(*node, position.after(move), question.limit.amount));
        }
        if (!best.score || value.rank() > best.score->rank()) {
            best.score = value;
            best.move = move;
        }
    }
    best.pv = {best.move.value()};
    return best;
}

int MadeUpTree::hashed_value(const chess::Position& position) const {
    double white = 0;
    for (int square = 0; square < 64; ++square) {
        if (const auto piece = position.piece_at(chess::Square{square})) {
            const auto code = static_cast<std::uint64_t>(piece->role) * 2 +
                              static_cast<std::uint64_t>(piece->color);
            white +=
                2 * uniform(mix(game_.seed ^ mix(code * 64 + static_cast<unsigned>(square)))) - 1;
        }
    }
    white += uniform(mix(game_.seed ^ position.hash())) - 0.5; // what no square table knows
    const int value = static_cast<int>(std::lround(white * game_.spread));
    return position.turn() == chess::Color::white ? value : -value;
}

int MadeUpTree::noise(analysis::NodeId from, const chess::Position& to, std::uint64_t nodes) const {
    const std::uint64_t salt = mix(game_.seed * 2 + 1) ^ mix(nodes);
    const double target_error = bell(salt ^ to.hash());
    const double move_error = bell(mix(salt ^ static_cast<std::uint64_t>(from)) ^ to.hash());
    const double left = game_.plies - static_cast<double>(graph_.ply(from).value());
    const double size = game_.noise * left / game_.plies *
                        std::sqrt(game_.noise_nodes / static_cast<double>(nodes));
    return static_cast<int>(std::lround(size * (0.8 * target_error + 0.6 * move_error)));
}

} // namespace adjourn::bench
