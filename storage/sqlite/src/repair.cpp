// What can be read of a damaged store, in a new one: all rows are copied as
// they are, as far as they can be reached, and then those that do not prove
// themselves are taken out again.
#include "storage/maintenance.hpp"

#include "base/capped_sum.hpp"
#include "check.hpp"
#include "database.hpp"
#include "directory_lock.hpp"
#include "row_copy.hpp"
#include "schema.hpp"
#include "storage_rows/row_stream.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <system_error>

namespace adjourn::storage {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t most_lines = 1'000;

// For the display alone.
std::uint64_t rows_in(Database& database) {
    try {
        return static_cast<std::uint64_t>(database.integer("SELECT value FROM totals"));
    } catch (const SqliteError&) {
        return 0;
    }
}

class Salvage {
public:
    Salvage(Database& from, Database& to, const Advance& advance)
        : from_{from}, to_{to}, rows_{from, to, [this](const std::string& line) { tell(line); },
                                      advance, rows_in(from)},
          tables_{rows_.tables()} {}

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
            rows_.by_number(*table);
        }
        rows_.by_key(tables::failures);
        rows_.by_key(tables::asked);
        keys_from_the_index();
        mend_engines();
        mend_machines();
        drop_unsound();
        release_files();
        drop_orphans();
        drop_doubtful_askers();
        count_anew();
        all.commit();
        to_.execute("PRAGMA foreign_keys = ON; PRAGMA ignore_check_constraints = OFF");
        for (auto& [name, table] : tables_) {
            table.name = name;
            report_.tables.push_back(table);
        }
        report_.findings = check_database(to_);
        return std::move(report_);
    }

