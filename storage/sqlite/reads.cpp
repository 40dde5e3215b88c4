#include "storage/sqlite/reads.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace adjourn::storage {

namespace {

std::string select_facts() {
    return "SELECT " + all_columns(tables::evaluations) + " FROM evaluations ";
}

bool has_number(const Table& table) {
    return table.key == 1 && table.columns.front().type == ColumnType::int8;
}

constexpr std::size_t most_idle = 8; // each may cache 16 MB

} // namespace

std::uint64_t SqliteReads::evaluation_count() {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(
        database_.integer("SELECT value FROM totals WHERE name = 'evaluations'"), 0));
}

void SqliteReads::at_once(const std::function<void()>& work) {
    const Transaction snapshot{database_, Transaction::Kind::read};
    work();
}

// Fingerprints, which checksums are of, stand in the index of the engines, too.
std::string SqliteReads::select(const Table& table) {
    std::string sql = select_rows(table);
    constexpr std::string_view engines = "FROM engines WHERE";
    if (const std::size_t at = sql.find(engines); at != std::string::npos && !engines_stand()) {
        sql.replace(at, engines.size(), "FROM engines INDEXED BY sqlite_autoindex_engines_1 WHERE");
    }
    return sql;
}

// Whether the table of engines has what its index has.
bool SqliteReads::engines_stand() {
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

void SqliteReads::each(const Table& table, const std::optional<Where>& where, const RowSink& sink) {
    const std::string select = this->select(table);
    if (!where && has_number(table)) {
        each_around(table, select, {}, sink);
        return;
    }
    // By the index of that column, if any.
    try {
        Statement rows{database_,
                       select + (where ? where_columns(table, where->column, 1) : std::string{}) +
                           " ORDER BY " + key_columns(table)};
        if (where) {
            rows.bind_cells(std::array{where->is});
        }
        std::vector<Cell> cells;
        while (rows.step()) {
            rows.read(cells);
            sink.take(cells);
        }
    } catch (const SqliteError& error) {
        if (!error.damage()) {
            throw;
        }
        if (where && where->column > 0) {
            sink.anew();
            each_around(table, select + " NOT INDEXED", where, sink);
        } else { // the table is in the order of its key alone
            sink.tell(std::string{table.name} +
                      (where ? " of " + std::to_string(integer(where->is)) : std::string{}) +
                      ": not all can be read: " + error.what());
        }
    }
}

void SqliteReads::each_around(const Table& table, const std::string& select,
                              const std::optional<Where>& where, const RowSink& sink) {
    const std::string number = std::string{table.name} + "." + table.columns[0].name;
    Statement rows{
        database_,
        select + " WHERE " + number + " > ?" +
            (where ? " AND " + std::string{table.columns[where->column].name} + " = ?" : "") +
            " ORDER BY " + number};
    std::vector<Cell> cells;
    read_around(
        rows, 0,
        [&](Statement& from, std::int64_t after) {
            const std::array both{Cell{after}, where ? where->is : Cell{}};
            from.bind_cells(Cells{both}.first(where ? 2 : 1));
        },
        [&] {
            rows.read(cells);
            sink.take(cells);
            return true;
        },
        [&](std::int64_t from, std::optional<std::int64_t> next, const std::string& why) {
            sink.tell(unreadable_rows(table.name, from, next, why));
        });
}

void SqliteReads::each_fact(std::optional<EngineId> engine, EvaluationId after,
                            const Wanted& wanted, const VisitFact& visit,
                            const std::function<void(const std::string&)>& tell) {
    // Both tables in the order of the position's number, side by side: each page is read once.
    // One whose engine is none, who else would miss it?
    Statement facts{database_, select_facts() +
                                   (engine ? "WHERE (engine = ?2 OR engine NOT IN (SELECT id FROM "
                                             "engines)) AND id > ?1 ORDER BY id"
                                           : "WHERE id > ?1 ORDER BY id")};
    Statement positions{database_, "SELECT id, key FROM positions WHERE id >= ? ORDER BY id"};
    std::int64_t position = 0; // that stands; 0: none yet
    bool more = true;          // positions
    // Where few are wanted, a position is found sooner by its number.
    constexpr std::int64_t far = 64;
    // On behind those that cannot be read: their evaluations are told of one by one.
    const auto next_position = [&] {
        try {
            return positions.step();
        } catch (const SqliteError& error) {
            if (!error.damage()) {
                throw;
            }
        }
        const auto readable = [&](std::int64_t behind) -> std::optional<bool> {
            try {
                positions.bind(behind + 1);
                return positions.step();
            } catch (const SqliteError&) {
                return std::nullopt;
            }
        };
        const auto next = next_readable(readable, position);
        return next && readable(*next).value_or(false);
    };
    std::optional<Bytes> key; // of the position that stands
    const auto key_of = [&](std::int64_t needed) -> std::optional<Bytes> {
        if (wanted && needed > position + far) {
            positions.bind(needed);
            more = true;
        }
        while (more && position < needed && (more = next_position())) {
            position = positions.integer(0);
            key = positions.bytes(1);
        }
        return more && position == needed ? key : std::nullopt;
    };
    positions.bind(row(after) >> position_shift);
    const auto ask = [&](Statement& from, std::int64_t behind) {
        // From the beginning also rows whose number is damaged, below 0, too.
        const std::int64_t from_row =
            after == EvaluationId{} ? behind : std::max(behind, row(after));
        engine ? from.bind(from_row, row(*engine)) : from.bind(from_row);
    };
    const auto each = [&] {
        if (wanted &&
            !wanted({EvaluationId{facts.integer(0)}, facts.integer(5), facts.integer(7)})) {
            return true; // the other columns would take longer
        }
        const FactRow fact = facts.fact();
        return visit(fact, key_of(fact.id >> position_shift));
    };
    read_around(facts, 0, ask, each,
                [&](std::int64_t from, std::optional<std::int64_t> next, const std::string& why) {
                    tell(unreadable_rows("evaluations", from, next, why));
                });
}

void SqliteReads::each_fact_of(const chess::PackedPosition& packed,
                               const std::function<void(const FactRow&)>& visit,
                               const std::function<void(const std::string&)>& tell) {
    const Transaction snapshot{database_, Transaction::Kind::read};
    try {
        if (const auto id = position(packed)) {
            Statement facts{database_, select_facts() + "WHERE id BETWEEN ? AND ? ORDER BY id"};
            facts.bind(*id << position_shift, ((*id + 1) << position_shift) - 1);
            while (facts.step()) {
                visit(facts.fact());
            }
        }
    } catch (const StoreError& error) { // of engines, too
        if (!error.damage()) {
            throw;
        }
        tell(std::string{"evaluations of a position cannot all be read: "} + error.what());
    }
}

std::optional<std::int64_t> SqliteReads::position(const chess::PackedPosition& packed) {
    const Bytes key = position_key(packed);
    const auto first = [&](const char* sql) {
        Statement found{database_, sql};
        found.bind(key);
        return found.step() ? std::optional{found.integer(0)} : std::nullopt;
    };
    try {
        return first("SELECT id FROM positions WHERE key = ?");
    } catch (const SqliteError& error) {
        if (!error.damage()) {
            throw;
        }
    }
    return first("SELECT id FROM positions NOT INDEXED WHERE key = ?");
}

ReaderPool::ReaderPool(std::filesystem::path file, Access access, DamageNote* damage)
    : file_{std::move(file)}, access_{access}, damage_{damage} {
    idle_.reserve(most_idle);
    lease(); // one connection at least: what is wrong with the file shows at once
}

ReaderPool::Lease ReaderPool::lease() {
    {
        const std::lock_guard lock{mutex_};
        if (!idle_.empty()) {
            auto reads = std::move(idle_.back());
            idle_.pop_back();
            return {*this, std::move(reads)};
        }
    }
    return {*this, std::make_unique<SqliteReads>(file_, access_, damage_)};
}

void ReaderPool::give_back(std::unique_ptr<SqliteReads> reads) {
    reads->database().forget_pages();
    const std::lock_guard lock{mutex_};
    if (idle_.size() < most_idle) {
        idle_.push_back(std::move(reads));
    }
}

std::optional<std::int64_t>
next_readable(const std::function<std::optional<bool>(std::int64_t)>& readable,
              std::int64_t after) {
    constexpr std::int64_t far = std::int64_t{1} << 61;
    if (after > std::numeric_limits<std::int64_t>::max() - far) {
        return std::nullopt;
    }
    std::int64_t step = 1;
    std::optional<bool> found;
    while (step < far && !(found = readable(after + step))) {
        step *= 2;
    }
    if (!found) {
        return std::nullopt;
    }
    std::int64_t bad = after + step / 2, good = after + step;
    while (good - bad > 1) {
        const std::int64_t middle = bad + (good - bad) / 2;
        (readable(middle) ? good : bad) = middle;
    }
    return good;
}

std::string unreadable_rows(const std::string& table, std::int64_t after,
                            std::optional<std::int64_t> next, const std::string& why) {
    return table + ": rows after " + std::to_string(after) +
           (next ? " and before " + std::to_string(*next + 1) : "") + " cannot be read: " + why;
}

} // namespace adjourn::storage
