// Packed positions: 24 bytes unpack to nothing, or to the one position that packs to them.
#include "require.hpp"

#include "chess/position.hpp"

#include <algorithm>

using namespace adjourn::chess;
using adjourn::chess::fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    PackedPosition packed;
    std::copy_n(data, std::min(size, packed.bytes.size()), packed.bytes.begin());
    const auto position = Position::unpack(packed);
    if (position) {
        require(position->packed() == packed);
        require(Position::from_setup(position->setup()) == *position);
    }
    return 0;
}
