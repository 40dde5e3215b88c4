// Logistic regression: weights w so that 1 / (1 + exp(−Σ wᵢ xᵢ)) foretells labels from 0 to 1.
// Pure.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace adjourn::bench {

struct SamplePart {
    std::size_t column; // which weight it is for
    double value;
};
// Shows all samples, the same ones each time.
using ShowSample = std::function<void(std::span<const SamplePart>, double label)>;
using Samples = std::function<void(const ShowSample&)>;

// By Newton's method. Each weight is held near its start as by one measurement with this standard
// deviation, so that what the samples say nothing of stays as it was.
std::vector<double> fit_logistic(const Samples& samples, const std::vector<double>& start,
                                 double deviation);

// How badly the weights foretell the labels: cross entropy, nats a sample. 0 without samples.
double cross_entropy(const Samples& samples, const std::vector<double>& weights);

} // namespace adjourn::bench
