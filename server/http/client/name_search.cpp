#include "http/client/name_search.hpp"

#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/system/system_error.hpp>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

namespace adjourn::server {

using boost::system::error_code;
namespace error = boost::asio::error;

struct NameSearch::Shared {
    std::mutex mutex;
    std::condition_variable changed;
    bool closed = false;
};

std::shared_ptr<NameSearch::Shared> NameSearch::make() {
    return std::make_shared<Shared>();
}

// Nothing can interrupt the system's resolver, so it has a thread of its own, which nobody waits
// for in the end.
NameSearch::Addresses NameSearch::find(const std::string& host, const std::string& port,
                                       std::chrono::milliseconds patience) {
    struct Found {
        Addresses all;
        std::optional<error_code> failed; // nullopt: it searches
    };
    const auto found = std::make_shared<Found>();
    std::thread{[found, host, port, shared = shared_] {
        boost::asio::io_context own;
        error_code failed;
        auto all = boost::asio::ip::tcp::resolver{own}.resolve(host, port, failed);
        const std::lock_guard lock{shared->mutex};
        *found = {std::move(all), failed};
        shared->changed.notify_all();
    }}.detach();
    std::unique_lock lock{shared_->mutex};
    shared_->changed.wait_for(lock, std::min<std::chrono::milliseconds>(patience, longest),
                              [&] { return found->failed || shared_->closed; });
    if (shared_->closed) {
        throw boost::system::system_error{error::operation_aborted};
    }
    if (const error_code failed = found->failed.value_or(error::timed_out)) {
        throw boost::system::system_error{failed};
    }
    return found->all;
}

void NameSearch::close() {
    const std::lock_guard lock{shared_->mutex};
    shared_->closed = true;
    shared_->changed.notify_all();
}

} // namespace adjourn::server
