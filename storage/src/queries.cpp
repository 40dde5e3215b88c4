#include "queries.hpp"

#include "base/utf8.hpp"
#include "read_around.hpp"
#include "row_reading.hpp"
#include "storage_base/columns.hpp"
#include "writes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace adjourn::storage {

namespace {

// `columns` and whether the row is what was written, of a table that has a seal.
std::string select_sealed(const Seal& seal, const std::string& columns) {
    return "SELECT " + columns + ", checksum = " + seal.checksum + " FROM " + seal.table + " ";
}

// SQLite lets any bytes stand as text; what is not UTF-8 is read as Latin-1.
std::string read_text(const Statement& from, int column) {
    return base::to_utf8(from.text(column));
}

// What is beyond an int becomes its end.
int read_int(const Statement& from, int column) {
    using Range = std::numeric_limits<int>;
    return static_cast<int>(
        std::clamp<std::int64_t>(from.integer(column), -Range::max(), Range::max()));
}

std::uint64_t read_count(const Statement& from, int column) {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(from.integer(column), 0));
}

// Throws DamagedRow if the last column, `checksum = …`, says no.
void require_sound(const Database& database, const Statement& from, int column,
                   const std::string& what) {
    if (from.integer(column) != 1) {
        throw_damaged(database, what, wrong_checksum);
    }
}

std::vector<chess::Move> read_moves(const Database& database, const std::string& what,
                                    Bytes bytes) {
    std::vector<chess::Move> moves;
    if (const auto decoded = decode_moves(bytes, moves); !decoded) {
        throw_damaged(database, what, decoded.error());
    }
    return moves;
}

chess::Move read_move(const Database& database, const std::string& what, std::int64_t raw) {
    if (raw < 0 || raw > 0xffff) {
        throw_damaged(database, what, "a move of unknown kind");
    }
    return chess::Move::from_raw(static_cast<std::uint16_t>(raw));
}

AnalysisState read_state(const Database& database, const std::string& what,
                         const std::string& name) {
    const auto state = state_of(name);
    if (!state) {
        throw_damaged(database, what, "unknown state " + name);
    }
    return *state;
}

} // namespace

void throw_damaged(const Database& database, const std::string& row, const std::string& why) {
    throw DamagedRow{database.file().string() + ": " + row + " is damaged (" + why +
                     "); restore a copy of the file, or see what else 'adjourn check' finds"};
}

// The table of engines is small: nothing depends on its index.
Queries::Queries(const std::filesystem::path& file, Access access, DamageNote* damage)
    : database_{file, access, damage}, find_position_{database_,
                                                      "SELECT id FROM positions WHERE key = ?"},
      of_position_{database_, select_evaluations + "WHERE id BETWEEN ? AND ? ORDER BY id"},
      find_engine_{database_, "SELECT id FROM engines NOT INDEXED WHERE fingerprint = ?"},
      count_{database_, "SELECT value FROM totals WHERE name = 'evaluations'"},
      find_fingerprint_{database_, "SELECT fingerprint FROM engines WHERE id = ?"},
      usage_{database_, select_sealed(usage_seal, "evaluations_new, nodes, engine_ms") +
                            "WHERE analysis = ?"} {}

std::optional<EngineId> Queries::find_engine(const std::string& fingerprint) {
    find_engine_.bind(fingerprint);
    const ResetAtEnd reset{find_engine_};
    return find_engine_.step() ? std::optional{static_cast<EngineId>(find_engine_.integer(0))}
                               : std::nullopt;
}

template <class Record, class Bind, class Read>
void Queries::take_around(std::vector<Record>& records, const std::string& sql, const char* table,
                          const Damaged& damaged, Bind bind, Read read) {
    Statement rows{database_, sql};
    read_around(
        rows, 0, bind,
        [&] {
            take_row(records, damaged, [&] { return read(rows); });
            return true;
        },
        [&](std::int64_t from, std::optional<std::int64_t> next, const std::string& why) {
            tell(database_, damaged, unreadable_rows(table, from, next, why));
        });
}

template <class Record, class Read>
std::vector<Record> Queries::of_analysis(const Seal& seal, const std::string& columns,
                                         const std::string& joins, AnalysisId analysis,
                                         const Damaged& damaged, Read read) {
    const std::string table = seal.table, select = select_sealed(seal, columns);
    std::vector<Record> result;
    std::vector<std::string> told;
    try {
        Statement rows{database_, select + joins + "WHERE analysis = ? ORDER BY " + table + ".id"};
        rows.bind(row(analysis));
        while (rows.step()) {
            take_row(
                result, [&](const std::string& line) { told.push_back(line); },
                [&] { return read(rows); });
        }
    } catch (const SqliteError& error) {
        if (!error.damage()) {
            throw;
        }
        result.clear();
        take_around(
            result,
            select + "NOT INDEXED " + joins + "WHERE " + table + ".id > ? AND analysis = ? " +
                "ORDER BY " + table + ".id",
            seal.table, damaged,
            [&](Statement& rows, std::int64_t after) { rows.bind(after, row(analysis)); }, read);
        return result;
    }
    if (damaged) {
        std::ranges::for_each(told, damaged);
    }
    return result;
}

