// EnginePipe: a UCI program on two pipes, line by line. Blocks; one thread at a time. Simpler than
// engine_bridge's pool on purpose: a measurement wants no retries.
#pragma once

#include <chrono>
#include <string>
#include <sys/types.h>
#include <vector>

namespace adjourn::bench {

class EnginePipe {
public:
    using Clock = std::chrono::steady_clock;

    // `command`: program and arguments. All functions throw std::runtime_error that names the
    // program: when it does not start, is gone, or is silent until the deadline.
    explicit EnginePipe(std::vector<std::string> command);
    ~EnginePipe(); // kills it
    EnginePipe(const EnginePipe&) = delete;
    EnginePipe& operator=(const EnginePipe&) = delete;

    // Without the end of the line.
    void send(const std::string& line);
    std::string line(Clock::time_point deadline); // the next one

private:
    // A file descriptor, closed at the end.
    struct End {
        int fd = -1;
        End() = default;
        End(const End&) = delete;
        End& operator=(const End&) = delete;
        ~End();
    };

    [[noreturn]] void fail(const std::string& what) const;

    std::vector<std::string> command_;
    std::string buffer_;
    pid_t process_ = -1;
    End to_;
    End from_;
};

} // namespace adjourn::bench
