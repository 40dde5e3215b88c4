// ResourceLimits: what the operating system lets an engine process have (setrlimit(2)). Processes
// that it starts have the same.
#pragma once

#include <cstdint>
#include <optional>

namespace adjourn::engine_bridge {

struct ResourceLimits {
    std::optional<std::uint64_t> memory_bytes; // of address space: hash, network, code
    std::optional<std::uint64_t> files;        // open at a time

    friend bool operator==(const ResourceLimits&, const ResourceLimits&) = default;
};

} // namespace adjourn::engine_bridge
