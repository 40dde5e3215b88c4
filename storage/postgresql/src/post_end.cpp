#include "post_end.hpp"

#include "schema.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <thread>
#include <utility>

namespace adjourn::storage::postgresql {

PostConnection::PostConnection(std::string url, std::string shown)
    : url_{std::move(url)}, shown_{std::move(shown)}, wake_{
                                                          eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)} {
    if (wake_ < 0) {
        throw StoreError{"no eventfd can be made"};
    }
}

PostConnection::~PostConnection() {
    close(wake_);
}

void PostConnection::listen(const std::string& channel) {
    channel_ = channel;
    if (connection_) {
        use([&](Connection& connection) { return connection.execute("LISTEN " + channel); });
        fresh_ = true;
    }
}

Connection& PostConnection::connected() {
    if (connection_ && connection_->lost()) {
        connection_.reset();
    }
    if (!connection_) {
        auto fresh = std::make_unique<Connection>(url_, shown_, Access::write);
        require_current(*fresh, migrations());
        if (!channel_.empty()) {
            fresh->execute("LISTEN " + channel_);
        }
        connection_ = std::move(fresh);
        fresh_ = true;
    }
    return *connection_;
}

void PostConnection::wait(std::chrono::milliseconds most) {
    const bool heard = connection_ && connection_->heard();
    if (std::exchange(fresh_, false) || heard) {
        return;
    }
    std::array<pollfd, 2> watched{pollfd{wake_, POLLIN, 0},
                                  pollfd{connection_ ? connection_->descriptor() : -1, POLLIN, 0}};
    if (poll(watched.data(), watched.size(), static_cast<int>(most.count())) > 0) {
        std::uint64_t count = 0;
        static_cast<void>(read(wake_, &count, sizeof count)); // it may be the other one
    }
    if (connection_) {
        static_cast<void>(connection_->heard()); // that it is lost is seen by the next use
    }
}

void PostConnection::wake() {
    const std::uint64_t one = 1;
    static_cast<void>(write(wake_, &one, sizeof one)); // it fails where it is set already
}

} // namespace adjourn::storage::postgresql
