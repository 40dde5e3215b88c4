// The scheduler's signature: see "core: the scheduler's signature" in core.cpp. Change it only
// together with an announcement in the commit message.
#pragma once

#include <cstdint>

inline constexpr std::uint64_t scheduler_signature = 16765355513868854659ULL;
