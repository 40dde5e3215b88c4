#include "dropout.hpp"

#include <algorithm>
#include <cmath>

namespace adjourn::analysis {

namespace {

constexpr double cost_rounding = 1e-9; // sums in different orders may differ by that
constexpr int plies_a_level = 4;       // that a line may have, where plies cost next to nothing

std::size_t index(chess::Color color) {
    return static_cast<std::size_t>(color);
}

} // namespace

// A level pays for two plies of best moves, one of each side.
std::unique_ptr<Rule> Dropout::of_plies(int plies) const {
    const double paid = std::ceil(plies * costs_.per_ply / 2 - cost_rounding);
    const int least = (plies + plies_a_level - 1) / plies_a_level;
    return std::make_unique<Dropout>(parameters_, std::max(least, static_cast<int>(paid)));
}

int Dropout::horizon() const {
    return plies_a_level * level_;
}

// Nothing inside the move distance is left out at plies 0 and 1.
bool Dropout::near_the_root(const Place& place, int gap) const {
    return place.ply <= 1 && gap <= parameters_.move_distance;
}

bool Dropout::scores(const Place& place, int rank, int gap) const {
    return near_the_root(place, gap) || follows(place, rank, gap, 1);
}

bool Dropout::follows(const Place& place, int /*rank*/, int gap, int plies) const {
    return need(after(place, gap, plies)) <= level_ + cost_rounding ||
           (near_the_root(place, gap) && place.ply + 1 < level_);
}

Place Dropout::after(const Place& place, int gap, int plies) const {
    Place next = Rule::after(place, gap, plies);
    next.spent[index(place.mover)] += costs_.per_ply * plies + costs_.per_cp * gap;
    return next;
}

// So many plies of best moves cost nothing.
Place Dropout::deepened(const Place& place, int plies) const {
    Place result = place;
    result.spent[index(place.mover)] -= costs_.per_ply * ((plies + 1) / 2);
    result.spent[index(!place.mover)] -= costs_.per_ply * (plies / 2);
    return result;
}

bool Dropout::no_narrower(const Place& a, const Place& b) const {
    return (a.ply <= b.ply || b.ply > 1) && a.spent[0] <= b.spent[0] && a.spent[1] <= b.spent[1];
}

// The mean of both sides' costs, where those of one side count in full and those of the other by
// their weight, whichever way round is cheaper: either side may be the one that deviates.
double Dropout::need(const Place& place) const {
    const auto [white, black] = place.spent;
    const double other = costs_.other_side;
    return std::max(0.0, std::min(white + other * black, other * white + black) / (1 + other));
}

} // namespace adjourn::analysis
