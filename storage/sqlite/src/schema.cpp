#include "schema.hpp"

#include <string>

namespace adjourn::storage {

int schema_version(Database& database, std::span<const Migration> known) {
    const int newest = known.back().version;
    const std::int64_t id = database.integer("PRAGMA application_id");
    const std::int64_t version = database.integer("PRAGMA user_version");
    const bool blank = database.integer("SELECT count(*) FROM sqlite_schema") == 0;
    const std::string file = database.file().string();
    if (id == 0 && version == 0 && blank) {
        return 0;
    }
    if (id != application_id || version < 1) {
        throw StoreError{file +
                         ": a database of another program, not a store of Adjourn; move it away or "
                         "choose another directory"};
    }
    if (version > newest) {
        throw StoreError{file + ": written by a newer Adjourn (schema " + std::to_string(version) +
                         ", this program knows up to " + std::to_string(newest) +
                         "); use the newer program"};
    }
    return static_cast<int>(version);
}

void require_current(Database& database, std::span<const Migration> known) {
    const int version = schema_version(database, known), newest = known.back().version;
    if (version == 0) {
        throw_no_store(database.file());
    }
    if (version < newest) {
        throw StoreError{database.file().string() + ": written by an older Adjourn (schema " +
                         std::to_string(version) + ", this program needs " +
                         std::to_string(newest) +
                         "); start 'adjourn serve' on this directory once to bring it up to date"};
    }
}

void throw_no_store(const std::filesystem::path& file, const std::error_code& why) {
    std::error_code missing;
    const auto size = std::filesystem::file_size(file, missing);
    throw StoreError{"there is no store in " + file.parent_path().string() +
                     (why                     ? " (" + why.message() + ")"
                      : !missing && size == 0 ? " (" + file.filename().string() + " is empty)"
                                              : "") +
                     "; check the directory, or make one with 'adjourn serve --data'"};
}

void migrate(Database& database, std::span<const Migration> steps) {
    const int present = schema_version(database, steps);
    if (present == steps.back().version) {
        return;
    }
    // Steps may rebuild tables that others refer to; the references are checked before each commit.
    database.execute("PRAGMA foreign_keys = OFF");
    for (const Migration& step : steps) {
        if (step.version <= present) {
            continue;
        }
        Transaction transaction{database, Transaction::Kind::write};
        database.execute(step.sql);
        {
            Statement broken{database, "PRAGMA foreign_key_check"};
            if (broken.step()) {
                throw StoreError{database.file().string() + ": migration " +
                                 std::string{step.name} +
                                 " would leave a broken reference in table " + broken.text(0) +
                                 "; nothing was changed"};
            }
        }
        const std::string version = "PRAGMA user_version = " + std::to_string(step.version);
        database.execute(version.c_str());
        transaction.commit();
    }
    database.execute("PRAGMA foreign_keys = ON");
}

} // namespace adjourn::storage
