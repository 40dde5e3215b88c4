// Loop: an io_context with a thread of its own. A task that throws is logged with the loop's name;
// the loop goes on with the next one.
#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

#include <string>
#include <thread>

namespace adjourn::server {

class Loop {
public:
    explicit Loop(std::string name);
    ~Loop(); // as join()

    boost::asio::io_context& context() { return context_; }
    // Waits until nothing is left to do.
    void join();

private:
    void run();

    const std::string name_;
    boost::asio::io_context context_{1};
    boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
    std::thread thread_; // last: starts when the rest stands
};

} // namespace adjourn::server
