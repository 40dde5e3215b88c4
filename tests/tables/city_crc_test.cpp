#include "city_crc.hpp"

#include <catch2/catch.hpp>

#include <vector>

using namespace adjourn::tables;

// Values of the original for these bytes; between them the lengths take every way through the
// function.
TEST_CASE("city crc: agrees with the original") {
    struct Row {
        std::size_t length;
        std::uint64_t first;
        std::uint64_t second;
    };
    for (const Row& row : {Row{13, 0x9a2e7400d4d83d01, 0x1b7a82b548716f4a},
                           Row{200, 0xd065d2a3c15642f4, 0xb8dbd485e35db7ef},
                           Row{640, 0xf118bbfc22887097, 0x0d9784d5ef9005cd},
                           Row{901, 0xc392a128e33bc1fd, 0xea004799b0d9e222}}) {
        std::vector<std::uint8_t> bytes(row.length);
        for (std::size_t i = 0; i < row.length; ++i) {
            bytes[i] = static_cast<std::uint8_t>((i * i * 7 + row.length * 13 + (i >> 3)) & 127);
        }
        INFO("length " << row.length);
        const auto sum = city_crc128(bytes);
        CHECK(sum[0] == row.first);
        CHECK(sum[1] == row.second);
    }
}
