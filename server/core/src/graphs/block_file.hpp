// BlockWriter, BlockReader: bytes in a file, in blocks of a mebibyte with a checksum each. Nothing
// of a block is given out before its checksum was right.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <span>
#include <vector>

namespace adjourn::server {

class BlockWriter {
public:
    explicit BlockWriter(const std::filesystem::path& file);

    void put(std::span<const std::byte> bytes);
    // Whether all of it was written.
    bool close();

private:
    void write_block();

    std::ofstream file_;
    std::vector<std::byte> block_;
    std::uint64_t number_ = 0;
};

class BlockReader {
public:
    explicit BlockReader(const std::filesystem::path& file);

    // Fills all of it; false if there are not so many bytes, or not sound ones.
    bool take(std::span<std::byte> bytes);
    // How many have not been taken; 0 if the file cannot be read.
    std::uint64_t left() const { return left_; }

private:
    bool read_block();

    std::ifstream file_;
    std::uint64_t left_ = 0;    // that were not given out
    std::uint64_t in_file_ = 0; // of these, that are not in block_
    std::vector<std::byte> block_;
    std::size_t at_ = 0; // in block_
    std::uint64_t number_ = 0;
};

// Of any bytes.
std::uint64_t sum_of(std::span<const std::byte> bytes, std::uint64_t number);

} // namespace adjourn::server
