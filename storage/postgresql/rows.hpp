// The rows of a database, to be read and to be made (storage/copy.hpp).
#pragma once

#include "storage/rows/row_stream.hpp"

#include <memory>
#include <string>

namespace adjourn::storage::postgresql {

// Sees one moment. Throws StoreError where there is no store of this program's version.
std::unique_ptr<RowSource> read_rows(const std::string& url, const std::string& shown);
// Until the end the database says that it is being copied into, and is opened by nobody. Throws
// StoreError where there is a store, StoreInUse.
std::unique_ptr<RowTarget> write_rows(const std::string& url, const std::string& shown);

} // namespace adjourn::storage::postgresql
