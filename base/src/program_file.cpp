#include "base/program_file.hpp"

#include <sys/auxv.h>

#include <charconv>
#include <cstdint>
#include <fstream>
#include <string>

namespace adjourn::base {

namespace {

// The file that this very function was mapped from.
std::filesystem::path mapped_file() {
    const auto here = reinterpret_cast<std::uintptr_t>(&mapped_file);
    std::ifstream maps{"/proc/self/maps"};
    // "55d0c8a00000-55d0c8a21000 r-xp 00001000 fe:01 1234      /usr/bin/name"
    for (std::string line; std::getline(maps, line);) {
        std::uintptr_t from = 0;
        std::uintptr_t to = 0;
        const char* const end = line.data() + line.size();
        const char* const dash = std::from_chars(line.data(), end, from, 16).ptr;
        if (dash == end || std::from_chars(dash + 1, end, to, 16).ptr == end) {
            continue;
        }
        const auto name = line.find('/');
        if (from <= here && here < to && name != std::string::npos) {
            return line.substr(name);
        }
    }
    return {};
}

} // namespace

std::filesystem::path program_file() {
    // The kernel says where it loaded the loader that a program names: nowhere, if the loader
    // itself was started.
    if (getauxval(AT_BASE) == 0) {
        return mapped_file();
    }
    std::error_code error;
    return std::filesystem::read_symlink("/proc/self/exe", error);
}

} // namespace adjourn::base
