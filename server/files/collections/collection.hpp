// Collection: what was played in many games, looked up by position. An SQLite file that is never
// changed in place: a larger one replaces it.
#pragma once

#include "chess/position.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace adjourn::collections {

// Of the games with a move, the one whose players have the highest mean Elo; the first in the
// files where several have.
struct KnownGame {
    std::string white;
    std::string black;
    int year = 0;       // 0: not known
    int elo = 0;        // mean of both; 0: not known
    std::string result; // "1-0", "0-1", "1/2-1/2"

    friend bool operator==(const KnownGame&, const KnownGame&) = default;
};

// A move of a position, by the games in which it was played there.
struct PlayedMove {
    chess::Move move;
    std::uint64_t white = 0; // games that White won
    std::uint64_t draws = 0;
    std::uint64_t black = 0;
    int last_year = 0; // 0: not known
    int elo = 0;       // the mean of the games whose players both have one; 0: not known
    KnownGame best{};

    std::uint64_t games() const { return white + draws + black; }
};

struct Source {
    std::string name;              // of the file
    std::uint64_t fingerprint = 0; // collect.hpp
    std::uint64_t games = 0;

    friend bool operator==(const Source&, const Source&) = default;
};

struct CollectionInfo {
    std::uint64_t games = 0;
    std::uint64_t moves = 0; // moves of positions, each once
    std::uint64_t bytes = 0;
    std::vector<Source> sources; // in the order in which they were added
};

// One thread at a time; each may open its own.
class Collection {
public:
    // Why there is none, or why it cannot be read; what another version has made is to be made
    // again.
    static std::expected<Collection, std::string> open(const std::filesystem::path& file);
    Collection(Collection&&) noexcept;
    Collection& operator=(Collection&&) noexcept;
    ~Collection();

    // The most played first, equals in an order of their own. Empty where nothing was played.
    // Throws std::runtime_error if the disk fails or the file is damaged there. A position is found
    // by its 64-bit hash: what would not be legal there is left out.
    std::vector<PlayedMove> moves(const chess::Position& position) const;
    // The same without the best games, which need more of the disk.
    std::vector<PlayedMove> counts(const chess::Position& position) const;
    const CollectionInfo& info() const { return info_; }

private:
    struct Tables;
    Collection() = default;

    std::unique_ptr<Tables> tables_;
    CollectionInfo info_;
};

// CollectionDirectory: the directory of all collections.

inline constexpr std::size_t longest_collection_name = 60; // bytes
// Whether a collection can have this name: letters, digits, '-', '_', at most 60 of them.
bool is_name(std::string_view name);
inline constexpr const char* name_rule =
    "1 to 60 letters, digits, hyphens and underscores, such as masters-2025";

// Below the data directory.
inline constexpr const char* directory_name = "collections";

class CollectionDirectory {
public:
    // The directory is made when something is put there.
    explicit CollectionDirectory(std::filesystem::path directory)
        : directory_{std::move(directory)} {}

    // REQUIRES: is_name(name).
    std::filesystem::path file(std::string_view name) const;
    std::expected<Collection, std::string> open(std::string_view name) const;
    // In their order; also of files that cannot be read.
    std::vector<std::string> names() const;
    // Whether there was one.
    bool remove(std::string_view name) const;

private:
    std::filesystem::path directory_;
};

} // namespace adjourn::collections
