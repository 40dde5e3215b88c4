// Copies of a whole store for safety; and what can be read of a damaged one, in a new one: all rows
// are copied as they are, as far as they can be reached, and then those that do not prove
// themselves are taken out again.
#include "storage/maintenance.hpp"
#include "base/number.hpp"
#include "storage/rows/row_stream.hpp"
#include "storage/sqlite/database.hpp"
#include "storage/sqlite/directory_lock.hpp"
#include "storage/sqlite/reads.hpp"
#include "storage/sqlite/schema.hpp"
#include "storage/store.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace adjourn::storage {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_lines = 1'000;

// For the display alone.
std::uint64_t rows_in(Database& database) {
    try {
        return static_cast<std::uint64_t>(database.integer("SELECT value FROM totals"));
    } catch (const SqliteError&) {
        return 0;
    }
}

class Repair {
public:
    Repair(Database& from, Database& to, const Advance& advance)
        : from_{from}, to_{to}, advance_{advance}, expected_{rows_in(from)} {}

    RepairReport run() {
        migrate(to_, migrations());
        to_.execute("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON");
        const WithoutTriggers as_they_are{to_};
        Transaction all{to_, Transaction::Kind::write};
        to_.execute("DELETE FROM totals");
        for (const Table* table :
             {&tables::engines, &tables::machines, &tables::sources, &tables::positions,
              &tables::evaluations, &tables::analyses, &tables::directives, &tables::snapshots,
              &tables::seeds, &tables::usage, &tables::files}) {
            by_number(*table);
        }
        by_key(tables::failures);
        by_key(tables::clouds);
        by_key(tables::asked);
        drop_engines();
        drop_unsound();
        name_lost_machines();
        release_files();
        drop_orphans();
        drop_doubtful_askers();
        count_anew();
        all.commit();
        to_.execute("PRAGMA foreign_keys = ON; PRAGMA ignore_check_constraints = OFF");
        RepairReport report;
        for (auto& [name, table] : tables_) {
            table.name = name;
            report.tables.push_back(table);
        }
        report.lines = std::move(lines_);
        report.findings = check_database(to_);
        return report;
    }

private:
    // Rows in the order of their numbers, a column. Where a page cannot be read, on behind it.
    void by_number(const Table& of) {
        const std::string table = of.name, id = of.columns[0].name;
        Statement add{to_, copy_row(of)};
        auto& counted = tables_[table];
        Statement rows{from_, "SELECT " + all_columns(of) + " FROM " + table + " WHERE " + id +
                                  " > ? ORDER BY " + id};
        std::int64_t last = 0; // row 0 and below are nowhere
        read_around(
            rows, 0,
            [](Statement& from, std::int64_t after) {
                from.bind(std::max<std::int64_t>(after, 0));
            },
            [&] {
                if (rows.integer(0) > last) { // else pages in disorder
                    last = rows.integer(0);
                    take(table + " " + std::to_string(last), add, rows, counted);
                }
                return true;
            },
            [&](std::int64_t from, std::optional<std::int64_t> next, const std::string& why) {
                tell(unreadable_rows(table, from, next, why));
            });
    }

    // Rows in the order of their key, from the front and from the back, to whatever cannot be read.
    void by_key(const Table& of) {
        const std::string table = of.name;
        Statement add{to_, copy_row(of) + " ON CONFLICT DO NOTHING"};
        for (const std::string& order : {key_columns(of), key_backward(of)}) {
            try {
                Statement rows{from_, "SELECT " + all_columns(of) + " FROM " + table +
                                          " ORDER BY " + order};
                while (rows.step()) {
                    take("a row of " + table, add, rows, tables_[table]);
                }
                return;
            } catch (const SqliteError& error) {
                tell(table + ": not all rows can be read: " + error.what());
            }
        }
    }

    void take(const std::string& what, Statement& add, const Statement& row,
              RepairReport::Table& counted) {
        try {
            add.bind_row(row);
            while (add.step()) {
            }
            ++counted.taken;
        } catch (const SqliteError& error) {
            if (!error.data_fault()) {
                throw StoreError{error.what()}; // of the new file: no row is to blame
            }
            ++counted.left_out;
            tell(what + ": " + error.what());
        }
        if (advance_ && ++done_ % 4'096 == 0) {
            advance_(done_, std::max(done_, expected_));
        }
    }

