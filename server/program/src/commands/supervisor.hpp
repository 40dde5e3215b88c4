// Supervisor: what a service manager that started the program is told, by the protocol of
// sd_notify(3): text in a datagram to the socket that $NOTIFY_SOCKET names. Without one nothing
// happens.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace adjourn::server {

class Supervisor {
public:
    // Reads and removes $NOTIFY_SOCKET and $WATCHDOG_USEC, so that engines do not inherit them.
    // Call before any thread starts.
    Supervisor();

    // "READY=1", "STOPPING=1", "WATCHDOG=1", "STATUS=…". What cannot be sent is dropped. Any
    // thread.
    void tell(std::string_view state) const;

    // How often it wants "WATCHDOG=1": half of the time after which it takes the program for dead.
    std::optional<std::chrono::milliseconds> watchdog_period() const { return period_; }

private:
    std::string socket_; // "" = none
    std::optional<std::chrono::milliseconds> period_;
};

} // namespace adjourn::server
