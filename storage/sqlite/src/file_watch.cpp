#include "file_watch.hpp"

#include <optional>
#include <sys/stat.h>

namespace adjourn::storage {

namespace {

std::optional<std::pair<std::uint64_t, std::uint64_t>>
identity_of(const std::filesystem::path& file) {
    struct stat found {};
    if (::stat(file.c_str(), &found) != 0) {
        return std::nullopt;
    }
    return std::pair{std::uint64_t{found.st_dev}, std::uint64_t{found.st_ino}};
}

} // namespace

FileWatch::FileWatch(std::vector<std::filesystem::path> files) {
    for (std::filesystem::path& file : files) {
        if (const auto identity = identity_of(file)) {
            watched_.push_back({std::move(file), *identity});
        }
    }
}

std::string FileWatch::trouble() const {
    for (const Watched& watched : watched_) {
        const auto now = identity_of(watched.file);
        if (now != watched.identity) {
            return watched.file.string() + " was " + (now ? "replaced" : "removed") +
                   " while it was in use: what is written now would be lost; put it back where it "
                   "was, or end this program and restore a backup";
        }
    }
    return "";
}

} // namespace adjourn::storage
