// The store on PostgreSQL, for the factory (storage/open.hpp) alone.
#pragma once

#include "storage/open.hpp"
#include "storage/rows/row_stream.hpp"

#include <memory>
#include <optional>
#include <string>

namespace adjourn::storage::postgresql {

// `url`: as libpq reads it. `shown`: what messages call it. Throws StoreError, StoreInUse.
std::unique_ptr<Store> open(const std::string& url, const std::string& shown, OpenMode mode);
std::optional<std::string> announced_to_workers(const std::string& url, const std::string& shown);
bool has_owner(const std::string& url, const std::string& shown);

// The rows of a database, to be read and to be made (copy_store).
// Sees one moment. Throws StoreError where there is no store of this program's version.
std::unique_ptr<RowSource> read_rows(const std::string& url, const std::string& shown);
// Until the end the database says that it is being copied into, and is opened by nobody. Throws
// StoreError where there is a store, StoreInUse.
std::unique_ptr<RowTarget> write_rows(const std::string& url, const std::string& shown);

} // namespace adjourn::storage::postgresql
