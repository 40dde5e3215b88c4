// Shelf: the directory of all collections.
#pragma once

#include "files/collections/collection.hpp"

#include <cstddef>
#include <expected>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace adjourn::collections {

inline constexpr std::size_t longest_collection_name = 60; // bytes
// Whether a collection can have this name: letters, digits, '-', '_', at most 60 of them.
bool is_name(std::string_view name);
inline constexpr const char* name_rule =
    "1 to 60 letters, digits, hyphens and underscores, such as masters-2025";

// Below the data directory.
inline constexpr const char* directory_name = "collections";

class Shelf {
public:
    // The directory is made when something is put there.
    explicit Shelf(std::filesystem::path directory) : directory_{std::move(directory)} {}

    // REQUIRES: is_name(name).
    std::filesystem::path file(std::string_view name) const;
    std::expected<Collection, std::string> open(std::string_view name) const;
    // By name. Files that cannot be read are left out.
    std::vector<std::pair<std::string, CollectionInfo>> list() const;
    // Whether there was one.
    bool remove(std::string_view name) const;

private:
    std::filesystem::path directory_;
};

} // namespace adjourn::collections
