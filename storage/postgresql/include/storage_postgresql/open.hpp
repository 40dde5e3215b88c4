// The store on PostgreSQL, for the factory (storage/open.hpp) alone.
#pragma once

#include "storage/follower.hpp"
#include "storage/open.hpp"
#include "storage/post.hpp"

#include <memory>
#include <string>

namespace adjourn::storage::postgresql {

// `url`: as libpq reads it. `shown`: what messages call it. Throws StoreError, StoreInUse.
std::unique_ptr<Store> open(const std::string& url, const std::string& shown, OpenMode mode);
std::unique_ptr<ServerPost> open_server_post(const std::string& url, const std::string& shown);
std::unique_ptr<WorkerPost> open_worker_post(const std::string& url, const std::string& shown);
std::unique_ptr<Follower> open_follower(const std::string& url, const std::string& shown);

} // namespace adjourn::storage::postgresql
