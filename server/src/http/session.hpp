// Session: one connection and its coroutine. Everything but end_soon() and end_now() happens on the
// session's strand.
#pragma once

#include "server/http/access.hpp"
#include "server/http/listener.hpp"
#include "server/http/static_files.hpp"

#include "http/wire.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>

#include <chrono>
#include <expected>
#include <memory>
#include <optional>
#include <string>

namespace adjourn::server::http {

// What all sessions of a listener share.
struct Services {
    ListenerOptions options;
    AccessPolicy access;
    std::unique_ptr<const StaticFiles> files; // may be null: no page
    EventHub& events;
    Handler handler;
};

class Session : public std::enable_shared_from_this<Session> {
public:
    enum class Task : std::uint8_t { serve, turn_away }; // turn_away: 429 and close

    Session(boost::asio::ip::tcp::socket socket, std::shared_ptr<const Services> services);

    // The connection's life. To be spawned on executor(), once.
    static boost::asio::awaitable<void> run(std::shared_ptr<Session> self, Task task);

    boost::asio::any_io_executor executor() { return stream_.get_executor(); }

    // Ends when no request is under way. Any thread.
    void end_soon();
    // Closes: every wait for the client ends. A handler goes on, and its answer is dropped. Any
    // thread.
    void end_now();

private:
    using Clock = std::chrono::steady_clock;
    struct Waker;

    boost::asio::awaitable<void> serve();
    // Bytes of a next request are in the buffer; false if they did not come.
    boost::asio::awaitable<bool> await_request(Clock::time_point deadline);
    // One request and its answer; false if the connection is at its end.
    boost::asio::awaitable<bool> exchange(Clock::time_point header_deadline);
    boost::asio::awaitable<Response> answer(Request request);
    boost::asio::awaitable<bool> respond(Response response, ReplyForm form);
    // Answers and closes so that the client still sees the answer: what it goes on to send is read
    // and thrown away, up to `most` bytes and for `time`. Closing at once would reset the
    // connection.
    boost::asio::awaitable<void> turn_down(Response refusal, ReplyForm form, std::size_t most,
                                           Clock::duration time);
    boost::asio::awaitable<bool> write(std::string head, std::string body);

    // Server-sent events: session_events.cpp. The connection is at its end afterwards.
    boost::asio::awaitable<void> stream_events(Request request, ReplyForm form);
    boost::asio::awaitable<void> write_events(std::unique_ptr<EventSubscription> subscription,
                                              std::shared_ptr<Waker> waker, std::string head);
    boost::asio::awaitable<void> watch_for_end();

    bool is_for_page(const Request& request) const; // answered from the static files
    // What can be refused before the body is read.
    std::expected<void, Error> check(const Request& request, bool has_body,
                                     std::uint64_t body_size) const;

    boost::beast::tcp_stream stream_;
    boost::beast::flat_buffer buffer_; // read but not yet used: pipelined requests stay here
    std::shared_ptr<const Services> services_;
    std::string local_address_;
    bool ending_ = false; // end_soon() was called
    bool may_end_ = true; // closing now would cut no request short
};

} // namespace adjourn::server::http
