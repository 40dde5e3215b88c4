// Bytes that claim to be a table, ours or Syzygy's.
#include "tables/own_tables.hpp"
#include "tables/syzygy.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <zlib.h>

using namespace adjourn;

namespace {

void require(bool holds) {
    if (!holds) {
        std::abort();
    }
}

void read(std::span<const std::uint8_t> bytes) {
    if (const auto file = tables::read_own(bytes)) {
        const auto codes = tables::unpack_own(*file);
        require(!codes || codes->size() == file->codes);
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    read({data, size});
    // The same with a header whose checksum holds, so that what is behind it gets its share.
    constexpr std::size_t summed = 36;
    if (size >= summed + 4) {
        std::vector<std::uint8_t> bytes{data, data + size};
        const auto sum = static_cast<std::uint32_t>(crc32_z(0, bytes.data(), summed));
        for (std::size_t i = 0; i < 4; ++i) {
            bytes[summed + i] = static_cast<std::uint8_t>(sum >> 8 * i);
        }
        read(bytes);
    }
    for (const char* name : {"KRvK", "KPvKP"}) {
        (void)tables::syzygy_problem({data, size}, tables::SyzygyKind::wdl,
                                     *chess::Material::parse(name));
    }
    return 0;
}
