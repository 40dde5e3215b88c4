// A directory of a test's own, removed with the object.
#pragma once

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

namespace adjourn {

class TemporaryDirectory {
public:
    TemporaryDirectory() {
        std::string pattern =
            (std::filesystem::temp_directory_path() / "adjourn-test-XXXXXX").string();
        if (mkdtemp(pattern.data()) == nullptr) {
            throw std::filesystem::filesystem_error{
                "cannot make a directory", pattern,
                std::error_code{errno, std::generic_category()}};
        }
        path_ = pattern;
    }
    ~TemporaryDirectory() {
        std::error_code ignored; // left-overs in the temporary directory harm nobody
        std::filesystem::remove_all(path_, ignored);
    }
    TemporaryDirectory(const TemporaryDirectory&) = delete;
    TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

    const std::filesystem::path& path() const { return path_; }
    operator const std::filesystem::path&() const { return path_; }
    std::string file(const std::string& name) const { return path_ / name; }
    // With the directories in `name` that it needs.
    void write(const std::string& name, std::string_view content) const {
        std::filesystem::create_directories((path_ / name).parent_path());
        std::ofstream(path_ / name, std::ios::binary) << content;
    }

private:
    std::filesystem::path path_;
};

} // namespace adjourn
