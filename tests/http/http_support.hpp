// A listener on its own threads and a plain blocking client, for tests over real sockets.
#pragma once

#include "http/listener.hpp"
#include "http/requests/message.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

#include <atomic>
#include <filesystem>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace http_tests {

namespace http = adjourn::http;

// Answers with {"method","path","query","body"}; further paths:
// /api/throw · /api/bad-header · /api/large (2,000,000 times 'x') · /api/long (text, 4 KiB)
// /api/broken (503, names a directory) · /api/wait (until release(), or nobody wants the answer)
class Server {
public:
    // With one thread it has noted that it answered a request before it looks at the next one.
    explicit Server(http::ListenerOptions options = {}, int threads = 2);
    ~Server();

    std::uint16_t port() const { return listener_->port(); }
    http::EventHub& hub() { return hub_; }
    std::string host() const { return "127.0.0.1:" + std::to_string(port()); }

    void set_links(http::Links links) { listener_->set_links(std::move(links)); }
    void set_secrets(http::Secrets secrets) { listener_->set_secrets(std::move(secrets)); }
    void await_waiting(int requests); // until so many requests are inside /api/wait
    void release();                   // lets requests inside /api/wait go on
    int requests_handled() const { return handled_; }
    int unwanted() const { return unwanted_; } // inside /api/wait, when nobody wanted the answer

    // Starts stopping; the future is ready when `stopped` was called.
    std::future<void> stop(std::chrono::milliseconds grace);

private:
    boost::asio::awaitable<http::Response> handle(http::Request request);
    boost::asio::awaitable<http::Response> wait(std::stop_source unwanted);

    boost::asio::io_context context_;
    boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
    http::EventHub hub_;
    std::unique_ptr<http::Listener> listener_;
    std::vector<std::thread> threads_;
    std::atomic<int> waiting_ = 0;
    std::atomic<bool> released_ = false;
    std::atomic<int> handled_ = 0;
    std::atomic<int> unwanted_ = 0;
};

struct Reply {
    int status = 0;
    std::map<std::string, std::string> headers; // names in lower case
    std::string body;

    std::string code() const; // of the JSON error form, "" if it has another form
};

// Blocking; a read that gets nothing for 20 s throws.
class Client {
public:
    // `receive_buffer`: SO_RCVBUF, 0 = the system's.
    explicit Client(std::uint16_t port, int receive_buffer = 0);
    ~Client();
    Client(Client&& other) noexcept;

    // False if the server has closed.
    bool send(std::string_view bytes);
    // nullopt if the connection ended before a whole reply.
    std::optional<Reply> read_reply(bool to_head = false);
    std::optional<Reply> read_head(); // body stays unread
    // Up to and with `mark`; nullopt if the connection ended before.
    std::optional<std::string> read_until(std::string_view mark);
    // What comes until the connection ends, in whichever way.
    std::string read_to_end();
    bool has_data() const; // does not wait
    // Sends `drop` now and then, and reads nothing, until the server has closed; false if it has
    // not after 4,000 drops (20 s).
    bool drips_until_closed(std::string_view drop);
    bool closed_by_server(); // waits for it; false if data comes

private:
    bool fill(); // false at the end

    int fd_ = -1;
    std::string buffer_;
};

// "Authorization: Bearer …\r\n".
std::string bearer(std::string_view secret);
// Of the answer to POST tickets.
std::string ticket_of(const Reply& reply);

// "GET path HTTP/1.1", Host, further header lines ("Name: value\r\n"), body with its length.
std::string request(const Server& server, std::string_view method, std::string_view target,
                    std::string_view headers = "", std::string_view body = "");

// One request on a connection of its own.
Reply ask(const Server& server, std::string_view method, std::string_view target,
          std::string_view headers = "", std::string_view body = "");

} // namespace http_tests