    // A line of the report. Beyond most_lines it says only that there are more.
    void tell(const std::string& line) {
        if (lines_.size() < most_lines) {
            lines_.push_back(line);
        } else if (lines_.size() == most_lines) {
            lines_.push_back("and more");
        }
    }

    // Visits rows of the new database as they are read (tables.hpp).
    void each(const Table& table, const std::string& where,
              const std::function<void(Cells)>& take) {
        Statement all{to_, select_rows(table) + " " + where};
        std::vector<Cell> cells;
        while (all.step()) {
            all.read(cells);
            take(Cells{cells});
        }
    }

    void drop(const std::string& table, const std::string& named, const std::string& id,
              const std::string& where, const std::string& why) {
        auto& counted = tables_[table];
        {
            Statement rows{to_, "SELECT " + id + " FROM " + table + " WHERE " + where};
            while (rows.step()) {
                tell(named + " " + std::to_string(rows.integer(0)) + ": " + why);
                ++counted.left_out;
                --counted.taken;
            }
        }
        to_.execute(("DELETE FROM " + table + " WHERE " + where).c_str());
    }

    void drop_unsound() {
        for (const Table* table : all_tables()) {
            if (!table->sealed()) {
                continue;
            }
            std::vector<OwnedRow> wrong; // their keys
            auto& counted = tables_[table->name];
            each(*table, "", [&](Cells row) {
                if (!is_sound(*table, row)) {
                    tell(row_name(*table, row) + ": " + wrong_checksum);
                    ++counted.left_out;
                    --counted.taken;
                    wrong.push_back(own(*table, row.first(table->key)));
                }
            });
            Statement remove{to_, "DELETE FROM " + std::string{table->name} +
                                      where_columns(*table, 0, table->key)};
            for (const OwnedRow& key : wrong) {
                remove.bind_cells(view(key));
                remove.step();
            }
        }
    }

    // Their evaluations mean nothing, and do not prove themselves without them.
    void drop_engines() {
        std::vector<std::int64_t> wrong;
        {
            Statement rows{to_,
                           "SELECT id, name, version, options, network, fingerprint FROM engines"};
            while (rows.step()) {
                const EngineRecord engine{
                    {}, rows.text(1), rows.text(2), rows.text(3), rows.text(4)};
                if (engine.fingerprint() != rows.text(5)) {
                    wrong.push_back(rows.integer(0));
                }
            }
        }
        for (const std::int64_t id : wrong) {
            drop("engines", "engine", "id", "id = " + std::to_string(id),
                 "its fingerprint is another; its evaluations mean nothing without it");
        }
    }

    // Evaluations keep the number of a machine whose row is lost.
    void name_lost_machines() {
        std::set<std::int64_t> known, named;
        each(tables::machines, "", [&](Cells row) { known.insert(integer(row[0])); });
        each(tables::evaluations, "", [&](Cells row) {
            Evaluation evaluation;
            const auto machine = decode_answer(bytes(row[6]), evaluation).value_or(0);
            if (machine != 0 && !known.contains(machine)) {
                named.insert(machine);
            }
        });
        Statement set{to_, copy_row(tables::machines)};
        for (const std::int64_t id : named) {
            const MachineRecord machine{id, "lost machine " + std::to_string(id)};
            set.bind_cells(row_of(machine).cells);
            set.step();
            tell("machine " + std::to_string(id) + ": its name is lost");
            ++tables_["machines"].taken;
        }
    }

    // What people wrote stays, also where its analysis is lost.
    void release_files() {
        std::vector<FileRecord> lost;
        each(tables::files, "WHERE analysis NOT IN (SELECT id FROM analyses)",
             [&](Cells row) { read(row, lost.emplace_back()); });
        Statement set{to_, put_row(tables::files)};
        for (FileRecord& file : lost) {
            tell("version of a file " + std::to_string(file.id) + ": its analysis " +
                 std::to_string(row(file.analysis)) + " is lost; its file belongs to none now");
            file.analysis = {};
            set.bind_cells(Cells{row_of(file).cells}.first(tables::files.columns.size()));
            set.step();
        }
    }