std::vector<EngineRecord> Queries::engines(const Damaged& damaged) {
    std::vector<EngineRecord> result;
    const auto read = [&](const Statement& rows) {
        EngineRecord engine{static_cast<EngineId>(rows.integer(0)), rows.text(1), rows.text(2),
                            rows.text(3), rows.text(4)};
        if (engine.fingerprint() != rows.text(5)) {
            throw_damaged(database_, "engine " + std::to_string(row(engine.id)),
                          "its fingerprint is another");
        }
        for (std::string* text :
             {&engine.name, &engine.version, &engine.options, &engine.network}) {
            *text = base::to_utf8(*text); // SQLite lets any bytes stand as text
        }
        return engine;
    };
    take_around(
        result,
        "SELECT id, name, version, options, network, fingerprint FROM engines WHERE id > ? "
        "ORDER BY id",
        "engines", damaged, [](Statement& rows, std::int64_t after) { rows.bind(after); }, read);
    return result;
}

std::uint64_t Queries::evaluation_count() {
    count_.bind();
    const ResetAtEnd reset{count_};
    return count_.step() ? read_count(count_, 0) : 0;
}

// Those up to what cannot be read: the table is in the order of its key alone.
std::vector<FailureRecord> Queries::failures(EngineId engine, const Damaged& damaged) {
    Statement rows{database_,
                   select_sealed(failure_seal, "position, key, limit_kind, limit_amount, excluded, "
                                               "reason, attempts, at") +
                       "LEFT JOIN positions ON positions.id = position WHERE engine = ?"};
    std::vector<FailureRecord> result;
    const auto read = [&] {
        const std::string what = "failure at position " + std::to_string(rows.integer(0));
        require_sound(database_, rows, 8, what);
        FailureRecord failure;
        failure.question = {read_key(database_, rows.integer(0), rows.bytes(1)), engine,
                            read_limit(database_, what, rows.integer(2), rows.integer(3)),
                            read_moves(database_, what, rows.bytes(4))};
        if (const auto trouble = question_trouble(failure.question); !trouble.empty()) {
            throw_damaged(database_, what, trouble);
        }
        failure.reason = read_text(rows, 5);
        failure.attempts = read_int(rows, 6);
        failure.at = rows.integer(7);
        return failure;
    };
    try {
        rows.bind(row(engine));
        while (rows.step()) {
            take_row(result, damaged, read);
        }
    } catch (const SqliteError& error) {
        if (!error.damage()) {
            throw;
        }
        tell(database_, damaged, std::string{"failures: not all can be read: "} + error.what());
    }
    std::ranges::stable_sort(result, {}, &FailureRecord::at);
    return result;
}

std::vector<AnalysisRecord> Queries::analyses(const Damaged& damaged) {
    std::vector<AnalysisRecord> result;
    const auto read = [&](const Statement& rows) {
        const std::string what = "analysis " + std::to_string(rows.integer(0));
        require_sound(database_, rows, 14, what);
        AnalysisRecord a;
        a.id = static_cast<AnalysisId>(rows.integer(0));
        a.name = read_text(rows, 1);
        a.root_fen = read_text(rows, 2);
        a.root_moves = read_moves(database_, what, rows.bytes(3));
        a.profile = read_text(rows, 4);
        a.engine = static_cast<EngineId>(rows.integer(5)); // NULL reads as 0
        a.limit = read_limit(database_, what, rows.integer(6), rows.integer(7));
        a.parameters = read_text(rows, 8);
        a.priority = read_int(rows, 9);
        a.rank = std::isfinite(rows.real(10)) ? rows.real(10) : 0;
        a.state = read_state(database_, what, rows.text(11));
        a.state_reason = read_text(rows, 12);
        a.created_at = rows.integer(13);
        return a;
    };
    std::string sql = select_sealed(analysis_seal, "id, name, root_fen, root_moves, profile, "
                                                   "engine, limit_kind, limit_amount, parameters, "
                                                   "priority, rank, state, state_reason, "
                                                   "created_at") +
                      "WHERE id > ? ORDER BY id";
    if (!engines_stand()) { // their fingerprints, which the checksums are of, stand in the index,
                            // too
        constexpr std::string_view table = "FROM engines";
        sql.replace(sql.find(table), table.size(),
                    "FROM engines INDEXED BY sqlite_autoindex_engines_1");
    }
    take_around(
        result, sql, "analyses", damaged,
        [](Statement& rows, std::int64_t after) { rows.bind(after); }, read);
    std::ranges::sort(result, [](const AnalysisRecord& a, const AnalysisRecord& b) {
        return std::pair{a.rank, a.id} < std::pair{b.rank, b.id};
    });
    return result;
}

// Whether the table of engines has what its index has.
bool Queries::engines_stand() {
    bool sound = true;
    const auto present = engines([&](const std::string&) { sound = false; });
    try {
        return sound && static_cast<std::int64_t>(present.size()) >=
                            database_.integer("SELECT count(*) FROM engines INDEXED BY "
                                              "sqlite_autoindex_engines_1 WHERE fingerprint >= ''");
    } catch (const SqliteError& error) {
        if (!error.damage()) {
            throw;
        }
        return true; // better than the index
    }
}

