#include "block_file.hpp"

#include "base/new_file.hpp"

#include <boost/container_hash/hash.hpp>

#include <algorithm>
#include <cstring>

namespace adjourn::server {

namespace {

constexpr std::size_t block_size = std::size_t{1} << 20;
using Sum = std::uint64_t;

} // namespace

std::uint64_t sum_of(std::span<const std::byte> bytes, std::uint64_t number) {
    std::size_t sum = number;
    boost::hash_combine(sum, bytes.size());
    for (; !bytes.empty(); bytes = bytes.subspan(std::min(bytes.size(), sizeof(Sum)))) {
        Sum word = 0;
        std::memcpy(&word, bytes.data(), std::min(bytes.size(), sizeof word));
        boost::hash_combine(sum, word);
    }
    return sum;
}

BlockWriter::BlockWriter(const std::filesystem::path& file) {
    if (base::make_new_file(file).open()) { // its owner's alone, as the store is
        file_.open(file, std::ios::binary);
    } else {
        file_.setstate(std::ios::failbit);
    }
    block_.reserve(block_size);
}

void BlockWriter::put(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const auto piece = bytes.first(std::min(bytes.size(), block_size - block_.size()));
        block_.insert(block_.end(), piece.begin(), piece.end());
        bytes = bytes.subspan(piece.size());
        if (block_.size() == block_size) {
            write_block();
        }
    }
}

bool BlockWriter::close() {
    if (!block_.empty()) {
        write_block();
    }
    file_.close();
    return file_.good();
}

void BlockWriter::write_block() {
    const Sum sum = sum_of(block_, number_++);
    file_.write(reinterpret_cast<const char*>(block_.data()),
                static_cast<std::streamsize>(block_.size()));
    file_.write(reinterpret_cast<const char*>(&sum), sizeof sum);
    block_.clear();
}

BlockReader::BlockReader(const std::filesystem::path& file) : file_{file, std::ios::binary} {
    std::error_code error;
    const std::uint64_t size = std::filesystem::file_size(file, error);
    constexpr std::uint64_t whole = block_size + sizeof(Sum);
    const std::uint64_t rest = error ? 0 : size % whole;
    left_ = error ? 0 : size / whole * block_size + (rest > sizeof(Sum) ? rest - sizeof(Sum) : 0);
    in_file_ = left_;
}

bool BlockReader::take(std::span<std::byte> bytes) {
    while (!bytes.empty()) {
        if (at_ == block_.size() && !read_block()) {
            return false;
        }
        const std::size_t count = std::min(bytes.size(), block_.size() - at_);
        std::memcpy(bytes.data(), block_.data() + at_, count);
        bytes = bytes.subspan(count);
        at_ += count;
        left_ -= count;
    }
    return true;
}

bool BlockReader::read_block() {
    block_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(block_size, in_file_)));
    at_ = 0;
    Sum sum = 0;
    file_.read(reinterpret_cast<char*>(block_.data()), static_cast<std::streamsize>(block_.size()));
    file_.read(reinterpret_cast<char*>(&sum), sizeof sum);
    if (block_.empty() || !file_ || sum != sum_of(block_, number_++)) {
        block_.clear();
        in_file_ = left_ = 0;
        return false;
    }
    in_file_ -= block_.size();
    return true;
}

} // namespace adjourn::server
