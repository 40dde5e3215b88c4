// GraphReader: a graph of many facts, read in one go: several times as quick as Graph::apply() for
// each, with the same result.
#pragma once

#include "analysis/graph.hpp"

#include <memory>
#include <span>

namespace adjourn::analysis {

// Needs 25 bytes a move beside the graph until it is finished. One thread at a time. Throws
// std::length_error as Graph does.
class GraphReader {
public:
    explicit GraphReader(std::shared_ptr<const Tables> tables = nullptr, Basis basis = {});
    ~GraphReader();
    GraphReader(GraphReader&&) noexcept;
    GraphReader& operator=(GraphReader&&) noexcept;

    // In any order; quickest where the facts of a position come one after the other, as stores give
    // them. Facts that Graph::apply() ignores are ignored.
    void take(const Evaluation& fact);
    // The graph of all facts taken, with these roots. Call it once, and nothing afterwards. The
    // graph is equal to one that was given the facts one by one: moves of a position in the order
    // in which they came, values, rest bounds. Nodes may have other numbers, and parents another
    // order.
    Graph finish(std::span<const chess::Position> roots = {});

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

} // namespace adjourn::analysis