    void drop_orphans() {
        for (const char* table : {"directives", "snapshots", "seeds", "usage"}) {
            const bool numbered = std::string{table} != "usage";
            drop(table, table, numbered ? "id" : "analysis",
                 "analysis NOT IN (SELECT id FROM analyses)", "its analysis is lost");
        }
    }

    std::map<std::int64_t, std::int64_t> asked_sums() {
        std::map<std::int64_t, std::int64_t> sums;
        each(tables::asked, "", [&](Cells row) {
            sums[integer(row[0])] += asked_checksum(integer(row[0]), integer(row[1]));
        });
        return sums;
    }

    // Whose rows do not come to the sum that was kept: which one is wrong cannot
    // be seen, so none counts, but for those whose evaluations are lost.
    void drop_doubtful_askers() {
        std::set<std::int64_t> doubtful;
        try {
            std::set<std::int64_t> kept;
            std::map<std::int64_t, std::int64_t> own = asked_sums();
            Statement sums{from_, "SELECT analysis, sum FROM asked_sums"};
            while (sums.step()) {
                if (own[sums.integer(0)] == sums.integer(1)) {
                    kept.insert(sums.integer(0));
                }
            }
            Statement all{to_, "SELECT DISTINCT analysis FROM asked"};
            while (all.step()) {
                if (!kept.contains(all.integer(0))) {
                    doubtful.insert(all.integer(0));
                }
            }
        } catch (const SqliteError& error) {
            tell(std::string{"asked: the sums cannot be read: "} + error.what());
        }
        for (const std::int64_t analysis : doubtful) {
            drop("asked", "evaluation asked for by analysis " + std::to_string(analysis) + ":",
                 "evaluation", "analysis = " + std::to_string(analysis),
                 "the checksum of what it asked for is another");
        }
        drop("asked", "asked: evaluation", "evaluation",
             "evaluation NOT IN (SELECT id FROM evaluations)", "is lost");
    }

    void count_anew() {
        to_.execute("INSERT INTO totals SELECT 'evaluations', count(*) FROM evaluations");
        Statement add{to_, put_row(tables::asked_sums)};
        for (const auto& [analysis, sum] : asked_sums()) {
            add.run(analysis, sum);
        }
        add_up_usage();
        for (const char* table : {"analyses", "directives", "snapshots", "files"}) {
            std::int64_t given = 0;
            try {
                given = from_.integer(
                    (std::string{"SELECT seq FROM sqlite_sequence WHERE name = '"} + table + "'")
                        .c_str());
            } catch (const SqliteError&) {
                // The largest number there is will do.
            }
            const std::string name = table;
            to_.execute(
                ("DELETE FROM sqlite_sequence WHERE name = '" + name +
                 "'; INSERT INTO sqlite_sequence SELECT '" + name + "', max(" +
                 std::to_string(given) + ", coalesce((SELECT max(id) FROM " + name + "), 0)" +
                 (name == "analyses" ? ", coalesce((SELECT max(analysis) FROM asked), 0)" : "") +
                 ")")
                    .c_str());
        }
    }

    // What a lost row of usage said, as far as the evaluations tell.
    void add_up_usage() {
        std::map<std::int64_t, UsageRecord> sums;
        {
            Statement rows{to_, "SELECT k.analysis, v.answer FROM asked k JOIN evaluations v ON "
                                "v.id = k.evaluation JOIN analyses a ON a.id = k.analysis "
                                "WHERE k.analysis NOT IN (SELECT analysis FROM usage)"};
            while (rows.step()) {
                Evaluation evaluation;
                if (decode_answer(rows.bytes(1), evaluation)) {
                    UsageRecord& sum = sums[rows.integer(0)];
                    sum.analysis = AnalysisId{rows.integer(0)};
                    ++sum.evaluations_new;
                    sum.nodes = base::capped_sum(sum.nodes, evaluation.nodes);
                    sum.engine_ms = base::capped_sum(sum.engine_ms, evaluation.time_ms);
                }
            }
        }
        Statement add{to_, put_row(tables::usage)};
        for (const auto& [analysis, sum] : sums) {
            add.bind_cells(row_of(sum).cells);
            add.step();
            tell("usage of analysis " + std::to_string(analysis) +
                 ": added up anew from its evaluations");
        }
    }

