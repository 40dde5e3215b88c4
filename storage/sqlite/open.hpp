// The store in a data directory, for the factory (storage/open.hpp) alone.
#pragma once

#include "storage/open.hpp"
#include "storage/rows/row_stream.hpp"

#include <filesystem>
#include <memory>

namespace adjourn::storage {

// Throws StoreError, StoreInUse.
std::unique_ptr<Store> open_directory(const std::filesystem::path& directory, OpenMode mode);

// The rows of a data directory, to be read and to be made.
// Sees one moment. Throws StoreError where there is no store of this program's version.
std::unique_ptr<RowSource> read_rows(const std::filesystem::path& directory);
// Writes DIR/adjourn.db.copying, which gets the store's name at the end. Throws StoreError where
// there is a store, StoreInUse.
std::unique_ptr<RowTarget> write_rows(const std::filesystem::path& directory);

} // namespace adjourn::storage
