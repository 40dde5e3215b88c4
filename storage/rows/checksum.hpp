// Checksum: 24 bits over the values of a row, by which a row proves itself. A CRC: whichever single
// bit of the values changes, and whichever bits within 24 neighbours, it changes, too; of other
// damage one in 2^24 passes. What is summed up never changes (docs/internals/database-format.md).
#pragma once

#include "storage/rows/tables.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

namespace adjourn::storage {

class Checksum {
public:
    // An integer counts as its 8 bytes, a real as those of its bits, little-endian; text and bytes
    // as the length, an integer, and what they are.
    Checksum& add(std::int64_t value);
    Checksum& add(double value);
    Checksum& add(Bytes value);
    Checksum& add(const std::string& value);

    // As one by one, the size of the bytes among the numbers.
    template <std::size_t size>
    Checksum& add(const std::array<std::int64_t, size>& numbers, Bytes bytes) {
        static_assert(std::endian::native == std::endian::little);
        eat(reinterpret_cast<const std::uint8_t*>(numbers.data()), size * sizeof(std::int64_t));
        eat(bytes.data(), bytes.size());
        return *this;
    }

    // −2^23 … 2^23 − 1: what SQLite stores in three bytes.
    std::int64_t value() const;

private:
    void eat(const std::uint8_t* at, std::size_t size);
    std::uint32_t state_ = 0xb704ce00; // in the upper 24 bits
};

// SHA-256 (FIPS 180-4).

std::array<std::uint8_t, 32> sha256(std::string_view message);

// DamageNote: what was found damaged in a store beyond single rows, by whichever read. Any thread.

class DamageNote {
public:
    // The first one stays.
    void take(const std::string& what) {
        const std::lock_guard lock{mutex_};
        if (first_.empty()) {
            first_ = what;
        }
    }
    std::string first() const {
        const std::lock_guard lock{mutex_};
        return first_;
    }

private:
    mutable std::mutex mutex_;
    std::string first_;
};

} // namespace adjourn::storage