private:
    void tell(const std::string& line) {
        if (report_.lines.size() < most_lines) {
            report_.lines.push_back(line);
        } else if (report_.lines.size() == most_lines) {
            report_.lines.push_back("and more");
        }
    }

    // The keys of positions stand twice: in the table and in its index. Where
    // they differ or one is lost, the evaluations say which is right.
    void keys_from_the_index() {
        std::map<std::int64_t, std::vector<std::uint8_t>> others;
        for (const char* order : {"ASC", "DESC"}) {
            try {
                Statement rows{from_, std::string{"SELECT id, key FROM positions INDEXED BY "
                                                  "sqlite_autoindex_positions_1 ORDER BY key "} +
                                          order};
                Statement known{to_, "SELECT key FROM positions WHERE id = ?"};
                while (rows.step()) {
                    known.bind(rows.integer(0));
                    const bool there = known.step();
                    const Bytes key = rows.bytes(1);
                    if (!there || !std::ranges::equal(known.bytes(0), key)) {
                        others[rows.integer(0)].assign(key.begin(), key.end());
                    }
                }
                break;
            } catch (const SqliteError& error) {
                tell(std::string{"positions: not all of the index can be read: "} + error.what());
            }
        }
        const auto proved = [&](std::int64_t id) {
            return sound_facts("WHERE evaluations.id BETWEEN ?1 << 16 AND (?1 << 16) + 65535", id);
        };
        for (const auto& [id, key] : others) {
            const std::int64_t before = proved(id);
            to_.execute("SAVEPOINT key");
            try {
                Statement set{to_, "INSERT INTO positions (id, key) VALUES (?, ?) "
                                   "ON CONFLICT (id) DO UPDATE SET key = excluded.key"};
                set.run(id, Bytes{key});
                if (proved(id) > before || before == 0) {
                    to_.execute("RELEASE key");
                    tell("position " + std::to_string(id) + ": its key was taken from the index");
                    continue;
                }
            } catch (const SqliteError& error) {
                tell("position " + std::to_string(id) + ": " + error.what());
            }
            to_.execute("ROLLBACK TO key; RELEASE key");
        }
    }

    // A fingerprint has 128 bits: where one bit of the row is wrong, it says
    // which.
    void mend_engines() {
        Statement rows{to_, "SELECT id, name, version, options, network, fingerprint FROM engines"};
        std::map<std::int64_t, std::optional<EngineRecord>> wrong;
        std::map<std::int64_t, std::string> fingerprints;
        while (rows.step()) {
            EngineRecord engine{{}, rows.text(1), rows.text(2), rows.text(3), rows.text(4)};
            if (engine.fingerprint() != rows.text(5)) {
                wrong[rows.integer(0)] = with_one_bit_mended(engine, rows.text(5));
                fingerprints[rows.integer(0)] = engine.fingerprint();
            }
        }
        for (const auto& [id, mended] : wrong) {
            const std::string name = "engine " + std::to_string(id);
            if (mended) {
                Statement set{to_, "UPDATE engines SET name = ?, version = ?, options = ?, "
                                   "network = ? WHERE id = ?"};
                set.run(mended->name, mended->version, mended->options, mended->network, id);
                tell(name + ": one wrong bit was mended");
                continue;
            }
            // Perhaps the fingerprint itself is wrong: then its evaluations know the
            // right one.
            Statement set{to_, "UPDATE engines SET fingerprint = ? WHERE id = ?"};
            set.run(fingerprints[id], id);
            if (sound_facts("WHERE engine = ?", id) > 0) {
                tell(name + ": its fingerprint was mended");
                continue;
            }
            Statement{to_, "DELETE FROM engines WHERE id = ?"}.run(id);
            --tables_["engines"].taken;
            ++tables_["engines"].left_out;
            tell(name + ": its fingerprint is another; its evaluations mean nothing "
                        "without it");
        }
    }

    // Names stand twice, as keys do. Where both are lost, evaluations keep the number.
    void mend_machines() {
        std::map<std::int64_t, std::string> names;
        each(tables::machines, "", {}, [&](Cells row) {
            if (is_sound(tables::machines, row)) {
                names.emplace(integer(row[0]), text(row[1]));
            }
        });
        std::map<std::int64_t, std::string> mended;
        try {
            Statement rows{from_, "SELECT id, name FROM machines INDEXED BY "
                                  "sqlite_autoindex_machines_1 WHERE name >= ''"};
            while (rows.step()) {
                if (!names.contains(rows.integer(0))) {
                    mended.emplace(rows.integer(0), rows.text(1));
                }
            }
        } catch (const SqliteError& error) {
            tell(std::string{"machines: not all of the index can be read: "} + error.what());
        }
        each(tables::evaluations, "", {}, [&](Cells row) {
            Evaluation evaluation;
            const auto machine = decode_answer(bytes(row[6]), evaluation).value_or(0);
            if (machine != 0 && !names.contains(machine)) {
                mended.emplace(machine, "lost machine " + std::to_string(machine));
            }
        });
        to_.execute("DELETE FROM machines");
        Statement set{to_, copy_row(tables::machines)};
        const auto put = [&](std::int64_t id, const std::string& name) {
            const MachineRecord machine{id, name};
            set.bind_cells(row_of(machine).cells);
            set.step();
        };
        for (const auto& [id, name] : names) {
            put(id, name);
        }
        for (const auto& [id, name] : mended) {
            put(id, name);
            tell("machine " + std::to_string(id) + ": it is called '" + name + "' now");
        }
        tables_["machines"].taken = names.size() + mended.size();
    }

    static std::optional<EngineRecord> with_one_bit_mended(EngineRecord engine,
                                                           const std::string& fingerprint) {
        for (std::string* field :
             {&engine.name, &engine.version, &engine.options, &engine.network}) {
            for (std::size_t bit = 0; bit < field->size() * 8; ++bit) {
                char& byte = (*field)[bit / 8];
                const char before = byte;
                byte = static_cast<char>(byte ^ 1 << bit % 8);
                if (engine.fingerprint() == fingerprint) {
                    return engine;
                }
                byte = before;
            }
        }
        return std::nullopt;
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

    // Visits rows as they are read (tables.hpp).
    template <class Take>
    void each(const Table& table, const std::string& where, std::optional<std::int64_t> parameter,
              Take take) {
        Statement rows{to_, select_rows(table) + " " + where};
        parameter ? rows.bind(*parameter) : rows.bind();
        std::vector<Cell> cells;
        while (rows.step()) {
            rows.read(cells);
            take(Cells{cells});
        }
    }

    std::int64_t sound_facts(const std::string& where, std::int64_t parameter) {
        std::int64_t sound = 0;
        each(tables::evaluations, where, parameter,
             [&](Cells row) { sound += is_sound(tables::evaluations, row) ? 1 : 0; });
        return sound;
    }

    void drop_unsound() {
        for (const Table* table : all_tables()) {
            if (!table->sealed) {
                continue;
            }
            std::vector<OwnedRow> wrong; // their keys
            auto& counted = tables_[table->name];
            each(*table, "", {}, [&](Cells row) {
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

    // What people wrote stays, also where its analysis is lost.
    void release_files() {
        std::vector<FileRecord> lost;
        each(tables::files, "WHERE analysis NOT IN (SELECT id FROM analyses)", {},
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
        each(tables::asked, "", {}, [&](Cells row) {
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

    Database& from_;
    Database& to_;
    RepairReport report_;
    RowCopy rows_;
    std::map<std::string, RepairReport::Table>& tables_;
};

} // namespace

RepairReport repair(const fs::path& directory, const fs::path& to, const Advance& advance) {
    const fs::path file = directory / "adjourn.db", target = to / "adjourn.db";
    std::error_code error;
    if (!fs::exists(file, error)) {
        throw_no_store(file, error);
    }
    if (fs::exists(to, error) && !fs::is_empty(to, error)) {
        throw StoreError{to.string() + " is not empty; choose a new directory"};
    }
    const DirectoryLock source = DirectoryLock::own(directory);
    const DirectoryLock own = DirectoryLock::own(to);
    Database from{file, Access::read};
    require_current(from, migrations());
    Database made{target, Access::write};
    return Salvage{from, made, advance}.run();
}

} // namespace adjourn::storage
