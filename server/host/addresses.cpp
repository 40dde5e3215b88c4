#include "host/addresses.hpp"

#include "host/worker_address.hpp"
#include "http/client/http_link.hpp"
#include "http/tokens.hpp"

#include <boost/asio/ip/address.hpp>

namespace adjourn::server {

std::string with_port(const std::string& host, std::uint16_t port) {
    const bool v6 = host.find(':') != std::string::npos;
    return "http://" + (v6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

bool on_loopback(const Config& config) {
    boost::system::error_code error;
    const auto address = boost::asio::ip::make_address(config.listen_address, error);
    return !error && address.is_loopback();
}

bool on_all(const Config& config) {
    boost::system::error_code error;
    const auto address = boost::asio::ip::make_address(config.listen_address, error);
    return !error && address.is_unspecified();
}

std::string url_elsewhere(const Config& config, std::uint16_t port) {
    if (!config.advertise.empty()) {
        return config.advertise;
    }
    const std::string host = on_all(config) ? host_name() : config.listen_address;
    return on_loopback(config) || host.empty() ? "" : with_port(host, port);
}

std::vector<std::string> hosts_of(const Config& config) {
    std::vector<std::string> hosts = config.hosts;
    const auto url = parse_server_url(url_elsewhere(config, config.listen_port));
    if (url && http::parse_authority(url->host)) {
        hosts.push_back(config.advertise.empty() ? url->host : url->authority);
    }
    return hosts;
}

} // namespace adjourn::server
