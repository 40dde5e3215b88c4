#include "own_file.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <zlib.h>

namespace adjourn::tables {

namespace {

constexpr std::string_view magic{"ADJTBL\r\n", 8}; // a change of line ends shows
constexpr std::size_t name_size = 8;
constexpr std::size_t header_size = 40;
constexpr std::uint32_t version = 1;
// magic 8 | name 8, zero-padded | version 4 | 0 4 | codes 8 | CRC-32 of what is packed 4 |
// CRC-32 of the header so far 4; all numbers little-endian.
constexpr std::size_t version_at = 16;
constexpr std::size_t zero_at = 20;
constexpr std::size_t codes_at = 24;
constexpr std::size_t body_sum_at = 32;
constexpr std::size_t header_sum_at = 36;

template <class Number>
void put(std::vector<std::uint8_t>& out, Number number) {
    for (std::size_t i = 0; i < sizeof number; ++i) {
        out.push_back(static_cast<std::uint8_t>(number >> 8 * i));
    }
}

template <class Number>
Number get(std::span<const std::uint8_t> bytes, std::size_t at) {
    Number number = 0;
    for (std::size_t i = 0; i < sizeof number; ++i) {
        number |= static_cast<Number>(static_cast<Number>(bytes[at + i]) << 8 * i);
    }
    return number;
}

std::uint32_t sum_of(std::span<const std::uint8_t> bytes) {
    return static_cast<std::uint32_t>(crc32_z(crc32_z(0, nullptr, 0), bytes.data(), bytes.size()));
}

} // namespace

std::vector<std::uint8_t> write_own(const chess::EndgameTable& table) {
    const std::vector<std::uint8_t> codes = table.quiet_codes();
    uLongf size = compressBound(static_cast<uLong>(codes.size()));
    std::vector<std::uint8_t> packed(size);
    if (compress2(packed.data(), &size, codes.data(), static_cast<uLong>(codes.size()), 9) !=
        Z_OK) {
        throw std::bad_alloc{}; // the only way that this can fail
    }
    packed.resize(size);
    std::vector<std::uint8_t> file{magic.begin(), magic.end()};
    std::string name = table.material().name();
    name.resize(name_size, '\0');
    file.insert(file.end(), name.begin(), name.end());
    put(file, version);
    put(file, std::uint32_t{0});
    put(file, static_cast<std::uint64_t>(codes.size()));
    put(file, sum_of(packed));
    put(file, sum_of(file));
    file.insert(file.end(), packed.begin(), packed.end());
    return file;
}

std::expected<OwnFile, std::string> read_own(std::span<const std::uint8_t> file) {
    const auto wrong = [](const char* what) { return std::unexpected(std::string{what}); };
    if (file.size() < header_size) {
        return wrong("is too short to be a table");
    }
    if (!std::equal(magic.begin(), magic.end(), file.begin())) {
        return wrong("does not begin as a table of Adjourn's does");
    }
    if (get<std::uint32_t>(file, header_sum_at) != sum_of(file.first(header_sum_at))) {
        return wrong("is damaged: the checksum of its header does not match");
    }
    if (get<std::uint32_t>(file, version_at) != version || get<std::uint32_t>(file, zero_at) != 0) {
        return wrong("has a format that this version does not know");
    }
    const auto* text = reinterpret_cast<const char*>(file.data() + magic.size());
    const auto material = chess::Material::parse({text, strnlen(text, name_size)});
    if (!material || !material->normalised() || material->is_dead() ||
        material->men() > chess::TableIndex::most_men) {
        return wrong("names no material that there is a table for");
    }
    OwnFile own{*material, get<std::uint64_t>(file, codes_at), file.subspan(header_size)};
    if (own.codes != chess::TableIndex{*material}.size()) {
        return wrong("has another size than its material");
    }
    if (get<std::uint32_t>(file, body_sum_at) != sum_of(own.packed)) {
        return wrong("is cut short or damaged: its checksum does not match");
    }
    return own;
}

std::expected<std::vector<std::uint8_t>, std::string> unpack_own(const OwnFile& file) {
    std::vector<std::uint8_t> codes(file.codes);
    auto size = static_cast<uLongf>(codes.size());
    if (uncompress(codes.data(), &size, file.packed.data(),
                   static_cast<uLong>(file.packed.size())) != Z_OK ||
        size != codes.size()) {
        return std::unexpected(std::string{"cannot be unpacked"});
    }
    return codes;
}

} // namespace adjourn::tables
