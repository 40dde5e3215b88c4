#include "supervisor.hpp"

#include "base/number.hpp"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace adjourn::server {

namespace {

std::string taken_variable(const char* name) {
    const char* value = std::getenv(name);
    std::string text = value != nullptr ? value : "";
    unsetenv(name);
    return text;
}

} // namespace

Supervisor::Supervisor() : socket_{taken_variable("NOTIFY_SOCKET")} {
    const std::string usec = taken_variable("WATCHDOG_USEC");
    const std::string pid = taken_variable("WATCHDOG_PID");
    const auto microseconds = base::parse_number<std::uint64_t>(usec);
    const bool for_us = pid.empty() || pid == std::to_string(getpid());
    if (!socket_.empty() && for_us && microseconds && *microseconds >= 2'000) {
        period_ = std::chrono::milliseconds{*microseconds / 2'000};
    }
}

void Supervisor::tell(std::string_view state) const {
    sockaddr_un address{};
    if (socket_.empty() || socket_.size() >= sizeof address.sun_path) {
        return;
    }
    address.sun_family = AF_UNIX;
    std::ranges::copy(socket_, address.sun_path);
    if (socket_.front() == '@') {
        address.sun_path[0] = '\0'; // an abstract name
    }
    const int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0) {
        return;
    }
    const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + socket_.size());
    [[maybe_unused]] const auto sent = sendto(fd, state.data(), state.size(), MSG_NOSIGNAL,
                                              reinterpret_cast<const sockaddr*>(&address), length);
    close(fd);
}

} // namespace adjourn::server
