// A graph as bytes, for the same program to read again: a start need not make it from all its
// facts. Moves, positions and values are as they lie in memory, so another program, another basis
// or other tables must not be given an image. The caller has to know whether it is
// of the present facts.
#pragma once

#include "analysis/graph.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>

namespace adjourn::analysis {

using PutBytes = std::function<void(std::span<const std::byte>)>;
// Fills the whole span; false if fewer bytes are left.
using TakeBytes = std::function<bool(std::span<std::byte>)>;

// Precondition: not between begin_bulk() and end_bulk(). `put` gets small pieces as well as large
// ones, so it should buffer.
void write_image(const Graph& graph, const PutBytes& put);

// `bytes` in all must be what write_image() gave for a graph of these tables and this basis, and of
// the roots that the graph has then. nullopt if they end too early or too late. Other damage is not
// noticed: check the bytes (by a checksum) before the graph is used.
std::optional<Graph> read_image(const TakeBytes& take, std::uint64_t bytes,
                                std::shared_ptr<const Tables> tables, Basis basis);

} // namespace adjourn::analysis
