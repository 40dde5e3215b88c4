// A directory for what need not last.
#pragma once

#include <filesystem>
#include <string>

namespace adjourn::base {

// A new directory, removed with all that is in it when the object goes.
class ScratchDirectory {
public:
    // Its name is `prefix` and something that makes it new; `parent` must exist. Throws
    // std::filesystem::filesystem_error.
    ScratchDirectory(const std::filesystem::path& parent, const std::string& prefix);
    ~ScratchDirectory();
    ScratchDirectory(const ScratchDirectory&) = delete;
    ScratchDirectory& operator=(const ScratchDirectory&) = delete;

    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

} // namespace adjourn::base
