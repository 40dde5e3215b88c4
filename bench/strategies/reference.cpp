#include "bench/strategies/reference.hpp"

#include "chess/notation.hpp"

#include <algorithm>
#include <cassert>
#include <stdexcept>

namespace adjourn::bench {

int bounded_value(chess::Score score) {
    constexpr int most = 1'000;
    return std::clamp(score.rank(), -most, most);
}

std::optional<int> value_of(const chess::Position& position, chess::Move move,
                            const analysis::Limit& limit, Oracle& oracle) {
    std::vector<chess::Move> others;
    for (const chess::Move other : position.legal_moves()) {
        if (other != move) {
            others.push_back(other);
        }
    }
    std::sort(others.begin(), others.end());
    const analysis::Evaluation fact =
        oracle.ask({position.packed(), oracle.engine(), limit, std::move(others)});
    if (!fact.score) {
        return std::nullopt;
    }
    return bounded_value(*fact.score);
}

MoveValues judged(const chess::Position& root, const std::vector<chess::Move>& moves,
                  const analysis::Limit& limit, Oracle& oracle) {
    if (std::all_of(moves.begin(), moves.end(),
                    [&](chess::Move move) { return move == moves.front(); })) {
        return {{moves.front(), 0}};
    }
    MoveValues values;
    for (const chess::Move move : moves) {
        if (values.contains(move)) {
            continue;
        }
        const auto value = value_of(root, move, limit, oracle);
        if (!value) {
            throw std::runtime_error("the reference has no value for " + chess::to_san(root, move) +
                                     " in " + root.fen());
        }
        values.emplace(move, *value);
    }
    return values;
}

int regret(const MoveValues& values, chess::Move move) {
    const auto best =
        std::max_element(values.begin(), values.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    return best->second - values.at(move);
}

std::vector<double> regrets(const MoveValues& values, const Course& course) {
    std::vector<double> result(course.points.size());
    assert(course.points.back());
    double next = 0;
    for (std::size_t i = course.points.size(); i > 0; --i) {
        if (course.points[i - 1]) {
            next = regret(values, course.points[i - 1]->move);
        }
        result[i - 1] = next;
    }
    return result;
}

std::vector<chess::Move> choices(const Course& course) {
    std::vector<chess::Move> result;
    for (const auto& point : course.points) {
        if (point && std::find(result.begin(), result.end(), point->move) == result.end()) {
            result.push_back(point->move);
        }
    }
    return result;
}

} // namespace adjourn::bench
