// MappedFile: a file's bytes, read only.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <span>
#include <string>
#include <utility>

namespace adjourn::tables {

class MappedFile {
public:
    // The reason why not, without the file's name.
    static std::expected<MappedFile, std::string> open(const std::filesystem::path& file);
    ~MappedFile();
    MappedFile(MappedFile&& other) noexcept : bytes_{std::exchange(other.bytes_, {})} {}
    MappedFile& operator=(MappedFile&& other) noexcept {
        std::swap(bytes_, other.bytes_);
        return *this;
    }

    std::span<const std::uint8_t> bytes() const { return bytes_; }

private:
    explicit MappedFile(std::span<const std::uint8_t> bytes) : bytes_{bytes} {}
    std::span<const std::uint8_t> bytes_;
};

} // namespace adjourn::tables
