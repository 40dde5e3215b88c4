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
    block_stop_signals();
    spdlog::set_level(spdlog::level::warn);
    std::string holder;
    try {
        const auto location = common.location(*config);
        Service service{std::move(*config), {location, false, "", false}};
        bool known = engine.empty();
        service.with_core(
            [&](const Core& core) { known = known || core.engines().named(engine) != nullptr; });
        if (!known) {
            return bad_use("no engine is named '" + engine + "' in the config");
        }
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

int with_store(const CommonOptions& common, const std::function<int(Remote&)>& work) {
    spdlog::set_level(spdlog::level::warn);
    auto config = common.load();
    if (!config) {
        return bad_use(config.error());
    }
    std::error_code error;
    const std::filesystem::path location = common.location(*config);
    if (!storage::is_url(location) && !std::filesystem::exists(location, error)) {
        return failed("there is no data directory " + location.string());
    }
    try {
        Service service{std::move(*config), {location, false, "", false}};
        LocalRemote remote{service};
        return work(remote); // no engine is started
    } catch (const storage::StoreInUse& in_use) {
        if (in_use.holder().empty()) {
            return failed(in_use.what());
        }
        HttpRemote remote{in_use.holder()};
        return work(remote);
    } catch (const storage::StoreError& broken) {
        return failed(broken.what());
    }
}

} // namespace adjourn::server
