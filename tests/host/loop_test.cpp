#include "host/loop.hpp"
#include "test.hpp"

#include <boost/asio/post.hpp>

using namespace adjourn::server;

TEST_CASE("loop: a loop goes on after a task that throws") {
    Loop loop{"a loop"};
    std::promise<int> after;
    boost::asio::post(loop.context(), [] { throw std::runtime_error{"a task"}; });
    boost::asio::post(loop.context(), [] { throw 5; });
    boost::asio::post(loop.context(), [&] { after.set_value(7); });
    CHECK(after.get_future().get() == 7);
}
