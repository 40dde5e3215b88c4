#include "host/loop.hpp"

#include "core/guards/guard.hpp"

namespace adjourn::server {

Loop::Loop(std::string name)
    : name_{std::move(name)}, work_{boost::asio::make_work_guard(context_)}, thread_{[this] {
          run();
      }} {}

Loop::~Loop() {
    join();
}

void Loop::join() {
    work_.reset();
    if (thread_.joinable()) {
        thread_.join();
    }
}

void Loop::run() {
    // run() may be called again after an exception: it goes on where it was.
    while (guarded(name_, [this] { context_.run(); })) {
    }
}

} // namespace adjourn::server
