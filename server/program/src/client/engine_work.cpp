#include "program/client/engine_work.hpp"

#include "host/service.hpp"
#include "storage/open.hpp"

#include <spdlog/spdlog.h>

#include <iostream>

namespace adjourn::server {

int with_engines(const CommonOptions& common, const std::string& engine,
                 const std::function<int(Remote&)>& work) {
    auto config = common.load();
    if (!config) {
        return bad_use(config.error());
    }
    if (!engine.empty() && config->find(engine) == nullptr) {
        return bad_use("no engine is named '" + engine + "' in the config");
    }
    block_stop_signals();
    spdlog::set_level(spdlog::level::warn);
    std::string holder;
    try {
        const auto location = common.location(*config);
        Service service{std::move(*config), {location, false, "", false}};
        LocalRemote remote{service};
        service.start();
        const int code = work(remote);
        service.stop();
        return code;
    } catch (const storage::StoreInUse& error) {
        if (error.holder().empty()) {
            return failed(error.what());
        }
        holder = error.holder();
    } catch (const storage::StoreError& error) {
        return failed(error.what());
    }
    std::cerr << "the store belongs to the server on " << holder << ", which does the work\n";
    HttpRemote remote{holder};
    return work(remote);
}

} // namespace adjourn::server
