#include "files/collections/shelf.hpp"

#include <algorithm>

namespace adjourn::collections {

namespace {

constexpr const char* ending = ".games";

} // namespace

bool is_name(std::string_view name) {
    return !name.empty() && name.size() <= longest_collection_name &&
           std::ranges::all_of(name, [](char c) {
               return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == '-' || c == '_';
           });
}

std::filesystem::path Shelf::file(std::string_view name) const {
    return directory_ / (std::string{name} + ending);
}

std::expected<Collection, std::string> Shelf::open(std::string_view name) const {
    return Collection::open(file(name));
}

std::vector<std::pair<std::string, CollectionInfo>> Shelf::list() const {
    std::vector<std::pair<std::string, CollectionInfo>> all;
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator{directory_, none}) {
        const std::string name = entry.path().stem().string();
        if (entry.path().extension() == ending && is_name(name)) {
            if (const auto collection = open(name)) {
                all.emplace_back(name, collection->info());
            }
        }
    }
    std::ranges::sort(all, {}, [](const auto& each) { return each.first; });
    return all;
}

bool Shelf::remove(std::string_view name) const {
    std::error_code none;
    return std::filesystem::remove(file(name), none);
}

} // namespace adjourn::collections
