// OwnTables: our own tables, of quiet positions only, and the searches that make them answer for
// all.
#pragma once

#include "analysis/tables.hpp"
#include "chess/endgame/capture_resolver.hpp"
#include "chess/endgame/endgame_table.hpp"
#include "tables/endgame_tables.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace adjourn::tables {

class MappedFile {
public:
    // The reason why not, without the file's name.
    static std::expected<MappedFile, std::string> open(const std::filesystem::path& file);
    ~MappedFile();
    MappedFile(MappedFile&& other) noexcept : bytes_{std::exchange(other.bytes_, {})} {}
    MappedFile& operator=(MappedFile&& other) noexcept {
        std::swap(bytes_, other.bytes_);
        return *this;
    }

    std::span<const std::uint8_t> bytes() const { return bytes_; }

private:
    explicit MappedFile(std::span<const std::uint8_t> bytes) : bytes_{bytes} {}
    std::span<const std::uint8_t> bytes_;
};

class OwnTables final : public analysis::Tables {
public:
    // Opens and checks the files of the directories (':' between them); fills inventory.own, .men
    // and .problems. A table is unpacked when it is asked first.
    OwnTables(const std::string& directories, Inventory& inventory);
    ~OwnTables() override;

    std::optional<chess::Score> value(const chess::Position& position) const override;
    std::vector<analysis::TableMove> moves(const chess::Position& position) const override;

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

// The file of one of our own tables, "KRvK.adt": docs/internals/endgame-tables.md.

inline constexpr const char* own_extension = ".adt";

std::vector<std::uint8_t> write_own(const chess::EndgameTable& table);

// The codes of a table, packed; proven to be those of a whole file by their checksum.
struct OwnFile {
    chess::Material material;
    std::uint64_t codes = 0;              // how many
    std::span<const std::uint8_t> packed; // zlib, within the bytes given
};

// Any bytes may be given; what is wrong with them otherwise.
std::expected<OwnFile, std::string> read_own(std::span<const std::uint8_t> file);
// The codes; an error if they are not as many as the file says.
std::expected<std::vector<std::uint8_t>, std::string> unpack_own(const OwnFile& file);

// Writing our own tables.

// Written beside and renamed, so that a file by that name is whole. Its size in bytes, or what went
// wrong.
std::expected<std::size_t, std::string> write_own_file(const chess::EndgameTable& table,
                                                       const std::filesystem::path& file);

} // namespace adjourn::tables
