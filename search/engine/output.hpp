// Output: lines for the GUI, from the thread that listens and the one that searches.
#pragma once

#include <mutex>
#include <ostream>
#include <string>

namespace adjourn::engine {

class Output {
public:
    explicit Output(std::ostream& out) : out_{out} {}

    void say(const std::string& line) {
        const std::lock_guard lock{mutex_};
        out_ << line << '\n' << std::flush;
    }
    // Nobody reads any more.
    bool failed() const {
        const std::lock_guard lock{mutex_};
        return !out_.good();
    }

private:
    mutable std::mutex mutex_;
    std::ostream& out_;
};

} // namespace adjourn::engine
