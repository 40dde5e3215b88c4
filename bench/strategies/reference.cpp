#include "bench/strategies/reference.hpp"

#include <algorithm>
#include <cassert>

namespace adjourn::bench {

int bounded_value(chess::Score score) {
    constexpr int most = 1'000;
    return std::clamp(score.rank(), -most, most);
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
