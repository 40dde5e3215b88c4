#include "storage/post.hpp"
#include "storage/follower.hpp"

#ifdef ADJOURN_POSTGRESQL
#include "storage_postgresql/open.hpp"
#endif

namespace adjourn::storage {

bool ServerPost::Orders::empty() const {
    return offer.empty() && remove.empty() && hurry.empty() && welcome.empty() && drain.empty() &&
           forget.empty() && read.empty() && wake.empty();
}

#ifdef ADJOURN_POSTGRESQL
std::unique_ptr<ServerPost> open_server_post(const std::filesystem::path& location) {
    return is_url(location) ? postgresql::open_server_post(location.native(), shown(location))
                            : nullptr;
}

std::unique_ptr<WorkerPost> open_worker_post(const std::filesystem::path& location) {
    return is_url(location) ? postgresql::open_worker_post(location.native(), shown(location))
                            : nullptr;
}

std::unique_ptr<Follower> open_follower(const std::filesystem::path& location) {
    return is_url(location) ? postgresql::open_follower(location.native(), shown(location))
                            : nullptr;
}
#else
std::unique_ptr<ServerPost> open_server_post(const std::filesystem::path&) {
    return nullptr;
}

std::unique_ptr<WorkerPost> open_worker_post(const std::filesystem::path&) {
    return nullptr;
}

std::unique_ptr<Follower> open_follower(const std::filesystem::path&) {
    return nullptr;
}
#endif

} // namespace adjourn::storage
