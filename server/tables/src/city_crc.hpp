// The checksum at the end of Syzygy files, as Ronald de Man's `tbcheck` defines it: CityHashCrc256
// of each 16 MiB of the file without its last 16 bytes, then CityHashCrc128 of these results in
// order. CityHash 1.0.3 is by Geoff Pike and Jyrki Alakuijala (Google, MIT licence); this is a
// statement of the same function, little-endian as theirs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace adjourn::tables {

std::array<std::uint64_t, 4> city_crc256(std::span<const std::uint8_t> bytes);
std::array<std::uint64_t, 2> city_crc128(std::span<const std::uint8_t> bytes);

constexpr std::size_t syzygy_checksum_bytes = 16; // at the end of a file

// Of everything before the last 16 bytes. Precondition: at least 16 bytes.
std::array<std::uint64_t, 2> syzygy_checksum(std::span<const std::uint8_t> file);

} // namespace adjourn::tables
