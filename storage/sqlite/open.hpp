// The store in a data directory, for the factory (storage/open.hpp) alone.
#pragma once

#include "storage/open.hpp"

#include <filesystem>
#include <memory>

namespace adjourn::storage {

// Throws StoreError, StoreInUse.
std::unique_ptr<Store> open_directory(const std::filesystem::path& directory, OpenMode mode,
                                      const std::stop_token& stop);

} // namespace adjourn::storage
