#include "storage/postgresql/schema.hpp"

#include "base/number.hpp"
#include "storage/open.hpp"

namespace adjourn::storage::postgresql {

namespace {

// "Adjn": of all advisory locks in the database, ours.
constexpr std::int64_t owner_lock = 0x41646a6e;

bool has_table(Connection& connection, const std::string& name) {
    return connection.run("SELECT to_regclass($1::text) IS NOT NULL", name).integer(0, 0) != 0;
}

} // namespace

std::string property(Connection& connection, const std::string& name) {
    const Rows rows = connection.run("SELECT value FROM adjourn WHERE name = $1", name);
    return rows.size() == 0 ? "" : rows.text(0, 0);
}

void set_property(Connection& connection, const std::string& name, const std::string& value) {
    connection.run("INSERT INTO adjourn (name, value) VALUES ($1, $2) "
                   "ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                   name, value);
}

int schema_version(Connection& connection, std::span<const Migration> known) {
    if (!has_table(connection, "adjourn")) {
        if (has_table(connection, "evaluations") || has_table(connection, "analyses")) {
            throw StoreError{connection.shown() +
                             " is the database of another program; choose one of its own"};
        }
        return 0;
    }
    const std::string text = property(connection, "version");
    const std::optional<int> version = text.empty() ? 0 : base::parse_number<int>(text);
    if (!version || *version < 0) {
        throw StoreError{connection.shown() + " is damaged: its schema version is '" + text + "'"};
    }
    if (*version > known.back().version) {
        throw StoreError{connection.shown() + " was written by a newer Adjourn (schema " + text +
                         "; this program knows " + std::to_string(known.back().version) +
                         "); use that one"};
    }
    return *version;
}

void require_whole(Connection& connection) {
    if (!property(connection, copying).empty()) {
        throw StoreError{"a copy into " + connection.shown() +
                         " is not finished; run 'adjourn copy' again, it goes on"};
    }
}

void require_current(Connection& connection, std::span<const Migration> known) {
    const int version = schema_version(connection, known);
    if (version == 0) {
        throw StoreError{"there is no store in " + connection.shown()};
    }
    if (version < known.back().version) {
        throw StoreError{connection.shown() + " has an older schema (" + std::to_string(version) +
                         " instead of " + std::to_string(known.back().version) +
                         "); 'adjourn serve' brings it up to date"};
    }
    require_whole(connection);
}

void migrate(Connection& connection, std::span<const Migration> steps) {
    const int version = schema_version(connection, steps);
    if (version == 0) {
        connection.execute("CREATE TABLE IF NOT EXISTS adjourn "
                           "(name text PRIMARY KEY, value text NOT NULL)");
    }
    for (const Migration& step : steps) {
        if (step.version <= version) {
            continue;
        }
        try {
            Transaction transaction{connection, Transaction::Kind::write};
            connection.execute(step.sql);
            set_property(connection, "version", std::to_string(step.version));
            transaction.commit();
        } catch (const PostgresError& error) {
            throw StoreError{"the schema was not brought to version " +
                             std::to_string(step.version) + ": " + error.what()};
        }
    }
}

void lock_as_owner(Connection& connection) {
    if (connection.run("SELECT pg_try_advisory_lock($1)", owner_lock).integer(0, 0) != 0) {
        return;
    }
    const std::string holder =
        has_table(connection, "adjourn") ? property(connection, owner_property) : "";
    throw StoreInUse{connection.shown() + " is in use by another Adjourn" +
                         (holder.empty() ? "" : " (" + holder + ")") +
                         "; end that one or choose another database",
                     holder};
}

bool has_owner(Connection& connection) {
    static_assert(owner_lock >> 32 == 0); // so that it is `objid` alone
    return connection
               .run("SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted "
                    "AND classid = 0 AND objid::bigint = $1 AND objsubid = 1 AND database = "
                    "(SELECT oid FROM pg_database WHERE datname = current_database()))",
                    owner_lock)
               .integer(0, 0) != 0;
}

void unlock_as_owner(Connection& connection) {
    connection.run("SELECT pg_advisory_unlock($1)", owner_lock);
}

} // namespace adjourn::storage::postgresql
