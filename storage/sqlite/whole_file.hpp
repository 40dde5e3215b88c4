// WholeFile: a file that gets its name when it is complete and on the disk, in
// one step. Until then it stands beside that place under another name, and goes
// if nothing comes of it.
#pragma once

#include <filesystem>

namespace adjourn::storage {

class WholeFile {
public:
    explicit WholeFile(std::filesystem::path file);
    WholeFile(const WholeFile&) = delete;
    WholeFile& operator=(const WholeFile&) = delete;
    ~WholeFile();

    // Where to write.
    const std::filesystem::path& path() const { return draft_; }
    // Replaces what has the name. Throws StoreError.
    void take_name();

private:
    std::filesystem::path file_, draft_;
};

} // namespace adjourn::storage
