// Files for the tests of this room.
#pragma once

#include "shared_data.hpp"
#include "temporary_directory.hpp"
#include "test.hpp"

namespace adjourn::tables {

inline std::filesystem::path table_data() {
    return std::filesystem::path{ADJOURN_TEST_DATA} / "tables";
}

// All tables of three and four men; in the sample only some.
inline std::filesystem::path shared_tables() {
    return data_root() / "syzygy" / "3-4-5";
}

// For tests that need tables which are too large for the sample.
inline bool has_all_tables() {
    if (!has_all_data()) {
        skip("no ../shared/data/syzygy");
    }
    return has_all_data();
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
