// FileWatch: whether the files that this process has open are still those of their names. Somebody
// may remove or replace them, or a mount may go; what is written then is gone with the process.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace adjourn::storage {

class FileWatch {
public:
    // Of those that exist now.
    explicit FileWatch(std::vector<std::filesystem::path> files);

    // Which of them is not at its place; "" if all are. Any thread.
    std::string trouble() const;

private:
    struct Watched {
        std::filesystem::path file;
        std::pair<std::uint64_t, std::uint64_t> identity; // device, inode
    };
    std::vector<Watched> watched_;
};

} // namespace adjourn::storage
