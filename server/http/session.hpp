// Session: one connection and its coroutine. Everything but end_soon() and end_now() happens on the
// session's strand.
#pragma once

#include "base/text.hpp"
#include "http/listener.hpp"
#include "http/static_files.hpp"
#include "http/tokens.hpp"
#include "http/wire.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/buffer_body.hpp>
#include <boost/beast/http/parser.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <mutex>
#include <string>

namespace adjourn::http {

// Tally: what the listener has done since its start, for `GET metrics`.

// Any thread.
class Tally {
public:
    void responded(int status); // an HTTP status
    void turned_away() { ++turned_away_; }
    void tried_wrong_token() { ++wrong_tokens_; }
    void sent_events(std::size_t bytes) { event_bytes_ += bytes; }

    std::atomic<std::size_t> connections = 0; // open now

    // Families in the text format of Prometheus 0.0.4. `streams`: of events, open now.
    std::string metrics(std::size_t streams) const;

private:
    using Count = std::atomic<std::uint64_t>;
    static constexpr int least_status = 100;
    std::array<Count, 500> responses_{}; // by status - least_status
    Count turned_away_ = 0;
    Count wrong_tokens_ = 0;
    Count event_bytes_ = 0;
};

// For operations whose errors are results: "const auto [error, …] = co_await …(as_result)".
constexpr auto as_result = boost::asio::as_tuple(boost::asio::use_awaitable);

// What all sessions of a listener share.
struct Services {
    Services(ListenerOptions options_, std::shared_ptr<const AccessPolicy> access,
             std::unique_ptr<const StaticFiles> files_, EventHub& events_, Handler handler_)
        : options(std::move(options_)), files(std::move(files_)), events(events_),
          handler(std::move(handler_)), tokens(options.secrets), access_(std::move(access)) {}

    // Who may ask, now. Any thread.
    std::shared_ptr<const AccessPolicy> access() const {
        const std::lock_guard lock(access_mutex_);
        return access_;
    }
    void set_access(std::shared_ptr<const AccessPolicy> access) const {
        const std::lock_guard lock(access_mutex_);
        access_ = std::move(access);
    }

    ListenerOptions options;
    std::unique_ptr<const StaticFiles> files; // may be null: no page
    EventHub& events;
    Handler handler;
    // Of all sessions; changed by any of them.
    mutable Tokens tokens;
    mutable WrongTokens wrong_tokens;
    mutable Tally tally;
    mutable std::atomic<std::size_t> streams = 0;
    mutable std::atomic<std::size_t> link_streams = 0; // of these
    mutable std::atomic<std::size_t> strangers = 0;

private:
    mutable std::mutex access_mutex_;
    mutable std::shared_ptr<const AccessPolicy> access_;
};

// What a connection is doing, for whoever needs its place.
enum class Stage : std::uint8_t {
    leaving,   // has its last answer
    silent,    // no request so far
    idle,      // between two requests
    receiving, // a request has begun to come
    sending,   // an answer is on its way
    busy,      // its request is being worked on, or its events are sent
};
struct SessionState {
    Stage stage = Stage::silent;
    bool trusted = false; // has passed the checks of a request that needs the token
    std::chrono::steady_clock::time_point since{}; // its client's last sign of life
};

// After an answer to something that was no proper request, so much is read and thrown away.
constexpr std::size_t short_drain = 1u << 20;
constexpr std::chrono::seconds short_drain_time{2};

class Session : public std::enable_shared_from_this<Session> {
public:
    enum class Task : std::uint8_t { serve, turn_away }; // turn_away: 429 and close

    Session(boost::asio::ip::tcp::socket socket, std::shared_ptr<const Services> services);

    // The connection's life. To be spawned on executor(), once.
    static boost::asio::awaitable<void> run(std::shared_ptr<Session> self, Task task);

    boost::asio::any_io_executor executor() { return stream_.get_executor(); }

    // Ends when no request is under way. Any thread.
    void end_soon();
    // Ends if it sends events: others may be let in now. Any thread.
    void end_stream();
    // The same where it sends them by a link that holds no longer. Any thread.
    void end_revoked_stream();
    // Gives its place to another: closes if it still waits for its client, else after the request
    // that has come meanwhile. Any thread.
    void give_way();
    SessionState state() const; // any thread
    // Closes: every wait for the client ends. A handler goes on, and its answer is dropped. Any
    // thread.
    void end_now();

private:
    using Clock = std::chrono::steady_clock;
    using Parser = boost::beast::http::request_parser<boost::beast::http::buffer_body>;
    struct Waker;

    boost::asio::awaitable<void> serve();
    // Asks it to stop where the client ends the connection while its request is worked on.
    void watch_client(std::stop_source unwanted);
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

    // Server-sent events. The connection is at its end afterwards.
    boost::asio::awaitable<void> stream_events(Request request, ReplyForm form);
    boost::asio::awaitable<void> write_events(std::unique_ptr<EventSubscription> subscription,
                                              std::shared_ptr<Waker> waker, std::string head);
    boost::asio::awaitable<void> watch_for_end();

    bool is_for_page(const Request& request) const; // answered from the static files
    // The body into the request; false if the connection is at its end.
    boost::asio::awaitable<bool> receive(Parser& parser, Request& request, const ReplyForm& form);
    void enter(Stage stage); // the client has just done something
    // The answer to one who may not ask.
    boost::asio::awaitable<void> refuse_stranger(const Request& request, Response refusal,
                                                 ReplyForm form, bool has_body);
    std::expected<Grant, Error> grant_of(const Request& request) const;
    // Whether the grant is enough for the request.
    std::expected<void, Error> allows(const Grant& grant, const Request& request) const;
    // What can be refused before the body is read.
    std::expected<void, Error> check(const Request& request, bool has_body,
                                     std::uint64_t body_size);

    boost::beast::tcp_stream stream_;
    boost::beast::flat_buffer buffer_; // read but not yet used: pipelined requests stay here
    std::shared_ptr<const Services> services_;
    std::string local_address_;
    std::string client_address_;
    Grant grant_;                     // of the request that is being answered
    boost::asio::steady_timer pause_; // before a refusal
    bool ending_ = false;             // end_soon() was called
    bool stream_ends_ = false;        // end_stream() was called since the request was checked
    bool may_end_ = true;             // closing now would cut no request short
    base::Counted<std::atomic<std::size_t>> counted_;
    std::atomic<Stage> stage_ = Stage::silent;
    std::atomic<bool> trusted_ = false;
    std::atomic<Clock::rep> since_;
};

} // namespace adjourn::http
