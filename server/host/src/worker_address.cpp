#include "host/worker_address.hpp"

#include <nlohmann/json.hpp>

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <fstream>

namespace adjourn::server {

using nlohmann::json;

std::string to_text(const WorkerAddress& address) {
    return json{{"host", address.host},
                {"network", address.network},
                {"local", address.local},
                {"elsewhere", address.elsewhere},
                {"token", address.token}}
        .dump(-1, ' ', false, json::error_handler_t::replace);
}

std::expected<WorkerAddress, std::string> worker_address_in(const std::string& text) {
    const json given = json::parse(text, nullptr, false);
    WorkerAddress address;
    for (const auto& [name, into] :
         {std::pair{"host", &address.host}, std::pair{"network", &address.network},
          std::pair{"local", &address.local}, std::pair{"elsewhere", &address.elsewhere},
          std::pair{"token", &address.token}}) {
        if (!given.is_object() || !given.contains(name) || !given[name].is_string()) {
            return std::unexpected("the server has not said where it is: is it of another version "
                                   "than this worker?");
        }
        *into = given[name];
    }
    return address;
}

std::expected<std::string, std::string> url_from(const WorkerAddress& address,
                                                 const std::string& network) {
    if (!network.empty() && network == address.network) {
        return address.local;
    }
    if (address.elsewhere.empty()) {
        return std::unexpected(
            "the server on " + (address.host.empty() ? "another machine" : address.host) +
            " listens on loopback only, so that no other machine can reach it: set `listen` there "
            "(and `advertise`, where others know it by another name)");
    }
    return address.elsewhere;
}

std::string this_network() {
    std::ifstream file{"/proc/sys/kernel/random/boot_id"};
    std::string boot;
    struct stat space {};
    if (!(file >> boot) || stat("/proc/self/ns/net", &space) != 0) {
        return "";
    }
    return boot + "/" + std::to_string(space.st_ino);
}

std::string host_name() {
    std::array<char, 256> name{};
    return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

} // namespace adjourn::server
