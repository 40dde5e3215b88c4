// The store on PostgreSQL, for the factory (storage/open.hpp) alone.
#pragma once

#include "storage/open.hpp"

#include <memory>
#include <optional>
#include <string>

namespace adjourn::storage::postgresql {

// `url`: as libpq reads it. `shown`: what messages call it. Throws StoreError, StoreInUse.
std::unique_ptr<Store> open(const std::string& url, const std::string& shown, OpenMode mode);
std::optional<std::string> announced_to_workers(const std::string& url, const std::string& shown);
bool has_owner(const std::string& url, const std::string& shown);

} // namespace adjourn::storage::postgresql
