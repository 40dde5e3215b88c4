#include "host/worker_address.hpp"

#include "base/line_reader.hpp"
#include "base/text.hpp"
#include "http/client/http_link.hpp"
#include "http/tokens.hpp"

#include <boost/asio/ip/address.hpp>
#include <nlohmann/json.hpp>

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <fstream>
#include <system_error>

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

std::expected<std::string, std::string> read_secret(const std::string& file) {
    constexpr const char* only_a_token = " must hold one line, the token";
    struct stat status {};
    if (stat(file.c_str(), &status) != 0) {
        return std::unexpected("cannot read " + file + ": " +
                               std::generic_category().message(errno));
    }
    if (!S_ISREG(status.st_mode)) {
        return std::unexpected(file + " is not a file");
    }
    if ((status.st_mode & 077) != 0) {
        return std::unexpected("others may read or write " + file + ": chmod 600 " + file);
    }
    std::ifstream in{file, std::ios::binary};
    if (!in || in.peek() == std::ifstream::traits_type::eof()) {
        return in.eof() ? std::unexpected(file + only_a_token)
                        : std::unexpected("cannot read " + file);
    }
    base::LineReader lines{in};
    lines.next();
    const std::string secret{base::trimmed(lines.text())};
    const bool more = lines.too_long() || (lines.next() && !base::trimmed(lines.text()).empty());
    return secret.empty() || more
               ? std::expected<std::string, std::string>{std::unexpected(file + only_a_token)}
               : secret;
}

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
