// SqliteReads: Reads on one read connection to the file. Where pages of it are damaged, it reads on
// behind them.
#pragma once

#include "storage/rows/reads.hpp"
#include "storage/sqlite/database.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace adjourn::storage {

class SqliteReads final : public Reads {
public:
    // `damage` as of Database. What is damaged beyond a row is told like a damaged row, and
    // the rest is read. Throws SqliteError.
    SqliteReads(const std::filesystem::path& file, Access access, DamageNote* damage = nullptr)
        : own_{std::in_place, file, access, damage}, database_{*own_} {}
    // On a connection of somebody else, which must outlive it.
    explicit SqliteReads(Database& database) : database_{database} {}

    Database& database() { return database_; }

    std::uint64_t evaluation_count() override;
    std::string place() const override { return database_.file().string(); }
    void each(const Table& table, const std::optional<Where>& where, const RowSink& sink) override;
    void each_fact(std::optional<EngineId> engine, EvaluationId after, const Wanted& wanted,
                   const VisitFact& visit,
                   const std::function<void(const std::string&)>& tell) override;
    void each_fact_of(const chess::PackedPosition& position,
                      const std::function<void(const FactRow&)>& visit,
                      const std::function<void(const std::string&)>& tell) override;
    void at_once(const std::function<void()>& work) override;

private:
    // In the order of the table's number, and on behind what cannot be read.
    void each_around(const Table& table, const std::string& select,
                     const std::optional<Where>& where, const RowSink& sink);
    std::string select(const Table& table);
    bool engines_stand();
    std::optional<std::int64_t> position(const chess::PackedPosition& packed);

    std::optional<Database> own_;
    Database& database_;
};

// ReaderPool: read connections for any number of threads. Made as they are needed, kept for later.

class ReaderPool {
public:
    // One connection for the time of one read; goes back at the end.
    class Lease {
    public:
        Lease(ReaderPool& pool, std::unique_ptr<SqliteReads> reads)
            : pool_{pool}, reads_{std::move(reads)} {}
        ~Lease() { pool_.give_back(std::move(reads_)); }
        SqliteReads* operator->() const { return reads_.get(); }
        SqliteReads& operator*() const { return *reads_; }

    private:
        ReaderPool& pool_;
        std::unique_ptr<SqliteReads> reads_;
    };

    // `damage` as of Database.
    ReaderPool(std::filesystem::path file, Access access, DamageNote* damage);
    // Any thread. A read inside a read gets a connection of its own. Throws SqliteError.
    Lease lease();

private:
    void give_back(std::unique_ptr<SqliteReads> reads);

    const std::filesystem::path file_;
    const Access access_;
    DamageNote* const damage_;
    std::mutex mutex_;
    std::vector<std::unique_ptr<SqliteReads>> idle_;
};

// Reading on behind what cannot be read: the rows of a table in the order of a number.

// A number, not below `after`, behind which rows can be read again, or behind which there are none;
// nullopt if no such is found. `readable`: whether a row with a larger number than this can be
// read; false: there is none; nullopt: it is damaged.
std::optional<std::int64_t>
next_readable(const std::function<std::optional<bool>(std::int64_t)>& readable, std::int64_t after);

// Where rows of `table` could not be read, for people. `next`: where reading went on.
std::string unreadable_rows(const std::string& table, std::int64_t after,
                            std::optional<std::int64_t> next, const std::string& why);

// Visits the rows that a statement gives, ascending by the number in their column `number`, until
// `visit` returns false. `bind` asks for those whose number is larger than the one it gets. Of each
// gap where the file is damaged `tell` gets the ends, as unreadable_rows, and why.
template <class Bind, class Visit, class Tell>
void read_around(Statement& rows, int number, Bind bind, Visit visit, Tell tell) {
    const auto readable = [&](std::int64_t after) -> std::optional<bool> {
        try {
            bind(rows, after);
            const ResetAtEnd reset{rows};
            return rows.step();
        } catch (const SqliteError& error) {
            if (!error.damage()) {
                throw;
            }
            return std::nullopt;
        }
    };
    std::int64_t last = std::numeric_limits<std::int64_t>::min();
    while (true) {
        std::string trouble;
        try {
            bind(rows, last);
            const ResetAtEnd reset{rows};
            while (rows.step()) {
                last = std::max(last, rows.integer(number)); // a damaged page may be in disorder
                if (!visit()) {
                    return;
                }
            }
            return;
        } catch (const SqliteError& error) {
            if (!error.damage()) {
                throw;
            }
            trouble = error.what();
        }
        const std::int64_t from = std::max<std::int64_t>(last, 0); // only damage goes below
        const auto next = next_readable(readable, from);
        tell(from, next, trouble);
        if (!next) {
            return;
        }
        last = *next;
    }
}

} // namespace adjourn::storage
