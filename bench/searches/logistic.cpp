#include "logistic.hpp"

#include <algorithm>
#include <cmath>

namespace adjourn::bench {

namespace {

using Matrix = std::vector<std::vector<double>>; // lower triangle

double sum_of(std::span<const SamplePart> sample, const std::vector<double>& weights) {
    double sum = 0;
    for (const auto& [column, value] : sample) {
        sum += weights[column] * value;
    }
    return sum;
}

// −label · log p − (1 − label) · log (1 − p) for p = 1 / (1 + exp(−sum)), also where p is 0 or 1.
double surprise(double sum, double label) {
    return std::max(sum, 0.0) + std::log1p(std::exp(-std::abs(sum))) - label * sum;
}

// Solves matrix · x = right for a positive definite matrix, by Cholesky's method.
std::vector<double> solved(Matrix matrix, std::vector<double> right) {
    const std::size_t size = right.size();
    for (std::size_t i = 0; i < size; ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
            double rest = matrix[i][j];
            for (std::size_t k = 0; k < j; ++k) {
                rest -= matrix[i][k] * matrix[j][k];
            }
            matrix[i][j] = i == j ? std::sqrt(rest) : rest / matrix[j][j];
        }
        for (std::size_t k = 0; k < i; ++k) {
            right[i] -= matrix[i][k] * right[k];
        }
        right[i] /= matrix[i][i];
    }
    for (std::size_t i = size; i-- > 0;) {
        for (std::size_t k = i + 1; k < size; ++k) {
            right[i] -= matrix[k][i] * right[k];
        }
        right[i] /= matrix[i][i];
    }
    return right;
}

// How badly weights foretell, and how that changes with them.
struct Misfit {
    double sum = 0;            // what is to be made least
    std::vector<double> slope; // downwards
    Matrix curvature;
};

Misfit misfit_of(const std::vector<double>& weights, const Samples& samples,
                 const std::vector<double>& start, double hold) {
    const std::size_t size = weights.size();
    Misfit here{0, std::vector<double>(size), Matrix(size, std::vector<double>(size, 0))};
    for (std::size_t i = 0; i < size; ++i) {
        const double apart = start[i] - weights[i];
        here.sum += hold * apart * apart / 2;
        here.slope[i] = hold * apart;
        here.curvature[i][i] = hold;
    }
    samples([&](std::span<const SamplePart> sample, double label) {
        const double sum = sum_of(sample, weights);
        const double chance = 1 / (1 + std::exp(-sum));
        const double bend = chance * (1 - chance);
        here.sum += surprise(sum, label);
        for (const auto& [i, x] : sample) {
            here.slope[i] += (label - chance) * x;
            for (const auto& [j, y] : sample) {
                if (j <= i) {
                    here.curvature[i][j] += bend * x * y;
                }
            }
        }
    });
    return here;
}

} // namespace

std::vector<double> fit_logistic(const Samples& samples, const std::vector<double>& start,
                                 double deviation) {
    constexpr int most_steps = 60;
    const double hold = 1 / (deviation * deviation);
    std::vector<double> weights = start;
    Misfit here = misfit_of(weights, samples, start, hold);
    double part = 1; // of Newton's step: less where that leads up
    for (int step = 0; step < most_steps; ++step) {
        const std::vector<double> change = solved(here.curvature, here.slope);
        std::vector<double> next = weights;
        for (std::size_t i = 0; i < next.size(); ++i) {
            next[i] += part * change[i];
        }
        Misfit there = misfit_of(next, samples, start, hold);
        if (!(there.sum <= here.sum)) {
            part /= 2;
            continue;
        }
        const double gain = here.sum - there.sum;
        weights = std::move(next);
        here = std::move(there);
        part = std::min(1.0, 2 * part);
        if (gain <= 1e-9 * here.sum) {
            break;
        }
    }
    return weights;
}

double cross_entropy(const Samples& samples, const std::vector<double>& weights) {
    double sum = 0;
    double count = 0;
    samples([&](std::span<const SamplePart> sample, double label) {
        sum += surprise(sum_of(sample, weights), label);
        count += 1;
    });
    return count == 0 ? 0 : sum / count;
}

} // namespace adjourn::bench
