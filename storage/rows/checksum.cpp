#include "storage/rows/checksum.hpp"

#include <openssl/evp.h>

#include <new>
#include <type_traits>

namespace adjourn::storage {

namespace {

// The CRC-24 of RFC 4880, its bits high ones first, in the upper 24 of 32.
constexpr std::uint32_t polynomial = 0x864cfb00;
constexpr std::size_t width = 16; // bytes at a time

using CrcTables = std::array<std::array<std::uint32_t, 256>, width>;

// tables[n][b]: what the byte b does to the state, n bytes later.
constexpr CrcTables make_crc_tables() {
    CrcTables tables{};
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
        std::uint32_t state = byte << 24;
        for (int bit = 0; bit < 8; ++bit) {
            state = state << 1 ^ ((state & 0x80000000) != 0 ? polynomial : 0);
        }
        tables[0][byte] = state;
    }
    for (std::size_t n = 1; n < width; ++n) {
        for (std::uint32_t byte = 0; byte < 256; ++byte) {
            const std::uint32_t before = tables[n - 1][byte];
            tables[n][byte] = before << 8 ^ tables[0][before >> 24];
        }
    }
    return tables;
}

constexpr CrcTables crc_tables = make_crc_tables();

} // namespace

// The state goes into the first three bytes of each step, so that all look-ups but theirs wait for
// nothing.
void Checksum::eat(const std::uint8_t* at, std::size_t size) {
    std::uint32_t state = state_;
    const auto step = [&]<std::size_t bytes>(std::integral_constant<std::size_t, bytes>) {
        const std::uint8_t* const b = at;
        std::uint32_t rest = 0;
        for (std::size_t i = 4; i < bytes; ++i) {
            rest ^= crc_tables[bytes - 1 - i][b[i]];
        }
        state = rest ^ crc_tables[bytes - 1][(state >> 24) ^ b[0]] ^
                crc_tables[bytes - 2][(state >> 16 & 255) ^ b[1]] ^
                crc_tables[bytes - 3][(state >> 8 & 255) ^ b[2]] ^ crc_tables[bytes - 4][b[3]];
        at += bytes;
        size -= bytes;
    };
    while (size >= 16) {
        step(std::integral_constant<std::size_t, 16>{});
    }
    if (size >= 8) {
        step(std::integral_constant<std::size_t, 8>{});
    }
    if (size >= 4) {
        step(std::integral_constant<std::size_t, 4>{});
    }
    for (; size > 0; --size, ++at) {
        state = state << 8 ^ crc_tables[0][(state >> 24) ^ *at];
    }
    state_ = state;
}

Checksum& Checksum::add(std::int64_t value) {
    std::array<std::uint8_t, 8> bytes;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        bytes[i] = static_cast<std::uint8_t>(static_cast<std::uint64_t>(value) >> (8 * i));
    }
    eat(bytes.data(), bytes.size());
    return *this;
}

Checksum& Checksum::add(double value) {
    return add(std::bit_cast<std::int64_t>(value));
}

Checksum& Checksum::add(Bytes value) {
    add(static_cast<std::int64_t>(value.size()));
    eat(value.data(), value.size());
    return *this;
}

Checksum& Checksum::add(const std::string& value) {
    return add(Bytes{reinterpret_cast<const std::uint8_t*>(value.data()), value.size()});
}

std::int64_t Checksum::value() const {
    return static_cast<std::int32_t>(state_) >> 8;
}

std::array<std::uint8_t, 32> sha256(std::string_view message) {
    std::array<std::uint8_t, 32> digest;
    if (EVP_Digest(message.data(), message.size(), digest.data(), nullptr, EVP_sha256(), nullptr) !=
        1) {
        throw std::bad_alloc{}; // the only way it can fail
    }
    return digest;
}

} // namespace adjourn::storage
