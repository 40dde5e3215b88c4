// Bar: how far a long command is, as one line of a terminal that is rewritten; nothing elsewhere.
// To standard error.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace adjourn::server {

class Bar {
public:
    explicit Bar(std::string what);
    ~Bar() { end(); }
    Bar(const Bar&) = delete;
    Bar& operator=(const Bar&) = delete;

    void show(std::uint64_t done, std::uint64_t of);
    std::function<void(std::uint64_t, std::uint64_t)> advance();
    void end(); // wipes it

private:
    const std::string what_;
    const bool terminal_;
    int percent_ = -1;
};

} // namespace adjourn::server
