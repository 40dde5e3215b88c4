#include "fit.hpp"

#include "logistic.hpp"

#include <cmath>
#include <ostream>

namespace adjourn::bench {

namespace {

constexpr std::size_t columns = search::term_count * search::slots * 2;

constexpr std::size_t middle_column(std::size_t term, std::size_t slot) {
    return 2 * (term * search::slots + slot);
}

std::vector<double> as_vector(const EvaluationWeights& weights) {
    std::vector<double> values(columns);
    for (std::size_t term = 0; term < search::term_count; ++term) {
        for (std::size_t slot = 0; slot < search::slots; ++slot) {
            values[middle_column(term, slot)] = weights[term].of[slot].middle;
            values[middle_column(term, slot) + 1] = weights[term].of[slot].end;
        }
    }
    return values;
}

// What each weight is multiplied with, White's, times `factor`.
void parts_of(const search::Features& features, double factor, std::vector<SamplePart>& parts) {
    parts.clear();
    const double middle = factor * features.phase / search::whole_phase;
    for (const auto& [term, slot, count] : features.counts) {
        const std::size_t column = middle_column(static_cast<std::size_t>(term), slot);
        if (features.phase != 0) {
            parts.push_back({column, count * middle});
        }
        if (features.phase != search::whole_phase) {
            parts.push_back({column + 1, count * (factor - middle)});
        }
    }
}

double evaluated(const search::Features& features, const std::vector<double>& weights) {
    std::vector<SamplePart> parts;
    parts_of(features, 1, parts);
    double sum = 0;
    for (const auto& [column, value] : parts) {
        sum += weights[column] * value;
    }
    return sum;
}

bool is_held_out(const Labelled& position) {
    return position.game % 10 == 9;
}

} // namespace

WeightsFit fit_weights(const std::vector<Labelled>& positions, const EvaluationWeights& start,
                       double looseness) {
    const std::vector<double> from = as_vector(start);
    const auto values = [&](const ShowSample& show) {
        for (const Labelled& position : positions) {
            if (!is_held_out(position)) {
                const SamplePart value{0, evaluated(position.features, from)};
                show({&value, 1}, position.label);
            }
        }
    };
    const double factor = fit_logistic(values, {0.005}, 1).front();
    const auto features = [&](bool held_out) {
        return [&positions, factor, held_out](const ShowSample& show) {
            std::vector<SamplePart> parts;
            for (const Labelled& position : positions) {
                if (is_held_out(position) == held_out) {
                    parts_of(position.features, factor, parts);
                    show(parts, held_out ? position.result : position.label);
                }
            }
        };
    };
    const std::vector<double> fitted = fit_logistic(features(false), from, looseness);
    WeightsFit fit{start, 1 / factor, cross_entropy(features(true), from), 0};
    for (std::size_t term = 0; term < search::term_count; ++term) {
        for (std::size_t slot = 0; slot < search::slots; ++slot) {
            const std::size_t column = middle_column(term, slot);
            fit.weights[term].of[slot] = {static_cast<int>(std::lround(fitted[column])),
                                          static_cast<int>(std::lround(fitted[column + 1]))};
        }
    }
    fit.after = cross_entropy(features(true), as_vector(fit.weights));
    return fit;
}

ChancesFit fit_chances(const std::vector<Labelled>& positions) {
    const auto both_sides = [&](const ShowSample& show) {
        for (const Labelled& position : positions) {
            for (const int sign : {1, -1}) {
                const std::array<SamplePart, 2> parts{{{0, 1}, {1, sign * position.value / 100.0}}};
                show(parts, position.result == (sign > 0 ? 1 : 0) ? 1 : 0);
            }
        }
    };
    const std::vector<double> fitted = fit_logistic(both_sides, {0, 1}, 100);
    return {-100 * fitted[0] / fitted[1], 100 / fitted[1]};
}

void print_weights(const EvaluationWeights& weights, std::ostream& out) {
    for (const auto& [name, of] : weights) {
        std::size_t used = search::slots;
        while (used > 1 && of[used - 1].middle == 0 && of[used - 1].end == 0) {
            --used;
        }
        out << "    {\"" << name << "\", {{";
        for (std::size_t slot = 0; slot < used; ++slot) {
            out << (slot == 0 ? "{" : ", {") << of[slot].middle << ", " << of[slot].end << '}';
        }
        out << "}}},\n";
    }
}

} // namespace adjourn::bench
