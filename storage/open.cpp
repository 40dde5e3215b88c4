#include "storage/open.hpp"

#include "base/text.hpp"
#ifdef ADJOURN_POSTGRESQL
#include "storage/postgresql/open.hpp"
#endif
#include "storage/sqlite/open.hpp"

#include <algorithm>

namespace adjourn::storage {

namespace {

// "kind" of "kind://…"; "" for a directory.
std::string kind_of(const std::string& location) {
    const std::size_t end = location.find("://");
    return end == std::string::npos ? "" : location.substr(0, end);
}

} // namespace

bool is_url(const std::filesystem::path& location) {
    return !kind_of(location.native()).empty();
}

bool has_kind(const std::filesystem::path& location) {
    const std::string kind = kind_of(location.native());
#ifdef ADJOURN_POSTGRESQL
    return kind.empty() || kind == "postgresql" || kind == "postgres";
#else
    return kind.empty();
#endif
}

std::string shown(const std::filesystem::path& location) {
    std::string text = location.native();
    if (!is_url(location)) {
        return text;
    }
    // postgresql://user:password@host/…?password=…
    const std::size_t host = text.find("://") + 3;
    const std::size_t at = text.substr(0, text.find_first_of("/?", host)).rfind('@');
    if (const std::size_t colon = text.find(':', host);
        at != std::string::npos && at > host && colon < at) {
        base::keep_secret(std::string_view{text}.substr(colon + 1, at - colon - 1));
        text.replace(colon + 1, at - colon - 1, "…");
    }
    if (const std::size_t key = text.find("password="); key != std::string::npos) {
        const std::size_t value = key + 9;
        const std::size_t size = std::min(text.find('&', value), text.size()) - value;
        base::keep_secret(std::string_view{text}.substr(value, size));
        text.replace(value, size, "…");
    }
    return text;
}

std::unique_ptr<Store> open_store(const std::filesystem::path& location, OpenMode mode) {
    const std::string kind = kind_of(location.native());
    if (kind.empty()) {
        return open_directory(location, mode);
    }
    if (kind != "postgresql" && kind != "postgres") {
        throw StoreError{"there is no kind of store '" + kind +
                         "': a store is a directory or postgresql://…"};
    }
#ifdef ADJOURN_POSTGRESQL
    return postgresql::open(location.native(), shown(location), mode);
#else
    throw StoreError{"this build has no PostgreSQL: install libpq-dev and build again, or use a "
                     "directory with --data"};
#endif
}

std::optional<std::string> announced_to_workers(const std::filesystem::path& location) {
    if (!is_url(location)) {
        throw StoreError{"workers find a server by a database only: postgresql://…"};
    }
#ifdef ADJOURN_POSTGRESQL
    return postgresql::announced_to_workers(location.native(), shown(location));
#else
    throw StoreError{"this build has no PostgreSQL: install libpq-dev and build again"};
#endif
}

bool has_owner(const std::filesystem::path& location) {
#ifdef ADJOURN_POSTGRESQL
    if (is_url(location)) {
        return postgresql::has_owner(location.native(), shown(location));
    }
#endif
    return owner_of(location).has_value();
}

} // namespace adjourn::storage
