#include "syzygy_file.hpp"

#include <algorithm>
#include <array>

namespace adjourn::tables {

namespace {

using Bytes = std::span<const std::uint8_t>;

constexpr std::array<std::uint8_t, 4> wdl_magic{0x71, 0xe8, 0x23, 0x5d};
constexpr std::array<std::uint8_t, 4> dtz_magic{0xd7, 0x66, 0x0c, 0xa5};
constexpr std::size_t block = 64;
constexpr std::size_t checksum_bytes = 16; // at the end of a file
constexpr std::size_t pieces_at = 6;

// The header names a piece in each nibble: 1 pawn … 6 king, and 8 more for Black.
std::optional<chess::Material> pieces(Bytes file, std::size_t at, int men) {
    chess::Material found;
    std::array<int, 2> kings{};
    for (int i = 0; i < men; ++i) {
        const int code = file[at + static_cast<std::size_t>(i)] & 15;
        const auto color = code < 8 ? chess::Color::white : chess::Color::black;
        const int role = (code & 7) - 1;
        if (role < 0 || role > static_cast<int>(chess::Role::king)) {
            return std::nullopt;
        }
        if (role == static_cast<int>(chess::Role::king)) {
            ++kings[static_cast<std::size_t>(color)];
        } else {
            found.add(color, static_cast<chess::Role>(role));
        }
    }
    return kings == std::array{1, 1} ? std::optional{found} : std::nullopt;
}

} // namespace

std::optional<std::string> syzygy_problem(Bytes file, SyzygyKind kind,
                                          const chess::Material& material) {
    const auto& magic = kind == SyzygyKind::wdl ? wdl_magic : dtz_magic;
    if (file.size() < block + checksum_bytes || file.size() % block != checksum_bytes) {
        return "is " + std::to_string(file.size()) +
               " bytes long, which no complete table is: cut short or damaged";
    }
    if (!std::equal(magic.begin(), magic.end(), file.begin())) {
        return kind == SyzygyKind::wdl ? "does not begin as a WDL table does"
                                       : "does not begin as a DTZ table does";
    }
    // One more byte of order where both sides have pawns.
    const bool both_pawns = material.count(chess::Color::white, chess::Role::pawn) > 0 &&
                            material.count(chess::Color::black, chess::Role::pawn) > 0;
    const auto found = pieces(file, pieces_at + (both_pawns ? 1 : 0), material.men());
    if (found != material && found != material.flipped()) {
        return "holds another table than its name says";
    }
    return std::nullopt;
}

} // namespace adjourn::tables
