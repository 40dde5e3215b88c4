// Invariants of fuzz targets: a broken one ends the process where the fuzzer sees it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace adjourn::chess::fuzz {

inline void require(bool holds) {
    if (!holds) {
        std::abort();
    }
}

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
    return {reinterpret_cast<const char*>(data), size};
}

// Splits at the first newline: the part before it, and the rest.
struct Halves {
    std::string_view first;
    std::string_view second;
};

inline Halves halves_of(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = text_of(data, size);
    const auto at = text.find('\n');
    if (at == std::string_view::npos) {
        return {{}, text};
    }
    return {text.substr(0, at), text.substr(at + 1)};
}

} // namespace adjourn::chess::fuzz
