#include "storage/open.hpp"

#include "base/text.hpp"
#include "storage/maintenance.hpp"
#ifdef ADJOURN_POSTGRESQL
#include "storage/postgresql/open.hpp"
#endif
#include "storage/sqlite/open.hpp"

#include <algorithm>
#include <cstddef>

namespace adjourn::storage {

namespace {

// "kind" of "kind://…"; "" for a directory.
std::string kind_of(const std::string& location) {
    const std::size_t end = location.find("://");
    return end == std::string::npos ? "" : location.substr(0, end);
}

constexpr std::size_t rows_at_once = 20'000;

std::unique_ptr<RowSource> source_at(const std::filesystem::path& location) {
    if (!is_url(location)) {
        return read_rows(location);
    }
#ifdef ADJOURN_POSTGRESQL
    return postgresql::read_rows(location.native(), shown(location));
#else
    open_store(location, OpenMode::read); // says why not
    return {};
#endif
}

std::unique_ptr<RowTarget> target_at(const std::filesystem::path& location) {
    if (!is_url(location)) {
        return write_rows(location);
    }
#ifdef ADJOURN_POSTGRESQL
    return postgresql::write_rows(location.native(), shown(location));
#else
    open_store(location, OpenMode::read); // says why not
    return {};
#endif
}

// `copied` is told of rows as they are there.
CopyReport::Table copy_table(const Table& table, RowSource& from, RowTarget& to,
                             const std::function<void(std::uint64_t rows)>& copied) {
    CopyReport::Table report{.name = table.name};
    std::optional<OwnedRow> last = table.large ? to.last_key(table) : std::nullopt;
    if (last) {
        const RowTally there = to.tally(table, {});
        if (there == from.tally(table, last)) {
            report.there_before = static_cast<std::uint64_t>(there.rows);
            copied(report.there_before);
        } else { // the store has changed since
            last.reset();
        }
    }
    if (!last) {
        to.clear(table);
    }
    report.rows = report.there_before;
    while (true) {
        const std::vector<OwnedRow> rows = from.rows(table, last, rows_at_once);
        if (rows.empty()) {
            break;
        }
        for (const OwnedRow& row : rows) { // else there may be no end
            OwnedRow key = key_of(table, row);
            if (last && !(*last < key)) {
                throw StoreError{std::string{table.name} +
                                 ": its rows are in disorder, the store is damaged: see what "
                                 "'adjourn check' finds"};
            }
            last = std::move(key);
        }
        to.write(table, rows);
        report.rows += rows.size();
        copied(rows.size());
    }
    if (table.numbered) {
        to.set_last_id(table, from.last_id(table));
    }
    return report;
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

CopyReport copy_store(const std::filesystem::path& from, const std::filesystem::path& to,
                      const Advance& advance) {
    const std::unique_ptr<RowSource> source = source_at(from);
    const std::unique_ptr<RowTarget> target = target_at(to);
    std::uint64_t all = 0;
    std::vector<RowTally> wanted;
    for (const Table* table : all_tables()) {
        wanted.push_back(source->tally(*table, {}));
        all += static_cast<std::uint64_t>(wanted.back().rows);
    }
    CopyReport report;
    std::uint64_t done = 0;
    const auto copied = [&](std::uint64_t rows) {
        done += rows;
        if (advance) {
            advance(std::min(done, all), all);
        }
    };
    for (const Table* table : all_tables()) {
        report.tables.push_back(copy_table(*table, *source, *target, copied));
    }
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const Table& table = *all_tables()[i];
        if (target->tally(table, {}) != wanted[i]) {
            report.findings.push_back(std::string{table.name} + ": the copy has other rows");
        }
    }
    if (report.findings.empty()) {
        report.findings = target->finish();
    }
    return report;
}

} // namespace adjourn::storage