std::vector<DirectiveRecord> Queries::directives(AnalysisId analysis, const Damaged& damaged) {
    const auto read = [&](const Statement& rows) {
        const std::string what = "directive " + std::to_string(rows.integer(0));
        require_sound(database_, rows, 8, what);
        DirectiveRecord d;
        d.id = rows.integer(0);
        d.analysis = analysis;
        d.position = read_key(database_, rows.integer(1), rows.bytes(2));
        if (!rows.is_null(3)) {
            d.move = read_move(database_, what, rows.integer(3));
        }
        d.line = read_moves(database_, what, rows.bytes(4));
        d.action = read_text(rows, 5);
        d.text = read_text(rows, 6);
        d.at = rows.integer(7);
        return d;
    };
    return of_analysis<DirectiveRecord>(
        directive_seal, "directives.id, position, key, move, line, action, text, at",
        "LEFT JOIN positions ON positions.id = position ", analysis, damaged, read);
}

std::vector<SnapshotRecord> Queries::snapshots(AnalysisId analysis, const Damaged& damaged) {
    const auto read = [&](const Statement& rows) {
        require_sound(database_, rows, 4, "snapshot " + std::to_string(rows.integer(0)));
        return SnapshotRecord{rows.integer(0), analysis, read_int(rows, 1), rows.integer(2),
                              read_text(rows, 3)};
    };
    return of_analysis<SnapshotRecord>(snapshot_seal, "id, refine, at, data", "", analysis, damaged,
                                       read);
}

std::vector<SeedRecord> Queries::seeds(AnalysisId analysis, const Damaged& damaged) {
    const auto read = [&](const Statement& rows) {
        const std::string what = "seed " + std::to_string(rows.integer(0));
        require_sound(database_, rows, 6, what);
        return SeedRecord{analysis, read_key(database_, rows.integer(1), rows.bytes(2)),
                          read_move(database_, what, rows.integer(3)), read_text(rows, 4),
                          rows.integer(5)};
    };
    return of_analysis<SeedRecord>(seed_seal, "seeds.id, position, key, move, text, at",
                                   "LEFT JOIN positions ON positions.id = position "
                                   "LEFT JOIN sources ON sources.id = source ",
                                   analysis, damaged, read);
}

UsageRecord Queries::usage(AnalysisId analysis, const Damaged& damaged) {
    const std::string what = "usage of analysis " + std::to_string(row(analysis));
    std::vector<UsageRecord> result;
    try {
        usage_.bind(row(analysis));
        const ResetAtEnd reset{usage_};
        if (usage_.step()) {
            take_row(result, damaged, [&] {
                require_sound(database_, usage_, 3, what);
                return UsageRecord{analysis, read_count(usage_, 0), read_count(usage_, 1),
                                   read_count(usage_, 2)};
            });
        }
    } catch (const SqliteError& error) {
        if (!error.damage()) {
            throw;
        }
        tell(database_, damaged, what + " cannot be read: " + error.what());
    }
    return result.empty() ? UsageRecord{.analysis = analysis} : result.front();
}

std::vector<EvaluationId> Queries::asked(AnalysisId analysis, const Damaged& damaged) {
    const Transaction snapshot{database_, Transaction::Kind::read};
    Statement rows{database_, std::string{"SELECT evaluation, "} + asked_checksum +
                                  " FROM asked WHERE analysis = ? ORDER BY evaluation"};
    Statement known{database_, "SELECT sum FROM asked_sums WHERE analysis = ?"};
    const std::string what = "what analysis " + std::to_string(row(analysis)) + " asked for ";
    std::vector<EvaluationId> result;
    std::string trouble;
    try {
        std::int64_t sum = 0;
        rows.bind(row(analysis));
        while (rows.step()) {
            result.push_back(static_cast<EvaluationId>(rows.integer(0)));
            sum += rows.integer(1);
        }
        known.bind(row(analysis));
        if ((known.step() ? known.integer(0) : 0) != sum) {
            trouble = what + "is damaged (" + wrong_checksum + ")";
        }
    } catch (const SqliteError& error) {
        if (!error.damage()) {
            throw;
        }
        trouble = what + "cannot be read: " + error.what();
    }
    if (!trouble.empty()) {
        result.clear(); // which of them is wrong cannot be seen
        tell(database_, damaged, trouble);
    }
    return result;
}

std::optional<std::int64_t> Queries::position(const chess::PackedPosition& packed) {
    const Bytes key = position_key(packed);
    const auto first = [&](Statement& found) {
        found.bind(key);
        const ResetAtEnd reset{found};
        return found.step() ? std::optional{found.integer(0)} : std::nullopt;
    };
    try {
        return first(find_position_);
    } catch (const SqliteError& error) {
        if (!error.damage()) {
            throw;
        }
    }
    Statement without_index{database_, "SELECT id FROM positions NOT INDEXED WHERE key = ?"};
    return first(without_index);
}

} // namespace adjourn::storage
