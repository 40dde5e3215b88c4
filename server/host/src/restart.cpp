#include "restart.hpp"

#include <initializer_list>
#include <utility>

namespace adjourn::server {

std::vector<std::string> waiting_for_restart(const Config& used, const Config& wanted) {
    std::vector<std::string> keys;
    for (const auto& [key, differs] : std::initializer_list<std::pair<const char*, bool>>{
             {"listen", wanted.listen_address != used.listen_address ||
                            wanted.listen_port != used.listen_port},
             {"syzygy_path", wanted.tables.syzygy != used.tables.syzygy},
             {"tables_path", wanted.tables.own != used.tables.own},
             {"advertise", wanted.advertise != used.advertise},
             {"store", wanted.store != used.store},
             {"time_zone", wanted.time_zone != used.time_zone},
             {"least_free_mb", wanted.least_free != used.least_free},
             {"graph_images_from", wanted.graph_images_from != used.graph_images_from},
             {"worker_lease_seconds", wanted.worker_lease != used.worker_lease},
             {"worker_repeat", wanted.worker_repeat != used.worker_repeat},
         }) {
        if (differs) {
            keys.emplace_back(key);
        }
    }
    return keys;
}

} // namespace adjourn::server
