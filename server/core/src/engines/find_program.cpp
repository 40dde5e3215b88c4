#include "core/engines/find_program.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

namespace adjourn::server {

std::optional<std::string> find_program(const std::string& name) {
    const char* path = std::getenv("PATH");
    std::istringstream directories{std::string{path != nullptr ? path : ""} + ":/usr/games"};
    for (std::string directory; std::getline(directories, directory, ':');) {
        if (!directory.starts_with("/")) { // of another place tomorrow
            continue;
        }
        const std::string candidate = directory + "/" + name;
        std::error_code error;
        if (access(candidate.c_str(), X_OK) == 0 &&
            std::filesystem::is_regular_file(candidate, error)) {
            return candidate;
        }
    }
    return std::nullopt;
}

} // namespace adjourn::server
