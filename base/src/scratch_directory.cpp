#include "base/scratch_directory.hpp"

#include <cerrno>
#include <cstdlib>
#include <system_error>

namespace adjourn::base {

namespace fs = std::filesystem;

ScratchDirectory::ScratchDirectory(const fs::path& parent, const std::string& prefix) {
    std::string pattern = (parent / (prefix + "XXXXXX")).string();
    if (mkdtemp(pattern.data()) == nullptr) {
        throw fs::filesystem_error{"cannot make a directory", parent,
                                   std::error_code{errno, std::generic_category()}};
    }
    path_ = pattern;
}

ScratchDirectory::~ScratchDirectory() {
    std::error_code ignored; // a directory left behind harms nobody
    fs::remove_all(path_, ignored);
}

} // namespace adjourn::base
