// NameSearch: the addresses of a host by its name, in a time that can be relied on.
#pragma once

#include <boost/asio/ip/tcp.hpp>

#include <chrono>
#include <memory>
#include <string>

namespace adjourn::server {

class NameSearch {
public:
    using Addresses = boost::asio::ip::tcp::resolver::results_type;
    // Longer than a name server that is away takes to be given up for the next one.
    static constexpr std::chrono::seconds longest{12};

    // Blocks for `patience` and `longest` at most, and not beyond close(). Throws
    // boost::system::system_error.
    Addresses find(const std::string& host, const std::string& port,
                   std::chrono::milliseconds patience);
    void close(); // for good; any thread

private:
    struct Shared;
    std::shared_ptr<Shared> shared_ = make();
    static std::shared_ptr<Shared> make();
};

} // namespace adjourn::server