    Database& from_; // damaged
    Database& to_;   // new, of its rows
    const Advance& advance_;
    std::uint64_t done_ = 0;
    const std::uint64_t expected_; // rows in all, for `advance_`
    std::vector<std::string> lines_;
    std::map<std::string, RepairReport::Table> tables_; // by name
};

void sync(const fs::path& path, int flags) {
    const int descriptor = ::open(path.c_str(), flags | O_CLOEXEC);
    const bool done = descriptor >= 0 && ::fsync(descriptor) == 0;
    const int error = errno;
    if (descriptor >= 0) {
        ::close(descriptor);
    }
    if (!done) {
        throw StoreError{"cannot write " + path.string() + ": " +
                         std::generic_category().message(error)};
    }
}

// WholeFile: a file that gets its name when it is complete and on the disk, in one step. Until then
// it stands beside that place under another name, and goes if nothing comes of it.
class WholeFile {
public:
    explicit WholeFile(fs::path file) : file_{std::move(file)}, draft_{file_.string() + ".part"} {
        std::error_code missing;
        fs::remove(draft_, missing); // of a program that was ended
    }
    WholeFile(const WholeFile&) = delete;
    WholeFile& operator=(const WholeFile&) = delete;
    ~WholeFile() {
        std::error_code missing;
        fs::remove(draft_, missing);
        fs::remove(draft_.string() + "-journal", missing);
    }

    // Where to write.
    const fs::path& path() const { return draft_; }
    // Replaces what has the name. Throws StoreError.
    void take_name() {
        sync(draft_, O_RDONLY);
        std::error_code error;
        fs::rename(draft_, file_, error);
        if (error) {
            throw StoreError{"cannot write " + file_.string() + ": " + error.message()};
        }
        sync(fs::absolute(file_).parent_path(), O_RDONLY | O_DIRECTORY);
    }

private:
    fs::path file_, draft_;
};

// The database of a directory, which must be there.
fs::path file_there(const fs::path& directory) {
    fs::path file = directory / "adjourn.db";
    std::error_code error;
    if (!fs::exists(file, error)) {
        throw_no_store(file, error);
    }
    return file;
}

} // namespace

RepairReport repair(const fs::path& directory, const fs::path& to, const Advance& advance) {
    const fs::path file = file_there(directory), target = to / "adjourn.db";
    std::error_code error;
    if (fs::exists(to, error) && !fs::is_empty(to, error)) {
        throw StoreError{to.string() + " is not empty; choose a new directory"};
    }
    const DirectoryLock source = DirectoryLock::own(directory);
    const DirectoryLock own = DirectoryLock::own(to);
    Database from{file, Access::read};
    require_current(from, migrations());
    Database made{target, Access::write};
    return Repair{from, made, advance}.run();
}

BackupReport back_up(const fs::path& directory, const fs::path& file, const Advance& advance) {
    const fs::path store = file_there(directory);
    if (fs::exists(file)) {
        throw StoreError{file.string() + " is there already; choose another name"};
    }
    BackupReport report;
    WholeFile draft{file};
    {
        Database from{store, Access::read};
        require_current(from, migrations());
        // One snapshot: what the server commits meanwhile belongs to the next backup.
        const Transaction snapshot{from, Transaction::Kind::read};
        (void)from.integer("SELECT count(*) FROM sqlite_schema");
        Database to{draft.path(), Access::write};
        from.copy_to(to, advance);
    }
    {
        Database copy{draft.path(), Access::read_frozen};
        report.findings = check_database(copy);
        report.evaluations = static_cast<std::uint64_t>(
            copy.integer("SELECT value FROM totals WHERE name = 'evaluations'"));
    }
    report.bytes = fs::file_size(draft.path());
    draft.take_name();
    return report;
}

} // namespace adjourn::storage
