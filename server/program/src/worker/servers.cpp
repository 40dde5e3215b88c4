#include "program/worker/servers.hpp"

#include "host/worker_address.hpp"
#include "storage/open.hpp"

namespace adjourn::server {

namespace {

std::unexpected<LinkTrouble> trouble(LinkTrouble::Kind kind, std::string message) {
    return std::unexpected(LinkTrouble{kind, std::move(message)});
}

} // namespace

FindServers server_of(const std::filesystem::path& store, const std::string& ca_file) {
    return [store, ca_file]() -> std::expected<std::vector<Server>, LinkTrouble> {
        using Kind = LinkTrouble::Kind;
        std::optional<std::string> announced;
        try {
            announced = storage::announced_to_workers(store);
        } catch (const storage::StoreError& error) {
            return trouble(Kind::away, error.what());
        }
        if (!announced || announced->empty()) {
            return trouble(Kind::away, "no server works on " + storage::shown(store) +
                                           " now: is 'adjourn serve' running there?");
        }
        const auto address = worker_address_in(*announced);
        if (!address) {
            return trouble(Kind::refused, address.error());
        }
        const auto url = url_from(*address, this_network());
        if (!url) {
            return trouble(Kind::refused, url.error());
        }
        auto parsed = parse_server_url(*url);
        if (!parsed) {
            return trouble(Kind::refused, parsed.error());
        }
        parsed->ca_file = ca_file;
        return std::vector{Server{std::move(*parsed), *url, address->token}};
    };
}

} // namespace adjourn::server
