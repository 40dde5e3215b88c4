#include "restart.hpp"

namespace adjourn::server {

std::vector<std::string> waiting_for_restart(const Config& used, const Config& wanted) {
    std::vector<std::string> keys;
    if (wanted.listen_address != used.listen_address || wanted.listen_port != used.listen_port) {
        keys.emplace_back("listen");
    }
    if (wanted.tables.syzygy != used.tables.syzygy) {
        keys.emplace_back("syzygy_path");
    }
    if (wanted.tables.own != used.tables.own) {
        keys.emplace_back("tables_path");
    }
    if (wanted.store != used.store) {
        keys.emplace_back("store");
    }
    if (wanted.time_zone != used.time_zone) {
        keys.emplace_back("time_zone");
    }
    if (wanted.least_free != used.least_free) {
        keys.emplace_back("least_free_mb");
    }
    if (wanted.graph_images_from != used.graph_images_from) {
        keys.emplace_back("graph_images_from");
    }
    if (wanted.worker_lease != used.worker_lease) {
        keys.emplace_back("worker_lease_seconds");
    }
    if (wanted.worker_repeat != used.worker_repeat) {
        keys.emplace_back("worker_repeat");
    }
    return keys;
}

} // namespace adjourn::server
