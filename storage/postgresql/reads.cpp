#include "storage/postgresql/reads.hpp"

#include "storage/rows/check.hpp"

#include <algorithm>

namespace adjourn::storage::postgresql {

namespace {

constexpr std::int64_t rows_at_once = 10'000;

} // namespace

void PostgresReads::at_once(const std::function<void()>& work) {
    const Transaction snapshot{connection_, Transaction::Kind::read};
    work();
}

std::uint64_t PostgresReads::evaluation_count() {
    const Rows rows = connection_.run("SELECT value FROM totals WHERE name = 'evaluations'");
    return rows.size() == 0
               ? 0
               : static_cast<std::uint64_t>(std::max<std::int64_t>(rows.integer(0, 0), 0));
}

// Those of a large table in parts; its key is of numbers.
void PostgresReads::each(const Table& table, const std::optional<Where>& where,
                         const RowSink& sink) {
    std::vector<Cell> parameters;
    std::string sql = select_rows(table), behind = " WHERE ";
    if (where) {
        sql += where_columns(table, where->column, 1);
        behind = " AND ";
        parameters.emplace_back(where->is);
    }
    const std::size_t said = parameters.size();
    const std::string order = " ORDER BY " + key_columns(table) +
                              (table.large ? " LIMIT " + std::to_string(rows_at_once) : "");
    const std::string next = sql + behind + key_condition(table, ">", said + 1) + order;
    std::vector<Cell> cells;
    while (true) {
        const Rows rows =
            connection_.run_cells(parameters.size() == said ? sql + order : next, parameters);
        for (int i = 0; i < rows.size(); ++i) {
            rows.read(i, cells);
            sink.take(cells);
        }
        if (!table.large || rows.size() < rows_at_once) {
            return;
        }
        parameters.resize(said);
        parameters.insert(parameters.end(), cells.begin(),
                          cells.begin() + static_cast<std::ptrdiff_t>(table.key));
    }
}

void PostgresReads::each_fact(std::optional<EngineId> engine, EvaluationId after,
                              const Wanted& wanted, const VisitFact& visit,
                              const std::function<void(const std::string&)>&) {
    static const std::string select =
        "SELECT " + all_columns(tables::evaluations) + " FROM evaluations WHERE id > $1";
    static const std::string order = " ORDER BY id LIMIT " + std::to_string(rows_at_once);
    std::int64_t last = row(after);
    while (true) {
        const Rows rows = engine ? connection_.run(select + " AND engine = $2::bigint" + order,
                                                   last, row(*engine))
                                 : connection_.run(select + order, last);
        if (rows.size() == 0) {
            return;
        }
        // Both tables in the order of the position's number, side by side.
        const Rows keys =
            connection_.run("SELECT id, key FROM positions WHERE id BETWEEN $1 AND $2 ORDER BY id",
                            rows.integer(0, 0) >> position_shift,
                            rows.integer(rows.size() - 1, 0) >> position_shift);
        int key = 0;
        for (int i = 0; i < rows.size(); ++i) {
            const FactRow fact = rows.fact(i);
            last = fact.id;
            if (wanted && !wanted({EvaluationId{last}, fact.at, fact.checksum})) {
                continue;
            }
            const std::int64_t position = last >> position_shift;
            while (key < keys.size() && keys.integer(key, 0) < position) {
                ++key;
            }
            const bool found = key < keys.size() && keys.integer(key, 0) == position;
            if (!visit(fact, found ? std::optional{keys.bytes(key, 1)} : std::nullopt)) {
                return;
            }
        }
        if (rows.size() < rows_at_once) {
            return;
        }
    }
}

void PostgresReads::each_fact_of(const chess::PackedPosition& position,
                                 const std::function<void(const FactRow&)>& visit,
                                 const std::function<void(const std::string&)>&) {
    static const std::string sql =
        "SELECT e.* FROM positions CROSS JOIN LATERAL (SELECT " + all_columns(tables::evaluations) +
        " FROM evaluations WHERE evaluations.id >= positions.id << 16 "
        "AND evaluations.id < (positions.id + 1) << 16 ORDER BY id) e WHERE key = $1";
    const Rows rows = connection_.run(sql, position_key(position));
    for (int i = 0; i < rows.size(); ++i) {
        visit(rows.fact(i));
    }
}

std::vector<std::string> PostgresReads::check() {
    const Connection::Unhurried all{connection_};
    Findings findings;
    const auto none = [&](const std::string& from_where, const std::string& what) {
        const Rows rows = connection_.run("SELECT count(*) FROM " + from_where);
        if (rows.integer(0, 0) > 0) {
            findings.add(what, std::to_string(rows.integer(0, 0)) + " rows");
        }
    };
    try {
        at_once([&] {
            connection_.execute("SET LOCAL enable_seqscan = on"); // all is read
            // What no reference in the schema says.
            none("evaluations e WHERE NOT EXISTS (SELECT 1 FROM positions p "
                 "WHERE p.id = e.id >> 16)",
                 "evaluations of positions that are missing");
            none("evaluations e WHERE NOT EXISTS (SELECT 1 FROM engines g WHERE g.id = e.engine)",
                 "evaluations of engines that are missing");
            none("asked a WHERE NOT EXISTS (SELECT 1 FROM evaluations e "
                 "WHERE e.id = a.evaluation)",
                 "who asked for evaluations that are missing");
            connection_.execute("SET LOCAL enable_seqscan = off");
            check_rows(*this, findings);
        });
    } catch (const StoreError& error) {
        findings.add("reading ended early", error.what());
    }
    return findings.take();
}

} // namespace adjourn::storage::postgresql
