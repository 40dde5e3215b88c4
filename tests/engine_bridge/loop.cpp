#include "loop.hpp"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string>
#include <sys/wait.h>

namespace adjourn::engine_bridge {

std::size_t open_descriptors() {
    std::size_t count = 0;
    for ([[maybe_unused]] const auto& entry :
         std::filesystem::directory_iterator{"/proc/self/fd"}) {
        ++count;
    }
    return count;
}

bool no_children() {
    siginfo_t info{};
    return ::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0 && errno == ECHILD;
}

bool alive(int pid) {
    std::ifstream file{"/proc/" + std::to_string(pid) + "/stat"};
    std::string stat;
    std::getline(file, stat);
    const std::size_t state = stat.rfind(") ");
    return state != stat.npos && stat[state + 2] != 'Z' && stat[state + 2] != 'X';
}

} // namespace adjourn::engine_bridge
