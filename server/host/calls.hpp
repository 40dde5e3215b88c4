// Calls: carries requests to the core's thread and back, so that no request holds up another one.
//
//   listener's thread   small bodies are parsed
//   pool `quick`        larger bodies, compression
//   core's thread       whatever changes analyses and graphs; short looks at them
//   pool `readers`      views of graphs, and what else is only read; compression
//   pool `slow`         imports
//
// A store that is silent is not waited for.
#pragma once

#include "api/api.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/thread_pool.hpp>

#include <atomic>
#include <cstddef>

namespace adjourn::server {

class Calls {
public:
    // Large calls at a time; the listener allows more connections than these and event streams
    // together, so that ordinary calls always find one.
    static constexpr std::size_t most_large = 32;

    // Both must outlive the calls that are under way.
    Calls(const Api& api, boost::asio::io_context& core) : api_{api}, core_{core} {}

    // To be called on the listener's thread. The answer; exceptions pass through.
    boost::asio::awaitable<http::Response> answer(http::Request request);

    // Waits for what is on the pools; the core's thread must still run.
    void join();

private:
    // What the core's thread makes of a request, with nothing left that it has to do.
    boost::asio::awaitable<Api::Reply> begin(http::Request request, Route route, bool gzip);
    boost::asio::awaitable<http::Response> slowly(Api::Later task, bool reads,
                                                  std::stop_source unwanted);
    boost::asio::awaitable<http::Response> wait_for(Api::Wait wait);
    boost::asio::awaitable<http::Response> answer_in_full(http::Request request,
                                                          const Route& route);

    const Api& api_;
    boost::asio::io_context& core_;
    boost::asio::thread_pool quick_{1};
    boost::asio::thread_pool readers_{2};
    boost::asio::thread_pool slow_{1};
    std::atomic<std::size_t> large_ = 0; // under way
};

} // namespace adjourn::server
