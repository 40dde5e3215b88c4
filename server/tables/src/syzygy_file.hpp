// What can be said of a Syzygy file without probing it. libfathom believes whatever it maps: a
// damaged file gives wrong answers or a crash. So nothing reaches it whose head has not passed
// here; the checksum, for which all of a file is read, is left to `adjourn tables check`.
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
std::optional<std::string> syzygy_head_problem(std::span<const std::uint8_t> file, SyzygyKind kind,
                                               const chess::Material& material);
// The same and the checksum over the whole file.
std::optional<std::string> syzygy_problem(std::span<const std::uint8_t> file, SyzygyKind kind,
                                          const chess::Material& material);

} // namespace adjourn::tables
