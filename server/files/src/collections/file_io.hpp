// Reading and writing at places of a file.
#pragma once

#include "base/unique_fd.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>

namespace adjourn::collections {

// Bytes that were there, up to `size`. Throws std::runtime_error if the disk fails.
std::size_t read_at(int file, std::uint64_t at, void* to, std::size_t size);
// Throws std::runtime_error, that the disk is full for example.
void write_all(int file, const void* from, std::size_t size);

// Throws std::runtime_error.
base::UniqueFd create_file(const std::filesystem::path& file);

} // namespace adjourn::collections
