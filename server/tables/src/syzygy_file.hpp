// What can be said of a Syzygy file without probing it. libfathom believes whatever it maps: a
// damaged file gives wrong answers or a crash. So nothing reaches it whose head has not passed
// here. What follows the head is not looked at: who copies tables compares their md5 sums.
#pragma once

#include "chess/material.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace adjourn::tables {

enum class SyzygyKind : std::uint8_t { wdl, dtz };

// Whether the start and the size of the file are those of a table for this material. What is wrong,
// or nullopt. Any bytes may be given.
std::optional<std::string> syzygy_problem(std::span<const std::uint8_t> file, SyzygyKind kind,
                                          const chess::Material& material);

} // namespace adjourn::tables
