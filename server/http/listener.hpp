// Listener: Beast over TCP. One coroutine per connection, in a group that is cancelled, then
// joined. Checks Host, Origin, token, sizes and times; serves static files, events, and hands
// everything else to the handler.
#pragma once

#include "http/events/event_hub.hpp"
#include "http/requests/message.hpp"
#include "http/tokens.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace adjourn::http {

// Thrown by Listener's constructor: cannot bind, non-loopback address without a token, bad address.
class ListenError : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct ListenerOptions {
    std::string address = "127.0.0.1"; // numeric
    std::uint16_t port = 8462;         // 0 = any free one
    Secrets secrets;                   // required as "Authorization: Bearer …" if set
    std::vector<std::string> hosts;    // further names allowed in Host
    std::string static_directory;      // the built page; "" = none
    std::size_t max_body = 8u << 20;
    // Of a request by its head; max_body holds besides. Empty: max_body alone.
    std::function<std::size_t(const Request&)> body_limit;
    // Of GET and HEAD. Empty: the token for reading, and no link.
    std::function<Readers(const Request&)> readers;
    std::size_t max_header = 16u << 10;
    std::size_t max_connections = 256;
    std::size_t max_streams = 192;     // of events, among them
    std::size_t max_link_streams = 64; // of those, for whoever has a link
    std::size_t max_strangers = 32;    // connections that are told 401 or 403 at their leisure
    std::chrono::milliseconds header_timeout{10'000};
    std::chrono::milliseconds body_timeout{30'000};
    std::chrono::milliseconds idle_timeout{60'000};
    std::chrono::milliseconds stranger_timeout{5'000}; // idle_timeout of those without the token
    std::chrono::milliseconds write_timeout{30'000};
    std::chrono::milliseconds event_interval{100};   // between two writes to one client of events
    std::chrono::milliseconds ping_interval{15'000}; // of silence before a comment is sent there
    std::size_t max_drain = 64u << 20; // bytes of a refused body that are read and thrown away
};

// Called on the listener's io_context, on the strand of the connection; may suspend. Exceptions
// become 500 `internal`. Is never cancelled, neither when its client leaves nor by stop(): it must
// end by itself, for `stopped` waits for it. (Cancelling a co_spawn onto another executor is a data
// race in Boost 1.81: its cancellation handler keeps a pointer that the completion frees.)
using Handler = std::function<boost::asio::awaitable<Response>(Request)>;

class Listener {
public:
    Listener(boost::asio::io_context& context, ListenerOptions options, EventHub& events,
             Handler handler);
    ~Listener();

    // The constructor binds and listens; connections are answered from here on. Call once.
    void start();
    std::uint16_t port() const; // the one really bound
    // Others count from now on. Event streams end, so that those who follow them show the new one;
    // every other request is answered. Any thread. REQUIRES: one that the address needs stays set.
    void set_secrets(Secrets secrets);
    // These links hold from now on. Whatever else a link was good for is over: streams and tickets.
    // Any thread.
    void set_links(Links links);
    // Further names allowed in Host, from now on. Any thread. Throws ListenError naming one that is
    // no name.
    void set_hosts(const std::vector<std::string>& hosts);
    // Stops accepting; closes idle and event connections at once, others when they have their
    // answer or `grace` is over; when no coroutine is left, `stopped` is called once, on the
    // io_context. Any thread. The destructor stops with no grace; the io_context and the hub must
    // outlive it.
    void stop(std::chrono::milliseconds grace, std::function<void()> stopped);

private:
    struct Impl;
    std::shared_ptr<Impl> impl_;
};

} // namespace adjourn::http
