#include "storage/open.hpp"

#include "sqlite_store.hpp"

namespace adjourn::storage {

std::unique_ptr<Store> open_store(const std::filesystem::path& location, OpenMode mode) {
    const std::string& text = location.native();
    if (const std::size_t scheme = text.find("://"); scheme != std::string::npos) {
        throw StoreError{"there is no kind of store '" + text.substr(0, scheme) +
                         "': a store is a directory"};
    }
    return std::make_unique<SqliteStore>(location, mode);
}

} // namespace adjourn::storage
