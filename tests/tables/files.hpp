// Files for the tests of this room.
#pragma once

#include "temporary_directory.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

namespace adjourn::tables {

inline std::filesystem::path table_data() {
    return std::filesystem::path{ADJOURN_TEST_DATA} / "tables";
}

// All tables of three and four men, where there are any.
inline std::optional<std::filesystem::path> shared_tables() {
    const std::filesystem::path path =
        std::filesystem::path{ADJOURN_SHARED_DATA} / "syzygy" / "3-4-5";
    return std::filesystem::exists(path) ? std::optional{path} : std::nullopt;
}

inline std::vector<std::uint8_t> read_file(const std::filesystem::path& file) {
    std::ifstream in{file, std::ios::binary};
    REQUIRE(in);
    return {std::istreambuf_iterator<char>{in}, {}};
}

inline void write_file(const std::filesystem::path& file, const std::vector<std::uint8_t>& bytes) {
    std::ofstream out{file, std::ios::binary};
    out.write(reinterpret_cast<const char*>(bytes.data()),
              static_cast<std::streamsize>(bytes.size()));
    REQUIRE(out);
}

} // namespace adjourn::tables
