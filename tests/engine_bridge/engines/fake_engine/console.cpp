#include "console.hpp"

#include <array>
#include <cstdlib>
#include <fstream>
#include <poll.h>
#include <unistd.h>

namespace fake_engine {

Console::Read Console::read(std::string& line, std::optional<std::chrono::milliseconds> patience) {
    const auto deadline =
        std::chrono::steady_clock::now() + patience.value_or(std::chrono::milliseconds{0});
    while (true) {
        if (const std::size_t end = input_.find('\n'); end != input_.npos) {
            line = input_.substr(0, end);
            input_.erase(0, end + 1);
            log(line);
            return Read::line;
        }
        int timeout = -1;
        if (patience) {
            const auto left = deadline - std::chrono::steady_clock::now();
            timeout = static_cast<int>(
                std::chrono::duration_cast<std::chrono::milliseconds>(left).count());
            if (timeout <= 0) {
                return Read::timeout;
            }
        }
        pollfd wait{STDIN_FILENO, POLLIN, 0};
        if (::poll(&wait, 1, timeout) == 0) {
            return Read::timeout;
        }
        std::array<char, 4096> bytes; // NOLINT: filled by read
        const ssize_t count = ::read(STDIN_FILENO, bytes.data(), bytes.size());
        if (count <= 0) {
            log("[end of input]");
            return Read::end;
        }
        input_.append(bytes.data(), static_cast<std::size_t>(count));
    }
}

void Console::print(std::string_view line) {
    write(std::string{line} + "\n");
}

void Console::write(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t sent = ::write(STDOUT_FILENO, bytes.data(), bytes.size());
        if (sent < 0) {
            std::exit(4);
        }
        bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
}

void Console::flood() {
    const std::string line = std::string(127, '#') + "\n";
    for (int i = 0; i < 8192; ++i) {
        [[maybe_unused]] const ssize_t sent = ::write(STDERR_FILENO, line.data(), line.size());
    }
}

void Console::log(std::string_view line) const {
    if (switches_.has("log")) {
        std::ofstream{switches_.text("log"), std::ios::app} << line << '\n';
    }
}

} // namespace fake_engine
